package ledger

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api"
)

// alive is a world in which every console lives on another machine.
type alive struct{}

func (alive) HasEnded(Process) bool                     { return false }
func (alive) Lives(Process) bool                        { return false }
func (alive) StartedWithin(Process, time.Duration) bool { return false }

var service = Destination{Environment: "TEST", Host: "pay.example"}

// A story is what any number of people and a service may do about a few payments over one amount, in any order.
type story struct {
	console Console
	entries []*Entry
	facts   []Fact
	taken   map[ID]Lease // who has taken what, as nothing else is asked
}

func newStory() *story {
	return &story{console: Console{Now: time.Unix(1_800_000_000, 0), Operator: Operator{User: "ada"}, Senders: alive{}}, taken: map[ID]Lease{}}
}

func (s *story) concerned() (all []Entry) {
	for _, e := range s.entries {
		all = append(all, *e)
	}
	return all
}

func (s *story) begin(a Attempt, who Marks, allowed []ID) error {
	a.ID, a.Destination = ID(fmt.Sprintf("a%09d", len(s.entries))), service
	fact, err := s.console.Begin(Entry{Attempt: a, Payer: who}, s.concerned(), allowed)
	if err == nil {
		s.apply(fact)
	}
	return err
}

// payment is one by one customer: each is like every other.
func (s *story) payment(t *rapid.T, allowed []ID) error {
	return s.begin(Attempt{Kind: Initiate, Amount: pounds(t, 1250)}, Marks{Email: "e"}, allowed)
}

// apply adds facts as a store does.
func (s *story) apply(facts ...Fact) {
	for i := range facts {
		facts[i], _ = facts[i].AsKept()
	}
	for _, f := range Apply(s.entries, facts...) {
		if !slices.Contains(s.entries, f.Entry) {
			s.entries = append(s.entries, f.Entry)
		}
		if f.Fact == nil {
			continue
		}
		if was, again := f.Fact.Repeats(s.about(f.ID)); again {
			s.facts[was.Number].Until, s.facts[was.Number].Times = f.Fact.At, was.Times+1
			continue
		}
		f.Fact.Number = int64(len(s.facts))
		s.facts = append(s.facts, *f.Fact)
	}
}

// about returns the facts about an entry, as they are kept.
func (s *story) about(id ID) (all []Fact) {
	for _, f := range s.facts {
		if f.Of != id {
			continue
		}
		kept, err := f.AsKept()
		if err != nil {
			panic(err)
		}
		all = append(all, kept)
	}
	return all
}

func (s *story) end(e *Entry, r Result) {
	facts, _, err := s.console.End(e.ID, r, s.concerned())
	if err == nil {
		s.apply(facts...)
	}
}

func (s *story) check(e *Entry, word string) {
	s.apply(s.console.Fact(e.ID, Checked{api.PaymentStatus{Reference: e.Reference, Status: api.ParseStatus(word)}}))
}

var (
	words     = rapid.SampledFrom([]string{"PENDING", "SUCCESSFUL", "FAILED", "odd"})
	outcomes  = rapid.SampledFrom([]Outcome{Accepted, Refused, NotSent, Unresolved})
	decisions = rapid.SampledFrom([]Decision{Undecided, Found, NotFound, GaveUp, NotFollowed, AnswerRight, NotOurs, AskAgain})
)

// act does something at random.
func (s *story) act(t *rapid.T) {
	s.console.Now = s.console.Now.Add(time.Duration(rapid.IntRange(1, 400).Draw(t, "seconds")) * time.Second)
	s.console.Operator.User = rapid.SampledFrom([]string{"ada", "ben"}).Draw(t, "who")
	if len(s.entries) == 0 {
		_ = s.payment(t, nil)
		return
	}
	e := s.entries[rapid.IntRange(0, len(s.entries)-1).Draw(t, "which")]
	switch rapid.IntRange(0, 8).Draw(t, "act") {
	case 0:
		var all []ID
		for _, o := range s.entries {
			all = append(all, o.ID)
		}
		_ = s.payment(t, all)
	case 1:
		r := Result{Outcome: outcomes.Draw(t, "outcome")}
		if r.Outcome == Accepted && e.Kind == Initiate {
			ref := api.Reference("R" + string(e.ID))
			r.Payment = &api.Payment{Reference: ref, Status: api.ParseClaim(words.Draw(t, "claim"))}
		}
		s.end(e, r)
	case 2:
		if e.Kind == Initiate && e.Reference != "" {
			s.check(e, words.Draw(t, "status"))
		}
	case 3:
		s.decide(t, e)
	case 4:
		if e.Reference != "" {
			_ = s.begin(Attempt{Kind: Finalize, Reference: e.Reference}, Marks{}, nil)
		}
	case 5:
		if e.Reference != "" {
			s.check(e, e.Status.Text.Line(0)) // the same again
		}
	case 6:
		s.take(t, e)
	case 7:
		if seen := s.console.AsSeen(*e); seen.Outcome != e.Outcome {
			s.apply(s.console.Lost(*e))
		}
	case 8:
		facts, err := s.console.Release(e.ID, s.concerned())
		if err != nil {
			t.Fatal(err)
		}
		if s.apply(facts...); !s.isAnothers(e) {
			delete(s.taken, e.ID)
		}
	}
}

// isAnothers reports whether somebody else has taken an attempt, less than a quarter of an hour ago.
func (s *story) isAnothers(e *Entry) bool {
	l, taken := s.taken[e.ID]
	return taken && l.By != s.console.Operator && s.console.Now.Sub(l.Since) < 15*time.Minute
}

