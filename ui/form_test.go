package ui_test

import (
	"fmt"
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

func TestAFieldIsCheckedWhenItIsLeftUnlessItIsEmpty(t *testing.T) {
	p := newPaymentForm(t)
	p.FocusOn(p.pan)
	send(p, typed("4242 4242")...)
	lacks(t, shown(p, 58, 20), "! ")
	send(p, keys("tab", "tab")...)
	sees(t, shown(p, 78, 20), "! A card number has 12 to 19 digits")
	lacks(t, shown(p, 78, 20), "is required")
}

func TestAnErrorStaysUntilTheValueChanges(t *testing.T) {
	p := newPaymentForm(t)
	p.FocusOn(p.expiry)
	send(p, append(typed("0926"), keys("tab")...)...)
	sees(t, shown(p, 58, 20), "! The card has expired")
	send(p, keys("shift+tab")...)
	sees(t, shown(p, 58, 20), "! The card has expired")
	send(p, keys("backspace")...)
	lacks(t, shown(p, 58, 20), "expired")
	sees(t, shown(p, 58, 20), "MM/YY")
}

func TestAnErrorOfTheServiceStaysUntilTheFieldIsChanged(t *testing.T) {
	p := newPaymentForm(t).fill()
	p.SetError(p.email, "Not an e-mail address")
	if p.Focused() != ui.Field(p.email) {
		t.Fatalf("the focus is on %s", p.Focused().Label())
	}
	send(p, keys("left", "home", "tab", "tab")...)
	sees(t, shown(p, 78, 40), "! Not an e-mail address")
	p.FocusOn(p.email)
	send(p, keys("end", "x")...)
	lacks(t, shown(p, 78, 40), "Not an e-mail address")
	p.SetError(p.email, "Not an e-mail address")
	p.email.SetValue("ada@other.example")
	lacks(t, shown(p, 78, 40), "Not an e-mail address")
	p.SetError(p.email, "Not an e-mail address")
	if send(p, keys("ctrl+s")...) != ui.Submitted {
		t.Error("an old rejection by the service prevents another submit")
	}
	lacks(t, shown(p, 78, 40), "Not an e-mail address")
}

func TestOneFieldMayMakeAnotherValid(t *testing.T) {
	p := newPaymentForm(t).fill()
	p.amount.Update(paste("5"))
	p.FocusOn(p.amount)
	send(p, keys("end", "tab")...)
	sees(t, shown(p, 78, 40), "12.505         GBP", "! GBP has 2 decimals")
	p.FocusOn(p.currency)
	send(p, keys("left")...)
	sees(t, shown(p, 78, 40), "12.505         KWD")
	lacks(t, shown(p, 78, 40), "! ")
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

func TestAnUnusedKeyIsLeftToTheScreen(t *testing.T) {
	p := newPaymentForm(t)
	for _, name := range []string{"?", "q", "esc", "left", "right", "k", "ctrl+v"} {
		want := ui.Ignored
		switch name {
		case "left", "right", "k": // KWD is an option
			want = ui.Handled
		}
		if v := send(p, keys(name)...); v != want {
			t.Errorf("%s returned %v at a choice", name, v)
		}
	}
	if p.Typing() {
		t.Error("a choice treats letters as text")
	}
	p.FocusOn(p.name)
	if v := send(p, keys("?")...); v != ui.Handled || !p.Typing() || p.name.Value() != "?" {
		t.Errorf("? returned %v in a text field", v)
	}
	for _, name := range []string{"esc", "ctrl+v"} {
		if v := send(p, keys(name)...); v != ui.Ignored {
			t.Errorf("%s returned %v in a text field", name, v)
		}
	}
}

func TestNewFieldsKeepTheFocusAndWhatWasTyped(t *testing.T) {
	p := newPaymentForm(t).fill()
	p.FocusOn(p.name)
	p.SetFields(p.channel, p.amount, p.name)
	if p.Focused() != ui.Field(p.name) || p.amount.Empty() {
		t.Errorf("the focus is on %s:\n%s", p.Focused().Label(), shown(p, 78, 20))
	}
	p.SetFields(p.channel, p.amount)
	if _, x := p.name.View(40); x >= 0 {
		t.Error("a removed field still has the cursor")
	}
	if p.Focused() != ui.Field(p.amount) {
		t.Errorf("the focus is on %s", p.Focused().Label())
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

func TestTheSmallestFormShowsTheFocusAndItsHelp(t *testing.T) {
	p := newPaymentForm(t)
	p.FocusOn(p.pan)
	sees(t, shown(p, 58, 1), "▌ Card")
	sees(t, shown(p, 58, 2), "▌ Card", "12 to 19 digits")
	sees(t, shown(p, 58, 3), "▌ Card", "12 to 19 digits")
	p.SetError(p.pan, strings.Repeat("The issuer knows no such card. ", 6))
	sees(t, shown(p, 58, 2), "▌ Card", "! The issuer")
	sees(t, shown(p, 58, 3), "▌ Card", "! The issuer", "…")
}

func TestEnterGoesThroughTheFieldsAndSubmitsFromTheLast(t *testing.T) {
	p := newPaymentForm(t).fill()
	for i := range 11 {
		if v := send(p, keys("enter")...); v != ui.Handled {
			t.Fatalf("enter %d returned %v", i, v)
		}
	}
	if p.Focused() != ui.Field(p.narration) {
		t.Fatalf("the focus is on %s", p.Focused().Label())
	}
	if v := send(p, keys("enter", "enter")...); v != ui.Submitted {
		t.Errorf("enter in the last field returned %v", v)
	}
}

func TestTabAndTheArrowsGoRoundTheRing(t *testing.T) {
	p := newPaymentForm(t)
	labels := func(name string) (s []string) {
		for range 13 {
			s = append(s, p.Focused().Label())
			send(p, keys(name)...)
		}
		return s
	}
	down, tab := labels("down"), labels("tab")
	if fmt.Sprint(down) != fmt.Sprint(tab) || strings.Join(down, " ") != "Currency Amount Pay by Name E-mail Phone City Country Card Expiry CVV Narration Return address" {
		t.Errorf("down: %v, tab: %v", down, tab)
	}
	up, back := labels("up"), labels("shift+tab")
	if fmt.Sprint(up) != fmt.Sprint(back) || up[1] != "Return address" || up[12] != "Amount" {
		t.Errorf("up: %v, shift+tab: %v", up, back)
	}
}
