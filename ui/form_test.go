package ui_test

import (
	"slices"
	"strings"
	"testing"

	"paydesk/ui"
)

func TestCtrlSSubmitsFromAnyFieldAndGoesToTheFirstError(t *testing.T) {
	p := newPaymentForm(t).fill()
	if v := send(p, keys("ctrl+s")...); v != ui.Submitted {
		t.Errorf("ctrl+s returned %v", v)
	}
	enter(p.name, keys("ctrl+u")...)
	enter(p.cvv, keys("backspace")...)
	if v := send(p, keys("ctrl+s")...); v != ui.Handled || p.Focused() != ui.Field(p.name) {
		t.Errorf("ctrl+s returned %v and the focus is on %s", v, p.Focused().Label())
	}
	sees(t, shown(p, 78, 40), "! Name is required", "! Visa cards have a code of 3 digits")
}

func TestAPasteIsAlwaysText(t *testing.T) {
	p := newPaymentForm(t).fill()
	for range 13 {
		if v := p.Update(paste("x\r\nq\x1b\n\t\t\r")); v != ui.Handled {
			t.Errorf("a paste into %s returned %v", p.Focused().Label(), v)
		}
		send(p, keys("tab")...)
	}
	if p.name.Value() != "Ada Obi" || p.currency.Value() != "GBP" || p.country.Value() != "" {
		t.Errorf("%q %q %q", p.name.Value(), p.currency.Value(), p.country.Value())
	}
	if v := send(p, keys("ctrl+s")...); v != ui.Submitted {
		t.Errorf("then ctrl+s returned %v:\n%s", v, shown(p, 78, 40))
	}
}

func TestScrollingShowsEveryFieldAndTheEdgeShowsWhereThereIsMore(t *testing.T) {
	p := newPaymentForm(t)
	send(p, keys("ctrl+s")...)
	p.FocusOn(p.currency)
	for range 13 {
		s, cursor := p.View(58, 10)
		screen := plain(s)
		lines := strings.Split(screen, "\n")
		mark := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "▌ "+p.Focused().Label()) })
		if strings.Count(screen, "▌ ") != 1 || mark < 0 || (cursor != nil) != p.Typing() || cursor != nil && (cursor.Y != mark || cursor.Blink) {
			t.Errorf("at %s the cursor is %+v in\n%s", p.Focused().Label(), cursor, screen)
		}
		if len(lines) != 10 {
			t.Fatalf("%d lines", len(lines))
		}
		if up, first := strings.HasSuffix(lines[0], "↑"), strings.Contains(screen, "Currency"); up == first {
			t.Errorf("at %s the upper edge is %q", p.Focused().Label(), lines[0])
		}
		lastField := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "──") }) - 1
		if down, last := strings.HasSuffix(lines[lastField], "↓"), strings.Contains(screen, "Return address"); down == last {
			t.Errorf("at %s the lower edge is %q", p.Focused().Label(), lines[lastField])
		}
		if e := p.Focused().Check(); e != "" {
			sees(t, screen, "! "+e)
		} else if h := p.Focused().Help(); h != "" {
			sees(t, screen, h[:min(len(h), 20)])
		}
		send(p, keys("tab")...)
	}
}
