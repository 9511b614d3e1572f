package ui

import (
	"strings"
	"testing"

	"paydesk/ui/termtest"
)

// Whatever gets into the words, a terminal reads one sequence with a text.
func TestANotificationCarriesNothingThatATerminalObeys(t *testing.T) {
	for _, words := range []string{"Ada\x1b[2J", "a;b\ac", "\x1b]52;c;YQ==\a", "\u202eevil\u0085\x9b", strings.Repeat("long ", 90), ""} {
		for _, by := range []Notifier{OSC9, OSC777} {
			sent := by.sequence(words)
			if strings.Count(sent, "\x1b") != 1 || strings.Count(sent, "\a") != 1 || len(sent) > 150 {
				t.Errorf("%q becomes %q", words, sent)
			}
		}
	}
	for r := range rune(0x2100) {
		if got := note("a" + string(r) + "b"); strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%U enters a notification: %q", r, got)
		}
	}
	if found := termtest.Breaches([]byte(OSC9.sequence("Payment PAY-7K3: SUCCESSFUL (TEST)"))); len(found) > 0 {
		t.Error(found)
	}
}
