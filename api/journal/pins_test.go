package journal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
)

var elsewhere = ledger.Destination{Environment: "TEST", Host: "elsewhere.example"}

// pins formats what is pinned, with seconds since a time.
func pins(t testing.TB, j *journal.Journal, d ledger.Destination, since time.Time) (all []string) {
	t.Helper()
	found, err := j.Pins(t.Context(), d)
	noError(t, err)
	for _, p := range found {
		words := fmt.Sprintf("%s by %s at %v", p.Reference, p.PinnedBy.User, p.PinnedAt.Sub(since).Round(time.Millisecond).Seconds())
		switch {
		case p.Kind == ledger.Initiate:
			words += ", made here: " + p.Status.State.String()
		case !p.AnsweredAt.IsZero():
			words += ", looked up: " + p.Status.State.String()
		}
		if c := p.Changed; !c.At.IsZero() {
			words += fmt.Sprintf(" after %s at %v", c.Was.State, c.At.Sub(since).Seconds())
		}
		all = append(all, words)
	}
	return all
}

func TestWhatIsPinnedStaysPinnedAndSaysWhatChanged(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	start := c.at
	j := mustOpen(t, dir, c)
	step := func(err error) {
		t.Helper()
		noError(t, err)
		c.advance(time.Second)
	}
	mustEnd(t, j, mustBegin(t, j, initiation(t, 1250)).ID, accepted("OURS", "PENDING"))
	step(j.Pin(t.Context(), shop, "THEIRS", "OURS", "NOBODYS", "OURS"))
	step(j.Pin(t.Context(), elsewhere, "ELSEWHERE"))
	step(j.Pin(t.Context(), shop, "OURS", "LATER"))
	for _, status := range []string{"INITIATED", "PENDING", "PENDING", "SUCCESSFUL", "FAILED"} {
		step(j.RecordTransaction(t.Context(), shop, lookedUp(t, "THEIRS", status, 900)))
	}
	step(j.RecordTransaction(t.Context(), shop, lookedUp(t, "OURS", "PENDING", 1250)))
	j.Close()
	j = mustOpen(t, dir, c)
	want := []string{
		"THEIRS by ada at 0, looked up: SUCCESSFUL after PENDING at 6", "OURS by ada at 0, made here: PENDING",
		"NOBODYS by ada at 0", "LATER by ada at 2",
	}
	if diff := cmp.Diff(want, pins(t, j, shop, start)); diff != "" {
		t.Error(diff)
	}
	noError(t, j.Unpin(t.Context(), shop, "LATER", "OURS", "ELSEWHERE", "UNKNOWN"))
	if diff := cmp.Diff([]string{want[0], want[2]}, pins(t, j, shop, start)); diff != "" {
		t.Error(diff)
	}
	if got := pins(t, j, elsewhere, start); len(got) != 1 {
		t.Error(got)
	}
}

func TestTwoHundredPaymentsCanBePinnedAtEachService(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, newDir(t), newClock())
	var some []api.Reference
	for i := range ledger.MaxPins {
		some = append(some, api.Reference(fmt.Sprint("REF", i)))
	}
	noError(t, j.Pin(t.Context(), shop, some...))
	noError(t, j.Pin(t.Context(), shop, some[:7]...)) // they are already
	noError(t, j.Pin(t.Context(), elsewhere, some...))
	for _, more := range [][]api.Reference{{"ONE-MORE"}, {some[0], "A", "B"}} {
		if err := j.Pin(t.Context(), shop, more...); !errors.Is(err, ledger.ErrTooManyPins) {
			t.Error(err)
		}
	}
	noError(t, j.Unpin(t.Context(), shop, some[0]))
	noError(t, j.Pin(t.Context(), shop, "ONE-MORE"))
	if got := pins(t, j, shop, time.Time{}); len(got) != ledger.MaxPins {
		t.Error(len(got))
	}
}

func TestACardNumberIsNotPinned(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, newDir(t), newClock())
	if err := j.Pin(t.Context(), shop, "REF-1", typedPAN); err == nil {
		t.Error("it was")
	}
	mustEnd(t, j, mustBegin(t, j, initiation(t, 1250)).ID, accepted(typedPAN, "PENDING"))
	noError(t, j.Pin(t.Context(), shop, typedPAN)) // the service named a payment so
	if got, err := j.Pins(t.Context(), shop); err != nil || len(got) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAPinGoesWithTheLastThatIsKnownOfItsPayment(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "OLD", "PENDING", 900)))
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "ASKED", "PENDING", 900)))
	noError(t, j.Pin(t.Context(), shop, "OLD", "ASKED", "NOTHING-KNOWN"))
	c.advance(48 * time.Hour)
	noError(t, j.Pin(t.Context(), shop, "NEW"))
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "ASKED", "PENDING", 900)))
	_, err := j.Purge(t.Context(), c.at.Add(-24*time.Hour))
	noError(t, err)
	got, err := j.Pins(t.Context(), shop)
	if err != nil || len(got) != 2 || got[0].Reference != "ASKED" || got[1].Reference != "NEW" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A pin is asked about for hours: the same answer again takes no room.
func TestAnswersThatRepeatTakeNoRoom(t *testing.T) {
	t.Parallel()
	needsFile(t)
	oneAtATime(t)
	dir, c := newDir(t), newClock()
	j := mustOpen(t, dir, c)
	noError(t, j.Pin(t.Context(), shop, "THEIRS"))
	size := func() int64 {
		about, err := os.Stat(filepath.Join(dir, "journal.db"))
		noError(t, err)
		return about.Size()
	}
	ask := func() {
		c.advance(time.Minute)
		noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "THEIRS", "PENDING", 900)))
	}
	ask()
	before := size()
	for range 200 {
		ask()
	}
	if after := size(); after != before {
		t.Errorf("%d bytes more", after-before)
	}
}
