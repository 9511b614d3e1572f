package present_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

var unresolved = &api.Unresolved{Kind: api.KindTimeout, Detail: api.Clean("context deadline exceeded")}

// Errors of a write, and what is said of whether it was done.
var ends = []struct {
	name string
	err  error
	done string
}{
	{"a refusal", &api.Refusal{Kind: api.KindService, HTTP: 200, Text: api.Clean("no")}, "Nothing was done."},
	{"a gateway's refusal", &api.Refusal{Kind: api.KindHTTP, HTTP: 404}, "Nothing was done."},
	{"a bad key", &api.Refusal{Kind: api.KindService, HTTP: 401}, "Nothing was done."},
	{"too many requests", &api.Refusal{Kind: api.KindService, HTTP: 429, RetryAfter: 7 * time.Second}, "Nothing was done."},
	{"never sent", &api.Failure{Kind: api.KindConnect}, "Nothing was sent."},
	{"rejected before sending", &api.Failure{Detail: api.Clean("the currency is not known")}, "Nothing was sent."},
	{"a possible duplicate", &ledger.Duplicate{Attempts: []ledger.Attempt{{ID: "k3f9m2x7qa"}}}, "Nothing was sent."},
	{"a journal that cannot be written", fmt.Errorf("keeping: %w", &ledger.Unavailable{Why: "The disk is full."}), "Nothing was sent."},
	{"unresolved, with its attempt", &journal.UnresolvedAttempt{ID: "k3f9m2x7qa", Err: errors.New("odd")}, "It is not known whether this went through."},
	{"unresolved, and the journal failed after it", errors.Join(&ledger.Unavailable{Why: "The disk is full."}, unresolved), "It is not known whether this went through."},
	{"unresolved behind a refusal", &journal.UnresolvedAttempt{Err: &api.Refusal{HTTP: 500}}, "It is not known whether this went through."},
	{"unresolved", unresolved, "It is not known whether this went through."},
	{"unresolved, wrapped", fmt.Errorf("while creating: %w", unresolved), "It is not known whether this went through."},
	{"a panic of the console", fmt.Errorf("%w (string)", ui.ErrPanicked), "It is not known whether this went through."},
	{"an unknown error", context.DeadlineExceeded, "It is not known whether this went through."},
}

func TestAWriteAlwaysSaysWhetherItWasDone(t *testing.T) {
	for _, e := range ends {
		got := present.Error(e.err, present.Sending)
		if got.Done != e.done || got.What == "" || got.Next == "" {
			t.Errorf("%s: %+v", e.name, got)
		}
		if lost := e.done == "It is not known whether this went through."; lost != got.Unresolved {
			t.Errorf("%s: lost is %v", e.name, !lost)
		} else if lost != strings.Contains(got.Next, "Do not send it again") {
			t.Errorf("%s: next is %q", e.name, got.Next)
		}
	}
}

func TestAReadNeverMentionsSending(t *testing.T) {
	for _, e := range ends {
		if got := present.Error(e.err, present.Reading); got.Done != "" || got.What == "" || strings.Contains(got.Next, "send") {
			t.Errorf("%s: %+v", e.name, got)
		}
	}
}

func TestARefusalShowsAllReasonsAndWhatToDo(t *testing.T) {
	for _, c := range []struct {
		no   api.Refusal
		want present.Problem
	}{
		{
			api.Refusal{HTTP: 400, Text: api.Clean("a"), Failures: []api.Text{api.Clean("a is required"), api.Clean("b is too long")}, Code: api.Clean("91")},
			present.Problem{What: "The service rejected the request.", Next: "Correct it and try again.", Detail: "a is required b is too long (code 91)"},
		},
		{
			api.Refusal{HTTP: 401, Code: api.Clean("401")},
			present.Problem{What: "The service rejected the key.", Next: "Check the secret key: it may have been replaced, or belong to the other environment.", Detail: "(code 401)"},
		},
		{
			api.Refusal{HTTP: 404, Text: api.Clean("unknown")},
			present.Problem{What: "The service has no record of it.", Next: "Check the request and the environment.", Detail: "unknown"},
		},
		{
			api.Refusal{HTTP: 429, RetryAfter: 90 * time.Second},
			present.Problem{What: "The service received too many requests.", Next: "Wait 1 min, then try again."},
		},
	} {
		if diff := cmp.Diff(c.want, present.Error(&c.no, present.Reading)); diff != "" {
			t.Errorf("HTTP %d (-want +got):\n%s", c.no.HTTP, diff)
		}
	}
}

func TestOutsideTextIsCleanedAndStandsBehindABar(t *testing.T) {
	problem := present.Error(errors.New("boom\x1b[2J\nSUCCESSFUL"), present.Reading)
	for _, w := range []int{-1, 0, 1, 20, 58} {
		for _, l := range problem.Lines(ui.NewTheme(false), w) {
			if strings.Contains(l, "\x1b[2J") || strings.Contains(l, "\n") {
				t.Errorf("at %d cells: %q", w, l)
			}
			if strings.Contains(l, "SUCCESSFUL") && !strings.Contains(l, "│") {
				t.Errorf("at %d cells a spoofed line: %q", w, l)
			}
		}
	}
	if !(present.Problem{}).IsZero() || len(present.Problem{}.Lines(ui.NewTheme(false), 40)) != 0 {
		t.Error("no problem has lines")
	}
}
