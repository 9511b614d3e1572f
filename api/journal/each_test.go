package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"paydesk/api/ledger"

	"pgregory.net/rapid"
)

// noon is when the attempts of these tests were made.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func TestEveryRowIsThereOnceWhateverIsWrittenMeanwhile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &fakeSource{}
		at := noon
		var want []ledger.ID
		apart := rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 0, 0, 1, 999, 1000, 5000}), 1, 30).Draw(t, "microseconds apart")
		for i := range rapid.IntRange(0, 4*attemptsAtOnce).Draw(t, "rows") {
			at = at.Add(-time.Duration(apart[i%len(apart)]) * time.Microsecond)
			id := ledger.ID(fmt.Sprint("r", i))
			l.rows, want = append(l.rows, ledger.Attempt{ID: id, At: at}), append(want, id)
		}
		l.then = func(l *fakeSource) { // other consoles continue
			l.rows = slices.Insert(l.rows, 0, ledger.Attempt{ID: ledger.ID(fmt.Sprint("new", l.calls)), At: noon.Add(time.Duration(l.calls) * time.Second)})
		}
		var got []ledger.ID
		for a, err := range EachAttempt(context.Background(), l, Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, a.ID)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d rows, want %d in order", len(got), len(want))
		}
	})
}

func TestRowsOfOneMomentAreAllThere(t *testing.T) {
	l := &fakeSource{}
	for i := range 2*attemptsAtOnce + 7 {
		l.rows = append(l.rows, ledger.Attempt{ID: ledger.ID(fmt.Sprint(i)), At: noon})
	}
	n := 0
	for range EachAttempt(context.Background(), l, Filter{}) {
		n++
	}
	if n != len(l.rows) || l.calls > 5 {
		t.Errorf("%d rows of %d, asked %d times", n, len(l.rows), l.calls)
	}
}

func TestAnErrorEndsTheRows(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	l := &fakeSource{rows: make([]ledger.Attempt, 2*attemptsAtOnce)}
	for i := range l.rows {
		l.rows[i] = ledger.Attempt{ID: ledger.ID(fmt.Sprint(i)), At: noon.Add(-time.Duration(i) * time.Second)}
	}
	l.then = func(*fakeSource) { stop() }
	n, last := 0, error(nil)
	for _, err := range EachAttempt(ctx, l, Filter{}) {
		if last = err; err == nil {
			n++
		}
	}
	if n != attemptsAtOnce || !errors.Is(last, context.Canceled) {
		t.Errorf("%d rows, then %v", n, last)
	}
}

// A fakeSource holds attempts, newest first; then changes them after each call.
type fakeSource struct {
	rows  []ledger.Attempt
	calls int
	then  func(l *fakeSource)
}

func (l *fakeSource) Find(ctx context.Context, f Filter, s Search, from, n int) (p Page[ledger.Attempt], err error) {
	if err := ctx.Err(); err != nil {
		return p, err
	}
	var in []ledger.Attempt
	for _, a := range l.rows {
		if f.To.IsZero() || a.At.Before(f.To) {
			in = append(in, a)
		}
	}
	from = min(from, len(in))
	rows := append([]ledger.Attempt{}, in[from:min(from+n, len(in))]...)
	if l.calls++; l.then != nil {
		l.then(l)
	}
	return Page[ledger.Attempt]{Rows: rows, From: from, Count: len(in), Complete: true}, nil
}
