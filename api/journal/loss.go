package journal

import (
	"context"
	"encoding/binary"
	"time"
)

// A progress is how far a journal has come. Commits are counted in the journal itself, since the highest
// number of a row does not tell: a purge removes rows, and an answer changes one.
type progress struct {
	commits uint64
	at      time.Time // of the last one; zero when none was counted
}

const progressName = "progress" // of the fact

// progress is zero in a journal without a commit.
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

// checkLoss finds out that a journal has counted fewer commits than its [witness] knows of: the log of the last
// ones was lost, or a file is an older copy. What is left is sound, so it stays.
func (j *Journal) checkLoss(p progress, w witness) error {
	if j.path == "" || p.commits >= w.Commits {
		return nil
	}
	if err := j.addLoss(Loss{From: p.at, Why: "the last records of the journal are lost, or it was replaced by an older copy"}); err != nil {
		return err
	}
	j.remember(witness{Commits: p.commits})
	return nil
}

// checkOpened is checkLoss of a journal that was just opened, so that one that is only read is checked as well.
func (j *Journal) checkOpened(ctx context.Context) error {
	w := j.witness() // first: another console may commit between the two
	t := &readTx{ctx: ctx, j: j, q: sqliteQuerier{j.db}}
	p, err := t.progress()
	if err == nil {
		err = j.checkLoss(p, w)
	}
	return err
}
