package ui_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/api/card"
	"paydesk/api/money"
	"paydesk/ui"
)

func TestTextIsEditedWhereTheCursorStands(t *testing.T) {
	for _, tt := range []struct {
		name string
		msgs []tea.Msg
		want string
		x    int
	}{
		{"typing", typed("Ada Obi"), "Ada Obi", 7},
		{"in the midst", append(typed("Aa"), keys("left", "d")...), "Ada", 2},
		{"at the ends", append(typed("da"), keys("home", "A", "end", "!")...), "Ada!", 4},
		{"as in a shell", append(typed("da"), keys("ctrl+a", "A", "ctrl+e", "!")...), "Ada!", 4},
		{"backspace and delete", append(typed("Axdya"), keys("left", "backspace", "home", "right", "delete")...), "Ada", 1},
		{"nothing before, nothing after", append(typed("A"), keys("delete", "home", "backspace", "left")...), "A", 0},
		{"to the start", append(typed("one two"), keys("left", "ctrl+u")...), "o", 0},
		{"to the end", append(typed("one two"), keys("home", "right", "ctrl+k")...), "o", 1},
		{"a word", append(typed("one two  "), keys("ctrl+w")...), "one", 4},
		{"wide characters", append(typed("漢字"), keys("left")...), "漢字", 2},
		{"an accent of its own goes with its letter", append(typed("e\u0301a"), keys("left", "backspace")...), "a", 0},
		{"a paste", []tea.Msg{paste("Ada"), paste(" Obi\r\n")}, "Ada Obi", 7},
		{"a blank that is none of ASCII", []tea.Msg{paste("Ada\u00a0Obi")}, "Ada Obi", 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := ui.NewTextField(theme, "Name", "")
			f.Focus()
			enter(f, tt.msgs...)
			if _, x := f.View(40); f.Value() != tt.want || x != tt.x || refused(f) != "" {
				t.Errorf("%q with the cursor at %d, refused %q", f.Value(), x, refused(f))
			}
		})
	}
}

func TestWhatCannotBeSeenOrDoesNotFitIsRefusedWhole(t *testing.T) {
	for name, tt := range map[string]struct {
		msg  tea.Msg
		says string
	}{
		"too long":             {paste("12345678901"), "Too long: at most 12 characters"},
		"very long":            {paste(strings.Repeat("x", 200_000)), "Too long"},
		"two lines":            {paste("a\nb"), "More than one line"},
		"an escape":            {paste("\x1b[2J"), "U+001B"},
		"a tab":                {paste("a\tb"), "U+0009"},
		"a bidi override":      {paste("a\u202eb"), "U+202E"},
		"a zero width space":   {paste("a\u200bb"), "U+200B"},
		"a C1 control":         {paste("\u009b2J"), "U+009B"},
		"a variation selector": {paste("a\ufe0f"), "U+FE0F"},
		"bytes":                {paste("a\xffb"), "Not text"},
		"a heap of accents":    {paste("a" + strings.Repeat("\u0301", 5)), "Too many accents"},
		"typed, not pasted":    {stroke("\u202e"), "U+202E"},
	} {
		t.Run(name, func(t *testing.T) {
			f := ui.NewTextField(theme, "Name", "As on the card", ui.Limit(12))
			form := ui.NewForm(theme, f)
			send(form, typed("Ada")...)
			send(form, tt.msg)
			if f.Value() != "Ada" {
				t.Errorf("the value is %q", f.Value())
			}
			sees(t, shown(form, 78, 5), "! ", tt.says)
			send(form, stroke("x"))
			sees(t, shown(form, 78, 5), "As on the card", "Adax")
		})
	}
}

func TestALongTextScrollsUnderTheCursor(t *testing.T) {
	f := ui.NewTextField(theme, "Address", "", ui.Initial("https://shop.example/orders/2026/return"))
	for _, tt := range []struct {
		key  string
		want string
		x    int
	}{{"end", "…26/return", 10}, {"home", "https://sh…", 0}, {"right", "https://sh…", 1}} {
		f.Focus()
		enter(f, stroke(tt.key))
		if s, x := f.View(11); s != tt.want || x != tt.x {
			t.Errorf("%s: %q, %d", tt.key, s, x)
		}
	}
	f.Blur()
	if s, x := f.View(11); s != "https://sh…" || x != -1 {
		t.Errorf("without the focus: %q, %d", s, x)
	}
}

