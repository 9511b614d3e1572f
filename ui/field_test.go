package ui_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"paydesk/api/money"
	"paydesk/ui"
)

func TestTextIsEditedAtTheCursor(t *testing.T) {
	for _, tt := range []struct {
		name string
		msgs []tea.Msg
		want string
		x    int
	}{
		{"as in a shell", append(typed("da"), keys("ctrl+a", "A", "ctrl+e", "!")...), "Ada!", 4},
		{"backspace and delete", append(typed("Axdya"), keys("left", "backspace", "home", "right", "delete")...), "Ada", 1},
		{"a word", append(typed("one two  "), keys("ctrl+w")...), "one", 4},
		{"wide characters", append(typed("漢字"), keys("left")...), "漢字", 2},
		{"an accent of its own goes with its letter", append(typed("e\u0301a"), keys("left", "backspace")...), "a", 0},
		{"a paste", []tea.Msg{paste("Ada"), paste(" Obi\r\n")}, "Ada Obi", 7},
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

func TestInvisibleOrTooLongInputIsRefusedWhole(t *testing.T) {
	for name, tt := range map[string]struct {
		msg  tea.Msg
		says string
	}{
		"too long":             {paste("12345678901"), "More than 12 characters"},
		"two lines":            {paste("a\nb"), "More than one line"},
		"an escape":            {paste("\x1b[2J"), "U+001B"},
		"a bidi override":      {paste("a\u202eb"), "U+202E"},
		"a variation selector": {paste("a\ufe0f"), "U+FE0F"},
		"bytes":                {paste("a\xffb"), "Not text"},
		"a heap of accents":    {paste("a" + strings.Repeat("\u0301", 5)), "Too many accents"},
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

func TestAMaskedTextIsDotsEverywhere(t *testing.T) {
	f := ui.NewTextField(theme, "Secret key", "", ui.Masked(), ui.Required())
	f.Focus()
	enter(f, paste("sk_test_EXAMPLE\n"))
	if got := value(f); got != strings.Repeat("•", 15) {
		t.Errorf("it shows %q", got)
	}
	printsNone(t, f, "sk_test", "115 107 95") // "sk_" as numbers
	if f.Value() != "sk_test_EXAMPLE" {
		t.Error("the value differs")
	}
	f.Wipe()
	if !f.Empty() || value(f) != "" || f.Check() == "" {
		t.Error("it was not wiped")
	}
}

// printsNone fails when any way of printing v shows one of words.
func printsNone(t *testing.T, v any, words ...string) {
	t.Helper()
	for _, s := range printed(v) {
		lacks(t, s, words...)
	}
}

// printed returns v as fmt, encoding/json and log/slog print it.
func printed(v any) []string {
	j, _ := json.Marshal(v)
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("here", "v", v)
	slog.New(slog.NewTextHandler(&log, nil)).Info("here", "v", v)
	return []string{fmt.Sprintf("%v %+v %#v %s %q %x %d", v, v, v, v, v, v, v), fmt.Sprint(&v, []any{v}), string(j), log.String()}
}

// A letter that a terminal sends together with an invisible character, or one beyond the limit, is not left out in silence.
func TestWhatIsLeftOutStaysSaid(t *testing.T) {
	short := ui.NewTextField(theme, "Alias", "", ui.Limit(3))
	enter(short, typed("Chairs")...)
	if want := "More than 3 characters: not taken. Delete what is wrong"; short.Value() != "Cha" || short.Check() != want {
		t.Errorf("%q: %q", short.Value(), short.Check())
	}
	f := ui.NewTextField(theme, "Name", "")
	enter(f, stroke("\u202e"))
	sees(t, f.InputError(), "U+202E")
	enter(f, keys("backspace")...)
	enter(f, tea.KeyPressMsg{Code: tea.KeyExtended, Text: "a\u200c"}, stroke("b"), stroke("c"))
	if want := "Invisible character U+200C: not taken. Delete what is wrong"; f.Value() != "bc" || f.InputError() != want || f.Check() != want {
		t.Errorf("%q: %q, %q", f.Value(), f.InputError(), f.Check())
	}
	if enter(f, keys("backspace", "d")...); f.Value() != "bd" || f.InputError() != "" || f.Check() != "" {
		t.Errorf("%q: %q, %q", f.Value(), f.InputError(), f.Check())
	}
}

func TestAJoinerWithoutItsLetterIsNotSent(t *testing.T) {
	f := ui.NewTextField(theme, "Name", "")
	if enter(f, typed("علی\u200c")...); f.InputError() != "" || f.Check() != "Invisible character U+200C: delete it and the letter before it" {
		t.Errorf("%q: %q, %q", f.Value(), f.InputError(), f.Check())
	}
	if enter(f, typed("رضا")...); f.Value() != "علی\u200cرضا" || f.Check() != "" {
		t.Errorf("%q: %q", f.Value(), f.Check())
	}
}

// oddAmounts are texts that a person may type or paste for an amount, and what becomes of them in
// pounds: the amount, or "" where they must be refused.
var oddAmounts = map[string]string{
	"12": "12.00", "12.5": "12.50", "12.50": "12.50", "1,234": "1234.00", "1,234.50": "1234.50", "1,234,567": "1234567.00",
	" 5 ": "5.00", "  5": "5.00", "5  ": "5.00", "0.01": "0.01", "999,999,999,999,999.99": "999999999999999.99",
	"12 50": "", "1 234": "", "12:50": "", "12;50": "", "12/50": "", "12-50": "", "12_50": "", "2·50": "", "2•50": "", "1。5": "",
	"1．5": "", "1，5": "", "1、5": "", "1e3": "", "1E3": "", "1e-3": "", "-5": "", "+5": "", "−5": "", "–5": "", "5-": "", "(5)": "",
	"1,2,3": "", "1.234,56": "", "1.234.567": "", "1.2.3": "", "12,50": "", "1,23": "", "1,2345": "", "1000,00": "", "12,34.50": "",
	",5": "", "5,": "", "1,,234": "", "1,234,": "", ",,": "", "1'000": "", "1’000": "", "1`000": "", "1_000": "", "1\u00a0000": "",
	"1\u202f000": "", "1\u2009000": "", "1\u3000000": "", "１２": "", "１２.５０": "", "١٢": "", "۱۲": "", "१२": "", "๑๒": "",
	"1\u066b5": "", "1\u066c000": "", "0x10": "", "0b11": "", "010": "", "007": "", "00": "", "0": "", "0.00": "", ".": "", ".5": "", "5.": "",
	"..5": "", "5..": "", "5 GBP": "", "GBP 5": "", "£5": "", "5£": "", "$5": "", "5p": "", "5k": "", "5m": "", "5%": "", "½": "",
	"5½": "", "²": "", "5²": "", "①": "", "Ⅻ": "", "十二": "", "twelve": "", "NaN": "", "Inf": "", "null": "", "=5": "", "5=": "",
	"5+5": "", "5*2": "", "1/2": "", "5!": "", "#5": "", "12.345": "", "12.500": "", "1 2": "", "1 , 234": "", "1, 234": "",
	"1 000 000": "", "1.000": "", "1000000000000000": "", "00000000000000000000000000001234": "", "0000000000000000000000000000001234": "",
	"1\u0301": "", "5\u20e3": "", "4\u20445": "", "𝟏𝟐": "", "１２50": "", "12５0": "",
}

func pounds(t fataler) *ui.AmountField {
	f := ui.NewAmountField(theme, "Amount", func() money.Currency { return currency(t, "GBP") })
	f.Focus()
	return f
}

// amountOf is the amount in a field as it would be sent, or "" with the words at the field.
func amountOf(f *ui.AmountField) (amount, words string) {
	if a, err := f.Value(); err == nil {
		return a.Major(), ""
	}
	if f.InputError() != "" {
		return "", f.InputError()
	}
	return "", f.Check()
}

func TestAnOddAmountIsTakenAsItIsSeenOrRefusedWithWords(t *testing.T) {
	if len(oddAmounts) < 100 {
		t.Fatalf("only %d", len(oddAmounts))
	}
	for text, want := range oddAmounts {
		byKeys, byPaste := pounds(t), pounds(t)
		enter(byKeys, typed(text)...)
		enter(byPaste, paste(text))
		for how, f := range map[string]*ui.AmountField{"typed": byKeys, "pasted": byPaste} {
			if got, words := amountOf(f); got != want || want == "" && words == "" {
				t.Errorf("%q %s is %q, said %q; want %q", text, how, got, words, want)
			}
		}
		if s, _ := byKeys.View(byKeys.Width()); len(text) < 30 && !strings.Contains(plain(s), strings.Trim(spaces.ReplaceAllString(text, " "), " ")) {
			t.Errorf("%q typed is shown as %q", text, plain(s))
		}
		if words := byPaste.InputError(); strings.Contains(words, "ignored") && !byPaste.Empty() {
			t.Errorf("%q is refused and leaves %q", text, value(byPaste))
		}
	}
}

// spaces are what the editor shows as a blank.
var spaces = regexp.MustCompile(`\p{Zs}`)

// readable is an amount in pounds written a second time, for [checkAmount].
var readable = regexp.MustCompile(`^\p{Zs}*((0|[1-9][0-9]{0,14})|[1-9][0-9]{0,2}(,[0-9]{3}){1,4})(\.[0-9]{1,2})?\p{Zs}*$`)

// checkAmount fails when a text that was typed is an amount that it does not say.
func checkAmount(t fataler, text string) {
	// What cannot be shown is refused, and leaves an empty field as it is.
	text = strings.TrimLeftFunc(text, func(r rune) bool {
		unseen := unicode.In(r, unicode.M, unicode.Other_Default_Ignorable_Code_Point, unicode.Bidi_Control)
		return !unicode.Is(unicode.Zs, r) && (!unicode.IsPrint(r) || unseen || r == 0x2800 || r == 0xfffc || r == unicode.ReplacementChar)
	})
	f := pounds(t)
	enter(f, typed(text)...)
	got, words := amountOf(f)
	switch seen := strings.ReplaceAll(strings.TrimSuffix(value(f), " GBP"), " ", ""); {
	case got == "" && words == "":
		t.Fatalf("%q is refused without a word", text)
	case got == "":
	case !readable.MatchString(text):
		t.Fatalf("%q became %s", text, got)
	case spaces.ReplaceAllString(text, "") != seen:
		t.Fatalf("%q is shown as %q", text, seen)
	}
}

func TestNoTypedTextBecomesAnotherAmount(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("0123456789.,.,5 -+e:'·１٢\u00a0")), 1, 40, -1)
	rapid.Check(t, func(t *rapid.T) { checkAmount(t, text.Draw(t, "text")) })
}

// A key that was ignored is missing until something is deleted; before the first key nothing is.
func TestOnlyADeletionMakesUpForAKeyThatWasIgnored(t *testing.T) {
	for _, c := range []struct {
		keys []tea.Msg
		want string
	}{
		{append(typed("1\u200b2"), stroke("delete"), stroke("ctrl+k")), ""},
		{append(typed("1\u200b2"), stroke("backspace")), "1.00"},
		{typed("\u200b12.50"), "12.50"},
	} {
		f := pounds(t)
		enter(f, c.keys...)
		if got, words := amountOf(f); got != c.want {
			t.Errorf("it is %q, %s", got, words)
		}
	}
}

func FuzzAmountField(f *testing.F) {
	for text := range oddAmounts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkAmount(t, text) })
}

