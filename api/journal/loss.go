package journal

import (
	"context"
	"encoding/hex"
)

// checkLoss finds out that a journal is behind its [witness], or another one than that knows of: the log of the last facts
// was lost, a file is an older copy, a dump was put back, or a standby was promoted without the last facts. What is left is
// sound, so it stays.
func (t *writeTx) checkLoss(w witness) (err error) {
	if t.last, err = t.head(); err != nil || t.j.beside() == "" || w.Number == 0 {
		return err
	}
	last := t.last
	there, err := t.headOf(w.Number)
	if err != nil || hex.EncodeToString(there) == w.Head {
		return err
	}
	if err := t.j.addLoss(Loss{From: fromNano(last.at), Why: "the last records of the journal are lost, or it was replaced by an older copy"}); err != nil {
		return err
	}
	t.j.changeWitness(func(w *witness) { *w = witness{Number: last.number, Head: hex.EncodeToString(last.hash), Lost: w.Lost} })
	return nil
}

// checkOpened is checkLoss of a journal that was just opened, so that one that is only read is checked as well.
func (j *Journal) checkOpened(ctx context.Context, db Querier) error {
	w := j.witness() // first: another console may commit between the two
	t := &writeTx{readTx: j.reader(ctx, db, At{})}
	return t.checkLoss(w)
}