func TestAMaskedTextIsDotsEverywhere(t *testing.T) {
	f := ui.NewTextField(theme, "Secret key", "", ui.Masked(), ui.Required())
	f.Focus()
	enter(f, paste("sk_test_EXAMPLE\n"))
	if got := value(f); got != strings.Repeat("•", 15) {
		t.Errorf("it shows %q", got)
	}
	prints(t, f, "sk_test", "115 107 95") // "sk_" as numbers
	if f.Value() != "sk_test_EXAMPLE" {
		t.Error("the value is another")
	}
	f.Wipe()
	if !f.Empty() || value(f) != "" || f.Check() == "" {
		t.Error("it was not wiped")
	}
}

func TestATextFieldSaysWhatIsWrong(t *testing.T) {
	short := func(s string) string {
		if len(s) < 3 {
			return "Three letters at least"
		}
		return ""
	}
	f := ui.NewTextField(theme, "Name", "", ui.Required(), ui.Checked(short))
	for text, want := range map[string]string{"": "Name is needed", "   ": "Name is needed", " A ": "Three letters at least", "Ada": ""} {
		f.SetValue(text)
		if got := f.Check(); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if free := ui.NewTextField(theme, "Name", "", ui.Checked(short)); free.Check() != "" {
		t.Errorf("an empty text that is not needed: %q", free.Check())
	}
}

func TestAChoiceIsMovedByArrowsSpaceAndLetters(t *testing.T) {
	f := ui.NewChoiceField(theme, "Use", "", "one-time", "reusable", "Retired")
	for _, tt := range []struct{ key, want string }{
		{"right", "reusable"}, {"space", "Retired"}, {"right", "one-time"}, {"left", "Retired"}, {"r", "reusable"}, {"r", "Retired"}, {"O", "one-time"}, {"x", "one-time"},
	} {
		if own := f.Update(stroke(tt.key)); f.Value() != tt.want || own == (tt.key == "x") {
			t.Errorf("%s: %q, %v", tt.key, f.Value(), own)
		}
	}
	for w, want := range map[int]string{44: "(•) one-time  ( ) reusable  ( ) Retired", 20: "‹ one-time ›", 8: "‹ one… ›", 0: ""} {
		if s, _ := f.View(w); s != want {
			t.Errorf("in %d cells it shows %q", w, s)
		}
	}
}

func TestAChoiceKeepsItsWordWhenTheOptionsChange(t *testing.T) {
	f := ui.NewChoiceField(theme, "Channel", "", "card", "transfer")
	f.Choose(1)
	f.SetOptions("transfer", "link")
	if f.Value() != "transfer" || f.Chosen() != 0 {
		t.Errorf("%q, %d", f.Value(), f.Chosen())
	}
	f.SetOptions("card", "link")
	if f.Value() != "card" {
		t.Errorf("%q", f.Value())
	}
	f.Choose(7)
	f.SetOptions()
	if f.Value() != "" || f.Chosen() != -1 || f.Check() == "" || f.Update(stroke("right")) {
		t.Errorf("without options: %q, %d, %q", f.Value(), f.Chosen(), f.Check())
	}
	if got := value(f); got != "none" {
		t.Errorf("without options it shows %q", got)
	}
}

func TestAnAmountIsDigitsInACurrency(t *testing.T) {
	code := "GBP"
	f := ui.NewAmountField(theme, "Amount", "", func() money.Currency {
		if code == "" {
			return money.Currency{}
		}
		return currency(t, code)
	})
	f.Focus()
	enter(f, typed("1,234.5x0.-")...)
	if s, x := f.View(40); plain(s) != "1,234.50 GBP" || x != 8 {
		t.Errorf("it shows %q, cursor %d", plain(s), x)
	}
	if a, err := f.Value(); err != nil || a.Minor != 123450 || a.Currency.Code() != "GBP" {
		t.Errorf("%v, %v", a, err)
	}
	enter(f, paste("£5"), paste("1e3"))
	if got := value(f); got != "1,234.50 GBP" || !strings.Contains(refused(f), "Digits, commas and one dot only") {
		t.Errorf("%q, refused %q", got, refused(f))
	}
	for _, tt := range []struct{ text, code, says string }{
		{"", "GBP", "Amount is needed"},
		{"0.00", "GBP", "more than zero"},
		{"12.345", "GBP", "2 decimal"},
		{"12.345", "KWD", ""},
		{"12.5", "JPY", "decimal"},
		{"1,2,3", "GBP", "comma"},
		{"12", "", "currency"},
		{" 12\n", "GBP", ""},
	} {
		code = tt.code
		enter(f, stroke("end"), stroke("ctrl+u"), paste(tt.text))
		if got := f.Check(); (tt.says == "") != (got == "") || !strings.Contains(got, tt.says) {
			t.Errorf("%q %s: %q", tt.text, tt.code, got)
		}
	}
}

func TestACardNumberShowsItsLastFourAndWhatCanBeSaidOfIt(t *testing.T) {
	f := ui.NewPANField(theme, "Card", "")
	f.Focus()
	for _, tt := range []struct{ keys, want string }{
		{"4", "4  · 1 digit · Visa"},
		{"242", "4242  · 4 digits · Visa"},
		{"4-2", "••42 42  · 6 digits · Visa"},
		{"42 4242", "•••• •••• 4242  · 12 digits · Visa"},
		{"424", "•••• •••• •••2 424  · 15 digits · Visa"},
		{"2", "•••• •••• •••• 4242  · 16 digits · Visa · checks"},
	} {
		enter(f, typed(tt.keys)...)
		if s, _ := f.View(50); !strings.HasPrefix(plain(s), tt.want) {
			t.Errorf("after %q it shows %q", tt.keys, plain(s))
		}
	}
	if p, err := f.Value(); err != nil || p.Expose() != visa {
		t.Errorf("%v, %v", p, err)
	}
	enter(f, keys("backspace", "3")...)
	if s, _ := f.View(50); !strings.Contains(plain(s), "wrong digit") || !strings.Contains(f.Check(), "mistyped") {
		t.Errorf("with a wrong digit it shows %q and says %q", plain(s), f.Check())
	}
	enter(f, keys("ctrl+u")...)
	if !f.Empty() || f.Check() != "Card is needed" {
		t.Errorf("emptied: %q", f.Check())
	}
}

func TestAPasteThatIsNoCardNumberIsRefusedWhole(t *testing.T) {
	f := ui.NewPANField(theme, "Card", "")
	for text, says := range map[string]string{
		"42424242424242424242":     "More than 19 digits",
		"4242 4242 4242 4242 CVV1": "Digits only",
		"４２４２":                     "Digits only",
		"4242\u200b4242":           "Digits only",
	} {
		f.Update(paste(text))
		if !f.Empty() || !strings.Contains(refused(f), says) {
			t.Errorf("%q: %q", text, refused(f))
		}
		lacks(t, refused(f), "4242")
	}
	f.Update(paste(" 4242-4242 4242-4242\r\n"))
	if p, err := f.Value(); err != nil || p.LastFour() != "4242" {
		t.Errorf("%v, %v", p, err)
	}
	f.Update(paste(visa)) // a second time
	if p, err := f.Value(); err != nil || p.Expose() != visa || !strings.Contains(refused(f), "ctrl+u") {
		t.Errorf("%v, %v, %q", p, err, refused(f))
	}
}

func TestNothingPrintsACard(t *testing.T) {
	p := newTill(t)
	pan, cvv := "4539578763621486", "937"
	enter(p.pan, typed(pan)...)
	enter(p.cvv, typed(cvv)...)
	enter(p.expiry, typed("1131")...)
	for _, v := range []any{p.pan, *p.pan, p.cvv, *p.cvv, p.expiry, *p.expiry, p, *p, p.Form, struct {
		f *ui.PANField
		c ui.CVVField
	}{p.pan, *p.cvv}} {
		prints(t, v, pan, "539578", "57 51 55", "0x35, 0x33", "53 51 57 53", `"937"`, "1131")
	}
}

// prints fails when any way of printing v shows one of words.
func prints(t *testing.T, v any, words ...string) {
	t.Helper()
	j, _ := json.Marshal(v)
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("here", "v", v)
	slog.New(slog.NewTextHandler(&log, nil)).Info("here", "v", v)
	for _, s := range []string{fmt.Sprintf("%v %+v %#v %s %q %x %d", v, v, v, v, v, v, v), fmt.Sprint(&v, []any{v}), string(j), log.String()} {
		lacks(t, s, words...)
	}
}

func TestACardShowsFourDigitsAtMostInAnyViewOfAnySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := ui.NewPANField(theme, "Card", "")
		form := ui.NewForm(theme, f, ui.NewTextField(theme, "Name", ""))
		digits := rapid.StringMatching(`[0-9]{5,19}`).Draw(t, "digits")
		send(form, typed(digits)...)
		if rapid.Bool().Draw(t, "left") {
			send(form, keys("tab")...)
		}
		screen := shown(form, rapid.IntRange(0, 130).Draw(t, "w"), rapid.IntRange(0, 10).Draw(t, "h"))
		bare := strings.NewReplacer(" ", "", "-", "", "\n", "").Replace(screen)
		for i := range len(digits) - 4 {
			if strings.Contains(bare, digits[i:i+5]) {
				t.Fatalf("%q shows %s", screen, digits[i:i+5])
			}
		}
	})
}