// decide decides at random: what another has taken is theirs, and only what is unresolved has an outcome to decide.
func (s *story) decide(t *rapid.T, e *Entry) {
	d := Deciding{Decision: decisions.Draw(t, "decision")}
	if d.Decision == Found {
		d.As = "F" + string(e.ID)
	}
	another, outcome := s.isAnothers(e), e.Outcome
	facts, err := s.console.Decide(e.Attempt, d, s.concerned())
	isOfOutcome := d.Decision == Found || d.Decision == NotFound || d.Decision == GaveUp
	if err == nil && (another || isOfOutcome && outcome != Unresolved) {
		t.Fatalf("%s was decided: taken by another %v, outcome %s", d.Decision, another, outcome)
	}
	if err == nil {
		s.apply(facts...)
		delete(s.taken, e.ID)
	}
}

// take takes an attempt, perhaps over from the one whom the operator saw to have it.
func (s *story) take(t *rapid.T, e *Entry) {
	seen := e.Attempt
	if rapid.Bool().Draw(t, "saw who has it") {
		seen.Lease = s.console.AsSeen(*e).Lease
	}
	facts, err := s.console.Take(seen, s.concerned())
	if may := e.IsUnresolved() && (!s.isAnothers(e) || !seen.Lease.IsZero()); (err == nil) != may {
		t.Fatalf("it may be taken: %v, and %v", may, err)
	}
	if err == nil {
		s.apply(facts...)
		s.taken[e.ID] = Lease{By: s.console.Operator, Since: s.console.Now}
	}
}

// Whatever happens, in any order, the rules hold after each act.
func TestWhateverHappensTheRulesHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newStory()
		for range 24 {
			before := s.concerned()
			s.act(t)
			s.staysKnown(t, before)
			s.holdsBack(t)
			s.finalizes(t)
			s.folds(t)
		}
	})
}

// A final status stays, an outcome never becomes less certain, and a payment is the one that the service or a person named last.
func (s *story) staysKnown(t *rapid.T, before []Entry) {
	for i, was := range before {
		is := s.entries[i]
		if was.Status.State.Final() && is.Reference == was.Reference && is.Status != was.Status {
			t.Fatalf("%v became %v", was.Status, is.Status)
		}
		if certainty[is.Outcome] < certainty[was.Outcome] {
			t.Fatalf("%s became %s", was.Outcome, is.Outcome)
		}
		named := ""
		switch {
		case is.Kind == Finalize:
			continue
		case is.Outcome == Accepted:
			named = "R" + string(is.ID)
		case is.WasFound():
			named = "F" + string(is.ID)
		}
		if string(is.Reference) != named || named == "" && (!is.StatusAt.IsZero() || is.Finalized) {
			t.Fatalf("it is payment %s, not %s: %s, finalized %v", is.Reference, named, is.Status, is.Finalized)
		}
	}
}

// aside is a story that may go on without this one.
func (s *story) aside() *story { return &story{console: s.console, entries: slices.Clone(s.entries)} }

// What may have been charged holds the same back, until a person has allowed it in spite of each.
func (s *story) holdsBack(t *rapid.T) {
	var open []ID
	for _, e := range s.entries {
		if e.Kind == Initiate && (e.Outcome == Sent || e.IsUnresolved() || e.Mismatch.Undecided()) {
			open = append(open, e.ID)
		}
	}
	if len(open) == 0 {
		return
	}
	one := rapid.IntRange(0, len(open)-1).Draw(t, "not allowed")
	others := slices.Delete(slices.Clone(open), one, one+1)
	d, held := errors.AsType[*Duplicate](s.aside().payment(t, others))
	if !held || !slices.ContainsFunc(d.Attempts, func(a Attempt) bool { return a.ID == open[one] }) {
		t.Fatalf("it is sent again, unasked about %s: %v", open[one], d)
	}
}

// A payment is finalized exactly when no finalize of it succeeded, or may have done within the last minute, and no person
// still has to decide about its mismatch. What it says of its finalizes follows from them.
func (s *story) finalizes(t *rapid.T) {
	finalized, held := map[api.Reference]bool{}, map[api.Reference]bool{}
	for _, e := range s.entries {
		seen, r := s.console.AsSeen(*e), e.Reference
		if e.Kind == Initiate {
			held[r] = held[r] || e.Mismatch.Undecided()
			continue
		}
		lostAt := seen.At.Add(100 * time.Second)
		if seen.AnsweredAt.Before(lostAt) {
			lostAt = seen.AnsweredAt
		}
		isLost := seen.Outcome == Unresolved
		mayHave := isLost && seen.Decision != NotFound && s.console.Now.Sub(lostAt) < time.Minute
		finalized[r] = finalized[r] || seen.Outcome == Accepted || isLost && seen.Decision == Found
		held[r] = held[r] || finalized[r] || mayHave || seen.Outcome == Sent
	}
	for _, p := range s.entries {
		if p.Reference == "" {
			continue
		}
		err := s.aside().begin(Attempt{Kind: Finalize, Reference: p.Reference}, Marks{}, nil)
		if _, conflict := errors.AsType[*FinalizeConflict](err); conflict != held[p.Reference] {
			t.Fatalf("%s is held back: %v, want %v", p.Reference, err, held[p.Reference])
		}
		if p.Kind == Initiate && p.Finalized != finalized[p.Reference] {
			t.Fatalf("finalized is %v", p.Finalized)
		}
	}
}

// What is recorded of an entry is what its facts amount to, and what its payment has from the finalizes.
func (s *story) folds(t *rapid.T) {
	for _, e := range s.entries {
		folded, _ := Fold(s.about(e.ID))
		folded.Finalized, folded.FinalizeUnresolvedAt = e.Finalized, e.FinalizeUnresolvedAt
		want, err := e.Record()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := folded.Record(); err != nil || string(got) != string(want) {
			t.Fatalf("%v\n%s\nis folded to\n%s", err, want, got)
		}
	}
}
