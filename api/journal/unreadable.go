package journal

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"paydesk/api/ledger"
)

// Lists leave out a row of a team's journal that is not what was written, and an attempt with such a fact: nothing may rely
// on it, and the others are what they were. Nothing is sent that may be like it. A file is verified as a whole, and set aside.

// An unreadableRow is the error of a row that is not what was written. It is [errDamaged].
type unreadableRow struct {
	n     int64
	named string // in words
}

func (u *unreadableRow) Error() string { return errDamaged.Error() + ": " + u.named }

func (u *unreadableRow) Unwrap() error { return errDamaged }

// unreadable is the error of a row; n, id and kind are as the database has them.
func unreadable(found []any) error {
	n, _ := found[0].(int64)
	id, _ := found[1].(string)
	noun := "attempt "
	if found[2] == string(ledger.Known) {
		noun = "payment "
	}
	return &unreadableRow{n, noun + ledger.Stored(id) + ", row " + strconv.FormatInt(n, 10) + " of entries"}
}

// unreadableFact is the error of a fact that is not what was written.
func unreadableFact(number int64, entry string) error {
	return &unreadableRow{number, "fact " + strconv.FormatInt(number, 10) + " of " + ledger.Stored(entry)}
}

// hide reports whether an error concerns a row that a list leaves out.
func (t *readTx) hide(err error) bool {
	_, is := errors.AsType[*unreadableRow](err)
	return is && t.hides
}

// Unreadable names the rows of a team's journal that are not what was written. It reads all of them.
func (j *Journal) Unreadable(ctx context.Context) (named []string, err error) {
	if j.file != nil {
		return nil, nil
	}
	for _, p := range parts() {
		some, err := j.unreadableOf(ctx, p)
		if err != nil {
			return nil, err
		}
		named = append(named, some...)
	}
	slices.Sort(named)
	return named, nil
}

// unreadableOf names the rows of a part that are not what was written, in their order.
func (j *Journal) unreadableOf(ctx context.Context, p part) (named []string, err error) {
	for after, more := int64(-1), true; more && err == nil; {
		err = j.read(ctx, func(t *readTx) error {
			more = false
			return t.each(func(found scanner) error {
				n, err := p.read(found)
				if u, is := errors.AsType[*unreadableRow](err); is {
					n, named, err = u.n, append(named, u.named), nil
				}
				after, more = n, true
				return err
			}, p.selects+"WHERE "+p.number+" > ? ORDER BY "+p.number+" LIMIT ?", after, auditBatch)
		})
	}
	return named, err
}

// A part is a table whose rows are verified when they are read.
type part struct {
	selects, number string
	read            func(scanner) (number int64, err error)
}

func parts() []part {
	return []part{{selectFacts, "f.number", func(s scanner) (int64, error) {
		f, err := scanFact(s)
		if err != nil {
			return 0, err
		}
		return f.Number, nil
	}}, {selectEntries() + "entries AS a ", "n", func(s scanner) (int64, error) {
		n, _, err := scanNumbered(s)
		return n, err
	}}}
}