func TestWipedCardFieldsAreEmpty(t *testing.T) {
	p := newTill(t).fill()
	for _, f := range []ui.Field{p.pan, p.cvv, p.expiry} {
		f.Wipe()
		if !f.Empty() || strings.ContainsAny(value(f), "0123456789•") || f.Check() == "" {
			t.Errorf("%s shows %q", f.Label(), value(f))
		}
	}
}

func TestACVVIsDotsAndAsLongAsTheCardWantsIt(t *testing.T) {
	pan, f := ui.NewPANField(theme, "Card", ""), ui.NewCVVField(theme, "CVV", "")
	f.For(pan)
	enter(f, typed("123x45")...)
	if got := value(f); got != "••••" {
		t.Errorf("it shows %q", got)
	}
	if v, err := f.Value(); err != nil || v.Expose() != "1234" {
		t.Errorf("%v", err)
	}
	enter(pan, typed(visa)...)
	if got := f.Check(); !strings.Contains(got, "Visa card has 3 digits") {
		t.Errorf("at a Visa card: %q", got)
	}
	enter(f, keys("backspace")...)
	if got := f.Check(); got != "" {
		t.Errorf("at a Visa card: %q", got)
	}
	enter(pan, keys("ctrl+u")...)
	enter(pan, typed("378282246310005")...)
	if got := f.Check(); !strings.Contains(got, "4 digits") {
		t.Errorf("at an American Express card: %q", got)
	}
	f.Update(paste("12345"))
	if got := value(f); got != "•••" || !strings.Contains(refused(f), "More than 4 digits") {
		t.Errorf("it shows %q, refused %q", got, refused(f))
	}
}

