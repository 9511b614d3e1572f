package present_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

func TestAgesAreInOneUnit(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour:               "now",
		0:                        "now",
		999 * time.Millisecond:   "now",
		time.Second:              "1 s",
		59999 * time.Millisecond: "59 s",
		time.Minute:              "1 min",
		59 * time.Minute:         "59 min",
		time.Hour:                "1 h",
		47 * time.Hour:           "47 h",
		48 * time.Hour:           "2 d",
		1000 * time.Hour:         "41 d",
	} {
		if got := present.Age(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestACountdownEndsAtZero(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:                    "0:00",
		0:                               "0:00",
		999 * time.Millisecond:          "0:00",
		9 * time.Second:                 "0:09",
		29*time.Minute + 59*time.Second: "29:59",
		time.Hour:                       "1:00:00",
		100*time.Hour + 61*time.Second:  "100:01:01",
	} {
		if got := present.Countdown(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestCountsAreGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1204: "1,204", 1234567: "1,234,567", -999: "-999", -1204: "-1,204"} {
		if got := present.Thousands(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestASentenceHasACapitalAndOneFullStop(t *testing.T) {
	for words, want := range map[string]string{"": "", "the end": "The end.", "The end.": "The end.", "émile": "Émile."} {
		if got := present.Sentence(words); got != want {
			t.Errorf("%q is %q, want %q", words, got, want)
		}
	}
}

func TestOnlyShortPlainReferencesAreCopied(t *testing.T) {
	for s, want := range map[string]bool{
		"0-abc_1":               true,
		"0123456789":            true,
		strings.Repeat("a", 64): true,
		strings.Repeat("a", 65): false,
		"":                      false,
		"a b":                   false,
		"a\n":                   false,
		"https://pay.example/a": false,
		"４２":                    false,
	} {
		if got := present.Copyable(s); got != want {
			t.Errorf("%q may be copied: %v", s, got)
		}
	}
}

func TestATargetIsLiveOnlyWhenItIsDeclaredSo(t *testing.T) {
	p := present.Target{Environment: "LIVE", Host: "payments.example"}
	if !p.Live() || p.String() != "LIVE · payments.example" {
		t.Errorf("%v %v", p.Live(), p)
	}
	if (present.Target{Environment: "TEST"}).Live() || (present.Target{}).String() != "" || (present.Target{Host: "h"}).String() != "h" {
		t.Error("a target that is not live")
	}
}

func TestTheStepperHasTheStepsOfTheChannelAndFitsAnyWidth(t *testing.T) {
	theme := ui.NewTheme(false)
	for channel, want := range map[string]string{
		"":                  "✓ Card ── ✓ Review ── ● Bank ── ○ Finalize ── ○ Status",
		api.ChannelCard:     "✓ Card ── ✓ Review ── ● Bank ── ○ Finalize ── ○ Status",
		api.ChannelTransfer: "✓ Review ── ● Transfer ── ○ Finalize ── ○ Status",
		api.ChannelAccount:  "✓ Review ── ● Bank ── ○ Finalize ── ○ Status",
		api.ChannelInterac:  "✓ Review ── ● Approval ── ○ Finalize ── ○ Status",
		"Wallet":            "✓ Review ── ● Approval ── ○ Finalize ── ○ Status",
	} {
		got := ansi.Strip(present.Stepper(theme, 118, channel, true, present.StageAuthorise))
		if want = "✓ Amount ── ✓ Channel ── ✓ Customer ── " + want; got != want {
			t.Errorf("%q: %q", channel, got)
		}
	}
	for at := present.StageAmount; at <= present.StageStatus; at++ {
		for w := range 130 {
			for _, channel := range append(api.KnownChannels[:], "") {
				if got := ansi.StringWidth(present.Stepper(theme, w, channel, w%2 == 0, at)); got > w {
					t.Errorf("stage %d of %q takes %d of %d cells", at, channel, got, w)
				}
			}
		}
	}
}

func TestTheStageIsThePaymentsNextStep(t *testing.T) {
	began := func(link api.Alias, asked, done, finalized bool) ledger.Attempt {
		return ledger.Attempt{Kind: ledger.Initiate, Channel: api.ChannelCard, Reference: "ref-1", Link: link, Challenged: asked, CustomerDone: done, Finalized: finalized}
	}
	for _, c := range []struct {
		name string
		a    ledger.Attempt
		want present.Stage
	}{
		{"a challenge", began("", true, false, false), present.StageAuthorise},
		{"a link without a challenge", began("0-a", false, false, false), present.StageFinalize},
		{"a direct payment after the challenge", began("", true, true, false), present.StageStatus},
		{"a link that was finalized", began("0-a", false, false, true), present.StageStatus},
	} {
		if got := present.StageOf(c.a); got != c.want {
			t.Errorf("%s stands at %d, want %d", c.name, got, c.want)
		}
	}
}

func TestSideBySideKeepsTheLeftColumn(t *testing.T) {
	got := present.SideBySide(5, []string{"a", "much too long"}, []string{"x", "y", "z"})
	if diff := cmp.Diff([]string{"a      x", "much…  y", "       z"}, got); diff != "" {
		t.Error(diff)
	}
	if got := present.SideBySide(5, []string{"much too long"}, nil); got[0] != "much too long" {
		t.Errorf("without a right column: %q", got)
	}
}

func TestTheLeastImportantLinesGoFirst(t *testing.T) {
	lines := append(present.Rows(0, "title"), present.Rows(9, "")...)
	lines = append(lines, present.Rows(1, "a", "b")...)
	lines = append(lines, present.Rows(9, "")...)
	for h, want := range map[int][]string{
		9: {"title", "", "a", "b", ""}, 4: {"title", "", "a", "b"}, 3: {"title", "a", "b"}, 2: {"title", "a"}, 1: {"title"}, 0: {"title"}, -1: {"title"},
	} {
		if diff := cmp.Diff(want, present.FitHeight(h, lines)); diff != "" {
			t.Errorf("in %d lines (-want +got):\n%s", h, diff)
		}
	}
}

func TestOneIsCountedInTheSingular(t *testing.T) {
	for n, want := range map[int]string{0: "0 rows", 1: "1 row", 1204: "1,204 rows"} {
		if got := present.Count(n, "row", "rows"); got != want {
			t.Errorf("%d is %q", n, got)
		}
	}
}

func TestHowLongAnAnswerTook(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "< 1 ms", 999 * time.Microsecond: "< 1 ms", 12 * time.Millisecond: "12 ms", 999 * time.Millisecond: "999 ms",
		1449 * time.Millisecond: "1.4 s", 9999 * time.Millisecond: "9.9 s", 12 * time.Second: "12 s", 90 * time.Second: "1 min",
	} {
		if got := present.Took(d); got != want {
			t.Errorf("%v is %q, not %q", d, got, want)
		}
	}
}

func TestWhenTheNextCheckIs(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 7, 0, time.UTC)
	for wait, want := range map[time.Duration]string{
		2 * time.Second: "within 5 s", 5900 * time.Millisecond: "within 5 s", 9 * time.Second: "within 10 s", 30 * time.Second: "within 30 s", time.Minute: "at 09:00:07",
	} {
		if got := present.Due(wait, at, nil); got != want {
			t.Errorf("after %v it is %q, not %q", wait, got, want)
		}
	}
	if got := present.Due(2*time.Second, at, errors.New("no answer")); got != "at 09:00:07" {
		t.Errorf("after an error it is %q", got)
	}
}

// The service says PENDING also of a transfer before the customer has made it.
func TestAnUnpaidTransferIsTheCustomersTurn(t *testing.T) {
	expired := &api.Transfer{Expiration: api.Timestamp{Time: time.Unix(1, 0), Zoned: true}}
	for _, c := range []struct {
		status string
		when   api.Circumstances
		want   ui.Cell
	}{
		{"PENDING", api.Circumstances{Unpaid: true}, ui.Cell{Text: "CUSTOMER MUST PAY", Tone: ui.ToneAct}},
		{"REQUIRE_USER_OFFLINE_ACTION", api.Circumstances{Unpaid: true}, ui.Cell{Text: "CUSTOMER MUST PAY", Tone: ui.ToneAct}},
		{"PENDING", api.Circumstances{}, ui.Cell{Text: "PENDING", Tone: ui.ToneWait}},
		{"PENDING", api.Circumstances{Unpaid: true, Account: expired, Now: time.Unix(2, 0)}, ui.Cell{Text: "PENDING", Tone: ui.ToneWait}},
		{"SUCCESSFUL", api.Circumstances{Unpaid: true}, ui.Cell{Text: "SUCCESSFUL", Tone: ui.ToneGood}},
	} {
		for _, got := range []ui.Cell{
			present.ListCell(api.ParseStatus(c.status), ledger.Mismatch{}, c.when), present.StatusCell(api.ParseStatus(c.status), ledger.Mismatch{}, c.when),
		} {
			if got != c.want {
				t.Errorf("%s, %+v: %+v", c.status, c.when, got)
			}
		}
	}
}

// The service's own words say why, where it answered a request that may have been carried out.
func TestAConflictIsNoInternalError(t *testing.T) {
	lost := &api.Unresolved{Kind: api.KindService, HTTP: 409, Detail: api.Clean("A payment with this reference exists")}
	if p := present.Error(lost, present.Sending); !p.Unresolved || strings.Contains(p.What, "internal") || !strings.Contains(p.What, "HTTP 409") || p.Detail != "A payment with this reference exists" {
		t.Errorf("%+v", p)
	}
	if words := lost.Cause(); words != "The service answered (HTTP 409): A payment with this reference exists." {
		t.Error(words)
	}
}
