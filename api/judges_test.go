package api_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/guard"
	"paydesk/screens/show"
)

// Each rule about errors that stands in more than one place, copied as it stands there, so
// that their answers can be compared before one rule replaces them.
var errorJudges = []struct {
	place string
	says  func(error) string
}{
	{"show.Lost", func(err error) string { return when(show.Lost(err), "lost") }},
	{"journal.outcomeOf", func(err error) string {
		var no *api.Refusal
		var unsent *api.Failure
		switch {
		case err == nil:
			return "accepted"
		case errors.As(err, &no):
			return "refused"
		case errors.As(err, &unsent):
			return "not sent"
		}
		return "lost"
	}},
	{"desk: key", func(err error) string {
		var no *api.Refusal
		return when(errors.As(err, &no) && (no.HTTP == 401 || no.HTTP == 403), "key")
	}},
	{"probe: key", func(err error) string {
		var r *api.Refusal
		return when(errors.As(err, &r) && (r.HTTP == 401 || r.HTTP == 403), "key")
	}},
	{"keys: key", func(err error) string {
		var no *api.Refusal
		refused := errors.As(err, &no)
		return when(refused && (no.HTTP == 401 || no.HTTP == 403), "key")
	}},
	{"payment: key", func(err error) string {
		code := statusOf(err)
		return when(code == 401 || code == 403, "key")
	}},
	{"payment: unknown", func(err error) string {
		var no *api.Refusal
		code := statusOf(err)
		if code == 401 || code == 403 {
			return "" // judged before
		}
		return when(errors.As(err, &no) && code != 408 && code != 409 && code != 425 && code != 429, "unknown")
	}},
	{"attempt: unknown", func(err error) string {
		var no *api.Refusal
		return when(errors.As(err, &no) && !slices.Contains([]int{401, 403, 408, 425, 429}, no.HTTP), "unknown")
	}},
	{"probe: passing", func(err error) string {
		var r *api.Refusal
		return when(errors.As(err, &r) && (r.HTTP == 408 || r.HTTP == 425 || r.HTTP == 429), "later")
	}},
}

func statusOf(err error) int {
	var no *api.Refusal
	var failed *api.Failure
	switch {
	case errors.As(err, &no):
		return no.HTTP
	case errors.As(err, &failed):
		return failed.HTTP
	}
	return 0
}

func when(is bool, word string) string {
	if is {
		return word
	}
	return ""
}

func TestTheJudgesOfErrorsSideBySide(t *testing.T) {
	refusal := func(http int) error { return &api.Refusal{Kind: api.KindService, HTTP: http} }
	for _, c := range []struct {
		name string
		err  error
		want string // of each judge that says something, in their order
	}{
		{"no error", nil, "journal.outcomeOf accepted"},
		{"refused with 200", refusal(200), "journal.outcomeOf refused; payment: unknown; attempt: unknown"},
		{"400", refusal(400), "journal.outcomeOf refused; payment: unknown; attempt: unknown"},
		{"401", refusal(401), "journal.outcomeOf refused; desk: key; probe: key; keys: key; payment: key"},
		{"403", refusal(403), "journal.outcomeOf refused; desk: key; probe: key; keys: key; payment: key"},
		{"404", refusal(404), "journal.outcomeOf refused; payment: unknown; attempt: unknown"},
		{"404 of a gateway", &api.Refusal{Kind: api.KindHTTP, HTTP: 404}, "journal.outcomeOf refused; payment: unknown; attempt: unknown"},
		{"408", refusal(408), "journal.outcomeOf refused; probe: passing later"},
		{"409", refusal(409), "journal.outcomeOf refused; attempt: unknown"},
		{"425", refusal(425), "journal.outcomeOf refused; probe: passing later"},
		{"429", refusal(429), "journal.outcomeOf refused; probe: passing later"},
		{"not connected", &api.Failure{Kind: api.KindConnect}, "journal.outcomeOf not sent"},
		{"401 cut short", &api.Failure{Kind: api.KindProtocol, HTTP: 401}, "journal.outcomeOf not sent; payment: key"},
		{"503", &api.Failure{Kind: api.KindHTTP, HTTP: 503}, "journal.outcomeOf not sent"},
		{"unresolved", &api.Unresolved{Kind: api.KindTimeout}, "show.Lost; journal.outcomeOf lost"},
		{"lost, as the journal says", &journal.Lost{ID: "a"}, "show.Lost; journal.outcomeOf lost"},
		{"lost around a refusal", &journal.Lost{ID: "a", Err: refusal(409)}, "show.Lost; journal.outcomeOf refused; attempt: unknown"},
		{"unresolved and refused", errors.Join(refusal(422), api.ErrUnresolved), "show.Lost; journal.outcomeOf refused; payment: unknown; attempt: unknown"},
		{"a look-alike", &journal.LookAlike{}, "journal.outcomeOf lost"},
		{"the journal cannot be written", &journal.Blocked{}, "journal.outcomeOf lost"},
		{"the gate is closed", &guard.Closed{}, "journal.outcomeOf lost"},
		{"cancelled", context.Canceled, "show.Lost; journal.outcomeOf lost"},
		{"out of time", context.DeadlineExceeded, "show.Lost; journal.outcomeOf lost"},
		{"anything else", errors.New("something"), "show.Lost; journal.outcomeOf lost"},
	} {
		var got []string
		for _, j := range errorJudges {
			word := j.says(c.err)
			if word == "" {
				continue
			}
			if !strings.HasSuffix(strings.ToLower(j.place), word) {
				word = j.place + " " + word
			} else {
				word = j.place
			}
			got = append(got, word)
		}
		if all := strings.Join(got, "; "); all != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, all, c.want)
		}
	}
}

