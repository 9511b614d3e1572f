package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"time"
)

// A progress is how far a journal has come. Commits are counted in the journal itself, since the highest
// number of a row does not tell: a purge removes rows, and an answer changes one.
type progress struct {
	commits uint64
	at      time.Time // of the last one; zero when none was counted
}

const progressName = "progress" // of the fact

// progress is zero in a journal that only older consoles have written.
func (t *readTx) progress() (p progress, err error) {
	b, err := readFact(t.ctx, t.q, progressName)
	if err != nil || b == nil {
		return p, err
	}
	if len(b) != 16 {
		return p, errDamaged
	}
	at := int64(binary.BigEndian.Uint64(b[8:]))
	return progress{binary.BigEndian.Uint64(b), fromNano(at)}, nil
}

// advance counts a commit.
func (t *writeTx) advance(from progress) error {
	b := binary.BigEndian.AppendUint64(nil, from.commits+1)
	return setFact(t.ctx, t.tx, progressName, binary.BigEndian.AppendUint64(b, uint64(unixNano(t.now))))
}

// errLoss is that the last commits are gone: their log was lost, or a file is an older copy.
var errLoss = errors.New("the journal goes back")

func isLoss(err error) bool { return errors.Is(err, errLoss) }

// checkLoss blocks a journal that has counted fewer commits than the file of the sums knows of. What is
// left is sound, so it stays; but a payment whose record is lost must be looked for before it is sent
// again.
func (j *Journal) checkLoss(s *pageSums, p progress) error {
	if s == nil || p.commits >= s.Commits {
		return nil
	}
	why := "The last records of the journal are lost"
	if !p.at.IsZero() {
		why += ": it goes back to " + p.at.In(j.opts.Now().Location()).Format("2006-01-02 15:04")
	}
	j.blocked = &Unavailable{why + ". Look for later payments in Transactions, then quit and start again.", errLoss}
	return j.blocked
}

// acceptLoss lets the next start use a journal whose loss was reported. A console that is killed leaves it
// to be reported again.
func (j *Journal) acceptLoss(ctx context.Context) {
	if !j.lossReported {
		return
	}
	if s := j.lockSums(ctx); s != nil {
		os.Remove(sumsPath(j.path))
		s.close()
	}
}
