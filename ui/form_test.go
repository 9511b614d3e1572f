package ui_test

import (
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
