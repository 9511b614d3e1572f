package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui/termtest"
)

// raised returns what an alert writes to the terminal.
func raised(a *Alerts, words string) string {
	cmd := a.Raise(words)
	if cmd == nil {
		return ""
	}
	return cmd().(tea.RawMsg).Msg.(string)
}

func TestTheBellAndNotificationsAreSwitchedEach(t *testing.T) {
	const osc = "\x1b]777;notify;paydesk;Done.\a"
	theme := NewTheme(false)
	theme.Notifier = OSC777
	for a, want := range map[*Alerts][]string{
		theme.NewAlerts():             {"\a" + osc, "\a", osc, "", "\a" + osc},
		NewTheme(false).NewAlerts():   {"\a", "", "\a"},
		{By: OSC9, Bell: true}:        {"\a", "\x1b]9;paydesk: Done.\a"},
		{By: OSC9, Desktop: true}:     {"\x1b]9;paydesk: Done.\a", ""},
		{By: OSC9}:                    {"", "\a\x1b]9;paydesk: Done.\a"},
		{By: NoNotifier, Bell: false}: {"", "\a"},
		{By: NoNotifier, Bell: true}:  {"\a", ""},
	} {
		for i, sent := range want {
			if got := raised(a, "Done."); got != sent {
				t.Errorf("after %d keys: %q, not %q", i, got, sent)
			}
			if offer := a.Offer(); offer == "" {
				t.Error("the key has no name")
			}
			if a.Switch() == "" {
				t.Error("the key says nothing")
			}
		}
	}
}

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
