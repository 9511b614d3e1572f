package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// A store holds what a team remembers, as the simulation uses it. All that knows today's journal is in this file and in
// decisions_test.go.
type store interface {
	open(*console) *journal.Journal
	close(*console)
	has(Request) bool // reports whether it has what a request is recorded as
	export() []Entry
	facts([]Entry) []Facts
	audit() []string
	end([]*console)
	folder() string // "" in memory
	renew()
}

func newStore(w *world, file bool, dir string) store {
	if file {
		return &fileStore{journals{w: w}, dir}
	}
	return &memoryStore{journals{w: w, only: journal.New(journal.Options{
		Operator: onlyOperator, NewID: w.nextID,
	})}}
}

// journals is what both kinds of store have.
type journals struct {
	w    *world
	only *journal.Journal // in memory, for all consoles
}

var onlyOperator = ledger.Operator{User: "person", Host: "desk"}

// A memoryStore is the journal in memory, which all consoles share. Their operator is one.
type memoryStore struct{ journals }

func (m *memoryStore) open(*console) *journal.Journal { return m.only }
func (m *memoryStore) close(*console)                 {}
func (m *memoryStore) end([]*console)                 { m.only.Close() }
func (m *memoryStore) folder() string                 { return "" }
func (m *memoryStore) renew()                         {}

// A fileStore is a file that each console opens for itself.
type fileStore struct {
	journals
	dir string
}

func (f *fileStore) open(c *console) *journal.Journal {
	return journal.New(journal.Options{
		Dir: f.dir, Operator: c.who, NewID: c.newID,
		Now: func() time.Time { return time.Now().Add(c.offset) },
	})
}
func (f *fileStore) close(c *console) { c.journal.Close() }
func (f *fileStore) folder() string   { return f.dir }
func (f *fileStore) end(all []*console) {
	for _, c := range all {
		c.journal.Close()
	}
	if f.only != nil {
		f.only.Close()
	}
}

// renew is for a store whose file was replaced: what a console has open may be another.
func (f *fileStore) renew() {
	if f.only != nil {
		f.only.Close()
	}
	f.only = journal.New(journal.Options{Dir: f.dir})
}

// any is a journal that can be read.
func (s *journals) any() *journal.Journal {
	if s.only != nil {
		return s.only
	}
	for _, c := range slices.Concat(s.w.consoles, s.w.gone) {
		if c != nil {
			return c.journal
		}
	}
	s.only = journal.New(journal.Options{Dir: s.w.store.folder()})
	return s.only
}

// all are the attempts that the store has, newest first.
func (s *journals) all() []ledger.Attempt {
	all, _, err := s.any().Attempts(context.Background(), journal.Filter{}, 0, 1000)
	if err != nil {
		other := journal.New(journal.Options{Dir: s.w.store.folder()})
		defer other.Close()
		all, _, _ = other.Attempts(context.Background(), journal.Filter{}, 0, 1000)
	}
	return all
}

// senderHas reports whether the console that sends a request reads what it is recorded as.
func (s *journals) senderHas(r Request) bool {
	return slices.ContainsFunc(s.w.consoles, func(c *console) bool {
		if c == nil || c.name != r.Console {
			return false
		}
		_, err := c.journal.Attempt(context.Background(), ledger.ID(r.Attempt))
		return err == nil
	})
}

func (s *journals) has(r Request) bool {
	if r.Attempt != "" {
		_, err := s.any().Attempt(context.Background(), ledger.ID(r.Attempt))
		if errors.Is(err, ledger.ErrNotFound) {
			return false
		}
		return err == nil || s.senderHas(r) // a reader that has found damage reads nothing before the next start
	}
	had, sent := 0, 0
	for _, a := range s.all() {
		if r.finalizes() && a.Kind == ledger.Finalize && string(a.Reference) == r.Reference || a.Kind == ledger.CreateLink && a.Draft.Description == r.Confirmation {
			had++
		}
	}
	for _, o := range s.w.requests[s.w.lostAt:] { // with this one, since memory was taken away
		if o.IsSend() && o.Path == r.Path && o.Reference == r.Reference && o.Confirmation == r.Confirmation {
			sent++
		}
	}
	return had >= sent
}

func (s *journals) export() (all []Entry) {
	for _, a := range s.all() {
		e := Entry{
			ID: string(a.ID), Kind: string(a.Kind), At: a.At, Outcome: string(a.Outcome), Reference: string(a.Reference),
			Verdict: string(a.Decision), DecidedAt: a.DecidedAt, MismatchVerdict: string(a.Mismatch.Decision),
			Description: a.Draft.Description,
		}
		if !a.StatusAt.IsZero() {
			e.Status = a.Status.State.String()
		}
		if !a.Mismatch.IsZero() {
			e.Mismatch = strconv.Itoa(int(a.Mismatch.What))
		}
		all = append(all, e)
	}
	return all
}

func (s *journals) facts(all []Entry) (facts []Facts) {
	for _, e := range all {
		_, events, err := s.any().History(context.Background(), ledger.ID(e.ID))
		if err != nil {
			continue
		}
		f := Facts{ID: e.ID}
		for _, v := range events {
			f.History = append(f.History, Fact{What: v.What, Detail: v.Detail, Source: v.Source})
		}
		facts = append(facts, f)
	}
	return facts
}

// audit returns what differs between the rows of the journal and its facts.
func (s *journals) audit() []string {
	a, err := s.any().Audit(context.Background(), nil)
	if err != nil {
		return nil // it cannot be read, which is said elsewhere
	}
	return a.Differs
}

// template makes a folder with a new journal, to be copied.
func template(dir string) error {
	j := journal.New(journal.Options{Dir: dir})
	return errors.Join(j.Check(context.Background()), j.Close())
}

// copyFiles copies a journal without what SQLite has beside it.
func copyFiles(from, to string, names ...string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), b, 0o600); err != nil {
			return err
		}
	}
	return nil
}
