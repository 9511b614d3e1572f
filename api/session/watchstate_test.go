package session

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unsafe"

	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// The first final status stays displayed whatever the service reports after it, and a contradiction
// is flagged.
func TestTheFirstFinalStatusStays(t *testing.T) {
	words := []string{"SUCCESSFUL", "Successfull", "FAILED", "PENDING", "INITIATED", "REQUIRE_BANK_AUTH", "x", "y", ""}
	rapid.Check(t, func(t *rapid.T) {
		w := beginWatch("REF", Entry{})
		var final api.State
		turned := 0
		for _, word := range rapid.SliceOfN(rapid.SampledFrom(words), 1, 400).Draw(t, "words") {
			s := api.ParseStatus(word)
			settled := w.History.Settled()
			if w.report(api.PaymentStatus{Status: s}, time.Now()); w.History.Settled() && !settled {
				turned++
			}
			if !final.Final() && s.State.Final() {
				final = s.State
			}
			shown := w.History.Shown
			if !w.History.Any || final.Final() && shown.State != final || !final.Final() && shown.State != s.State {
				t.Fatalf("after %q it shows %v", word, shown.State)
			}
		}
		if final.Final() != (turned == 1) || turned > 1 {
			t.Fatalf("turned final %d times", turned)
		}
	})
}

// ours is a payment that was made here.
func ours(a ledger.Attempt) Entry {
	a.Kind, a.Reference = ledger.Initiate, "REF"
	return Entry{Entry: ledger.Entry{Attempt: a}}
}

func TestAWatchBeginsWithWhatIsKnownOfAPaymentMadeHere(t *testing.T) {
	noon := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	known := ours(ledger.Attempt{At: noon, Status: api.ParseStatus("PENDING"), StatusAt: noon.Add(time.Minute), Finalized: true})
	known.Mismatch.What = api.AmountDiffers
	known.Answer = api.Payment{
		Reference: "REF", Status: api.ParseStatus("INITIATED"), Transfer: &api.Transfer{Expiration: api.ParseTimestamp("2030-01-01T13:00:00Z")},
	}
	s := beginWatch("REF", known)
	s.Begun = noon
	if s.History.Shown.State != api.Pending || s.Difference.IsZero() || !s.ReportedAt.Equal(noon.Add(time.Minute)) {
		t.Errorf("it begins as %+v", s)
	}
	if want := noon.Add(70 * time.Minute); !s.Until().Equal(want) {
		t.Errorf("a transfer is polled until %v, want %v", s.Until(), want)
	}
}

// While a machine sleeps its monotonic clock stands still, and only the wall clock advances.
func TestAnAgeCountsTheTimeThatTheMachineSlept(t *testing.T) {
	now := time.Now()
	later := now.Add(time.Second)
	*(*uint64)(unsafe.Pointer(&later)) += 59 << 30 // the seconds of the wall clock, in a [time.Time] with both
	if age := Age(now, later); age != time.Minute {
		t.Errorf("a second and 59 of sleep are %v", age)
	}
	if age := Age(later, now); age != 0 {
		t.Errorf("what is to come is %v old", age)
	}
}

// A watch goes on after a mismatch, which stays whatever is answered later, also where what is known no longer has it.
func TestAMismatchStays(t *testing.T) {
	gbp, err := money.ParseCurrency("GBP")
	if err != nil {
		t.Fatal(err)
	}
	s := beginWatch("REF", ours(ledger.Attempt{Amount: money.Amount{Minor: 1250, Currency: gbp}}))
	report := func(word string, minor int64) {
		s.report(api.PaymentStatus{Status: api.ParseStatus(word), Amount: money.Amount{Minor: minor, Currency: gbp}, HasAmount: true}, time.Now())
	}
	report("PENDING", 125000)
	report("SUCCESSFUL", 1250)
	s.update(ours(ledger.Attempt{}))
	if s.Difference.What != api.AmountDiffers || s.Difference.Answered.Minor != 125000 || !s.History.Settled() {
		t.Errorf("%+v", s)
	}
	s = beginWatch("REF", Entry{}) // a payment made elsewhere: an amount of zero is not believed
	report("SUCCESSFUL", 0)
	if s.Said.HasAmount || s.Said.AmountText.Line(0) != "0.00 GBP" || !s.Difference.IsZero() {
		t.Errorf("elsewhere: %+v", s)
	}
}

func TestAnAnswerAboutAnotherPaymentIsNoStatus(t *testing.T) {
	for _, known := range []Entry{{}, ours(ledger.Attempt{})} {
		s := beginWatch("REF", known)
		s.report(api.PaymentStatus{Status: api.ParseStatus("SUCCESSFUL"), OtherReference: api.Clean("OTHER")}, time.Now())
		if s.History.Any || s.Difference.What != api.ReferenceDiffers || s.Other.Status.State != api.Successful {
			t.Errorf("%+v", s)
		}
	}
}

