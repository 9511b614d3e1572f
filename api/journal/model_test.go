package journal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

var pound = must(money.ParseCurrency("GBP"))

// A book is a model of the journal: a plain list with the same contract.
type book struct {
	now  time.Time
	all  []*entry
	refs int
}

type entry struct {
	ledger.Attempt
	email string
}

// expire marks attempts unresolved that were not answered for 100 seconds.
func (l *book) expire() {
	for _, e := range l.all {
		if e.Outcome == ledger.Sent && l.now.Sub(e.At) > 100*time.Second {
			e.Outcome = ledger.Unresolved
		}
	}
}

// duplicates returns the attempts that resemble one.
func (l *book) duplicates(a ledger.Attempt, email string) (ids []ledger.ID) {
	for _, e := range slices.Backward(l.all) {
		if e.Kind != ledger.Initiate || e.Destination != a.Destination || e.Amount != a.Amount {
			continue
		}
		open := e.Outcome == ledger.Sent || e.Outcome == ledger.Accepted || e.Outcome == ledger.Unresolved && e.Decision != ledger.NotFound
		payer := a.Link != "" && e.Link == a.Link || email != "" && e.email == email || a.Link == "" && email == "" && e.Link == "" && e.email == ""
		recent := l.now.Sub(e.At) <= 10*time.Minute && open && e.Status.State != api.Failed && payer
		if recent || e.Outcome == ledger.Unresolved && e.Decision == "" {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

func (l *book) unfinished() (ids []ledger.ID) {
	for _, e := range slices.Backward(l.all) {
		if e.IsUnresolved() {
			ids = append(ids, e.ID)
		}
	}
	for _, e := range slices.Backward(l.all) {
		if e.UnderWay() {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// applyStatus applies a status returned for a reference.
func (l *book) applyStatus(ref api.Reference, s api.Status) {
	for _, e := range l.all {
		if e.Reference != ref || e.Kind != ledger.Initiate {
			continue
		}
		was := e.Status.State.Final()
		if !was {
			e.Status = s
		}
		if !was && s.State.Final() {
			for _, f := range l.all {
				if f.Kind == ledger.Finalize && f.Reference == ref && f.IsUnresolved() {
					f.Outcome = ledger.Refused
					if s.State == api.Successful {
						f.Outcome = ledger.Accepted
					}
				}
			}
		}
	}
}

// finalized reports whether a finalize of a payment was accepted or found, and whether the outcome of
// one is unknown. Giving up leaves it unknown.
func (l *book) finalized(e *entry) (done, lost bool) {
	for _, f := range l.all {
		if e.Kind == ledger.Initiate && f.Kind == ledger.Finalize && f.Reference == e.Reference {
			unknown := f.Outcome == ledger.Unresolved
			done = done || f.Outcome == ledger.Accepted || unknown && f.Decision == ledger.Found
			lost = lost || unknown && f.Decision != ledger.Found && f.Decision != ledger.NotFound
		}
	}
	return done, lost
}

// A machine applies the same operations to a journal and to a ledger.
type machine struct {
	*rapid.T
	book
	dir string // "" in memory
	j   *journal.Journal
}

func (w *machine) open() {
	j, err := openJournal(context.Background(), journal.Options{Dir: w.dir, Now: func() time.Time { return w.now }})
	if err != nil {
		w.Fatal(err)
	}
	w.j = j
}

func (w *machine) anyEntry(t *rapid.T) *entry {
	if len(w.all) == 0 {
		t.Skip("there is none yet")
	}
	return w.all[rapid.IntRange(0, len(w.all)-1).Draw(t, "which")]
}

func (w *machine) begin(t *rapid.T) {
	a := ledger.Attempt{
		Kind: ledger.Initiate, Destination: shop, Amount: money.Amount{Minor: rapid.Int64Range(1, 2).Draw(t, "amount"), Currency: pound},
		Link: api.Alias(rapid.SampledFrom([]string{"", "", "spring"}).Draw(t, "link")),
	}
	email := rapid.SampledFrom([]string{"", "ada@example.com", "ben@example.com"}).Draw(t, "email")
	alike := w.duplicates(a, email)
	var despite []ledger.ID
	if rapid.Bool().Draw(t, "acknowledged") {
		despite = alike
	}
	got, err := w.j.Begin(context.Background(), a, ledger.Payer{Email: email}, despite)
	if len(alike) > 0 && despite == nil {
		look, is := errors.AsType[*ledger.Duplicate](err)
		if !is {
			t.Fatalf("no duplicate: %v", err)
		}
		var ids []ledger.ID
		for _, a := range look.Attempts {
			ids = append(ids, a.ID)
		}
		if diff := gocmp.Diff(alike, ids); diff != "" {
			t.Fatal(diff)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	w.all = append(w.all, &entry{got, email})
}

func (w *machine) finalize(t *rapid.T) {
	e := w.anyEntry(t)
	if e.Reference == "" {
		t.Skip("it has no reference")
	}
	a, err := w.j.Begin(context.Background(), ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: e.Reference}, ledger.Payer{}, nil)
	may, must := false, false // be refused
	for _, f := range w.all {
		if f.Kind != ledger.Finalize || f.Reference != e.Reference {
			continue
		}
		may = may || f.Outcome == ledger.Sent || f.Outcome == ledger.Unresolved && f.Decision != ledger.NotFound
		must = must || f.Outcome == ledger.Accepted || f.Outcome == ledger.Unresolved && f.Decision == ledger.Found ||
			f.Outcome == ledger.Sent && w.now.Sub(f.At) <= 100*time.Second
	}
	_, conflict := errors.AsType[*ledger.FinalizeConflict](err)
	if err != nil && !conflict || conflict && !may && !must || !conflict && must {
		t.Fatalf("%v; it may be refused: %v, must: %v", err, may, must)
	}
	if conflict {
		return
	}
	w.all = append(w.all, &entry{a, ""})
}

func (w *machine) end(t *rapid.T) {
	e := w.anyEntry(t)
	o := rapid.SampledFrom([]ledger.Outcome{ledger.Accepted, ledger.Accepted, ledger.Refused, ledger.NotSent, ledger.Unresolved}).Draw(t, "outcome")
	answer := ledger.Result{Outcome: o}
	if o == ledger.Accepted && e.Kind == ledger.Initiate {
		w.refs++
		answer = accepted(fmt.Sprint("REF-", w.refs), rapid.SampledFrom([]string{"PENDING", "SUCCESSFUL", "FAILED"}).Draw(t, "status"))
	}
	if err := w.j.End(context.Background(), e.ID, answer); err != nil {
		t.Fatal(err)
	}
	rank := []ledger.Outcome{ledger.Sent, ledger.Unresolved, ledger.NotSent, ledger.Refused, ledger.Accepted}
	known := func(o ledger.Outcome) int {
		if o == ledger.NotSent {
			o = ledger.Refused
		}
		return slices.Index(rank, o)
	}
	if known(o) <= known(e.Outcome) {
		return
	}
	e.Outcome = o
	if p := answer.Payment; p != nil {
		if e.Reference != p.Reference {
			e.Reference, e.Status = p.Reference, api.Status{}
		}
		w.applyStatus(p.Reference, p.Status)
	}
}

func (w *machine) recordStatus(t *rapid.T) {
	e := w.anyEntry(t)
	s := api.ParseStatus(rapid.SampledFrom([]string{"PENDING", "SUCCESSFUL", "FAILED", "odd"}).Draw(t, "status"))
	contradicts := func(o *entry) bool {
		return o.Reference == e.Reference && o.Status.State.Final() && o.Status.State != s.State
	}
	if slices.ContainsFunc(w.all, contradicts) {
		t.Skip("that is a mismatch, which the model does not have")
	}
	if err := w.j.RecordStatus(context.Background(), shop, e.Reference, s); err != nil {
		t.Fatal(err)
	}
	if e.Reference != "" {
		w.applyStatus(e.Reference, s)
	}
}

func (w *machine) decide(t *rapid.T) {
	e := w.anyEntry(t)
	v := rapid.SampledFrom([]ledger.Decision{ledger.Undecided, ledger.Found, ledger.NotFound, ledger.GaveUp}).Draw(t, "verdict")
	w.refs++
	ref := api.Reference(fmt.Sprint("REF-", w.refs))
	seen, err := w.j.Attempt(context.Background(), e.ID)
	if err != nil {
		t.Fatal(err)
	}
	err = w.j.Decide(context.Background(), seen, v, ref)
	same := v == e.Decision && (v != ledger.Found || e.Kind == ledger.Finalize)
	open := e.Outcome == ledger.Unresolved && !same
	early := v == ledger.NotFound && w.now.Sub(e.At) < 10*time.Minute
	if (err == nil) != (open && !early) {
		t.Fatalf("deciding %q about %+v: %v", v, e.Attempt, err)
	}
	if err != nil {
		return
	}
	if e.Decision == ledger.Found && e.Kind == ledger.Initiate {
		e.Reference, e.Status = "", api.Status{}
	}
	e.Decision = v
	if v == ledger.Found && e.Kind == ledger.Initiate {
		e.Reference = ref
	}
}

func (w *machine) advance(t *rapid.T) {
	w.now = w.now.Add(time.Duration(rapid.SampledFrom([]int{1, 30, 101, 400, 700}).Draw(t, "seconds")) * time.Second)
}

func (w *machine) reopen(t *rapid.T) {
	if w.dir == "" {
		t.Skip("in memory")
	}
	w.j.Close()
	w.open()
}

func (w *machine) purge(t *rapid.T) {
	before := w.now.Add(-time.Duration(rapid.IntRange(0, 2000).Draw(t, "seconds")) * time.Second)
	s, err := w.j.Purge(context.Background(), before)
	if err != nil {
		t.Fatal(err)
	}
	n := len(w.all)
	w.all = slices.DeleteFunc(w.all, func(e *entry) bool {
		return e.At.Before(before) && e.Outcome != ledger.Sent && !e.IsUnresolved()
	})
	if s.Attempts != n-len(w.all) {
		t.Fatalf("purged %d, not %d", s.Attempts, n-len(w.all))
	}
}

// A line is the compared part of an attempt.
type line struct {
	ID              ledger.ID
	Outcome         ledger.Outcome
	Verdict         ledger.Decision
	Reference       api.Reference
	State           api.State
	Finalized, Lost bool
}

func (w *machine) check(t *rapid.T) {
	w.expire()
	ctx := context.Background()
	all, n, err := w.j.Attempts(ctx, journal.Filter{}, 0, 1000)
	if err != nil || n != len(w.all) {
		t.Fatalf("%d attempts, not %d: %v", n, len(w.all), err)
	}
	var got, want []line
	for _, a := range all {
		got = append(got, line{a.ID, a.Outcome, a.Decision, a.Reference, a.Status.State, a.Finalized, !a.FinalizeUnresolvedAt.IsZero()})
	}
	for _, e := range slices.Backward(w.all) {
		done, lost := w.finalized(e)
		want = append(want, line{e.ID, e.Outcome, e.Decision, e.Reference, e.Status.State, done, lost})
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	unfinished, err := w.j.Unfinished(ctx, shop)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.j.VerifyDerived(ctx); err != nil {
		t.Fatal("what follows from the attempts: ", err)
	}
	var ids []ledger.ID
	for _, a := range unfinished {
		ids = append(ids, a.ID)
	}
	if diff := gocmp.Diff(w.unfinished(), ids); diff != "" {
		t.Fatal(diff)
	}
}

func TestAJournalMatchesItsModel(t *testing.T) {
	if testing.Short() {
		t.Skip("long and sequential: it finds no races")
	}
	t.Parallel()
	folder := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		w := &machine{T: t, book: book{now: newClock().at}}
		if n++; rapid.IntRange(0, 7).Draw(t, "where") == 0 {
			w.dir = fmt.Sprint(folder, "/", n)
		}
		w.open()
		defer func() { w.j.Close() }()
		t.Repeat(map[string]func(*rapid.T){
			"begin": w.begin, "begin again": w.begin, "finalize": w.finalize, "end": w.end, "saw": w.recordStatus,
			"decide": w.decide, "pass": w.advance, "reopen": w.reopen, "purge": w.purge, "": w.check,
		})
	})
}