func TestTheReadersOfAnEnvironmentSideBySide(t *testing.T) {
	link := func(word string) guard.Money { // screens/link
		switch strings.ToLower(word) {
		case "live", "production":
			return guard.Live
		case "test", "sandbox":
			return guard.Play
		}
		return guard.Unsaid
	}
	for word, want := range map[string][2]guard.Money{
		"Live": {guard.Live, guard.Live}, "PRODUCTION": {guard.Live, guard.Live}, "prod": {guard.Live, guard.Unsaid},
		"Test": {guard.Play, guard.Play}, "sandbox": {guard.Play, guard.Play}, "staging": {guard.Play, guard.Unsaid},
		"": {}, "other": {}, " live": {}, "l\u0456ve": {},
	} {
		if got := [2]guard.Money{guard.Read(word), link(word)}; got != want {
			t.Errorf("%q: the gate and the link say %v, want %v", word, got, want)
		}
	}
}

// What is told after a final status: the last word kept by each place, of a payment that is
// told these words one after the other.
func TestWhatStandsAfterAFinalStatusSideBySide(t *testing.T) {
	rules := []struct {
		place string
		after func(kept, told api.Status) api.Status
	}{
		{"desk", func(kept, told api.Status) api.Status {
			if !kept.State.Final() {
				return told
			}
			return kept
		}},
		{"journal", func(kept, told api.Status) api.Status { // it notes a spelling that is the same as the last
			if kept.State.Final() && (kept.State != told.State || kept.Text.String() != told.Text.String()) {
				return kept
			}
			return told
		}},
		{"payment's history", func(kept, told api.Status) api.Status {
			if kept.State.Final() {
				return kept
			}
			return told
		}},
		{"flow, which has the state alone", func(kept, told api.Status) api.Status {
			if kept.State.Final() || told.State == api.Unrecognised {
				return kept
			}
			return told
		}},
	}
	for _, c := range []struct{ told, want string }{
		{"PENDING FAILED SUCCESSFUL", "FAILED FAILED FAILED FAILED"},
		{"SUCCESSFUL Successfull FAILED", "SUCCESSFUL SUCCESSFUL SUCCESSFUL SUCCESSFUL"},
		{"FAILED PENDING", "FAILED FAILED FAILED FAILED"},
		{"PENDING nonsense", "nonsense nonsense nonsense PENDING"},
		{"PENDING INITIATED", "INITIATED INITIATED INITIATED INITIATED"},
	} {
		var got []string
		for _, r := range rules {
			var kept api.Status
			for word := range strings.FieldsSeq(c.told) {
				kept = r.after(kept, api.ParseStatus(word))
			}
			got = append(got, kept.Text.Line(0))
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%s: %s, want %s", c.told, all, c.want)
		}
	}
}
