package present_test

import (
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/ui"
)

func TestOnlyTheTwoSuccessWordsAreGood(t *testing.T) {
	for word, want := range map[string]ui.Tone{
		"SUCCESSFUL":                  ui.ToneGood,
		"Successfull":                 ui.ToneGood,
		"  successful\t":              ui.ToneGood,
		"FAILED":                      ui.ToneBad,
		"pending":                     ui.ToneWait,
		"INITIATED":                   ui.ToneAct,
		"REQUIRE_USER_OFFLINE_ACTION": ui.ToneAct,
		"REQUIRED_BANK_AUTH":          ui.ToneAct,
		"UNSUCCESSFUL":                ui.ToneUnknown,
		"completed":                   ui.ToneUnknown,
		"SUCCESS":                     ui.ToneUnknown,
		"SUCCESSFULLL":                ui.ToneUnknown,
		"ЅUCCESSFUL":                  ui.ToneUnknown, // its first letter is Cyrillic
		"successful\u200b":            ui.ToneUnknown,
		"":                            ui.ToneUnknown,
	} {
		if got := present.Tone(api.ParseStatus(word)); got != want {
			t.Errorf("%q has tone %d, want %d", word, got, want)
		}
	}
}

func TestEveryStateHasAWordAMeaningAndAnAction(t *testing.T) {
	seen := map[string]bool{}
	for s := api.Unrecognised; s <= api.Failed; s++ {
		means, action := s.Meaning(api.Circumstances{})
		word, tone := present.Word(api.Status{State: s}), present.Tone(api.Status{State: s})
		if means == "" || action == "" || word == "" || seen[word] || seen[means] {
			t.Errorf("%v: %q %q %q", s, word, means, action)
		}
		seen[word], seen[means] = true, true
		if good := strings.Contains(ui.NewTheme(false).Mark(tone, word), "✓"); good != (s == api.Successful) {
			t.Errorf("%v painted good: %v", s, good)
		}
	}
	if _, action := api.Pending.Meaning(api.Circumstances{}); !strings.Contains(action, "Do not charge again") {
		t.Errorf("PENDING says %q", action)
	}
}

func TestAnUnknownStatusIsQuotedAndNeverTakenForAnother(t *testing.T) {
	for word, want := range map[string]string{
		"InProgress":               "unrecognised: InProgress",
		"":                         "NO STATUS",
		"SUCCESSFUL\x1b[2K":        "unrecognised: SUCCESSFUL^[[2K",
		"ЅUCCESSFUL":               "unrecognised: <U+0405>UCCESSFUL",
		strings.Repeat("LONG", 20): "unrecognised: LONGLONGLONGLONGLONGLON…",
	} {
		if got := present.Word(api.ParseStatus(word)); got != want {
			t.Errorf("%q is shown as %q, want %q", word, got, want)
		}
	}
}