func TestAPasteTakesThePlaceOfWhatStoodThereWhenTheFocusCameOrAnErrorDid(t *testing.T) {
	p := newPaymentForm(t).fill()
	is := func(amount, name, url string) {
		t.Helper()
		if got, _ := p.amount.Value(); got.String() != amount || p.name.Value() != name || p.url.Value() != url {
			t.Errorf("%s, %q, %q", got, p.name.Value(), p.url.Value())
		}
	}
	p.FocusOn(p.amount)
	send(p, paste("31.00"))
	p.FocusOn(p.name)
	send(p, paste("Ben"), paste(" Obi")) // what was typed here is added to
	p.FocusOn(p.url)
	send(p, paste("https://other.example"))
	is("31.00 GBP", "Ben Obi", "https://other.example")
	send(p, keys("backspace")...)
	send(p, paste("e/back"))
	p.FocusOn(p.name)
	send(p, append(keys("end"), paste(" the second"))...)
	is("31.00 GBP", "Ben Obi the second", "https://other.example/back")

	p.FocusOn(p.amount)
	send(p, keys("ctrl+u", "0", "ctrl+s")...)
	sees(t, shown(p, 78, 40), "! Enter an amount above zero")
	send(p, paste("12.50"))
	p.SetError(p.amount, "The service takes 5.00 GBP at least")
	send(p, paste("card 4242 4242 4242 4242")) // is refused, and nothing is lost
	is("12.50 GBP", "Ben Obi the second", "https://other.example/back")
}

// A person who types an amount at its currency means the amount. Anywhere else a digit at a choice does nothing.
func TestDigitsAtACurrencyAreTheAmount(t *testing.T) {
	p := newPaymentForm(t)
	const most = "999,999,999.99" // of which all is seen while it is typed
	send(p, typed(most)...)
	if got, _ := p.amount.Value(); p.Focused() != p.amount || got.String() != most+" GBP" || !strings.Contains(shown(p, 78, 40), most) {
		t.Errorf("%q is focused, the amount is %s:\n%s", p.Focused().Label(), got, shown(p, 78, 40))
	}
	send(p, append(keys("shift+tab"), typed("5")...)...) // to what was typed nothing is added unseen
	if got, _ := p.amount.Value(); p.Focused() != p.currency || got.String() != most+" GBP" {
		t.Errorf("%q is focused, the amount is %s", p.Focused().Label(), got)
	}
	q := ui.NewForm(theme, p.channel, p.name)
	if send(q, typed("7")...); q.Focused() != p.channel || p.name.Value() != "" {
		t.Errorf("%q is focused", q.Focused().Label())
	}
}
