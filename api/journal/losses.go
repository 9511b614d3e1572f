package journal

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"paydesk/api/ledger"
	"paydesk/api/statefile"
)

// A Loss is memory that a journal no longer has: payments may have been sent of which it knows nothing.
// It is kept in a file beside the journal and stands, for every console and command, until a person has acknowledged
// it; until then [Journal.Begin] records nothing, and so nothing is sent.
type Loss struct {
	From time.Time `json:"from,omitzero"` // records from then on may be missing; zero where any may be
	To   time.Time `json:"to"`            // when it was found: what came later is recorded
	Why  string    `json:"why"`
	Kept string    `json:"kept,omitempty"` // where the file is that was set aside
}

// Words say in one sentence what may be missing, from when to when.
func (l Loss) Words() string {
	const minute = "2006-01-02 15:04"
	words := "Records up to " + l.To.Local().Format(minute) + " may be missing"
	if !l.From.IsZero() {
		words = "Records from " + l.From.Local().Format(minute) + " to " + l.To.Local().Format(minute) + " may be missing"
	}
	words += ": " + l.Why
	if l.Kept != "" {
		words += ". What was there is kept as " + l.Kept
	}
	return words + "."
}

// ErrLoss is the error of sending while a [Loss] stands.
var ErrLoss = errors.New("a loss was not acknowledged")

// LossStands is why nothing is sent; nil while no [Loss] stands.
func (j *Journal) LossStands() error {
	all := j.Losses()
	if len(all) == 0 {
		return nil
	}
	return &ledger.Unavailable{Why: all[0].Words() + " Nothing is sent before a person has acknowledged it.", Err: ErrLoss}
}

func (j *Journal) lossPath() string { return j.beside() + ".losses" }

// Losses returns the losses that stand, oldest first. The file is read each time: another process may have found one,
// or a person acknowledged it there. One that cannot be read is a loss as well.
func (j *Journal) Losses() []Loss {
	if j.beside() == "" {
		return nil
	}
	var all []Loss
	text, err := os.ReadFile(j.lossPath())
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	switch since := j.witness().Lost; {
	case errors.Is(err, fs.ErrNotExist) && since.IsZero():
		j.losses.Store(nil)
		return nil
	case errors.Is(err, fs.ErrNotExist):
		all = []Loss{{To: since, Why: "the file of what is missing was deleted (" + j.lossPath() + ")"}}
	case err != nil || len(all) == 0:
		all = []Loss{{To: j.opts.Now(), Why: "the file of what is missing cannot be read (" + j.lossPath() + ")"}}
	}
	j.losses.Store(&all)
	return all
}

// KnownLosses are the losses that stood when the journal was last used. It does no I/O.
func (j *Journal) KnownLosses() []Loss {
	if all := j.losses.Load(); all != nil {
		return *all
	}
	return nil
}

// addLoss records a loss durably, before anything is put in place of what is lost. Where any record may be missing
// already, another loss adds nothing but where a file is kept.
func (j *Journal) addLoss(l Loss) error {
	if j.beside() == "" {
		return nil
	}
	return j.withLosses(func(all []Loss) error {
		everything := func(o Loss) bool { return o.From.IsZero() }
		if l.Kept == "" && slices.ContainsFunc(all, everything) {
			return nil
		}
		l.To = j.opts.Now().Round(0)
		text, err := json.MarshalIndent(append(all, l), "", " ")
		if err != nil {
			return err
		}
		if err := statefile.WriteFile(j.lossPath(), append(text, '\n')); err != nil {
			return err
		}
		j.lost(l.To)
		return nil
	})
}

// addMoved records that what was recorded here is not in the journal that is opened next, unless whoever replaced it
// recorded that already.
func (j *Journal) addMoved() error {
	if len(j.Losses()) > 0 {
		return nil
	}
	return j.addLoss(Loss{Why: errMoved.Error()})
}

// lossPace is how often a console looks whether the journal is still the one that it opened.
const lossPace = time.Second

// Listen implements [Database]: it calls changed whenever this console has written, or other losses stand than before.
func (s *file) Listen(ctx context.Context, changed func()) error {
	j := s.j
	if j.path == "" {
		return nil
	}
	every := time.NewTicker(lossPace)
	defer every.Stop()
	written := s.written.Load()
	for {
		known := j.KnownLosses()
		select {
		case <-every.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		err, before := s.lookForLoss(ctx), written
		written = s.written.Load()
		if written != before || err == nil && !slices.EqualFunc(known, j.KnownLosses(), sameLoss) {
			changed()
		}
	}
}

// lookForLoss notices that the open file was taken away or overwritten, without a use of it.
func (s *file) lookForLoss(ctx context.Context) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock()
	s.j.Losses()
	switch {
	case s.db == nil:
		return nil
	case s.checkSameFile() == errMoved:
		s.closeDB()
		return s.j.addMoved()
	case s.isOverwritten(ctx):
		return s.ensureOpen(ctx)
	}
	return nil
}

func sameLoss(a, b Loss) bool { return a.Words() == b.Words() }

// AcknowledgeLosses ends the losses that a person has read. Where another was found meanwhile, or one was acknowledged
// elsewhere, nothing ends and the error is [ledger.ErrChanged].
func (j *Journal) AcknowledgeLosses(read []Loss) error {
	if j.beside() == "" || len(read) == 0 {
		return nil
	}
	return j.withLosses(func(all []Loss) error {
		if len(all) > 0 && !slices.EqualFunc(all, read, sameLoss) {
			return ledger.ErrChanged
		}
		j.lost(time.Time{})
		if err := os.Remove(j.lossPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unavailable(j.lossPath(), err)
		}
		return statefile.SyncDir(j.opts.Dir)
	})
}

// withLosses calls change with the losses that stand, while no other process changes them.
func (j *Journal) withLosses(change func([]Loss) error) error {
	if err := statefile.MakeDir(j.opts.Dir); err != nil {
		return unavailable(j.path, err)
	}
	release, err := statefile.LockDir(j.lossPath() + ".lock")
	if err != nil {
		return unavailable(j.path, err)
	}
	defer release()
	defer j.Losses()
	return change(j.Losses())
}

// IsGone reports that the file of the journal is not there, although there was one. It creates nothing.
func (j *Journal) IsGone() bool {
	_, err := os.Stat(j.path)
	return j.path != "" && errors.Is(err, fs.ErrNotExist) && j.existed()
}

// existed reports whether there was a journal where there is none: its key or its head is there.
func (j *Journal) existed() bool {
	for _, path := range []string{j.keyPath(), j.headPath()} {
		if _, err := os.Stat(path); err == nil {
			return true
		}
	}
	return false
}
