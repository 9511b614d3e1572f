package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/money"
)

// A fakeService answers about payments.
type fakeService struct {
	mu     sync.Mutex
	known  map[api.Reference]bool
	status map[api.Reference]string // "" for one that the service does not know
	fails  bool
	takes  time.Duration // for each answer
	asked  []api.Reference
	times  []time.Time
	ahead  time.Duration // of the store's clock
}

func (f *fakeService) now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Now().Add(f.ahead)
}

func (f *fakeService) Ready() bool { return true }

func (f *fakeService) Known(_ context.Context, all []api.Reference) (map[api.Reference]bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.known), nil
}

func (f *fakeService) Ask(_ context.Context, r api.Reference, known bool) Answer {
	time.Sleep(f.takes)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked, f.times = append(f.asked, r), append(f.times, time.Now())
	switch word := f.status[r]; {
	case f.fails:
		return Answer{Problem: "The service could not be reached."}
	case word == "":
		return Answer{At: time.Now(), NotFound: true}
	default:
		gbp, err := money.ParseCurrency("GBP")
		return Answer{At: time.Now(), Status: api.ParseStatus(word), Amount: money.Amount{Minor: 1250, Currency: gbp}, HasAmount: err == nil}
	}
}

func (f *fakeService) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fakeService) requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.asked)
}

// verified runs a test in a bubble, with a store that is verified.
func verified(t *testing.T, f *fakeService, test func(t *testing.T, s *Store)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := New(Options{Now: f.now})
		var done sync.WaitGroup
		done.Go(func() {
			if err := Verify(ctx, s, "shop", f); !errors.Is(err, context.Canceled) {
				t.Errorf("verifying ended with %v", err)
			}
		})
		test(t, s)
		cancel()
		done.Wait()
		s.Close()
	})
}

// after lets time pass.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func verdictOf(t *testing.T, s *Store, reference string) Verdict {
	t.Helper()
	f := find(t, s, "reference:"+reference)
	if len(f.Records) != 1 {
		t.Fatalf("%d events of %s", len(f.Records), reference)
	}
	return f.Records[0].Verdict
}

func TestADisagreementIsCheckedAgainUntilTheStatusIsFinal(t *testing.T) {
	t.Parallel()
	f := &fakeService{known: map[api.Reference]bool{"R1": true}, status: map[api.Reference]string{"R1": "PENDING"}}
	verified(t, f, func(t *testing.T, s *Store) {
		keep(t, s, body("R1", "SUCCESSFUL"))
		after(6 * time.Second)
		if f.requests() != 2 || verdictOf(t, s, "R1") != Disagrees {
			t.Errorf("%d requests, %s", f.requests(), verdictOf(t, s, "R1"))
		}
		f.set(func() { f.status["R1"] = "SUCCESSFUL" })
		after(time.Minute)
		if f.requests() != 3 || verdictOf(t, s, "R1") != Agrees {
			t.Errorf("%d requests, %s", f.requests(), verdictOf(t, s, "R1"))
		}
		after(time.Hour)
		if f.requests() != 3 {
			t.Errorf("%d requests after it agreed", f.requests())
		}
	})
}

func TestDeliveriesOfOnePaymentAreOneRequestInFiveSeconds(t *testing.T) {
	t.Parallel()
	f := &fakeService{known: map[api.Reference]bool{"R1": true}, status: map[api.Reference]string{"R1": "SUCCESSFUL"}}
	verified(t, f, func(t *testing.T, s *Store) {
		for i := range 100 { // ten seconds of a storm
			keep(t, s, fmt.Appendf(nil, `{"event":"payment.success","data":{"reference":"R1","n":%d}}`, i))
			after(100 * time.Millisecond)
		}
		after(20 * time.Second)
		if n := f.requests(); n < 2 || n > 4 {
			t.Errorf("%d requests", n)
		}
		for i := 1; i < len(f.times); i++ {
			if apart := f.times[i].Sub(f.times[i-1]); apart < spacing {
				t.Errorf("two requests %s apart", apart)
			}
		}
	})
}

