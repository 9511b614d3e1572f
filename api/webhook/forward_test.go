package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api/query"
)

func newFile(t *testing.T) *Store {
	t.Helper()
	s := New(Options{Dir: filepath.Join(t.TempDir(), "state")})
	t.Cleanup(func() { s.Close() })
	return s
}

// passAll passes on to several targets until ctx ends, and then closes what it returns.
func passAll(ctx context.Context, s *Store, after int64, targets []Target, report func(Delivered, Forward)) (ended chan struct{}) {
	ended = make(chan struct{})
	var all sync.WaitGroup
	for _, to := range targets {
		all.Go(func() { Pass(ctx, s, "shop", after, to, report, nil) })
	}
	go func() {
		all.Wait()
		close(ended)
	}()
	return ended
}

// A seen is one report of Pass.
type seen struct {
	number int64
	target string
	status int
}

// Each target is sent the events that meet its query, in their order, all of them and no other.
func TestEventsArePassedOnInTheirOrderAsTheyArrive(t *testing.T) {
	t.Parallel()
	s := newFile(t)
	one, two := newTarget(t, nil), newTarget(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	var wrong []query.Problem
	if two.Where, wrong = Language(func() query.DayNumber { return 0 }).Parse("-status:successful"); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	keep(t, s, body("R0", "SUCCESSFUL")) // before: not asked for
	after := keep(t, s, body("R1", "SUCCESSFUL"))
	ctx, stop := context.WithCancel(t.Context())
	reports := make(chan seen, 200)
	ended := passAll(ctx, s, after, []Target{one.Target, two.Target}, func(d Delivered, f Forward) {
		reports <- seen{d.Number, f.Target, f.Status}
	})
	const events = 60 // more than are read at once
	want, numbers := map[*target][]string{}, map[*target][]int64{}
	for i := range events {
		b := body(fmt.Sprint("R", i%30), []string{"SUCCESSFUL", "FAILED"}[i%2]) // some come twice
		n := keep(t, s, b)
		for _, to := range []*target{one, two}[:1+i%2] {
			want[to], numbers[to] = append(want[to], string(b)), append(numbers[to], n)
		}
		if i == 20 {
			if _, err := s.Keep(t.Context(), "other profile", nil, b); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := map[string][]int64{}
	for range events + events/2 {
		r := <-reports
		if wanted := map[string]int{one.String(): 200, two.String(): 500}[r.target]; r.status != wanted {
			t.Errorf("%+v", r)
		}
		got[r.target] = append(got[r.target], r.number)
	}
	stop()
	<-ended
	for _, w := range []*target{one, two} {
		if !slices.Equal(got[w.String()], numbers[w]) {
			t.Errorf("%v", got)
		}
		for i, event := range want[w] {
			if b := <-w.body; b != event {
				t.Errorf("event %d is %s", i, b)
			}
		}
	}
	f := find(t, s, "")
	total := 0
	for _, r := range f.Records {
		total += r.Forwards
	}
	if total != events+events/2 {
		t.Errorf("%d sendings are stored", total)
	}
}

func TestATargetThatHangsHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	s := newFile(t)
	end := make(chan struct{})
	hangs := newTarget(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-end:
		case <-r.Context().Done():
		}
	})
	defer close(end)
	works := newTarget(t, nil)
	for i := range 50 {
		keep(t, s, body(fmt.Sprint("R", i), "SUCCESSFUL"))
	}
	ctx, stop := context.WithCancel(t.Context())
	reports := make(chan Forward, 100)
	ended := passAll(ctx, s, 0, []Target{hangs.Target, works.Target}, func(_ Delivered, f Forward) { reports <- f })
	for n := 0; n < 50; {
		switch f := <-reports; {
		case f.Target == works.String():
			n++
		case f.Took < 10*time.Second: // on a busy machine its time may be over first
			t.Errorf("%+v", f)
		}
	}
	stop() // and what hangs is ended, and stored
	<-ended
	if f := <-reports; f.Target != hangs.String() || f.Problem != "It was ended before the target answered." {
		t.Errorf("%+v", f)
	}
	d, err := s.Get(t.Context(), "shop", 1)
	if err != nil || len(d.Sent) != 2 {
		t.Errorf("%+v, %v", d.Sent, err)
	}
}

