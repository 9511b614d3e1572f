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

// A Loss is memory that a journal no longer has: it may know nothing of payments that were sent.
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
func (m *memory) LossStands() error {
	all := m.Losses()
	if len(all) == 0 {
		return nil
	}
	return &ledger.Unavailable{Why: all[0].Words() + " Nothing is sent before a person has acknowledged it.", Err: ErrLoss}
}

func (m *memory) lossPath() string { return m.beside + ".losses" }

// Losses returns the losses that stand, oldest first. The file is read each time: another process may have found one,
// or a person acknowledged it there. One that cannot be read is a loss as well.
func (m *memory) Losses() []Loss {
	if m.beside == "" {
		return nil
	}
	var all []Loss
	text, err := os.ReadFile(m.lossPath())
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	switch since := m.witness().Lost; {
	case errors.Is(err, fs.ErrNotExist) && since.IsZero():
		m.losses.Store(nil)
		return nil
	case errors.Is(err, fs.ErrNotExist):
		all = []Loss{{To: since, Why: "the file of what is missing was deleted (" + m.lossPath() + ")"}}
	case err != nil || len(all) == 0:
		since = m.now()
		if about, err := os.Stat(m.lossPath()); err == nil { // a time that stays the same, or what a person has read could never be acknowledged
			since = about.ModTime()
		}
		all = []Loss{{To: since, Why: "the file of what is missing cannot be read (" + m.lossPath() + ")"}}
	}
	m.losses.Store(&all)
	return all
}

// KnownLosses are the losses that stood when the journal was last used. It does no I/O.
func (m *memory) KnownLosses() []Loss {
	if all := m.losses.Load(); all != nil {
		return *all
	}
	return nil
}

// addLoss records a loss durably, before anything is put in place of what is lost. Where any record may be missing
// already, another loss adds nothing but where a file is kept.
func (m *memory) addLoss(l Loss) error {
	if m.beside == "" {
		return nil
	}
	return m.withLosses(func(all []Loss) error {
		l.To = m.now().Round(0)
		everything := func(o Loss) bool { return o.From.IsZero() }
		if l.Kept != "" || !slices.ContainsFunc(all, everything) {
			text, err := json.MarshalIndent(append(all, l), "", " ")
			if err != nil {
				return err
			}
			if err := statefile.WriteFile(m.lossPath(), append(text, '\n')); err != nil {
				return err
			}
		}
		m.lost(l.To)
		return nil
	})
}

// addMoved records that what was recorded here is not in the journal that is opened next, unless whoever replaced it
// recorded that already.
func (m *memory) addMoved() error {
	if len(m.Losses()) > 0 {
		return nil
	}
	return m.addLoss(Loss{Why: errMoved.Error()})
}

// lossPace sets how often a console looks whether the journal is still the one that it opened.
const lossPace = time.Second

// Listen implements [Database]: it calls changed whenever a console of this machine has added a fact, which the witness
// tells, or other losses stand than before. What adds no fact, as the record of a start or
// an answer that was given before, is not told.
func (s *file) Listen(ctx context.Context, changed func()) error {
	if s.path == "" {
		return nil
	}
	every := time.NewTicker(lossPace)
	defer every.Stop()
	last := s.witness()
	for {
		known := s.KnownLosses()
		select {
		case <-every.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		err, before := s.lookForLoss(ctx), last
		last = s.witness()
		if last.Head != before.Head || err == nil && !slices.EqualFunc(known, s.KnownLosses(), sameLoss) {
			changed()
		}
	}
}

// lookForLoss notices that the open file was taken away or overwritten, without a use of it. Where it was not, what this
// console has written since goes from the log into the file.
func (s *file) lookForLoss(ctx context.Context) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock()
	s.Losses()
	switch {
	case s.db == nil:
		return nil
	case s.checkSameFile() == errMoved:
		s.closeDB()
		return s.addMoved()
	case s.isOverwritten(ctx):
		return s.ensureOpen(ctx)
	case s.written.Load() != s.rested:
		s.rest(ctx, passive)
	}
	return nil
}

func sameLoss(a, b Loss) bool { return a.Words() == b.Words() }

// AcknowledgeLosses ends the losses that a person has read. Where another was found meanwhile, or one was acknowledged
// elsewhere, nothing ends and the error is [ledger.ErrChanged].
func (m *memory) AcknowledgeLosses(read []Loss) error {
	if m.beside == "" || len(read) == 0 {
		return nil
	}
	return m.withLosses(func(all []Loss) error {
		if len(all) > 0 && !slices.EqualFunc(all, read, sameLoss) {
			return ledger.ErrChanged
		}
		m.lost(time.Time{})
		if err := os.Remove(m.lossPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unavailable(m.lossPath(), err)
		}
		return statefile.SyncDir(m.dir)
	})
}

// withLosses calls change with the losses that stand, while no other process changes them.
func (m *memory) withLosses(change func([]Loss) error) error {
	if err := statefile.MakeDir(m.dir); err != nil {
		return unavailable(m.path, err)
	}
	release, err := statefile.LockDir(m.lossPath() + ".lock")
	if err != nil {
		return unavailable(m.path, err)
	}
	defer release()
	defer m.Losses()
	return change(m.Losses())
}

// IsGone reports that the file of the journal is not there, although there was one. It creates nothing.
func (m *memory) IsGone() bool {
	_, err := os.Stat(m.path)
	return m.path != "" && errors.Is(err, fs.ErrNotExist) && m.existed()
}

// existed reports whether there was a journal here before: its key, its head or its log is still there, or may be.
func (m *memory) existed() bool {
	left, err := present(m.path)
	return exists(m.keyPath()) || exists(m.head) || left != "" || err != nil
}

// exists reports whether a file is there, or may be: one that cannot be looked at now was not deleted.
func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