func TestAnExpiryGetsItsSlashAndNoImpossibleMonth(t *testing.T) {
	for _, tt := range []struct {
		msgs       []tea.Msg
		want, says string
	}{
		{typed("1229"), "12/29", ""},
		{typed("12/29"), "12/29", ""},
		{typed("3"), "03/", "Write the expiry as MM/YY"},
		{typed("329"), "03/29", ""},
		{typed("1/29"), "01/29", ""},
		{typed("0"), "0", "Write the expiry as MM/YY"},
		{typed("00"), "0", "The month is 01 to 12"},
		{typed("13"), "1", "The month is 01 to 12"},
		{typed("0/"), "0", "The month is 01 to 12"},
		{typed("1226"), "12/26", ""},
		{typed("1126"), "11/26", ""},
		{typed("1026"), "10/26", "The card has expired"},
		{append(typed("12"), keys("backspace", "0", "2", "7")...), "10/27", ""},
		{[]tea.Msg{paste("04/2031\n")}, "04/31", ""},
		{[]tea.Msg{paste("4 / 31")}, "", "Write the expiry as MM/YY: nothing was put in"},
		{[]tea.Msg{paste("4/31")}, "04/31", ""},
		{append(typed("1229"), paste("0431")), "04/31", ""},
		{append(typed("1229"), paste("1331")), "12/29", "The month is 01 to 12: nothing was put in"},
		{typed("12295"), "12/29", "More than 4 digits"},
		{typed("x"), "", "Digits only"},
		{nil, "", "Expiry is needed"},
	} {
		f := ui.NewExpiryField(theme, "Expiry", "", today)
		enter(f, tt.msgs...)
		says := refused(f)
		if says == "" {
			says = f.Check()
		}
		if got := value(f); got != tt.want || (says == "") != (tt.says == "") || !strings.HasPrefix(says, tt.says) {
			t.Errorf("%v: %q, %q; want %q, %q", tt.msgs, got, says, tt.want, tt.says)
		}
	}
}

func TestATestCardIsPickedFromAList(t *testing.T) {
	p := newTill(t)
	pan, err := card.ParsePAN(visa)
	cvv, err2 := card.ParseCVV("123")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	enter(p.pan, typed("99")...)
	p.pan.Set(pan)
	p.cvv.Set(cvv)
	p.expiry.Set(card.Expiry{Month: 3, Year: 2031})
	p.amount.Set(money.Amount{Minor: 1250, Currency: currency(t, "GBP")})
	gotPAN, err := p.pan.Value()
	gotCVV, err2 := p.cvv.Value()
	expiry, err3 := p.expiry.Value()
	amount, err4 := p.amount.Value()
	if err != nil || err2 != nil || err3 != nil || err4 != nil {
		t.Fatal(err, err2, err3, err4)
	}
	got := []string{gotPAN.Expose(), gotCVV.Expose(), expiry.String(), amount.String()}
	if diff := cmp.Diff([]string{visa, "123", "03/2031", "12.50 GBP"}, got); diff != "" {
		t.Error(diff)
	}
}
