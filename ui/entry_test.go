package ui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/money"
	"paydesk/ui"
)

// What the tests of the entry widgets have in common.

var theme = ui.NewTheme(false)

var strokes = map[string]tea.Key{
	"enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
	"esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft},
	"right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "space": {Code: tea.KeySpace, Text: " "},
	"ctrl+a": ctrl('a'), "ctrl+e": ctrl('e'), "ctrl+k": ctrl('k'), "ctrl+s": ctrl('s'), "ctrl+u": ctrl('u'),
	"ctrl+v": ctrl('v'), "ctrl+w": ctrl('w'),
}

func ctrl(r rune) tea.Key { return tea.Key{Code: r, Mod: tea.ModCtrl} }

// stroke returns a key by its name, or a letter.
func stroke(name string) tea.KeyPressMsg {
	if k, ok := strokes[name]; ok {
		return tea.KeyPressMsg(k)
	}
	r := []rune(name)
	return tea.KeyPressMsg{Code: r[0], Text: name}
}

func paste(s string) tea.PasteMsg { return tea.PasteMsg{Content: s} }

// typed returns the keys of a text, one per rune.
func typed(s string) (msgs []tea.Msg) {
	for _, r := range s {
		if r == ' ' {
			msgs = append(msgs, stroke("space"))
			continue
		}
		msgs = append(msgs, stroke(string(r)))
	}
	return msgs
}

// keys returns keys by their names.
func keys(names ...string) (msgs []tea.Msg) {
	for _, name := range names {
		msgs = append(msgs, stroke(name))
	}
	return msgs
}

type updater interface{ Update(tea.Msg) ui.FormResult }

// send sends messages to a form and returns the effect of the last one.
func send(f updater, msgs ...tea.Msg) (v ui.FormResult) {
	for _, msg := range msgs {
		v = f.Update(msg)
	}
	return v
}

// enter sends messages to a field.
func enter(f ui.Field, msgs ...tea.Msg) {
	for _, msg := range msgs {
		f.Update(msg)
	}
}

func refused(f ui.Field) string { return f.InputError() }

// shown returns what a form shows, without styles and trailing blanks.
func shown(f interface {
	View(w, h int) (string, *tea.Cursor)
}, w, h int) string {
	s, _ := f.View(w, h)
	return plain(s)
}

func plain(s string) string {
	lines := strings.Split(ansi.Strip(s), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// value returns what a field shows in 40 cells.
func value(f ui.Field) string {
	s, _ := f.View(40)
	return plain(s)
}

func sees(t *testing.T, screen string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(screen, w) {
			t.Errorf("%q is not in\n%s", w, screen)
		}
	}
}

func lacks(t *testing.T, screen string, words ...string) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(screen, w) {
			t.Errorf("%q is in\n%s", w, screen)
		}
	}
}

type fataler interface { // testing.TB and rapid.T
	Fatal(...any)
	Fatalf(string, ...any)
}

func currency(t fataler, code string) money.Currency {
	c, err := money.ParseCurrency(code)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func today() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

// A paymentForm is the form of a card payment, thirteen fields.
type paymentForm struct {
	*ui.Form
	amount                                            *ui.AmountField
	currency, channel                                 *ui.ChoiceField
	name, email, phone, city, country, narration, url *ui.TextField
	pan                                               *ui.PANField
	cvv                                               *ui.CVVField
	expiry                                            *ui.ExpiryField
}

func newPaymentForm(t fataler) *paymentForm {
	p := &paymentForm{
		currency:  ui.NewChoiceField(theme, "Currency", "The currency the payer is charged in", "GBP", "NGN", "KWD"),
		channel:   ui.NewChoiceField(theme, "Pay by", "", "card", "transfer"),
		name:      ui.NewTextField(theme, "Name", "As on the card", ui.Required(), ui.Limit(60)),
		email:     ui.NewTextField(theme, "E-mail", "The payer's", ui.Required()),
		phone:     ui.NewTextField(theme, "Phone", "With the country's code, as +44"),
		city:      ui.NewTextField(theme, "City", ""),
		country:   ui.NewTextField(theme, "Country", "Two letters, as GB", ui.Limit(2)),
		narration: ui.NewTextField(theme, "Narration", "At most 100 characters", ui.Limit(100)),
		url:       ui.NewTextField(theme, "Return address", "Where the bank sends the payer back to: needed for cards in GBP", ui.Initial("https://shop.example/back")),
		pan:       ui.NewPANField(theme, "Card", "12 to 19 digits"),
		expiry:    ui.NewExpiryField(theme, "Expiry", "MM/YY", today),
	}
	p.amount = ui.NewAmountField(theme, "Amount", func() money.Currency { return currency(t, p.currency.Value()) })
	p.cvv = ui.NewCVVField(theme, "CVV", "On the back of the card", p.pan)
	p.Form = ui.NewForm(theme, p.currency, p.amount, p.channel, p.name, p.email, p.phone, p.city, p.country,
		p.pan, p.expiry, p.cvv, p.narration, p.url)
	return p
}

const visa = "4242424242424242"

// fill fills the form with a valid payment.
func (p *paymentForm) fill() *paymentForm {
	for _, e := range []struct {
		field ui.Field
		text  string
	}{{p.amount, "12.50"}, {p.name, "Ada Obi"}, {p.email, "ada@shop.example"}, {p.pan, visa}, {p.cvv, "123"}, {p.expiry, "1229"}} {
		enter(e.field, typed(e.text)...)
	}
	return p
}
