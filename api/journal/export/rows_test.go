package export

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api/journal"
)

func TestEveryRowIsThereOnceWhateverIsWrittenMeanwhile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &fakeSource{}
		at := noon
		var want []journal.ID
		apart := rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 0, 0, 1, 999, 1000, 5000}), 1, 30).Draw(t, "microseconds apart")
		for i := range rapid.IntRange(0, 4*pageSize).Draw(t, "rows") {
			at = at.Add(-time.Duration(apart[i%len(apart)]) * time.Microsecond)
			id := journal.ID(fmt.Sprint("r", i))
			l.rows, want = append(l.rows, journal.Attempt{ID: id, At: at}), append(want, id)
		}
		l.then = func(l *fakeSource) { // other consoles continue
			l.rows = slices.Insert(l.rows, 0, journal.Attempt{ID: journal.ID(fmt.Sprint("new", l.calls)), At: noon.Add(time.Duration(l.calls) * time.Second)})
		}
		var got []journal.ID
		for a, err := range Rows(context.Background(), l, journal.Filter{}) {
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
	for i := range 2*pageSize + 7 {
		l.rows = append(l.rows, journal.Attempt{ID: journal.ID(fmt.Sprint(i)), At: noon})
	}
	n := 0
	for range Rows(context.Background(), l, journal.Filter{}) {
		n++
	}
	if n != len(l.rows) || l.calls > 5 {
		t.Errorf("%d rows of %d, asked %d times", n, len(l.rows), l.calls)
	}
}

func TestAnErrorEndsTheRows(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	l := &fakeSource{rows: make([]journal.Attempt, 2*pageSize)}
	for i := range l.rows {
		l.rows[i] = journal.Attempt{ID: journal.ID(fmt.Sprint(i)), At: noon.Add(-time.Duration(i) * time.Second)}
	}
	l.then = func(*fakeSource) { stop() }
	n, last := 0, error(nil)
	for _, err := range Rows(ctx, l, journal.Filter{}) {
		if last = err; err == nil {
			n++
		}
	}
	if n != pageSize || !errors.Is(last, context.Canceled) {
		t.Errorf("%d rows, then %v", n, last)
	}
}
