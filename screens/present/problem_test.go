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
	"paydesk/api/gate"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

var unresolved = &api.Unresolved{Kind: api.KindTimeout, Detail: api.Clean("context deadline exceeded")}

// Errors as they come, and what becomes of something that was being sent.
var ends = []struct {
	name string
	err  error
	done string
}{
	{"a refusal", &api.Refusal{Kind: api.KindService, HTTP: 200, Text: api.Clean("no")}, "Nothing was done."},
	{"a gateway's refusal", &api.Refusal{Kind: api.KindHTTP, HTTP: 404}, "Nothing was done."},
	{"a bad key", &api.Refusal{Kind: api.KindService, HTTP: 401}, "Nothing was done."},
	{"too many questions", &api.Refusal{Kind: api.KindService, HTTP: 429, RetryAfter: 7 * time.Second}, "Nothing was done."},
	{"never sent", &api.Failure{Kind: api.KindConnect}, "Nothing was sent."},
	{"refused here", &api.Failure{Detail: api.Clean("the currency is not known")}, "Nothing was sent."},
	{"a look-alike", &journal.Duplicate{Attempts: []journal.Attempt{{ID: "k3f9m2x7qa"}}}, "Nothing was sent."},
	{"a journal that cannot be written", fmt.Errorf("keeping: %w", &journal.Unavailable{Why: "The disk is full."}), "Nothing was sent."},
	{"unresolved, with its attempt", &journal.UnresolvedAttempt{ID: "k3f9m2x7qa", Err: errors.New("odd")}, "Nobody knows whether this was done."},
	{"unresolved, and the journal failed after it", errors.Join(&journal.Unavailable{Why: "The disk is full."}, unresolved), "Nobody knows whether this was done."},
	{"lost behind a refusal", &journal.UnresolvedAttempt{Err: &api.Refusal{HTTP: 500}}, "Nobody knows whether this was done."},
	{"unresolved", unresolved, "Nobody knows whether this was done."},
	{"unresolved, wrapped", fmt.Errorf("while creating: %w", unresolved), "Nobody knows whether this was done."},
	{"a panic of the console", fmt.Errorf("%w (string)", ui.ErrPanicked), "Nobody knows whether this was done."},
	{"an error nobody knows", context.DeadlineExceeded, "Nobody knows whether this was done."},
}

func TestWhatBecameOfSomethingSentIsAlwaysSaid(t *testing.T) {
	for _, e := range ends {
		got := present.Error(e.err, present.Sending)
		if got.Done != e.done || got.What == "" || got.Next == "" {
			t.Errorf("%s: %+v", e.name, got)
		}
		if lost := e.done == "Nobody knows whether this was done."; lost != got.Lost {
			t.Errorf("%s: lost is %v", e.name, !lost)
		} else if lost != strings.Contains(got.Next, "Do not send it again") {
			t.Errorf("%s: next is %q", e.name, got.Next)
		}
	}
}

func TestAQuestionIsNeverSaidToHaveBeenDoneOrSent(t *testing.T) {
	for _, e := range ends {
		if got := present.Error(e.err, present.Reading); got.Done != "" || got.What == "" || strings.Contains(got.Next, "send") {
			t.Errorf("%s: %+v", e.name, got)
		}
	}
}

func TestEveryKindOfFailureHasWordsOfItsOwn(t *testing.T) {
	seen := map[string]api.Kind{}
	for k := api.Kind(0); k <= api.KindService; k++ {
		what := present.Error(&api.Failure{Kind: k, HTTP: 502}, present.Reading).What
		if other, is := seen[what]; is || strings.Contains(what, "something went wrong") {
			t.Errorf("kind %d is worded like %d: %q", k, other, what)
		}
		seen[what] = k
	}
}

func TestARefusalSaysAllItsReasonsAndWhatToDo(t *testing.T) {
	for _, c := range []struct {
		no   api.Refusal
		want present.Problem
	}{
		{
			api.Refusal{HTTP: 400, Text: api.Clean("a"), Failures: []api.Text{api.Clean("a is needed"), api.Clean("b is too long")}, Code: api.Clean("91")},
			present.Problem{What: "The service said no.", Next: "Correct it and try again.", Detail: "a is needed b is too long (code 91)"},
		},
		{
			api.Refusal{HTTP: 401, Code: api.Clean("401")},
			present.Problem{What: "The service said no.", Next: "Check the secret key: it may have been reset, or belong to the other environment.", Detail: "(code 401)"},
		},
		{
			api.Refusal{HTTP: 404, Text: api.Clean("unknown")},
			present.Problem{What: "The service does not know it.", Next: "Check what was asked for, and the environment.", Detail: "unknown"},
		},
		{
			api.Refusal{HTTP: 429, RetryAfter: 90 * time.Second},
			present.Problem{What: "The service asks for fewer questions.", Next: "Wait 1 min."},
		},
	} {
		if diff := cmp.Diff(c.want, present.Error(&c.no, present.Reading)); diff != "" {
			t.Errorf("HTTP %d (-want +got):\n%s", c.no.HTTP, diff)
		}
	}
}

func TestTheWordsOfOthersAreSafeAndStandBehindABar(t *testing.T) {
	trouble := present.Error(errors.New("boom\x1b[2J\nSUCCESSFUL"), present.Reading)
	for _, w := range []int{-1, 0, 1, 20, 58} {
		for _, l := range trouble.Lines(ui.NewTheme(false), w) {
			if strings.Contains(l, "\x1b[2J") || strings.Contains(l, "\n") {
				t.Errorf("at %d cells: %q", w, l)
			}
			if strings.Contains(l, "SUCCESSFUL") && !strings.Contains(l, "│") {
				t.Errorf("at %d cells a spoofed line: %q", w, l)
			}
		}
	}
	if !(present.Problem{}).IsZero() || len(present.Problem{}.Lines(ui.NewTheme(false), 40)) != 0 {
		t.Error("no trouble has lines")
	}
}

func TestWhatTheGateStoppedWasNotSent(t *testing.T) {
	err := error(&gate.Closed{Reason: gate.Locked})
	want := present.Problem{What: "Sending is locked.", Done: "Nothing was sent.", Next: "Unlock it (ctrl+l)."}
	if got := present.Error(err, present.Sending); got != want {
		t.Errorf("%+v", got)
	}
	want.Done = ""
	if got := present.Error(err, present.Reading); got != want {
		t.Errorf("%+v", got)
	}
}