func TestPaymentsThatNobodyKnowsAreAskedOneASecondFromABoundedQueue(t *testing.T) {
	t.Parallel()
	f := &fakeService{known: map[api.Reference]bool{"OURS": true}, status: map[api.Reference]string{"OURS": "SUCCESSFUL"}}
	verified(t, f, func(t *testing.T, s *Store) {
		const forged = maxUnknown + 100
		for i := range forged {
			keep(t, s, body(fmt.Sprintf("FORGED%d", i), "SUCCESSFUL"))
		}
		keep(t, s, body("OURS", "SUCCESSFUL"))
		began := time.Now()
		after(500 * time.Millisecond)
		if got := verdictOf(t, s, "OURS"); got != Agrees {
			t.Errorf("the payment that is known waits behind those that are not: %s", got)
		}
		after(10 * time.Second)
		if n := f.requests(); n > int(time.Since(began).Seconds())+3 {
			t.Errorf("%d requests in ten seconds", n)
		}
		left, err := s.Find(t.Context(), Search{Profile: "shop", Limit: 2 * forged})
		if err != nil || left.Total != forged+1 {
			t.Fatalf("%d events are kept, %v", left.Total, err)
		}
		verdicts := map[Verdict]int{}
		for _, r := range left.Records {
			verdicts[r.Verdict]++
		}
		if verdicts[Waiting] > maxUnknown || verdicts[NotAsked] < forged-maxUnknown-20 {
			t.Errorf("verdicts are %v", verdicts)
		}
	})
}

func TestTwoProcessesDoNotBothAsk(t *testing.T) {
	t.Parallel()
	f := &fakeService{known: map[api.Reference]bool{}, status: map[api.Reference]string{}}
	verified(t, f, func(t *testing.T, s *Store) {
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { _ = Verify(ctx, s, "shop", f) })
		for i := range 40 {
			r := api.Reference(fmt.Sprintf("R%d", i))
			f.set(func() { f.known[r], f.status[r] = true, "SUCCESSFUL" })
			keep(t, s, body(string(r), "SUCCESSFUL"))
		}
		after(30 * time.Second)
		if f.requests() != 40 || len(find(t, s, "verdict:agrees").Records) != 40 {
			t.Errorf("%d requests, %d agree", f.requests(), len(find(t, s, "verdict:agrees").Records))
		}
		cancel()
		done.Wait()
	})
}

// An outage hides no contradiction, what is delivered meanwhile is asked about later, and what claimed a success early
// keeps that mark once the service says the same.
func TestAVerdictStandsWhileTheServiceCannotBeAsked(t *testing.T) {
	t.Parallel()
	f := &fakeService{
		known:  map[api.Reference]bool{"OPEN": true, "PAID": true},
		status: map[api.Reference]string{"OPEN": "PENDING", "PAID": "SUCCESSFUL"},
	}
	verified(t, f, func(t *testing.T, s *Store) {
		keep(t, s, body("OPEN", "SUCCESSFUL"))
		keep(t, s, body("PAID", "SUCCESSFUL"))
		after(2 * time.Second)
		f.set(func() { f.fails = true })
		keep(t, s, body("PAID", "SUCCESSFUL"))
		after(time.Minute)
		if n := len(find(t, s, "verdict:disagrees").Records); n != 1 {
			t.Fatalf("%d events contradict the service during the outage", n)
		}
		for _, r := range find(t, s, "").Records {
			if r.Answer.Problem == "" || r.Answer.At.IsZero() {
				t.Errorf("%s: what was answered, or that it could not be asked again, is missing: %+v", r.Reference, r.Answer)
			}
		}
		before := f.requests()
		f.set(func() { f.fails, f.status["OPEN"] = false, "SUCCESSFUL" })
		after(15 * time.Minute)
		if f.requests() < before+2 {
			t.Error("what was delivered during the outage is not asked about after it")
		}
		for reference, early := range map[string]bool{"OPEN": true, "PAID": false} {
			r := find(t, s, "reference:"+reference).Records[0]
			if r.Verdict != Agrees || r.Answer.Problem != "" || r.Early != early {
				t.Errorf("%s: %s, %q, early %v", reference, r.Verdict, r.Answer.Problem, r.Early)
			}
		}
		if n := len(find(t, s, "is:early").Records); n != 1 {
			t.Errorf("%d events are found that were early", n)
		}
	})
}

