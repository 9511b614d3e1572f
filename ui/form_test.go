package ui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/ui"
)

func TestTheFormLooksLikeItsGoldens(t *testing.T) {
	p := newPaymentForm(t)
	golden(t, "form-empty-78x20", shown(p, 78, 20))
	golden(t, "form-empty-58x10", shown(p, 58, 10))
	p.fill()
	golden(t, "form-filled-78x20", shown(p, 78, 20))
	p.FocusOn(p.pan)
	golden(t, "form-card-58x10", shown(p, 58, 10))
	p.SetError(p.cvv, "The issuer says that this code does not belong to the card, and that it will not say so a third time today.")
	send(p, keys("tab")...)
	golden(t, "form-refused-58x10", shown(p, 58, 10))
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

func TestTheKeysOfAFormSayWhatSubmittingItDoes(t *testing.T) {
	p := newPaymentForm(t).fill()
	p.SubmitLabel("create")
	words := func() (s string) {
		for _, b := range p.Keys() {
			if b.Enabled() {
				s += b.Help().Key + " " + b.Help().Desc + ", "
			}
		}
		return s
	}
	if s := words(); !strings.Contains(s, "enter next, ") || !strings.Contains(s, "ctrl+s create, ") {
		t.Errorf("in the first field: %s", s)
	}
	p.FocusOn(p.url)
	if s := words(); !strings.Contains(s, "enter create, ") || strings.Contains(s, "ctrl+s") {
		t.Errorf("in the last: %s", s)
	}
}

func TestAnErrorReplacesTheHelpUnderTheValue(t *testing.T) {
	said := ""
	name := ui.NewTextField(theme, "Name", "what it is called", ui.Checked(func(string) string { return said }))
	f := ui.NewForm(theme, name)
	column := func(w int, words string) int {
		for line := range strings.SplitSeq(shown(f, w, 4), "\n") {
			if before, _, ok := strings.Cut(line, words); ok {
				return ansi.StringWidth(before)
			}
		}
		return -1
	}
	for _, w := range []int{58, 78, 118} {
		value := column(w, "what it is")
		send(f, keys("a")...)
		said = "Must begin with https://."
		send(f, keys("ctrl+s")...)
		if at := column(w, "! Must begin"); at != value {
			t.Errorf("%d wide: the help was in column %d, the error is in %d", w, value, at)
		}
		lacks(t, shown(f, w, 4), "https://.")
		said = strings.TrimSpace(strings.Repeat("so long that it needs more room than that ", 5))
		send(f, keys("a")...)
		send(f, keys("ctrl+s")...)
		if at := column(w, "! so long"); w < 118 && at >= value {
			t.Errorf("%d wide: a long text is in column %d", w, at)
		}
		enter(name, keys("ctrl+u")...)
		said = ""
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
	p.SetFields()
	if p.Focused() != nil || p.Typing() || send(p, keys("ctrl+s")...) != ui.Submitted || send(p, keys("tab")...) != ui.Ignored {
		t.Error("a form without fields handles a key or has a focus")
	}
	p.SetFields(p.name)
	if p.Focused() != ui.Field(p.name) {
		t.Errorf("the focus is on %v", p.Focused())
	}
}

func TestWipingAFormClearsItsSecretsAndKeepsTheRest(t *testing.T) {
	p := newPaymentForm(t).fill()
	p.Wipe()
	if !p.pan.Empty() || !p.cvv.Empty() || !p.expiry.Empty() {
		t.Error("a secret was not wiped")
	}
	if p.name.Value() != "Ada Obi" || p.amount.Empty() {
		t.Error("more than the secrets was wiped")
	}
}

func TestTheFocusIsVisibleWithoutColourAndHasTheCursor(t *testing.T) {
	p := newPaymentForm(t).fill()
	for range 13 {
		s, c := p.View(58, 10)
		var marked []string
		for _, line := range strings.Split(ansi.Strip(s), "\n") {
			if strings.HasPrefix(line, "▌ "+p.Focused().Label()) {
				marked = append(marked, line)
			}
		}
		if len(marked) != 1 {
			t.Errorf("%s is marked by %q in\n%s", p.Focused().Label(), marked, ansi.Strip(s))
		}
		switch {
		case !p.Typing() && c != nil:
			t.Errorf("a cursor at %s", p.Focused().Label())
		case p.Typing() && (c == nil || c.Blink):
			t.Errorf("the cursor at %s is %+v", p.Focused().Label(), c)
		case p.Typing() && !strings.HasPrefix(ansi.Strip(strings.Split(s, "\n")[c.Y]), "▌ "):
			t.Errorf("the cursor is in line %d of\n%s", c.Y, ansi.Strip(s))
		}
		send(p, keys("tab")...)
	}
}

func TestScrollingShowsEveryFieldAndTheEdgeShowsWhereThereIsMore(t *testing.T) {
	p := newPaymentForm(t)
	send(p, keys("ctrl+s")...)
	p.FocusOn(p.currency)
	for range 13 {
		screen := shown(p, 58, 10)
		sees(t, screen, "▌ "+p.Focused().Label())
		lines := strings.Split(screen, "\n")
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

func TestAScreenMayHaveAFieldOfItsOwn(t *testing.T) {
	own := &switchField{ChoiceField: ui.NewChoiceField(ui.NewTheme(false), "", "", "")}
	f := ui.NewForm(theme, own)
	f.SetError(own, "It must be on")
	sees(t, shown(f, 58, 10), "! It must be on", "off")
	if v := send(f, keys("x")...); v != ui.Ignored {
		t.Errorf("x returned %v", v)
	}
	sees(t, shown(f, 58, 10), "! It must be on")
	send(f, keys("space")...)
	lacks(t, shown(f, 58, 10), "!", "off")
}

// A switchField is a field as a screen might write one.
type switchField struct {
	*ui.ChoiceField // what a screen does not care about
	on              bool
	edits           int
}

func (f *switchField) Label() string { return "Switch" }
func (f *switchField) Help() string  { return "Space turns it on" }
func (f *switchField) Edits() int    { return f.edits }

func (f *switchField) Update(msg tea.Msg) bool {
	k, ok := msg.(tea.KeyPressMsg)
	if ok = ok && k.String() == "space"; ok {
		f.on = !f.on
		f.edits++
	}
	return ok
}

func (f *switchField) View(w int) (string, int) {
	s := map[bool]string{true: "on", false: "off"}[f.on]
	return s[:min(len(s), w)], -1
}

func BenchmarkFormView(b *testing.B) {
	p := newPaymentForm(b).fill()
	p.FocusOn(p.pan)
	for _, size := range [][2]int{{58, 10}, {118, 36}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.View(size[0], size[1])
			}
		})
	}
}
