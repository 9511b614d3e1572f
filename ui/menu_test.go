package ui_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

func TestAMenuIsChosenFromWithArrowsAndEnter(t *testing.T) {
	m := ui.NewMenu(theme)
	if m.Press(stroke("enter")); len(m.Lines(60)) != 0 {
		t.Error("an empty menu has lines")
	}
	chosen := ""
	item := func(name, about string, k ...string) ui.MenuItem {
		i := ui.MenuItem{Name: name, About: about, Do: func() tea.Cmd { chosen = name; return nil }}
		if len(k) > 0 {
			i.Key = ui.Bind(k[0], "again")
		}
		return i
	}
	m.Set(item("Try again", "for up to 60 s: it may show a prompt", "r"), item("Type the key", "for this run only; it is stored nowhere"), item("Doctor", ""))
	for _, tt := range []struct{ keys, want string }{
		{"enter", "Try again"}, {"up enter", "Try again"}, {"down enter", "Type the key"}, {"end enter", "Doctor"},
		{"j enter", "Doctor"}, {"k enter", "Type the key"}, {"home enter", "Try again"}, {"end r", "Try again"}, {"x", ""},
	} {
		chosen = ""
		for _, k := range strings.Fields(tt.keys) {
			m.Press(stroke(k))
		}
		if chosen != tt.want {
			t.Errorf("%s chose %q", tt.keys, chosen)
		}
	}
	want := []string{
		"  Try again                   for up to 60 s: it may show a",
		"                              prompt",
		"  Type the key                for this run only; it is",
		"                              stored nowhere",
		"▌ Doctor",
	}
	if got := plain(strings.Join(m.Lines(60), "\n")); got != strings.Join(want, "\n") {
		t.Errorf("%s", got)
	}
	m.Set(item("Doctor", ""))
	if m.Press(stroke("enter")); chosen != "Doctor" {
		t.Errorf("after fewer items it chose %q", chosen)
	}
	for w := range 90 {
		for _, l := range m.Lines(w) {
			if len([]rune(plain(l))) > max(w, 2) {
				t.Errorf("%d cells: %q", w, l)
			}
		}
	}
}