// More payments wait than are asked about at once.
func TestAnswersThatCannotBeStoredHoldUpNoOtherPayment(t *testing.T) {
	t.Parallel()
	f := &fakeService{known: map[api.Reference]bool{}, status: map[api.Reference]string{}, takes: 5 * time.Second}
	for i := range asking + 1 {
		r := api.Reference(fmt.Sprint("R", i))
		f.known[r], f.status[r] = true, "SUCCESSFUL"
	}
	verified(t, f, func(t *testing.T, s *Store) {
		for i := range asking + 1 {
			keep(t, s, body(fmt.Sprint("R", i), "SUCCESSFUL"))
		}
		after(4 * time.Second)
		run(t, s, "CREATE TRIGGER spoil BEFORE UPDATE ON payments BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
		after(3 * time.Second)
		run(t, s, "DROP TRIGGER spoil")
		after(20 * time.Second)
		if f.requests() != asking+1 {
			t.Errorf("%d requests", f.requests())
		}
	})
}

func TestACheckThatAPersonAsksForIsMadeAtOnce(t *testing.T) {
	t.Parallel()
	f := &fakeService{known: map[api.Reference]bool{"R1": true}, status: map[api.Reference]string{"R1": "SUCCESSFUL"}}
	verified(t, f, func(t *testing.T, s *Store) {
		keep(t, s, body("R1", "FAILED"))
		after(time.Minute)
		n := f.requests()
		must(t, s.CheckNow(t.Context(), "shop", "R1"))
		after(time.Second)
		if f.requests() != n+1 {
			t.Errorf("%d requests after %d", f.requests(), n)
		}
	})
}

func TestAClockThatWasAheadHoldsNoCheckBack(t *testing.T) {
	t.Parallel()
	f := &fakeService{known: map[api.Reference]bool{"OPEN": true, "OURS": true}, ahead: 24 * time.Hour}
	verified(t, f, func(t *testing.T, s *Store) {
		for _, delivered := range [][]string{{"OPEN", "OURS", "OTHER"}, {"OURS", "OTHER"}} {
			for _, r := range delivered {
				keep(t, s, body(r, "SUCCESSFUL"))
			}
			after(10 * time.Second)
			if all := slices.Compact(slices.Sorted(slices.Values(f.asked))); len(all) != 3 {
				t.Errorf("%q are asked about", all)
			}
			f.set(func() { f.asked, f.ahead = nil, 0 }) // it is put right
		}
	})
}

// anyValue is JSON of any shape, a few levels deep.
func anyValue(depth int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{
		rapid.String().AsAny(), rapid.Int().AsAny(), rapid.Bool().AsAny(), rapid.Just(any(nil)),
		rapid.SampledFrom([]string{"", " ", `"`, `"quoted"`, "null", "12.50", "\x1b[2J", "\u202e", "<&>", "a\nb"}).AsAny(),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.MapOfN(rapid.String(), anyValue(depth-1), 0, 4).AsAny(), rapid.SliceOfN(anyValue(depth-1), 0, 3).AsAny())
	}
	return rapid.OneOf(kinds...)
}

func sameJSON(t *rapid.T, a, b []byte) {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err, string(a))
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err, string(b))
	}
	if !reflect.DeepEqual(x, y) {
		t.Fatalf("%s is not %s", a, b)
	}
}

// A body that a person did not change is sent as it was, whatever is in it, and each of its lines can be typed.
func TestABodyThatIsNotChangedStaysTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(rapid.Bool().Draw(t, "escaped"))
		if err := e.Encode(rapid.MapOfN(rapid.String(), anyValue(2), 0, 6).Draw(t, "body")); err != nil {
			t.Fatal(err)
		}
		lines := Lines(b.Bytes())
		for i, line := range lines {
			if lines[i] = strings.TrimSpace(line); strings.ContainsFunc(line, untypable) {
				t.Fatalf("%q cannot be typed", line)
			}
		}
		typed, broken := OfLines(lines)
		if sameJSON(t, b.Bytes(), typed); broken != 0 {
			t.Fatalf("line %d of %q is called no JSON", broken, lines)
		}
	})
}