func TestEventsAreReplayed(t *testing.T) {
	t.Parallel()
	s := newFile(t)
	w := newTarget(t, nil)
	for i := range 3 {
		keep(t, s, body(fmt.Sprint("R", i), "SUCCESSFUL"))
	}
	keep(t, s, []byte(`{"card":"4242424242424242"}`))
	type report struct {
		id      int64
		status  int
		problem string
		replay  bool
	}
	var got []report
	err := Replay(t.Context(), s, "shop", w.Target, []int64{3, 1, 99, 4, 3}, func(r Record, f Forward) {
		got = append(got, report{r.ID, f.Status, f.Problem, f.Replay})
	})
	want := []report{{3, 200, "", true}, {1, 200, "", true}, {99, 0, ErrNotFound.Error(), true}, {4, 0, notSentMasked, true}, {3, 200, "", true}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, reference := range []string{"R2", "R0", "R2"} {
		if b := <-w.body; b != string(body(reference, "SUCCESSFUL")) {
			t.Errorf("%s is %s", reference, b)
		}
	}
	d, err := s.Get(t.Context(), "shop", 3)
	if err != nil || len(d.Sent) != 2 || !d.Sent[0].Replay || d.Sent[0].Status != 200 || d.Deliveries != 1 {
		t.Errorf("%+v, %v", d.Sent, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	n := 0
	err = Replay(ctx, s, "shop", w.Target, []int64{1, 2, 3}, func(Record, Forward) { n++; stop() })
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%d of a replay that was stopped, %v", n, err)
	}
}

// run runs a statement on the file, as another program would: it wakes no one who waits.
func run(t *testing.T, s *Store, statement string) {
	t.Helper()
	if _, err := s.db.ExecContext(t.Context(), statement); err != nil {
		t.Error(err)
	}
}

func TestAFileThatCannotBeUsedForAWhileEndsNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ fails, said int }{"for a while": {readTries - 1, 0}, "for longer": {3*readTries + 1, 3}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(Options{})
				defer s.Close()
				for i := range 3 {
					keep(t, s, body(fmt.Sprint("R", i), "SUCCESSFUL"))
				}
				run(t, s, "CREATE TRIGGER spoil BEFORE INSERT ON forwards BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
				run(t, s, "ALTER TABLE deliveries RENAME TO elsewhere")
				time.AfterFunc(time.Duration(c.fails)*readPause-readPause/2, func() { run(t, s, "ALTER TABLE elsewhere RENAME TO deliveries") })
				ctx, stop := context.WithTimeout(t.Context(), time.Hour)
				defer stop()
				n, said := 0, 0
				Pass(ctx, s, "shop", 0, Target{}, func(Delivered, Forward) { n++ }, func(err error) {
					if said++; !strings.Contains(err.Error(), "webhooks.db") && !strings.Contains(err.Error(), "inbox") {
						t.Error(err)
					}
				})
				if n != 3 || said != c.said {
					t.Errorf("%d reports, said %d times", n, said)
				}
			})
		})
	}
}

// An event is forwarded once each target that it was sent to has accepted it; the rest is undelivered.
func TestWhatNoTargetAcceptedIsUndelivered(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	defer s.Close()
	const a, b = "http://127.0.0.1:3000/a", "http://127.0.0.1:3000/b"
	accepted := func(target string) Forward { return Forward{At: time.Now(), Target: target, Status: 204, Took: 1} }
	refused := func(target string) Forward {
		return Forward{At: time.Now(), Target: target, Status: 500, Took: 1, Problem: "It answered 500."}
	}
	for name, sent := range map[string][]Forward{
		"NEVER": nil, "REFUSED": {refused(a)}, "ACCEPTED": {accepted(a)}, "LATER": {refused(a), accepted(a)}, "ONE": {accepted(a), refused(b)}, "AGAIN": {accepted(a), refused(a)},
	} {
		keep(t, s, body(name, "SUCCESSFUL"))
		for _, f := range sent {
			must(t, s.AddForward(t.Context(), find(t, s, "reference:"+name).Records[0].ID, f))
		}
	}
	for query, want := range map[string]string{
		"is:forwarded": "[ACCEPTED AGAIN LATER]", "is:undelivered": "[NEVER ONE REFUSED]", "-is:forwarded": "[NEVER ONE REFUSED]",
	} {
		var found []string
		for _, r := range find(t, s, query).Records {
			found = append(found, string(r.Reference))
		}
		slices.Sort(found)
		if fmt.Sprint(found) != want {
			t.Errorf("%s: %v, not %s", query, found, want)
		}
	}
}