// A payment of an earlier run is known once the journal was read; what was final stays so.
func TestAPaymentThatBecomesOursKeepsItsFinalStatus(t *testing.T) {
	noon := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	s := beginWatch("REF", Entry{})
	s.update(ours(ledger.Attempt{At: noon, Status: api.ParseStatus("SUCCESSFUL"), StatusAt: noon.Add(time.Minute)}))
	s.receive(api.PaymentStatus{Status: api.ParseStatus("FAILED")}, nil, noon.Add(time.Hour), time.Second)
	if s.History.Shown.State != api.Successful || s.Difference.What != api.StatusDiffers || s.Phase != Settled {
		t.Errorf("%+v", s)
	}
}

func TestWaitsGrowByHalfToThirtySeconds(t *testing.T) {
	shortest := backoff{jitter: func(time.Duration) time.Duration { return 0 }}
	longest := backoff{jitter: func(d time.Duration) time.Duration { return d - 1 }}
	for i, want := range []time.Duration{2000, 3000, 4500, 6750, 10125, 15187, 22781, 30000, 30000, 30000} {
		low, high := shortest.next(0, false), longest.next(0, false)
		want *= time.Millisecond
		if d := want/2 - low; d.Abs() > time.Millisecond {
			t.Errorf("wait %d is at least %v, want %v", i+1, low, want/2)
		}
		if d := want - high; d.Abs() > time.Millisecond {
			t.Errorf("wait %d is at most %v, want %v", i+1, high, want)
		}
	}
}

func answerOf(words string) api.Answer { return api.Answer{HTTP: 200, Body: api.Clean(words)} }

func TestTheOldestAnswersAndInitiationsAreForgotten(t *testing.T) {
	var d Tracker
	for i := range keptInitiations + 50 {
		d.keepInitiation(ledger.ID(fmt.Sprint(i)), api.Initiation{Narration: "x"})
	}
	if d.Again(ledger.Attempt{ID: "49"}).Narration != "" || d.Again(ledger.Attempt{ID: "50"}).Narration != "x" {
		t.Errorf("%d are kept", len(d.initiations))
	}
	var k answers
	small, large := answerOf("x"), answerOf(strings.Repeat("line\n", 400))
	for i := range keptAnswers + 50 {
		k.keep(KeptAnswer{Subject: Subject{Reference: api.Reference(fmt.Sprint(i))}, Answer: small})
	}
	if n := len(k.about(Subject{})); n != keptAnswers || k.about(Subject{Reference: "49"}) != nil || k.about(Subject{Reference: "50"}) == nil {
		t.Errorf("%d are kept", n)
	}
	for i := range 2 * keptBytes / large.Body.Size() {
		k.keep(KeptAnswer{Subject: Subject{Reference: api.Reference(fmt.Sprint("large", i%900))}, Answer: large})
	}
	size := 0
	for _, a := range k.about(Subject{}) {
		size += a.Body.Size()
	}
	if size > keptBytes || size != k.bytes {
		t.Errorf("%d bytes are kept, %d are counted", size, k.bytes)
	}
}

func TestTheLastAnswerToEachOperationIsKept(t *testing.T) {
	var k answers
	for i, op := range []api.Operation{api.OpInitiate, api.OpTransaction, api.OpAuthenticate, api.OpTransaction, api.OpFinalize} {
		k.keep(KeptAnswer{Subject: Subject{Operation: op, Reference: "REF1"}, Answer: answerOf(fmt.Sprint(i))})
	}
	k.keep(KeptAnswer{Subject: Subject{Operation: api.OpTransaction, Reference: "REF2"}, Answer: answerOf("another's")})
	k.keep(KeptAnswer{Subject: Subject{Operation: api.OpInitiate, Attempt: "a1"}, Answer: answerOf("rejected")})
	k.keep(KeptAnswer{Subject: Subject{Operation: api.OpTransactions}, Answer: answerOf("page")})
	for want, about := range map[string]Subject{
		"4 3 2 0":   {Reference: "REF1"},
		"2":         {Reference: "REF1", Operation: api.OpAuthenticate},
		"another's": {Reference: "REF2"},
		"rejected":  {Attempt: "a1"},
		"page":      {Operation: api.OpTransactions},
		"":          {Reference: "REF3"},
	} {
		var got []string
		for _, a := range k.about(about) {
			got = append(got, a.Body.Line(0))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%+v: %q, want %q", about, got, want)
		}
	}
}
