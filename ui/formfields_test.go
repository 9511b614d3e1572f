package ui_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/money"
	"paydesk/ui"
	"paydesk/ui/termtest"
)

func TestNoLineOfAFormMovesWithTheFocusOrWithAnError(t *testing.T) {
	for _, size := range [][2]int{{58, 20}, {78, 20}, {118, 36}} {
		for _, draw := range []func(*paymentForm, int, int) (string, *tea.Cursor){
			func(p *paymentForm, w, h int) (string, *tea.Cursor) { return p.View(w, h) },
			func(p *paymentForm, w, h int) (string, *tea.Cursor) { return p.Fill(w, h) },
		} {
			p := newPaymentForm(t)
			lines := func() []string {
				s, _ := draw(p, size[0], size[1])
				return strings.Split(ansi.Strip(s), "\n")
			}
			where := func() (at []string) {
				for _, l := range lines() {
					label, _, _ := strings.Cut(strings.TrimLeft(l, "▌ "), " ")
					if strings.HasPrefix(l, "── ") {
						label = "the foot"
					}
					at = append(at, label)
				}
				return at[:slices.Index(at, "the foot")+1]
			}
			before := where()
			send(p, keys("ctrl+s")...)
			p.SetError(p.url, strings.Repeat("The address is not one that the bank knows. ", 4))
			for range 13 {
				if now := where(); !slices.Equal(now, before) {
					t.Fatalf("%v, at %s: %q, not %q", size, p.Focused().Label(), now, before)
				}
				sees(t, strings.Join(lines(), "\n"), "── "+p.Focused().Label()+" ─")
				send(p, keys("tab")...)
			}
		}
	}
}

func TestAFieldIsSeenByItsUnderlineOverItsWidth(t *testing.T) {
	for _, theme := range []*ui.Theme{ui.NewTheme(false), ui.NewTheme(true), ui.NewTheme(false).HighContrast()} {
		pan := ui.NewPANField(theme, "Card number", "")
		name := ui.NewTextField(theme, "Name", "", ui.Required())
		amount := ui.NewAmountField(theme, "Amount", "", func() money.Currency { return currency(t, "GBP") })
		choice := ui.NewChoiceField(theme, "Pay by", "", "card", "transfer")
		f := ui.NewForm(theme, choice, name, amount, pan, ui.NewCVVField(theme, "CVV", "", pan))
		e := termtest.NewEmulator(78, 10, io.Discard)
		defer e.Close()
		drawn, _ := f.View(78, 10)
		e.Write([]byte(strings.ReplaceAll(drawn, "\n", "\r\n")))
		for y, want := range []int{0, 55, 14, 24, 8} {
			n := 0
			for x := range 78 {
				if c := e.Cell(x, y); c.Style.Underline != 0 && x >= 18 {
					n++
				}
			}
			if n != want {
				t.Errorf("%d cells of line %d are underlined, not %d:\n%s", n, y, want, e.Screen())
			}
		}
	}
}

func TestACheckedValueHasItsCheckBesideIt(t *testing.T) {
	p := newPaymentForm(t)
	p.FocusOn(p.name)
	send(p, typed("Ada Obi")...)
	lacks(t, shown(p, 78, 20), "✓")
	send(p, keys("tab", "tab", "tab")...)
	sees(t, shown(p, 78, 20), "Ada Obi                                                  ✓\n")
	if n := strings.Count(shown(p, 78, 20), "✓"); n != 1 {
		t.Errorf("%d checks in\n%s", n, shown(p, 78, 20))
	}
	green := theme.Mark(ui.ToneGood, "")
	if drawn, _ := p.View(78, 20); strings.Contains(drawn, strings.TrimSuffix(green, " ")) {
		t.Error("a checked value has the colour of a payment that succeeded")
	}
}

func TestValuesThatNobodyTypedAreCheckedAtOnce(t *testing.T) {
	p := newPaymentForm(t).fill()
	p.FocusOn(p.name)
	p.email.SetValue("")
	p.CheckFilled()
	if n := strings.Count(shown(p, 78, 20), "✓"); n != 5 { // not the focused field, and none that is empty
		t.Errorf("%d checks in\n%s", n, shown(p, 78, 20))
	}
	lacks(t, shown(p, 78, 20), "is required")
}
