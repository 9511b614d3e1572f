package ui_test

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"paydesk/ui"
)

func TestACardNumberShowsItsLastFourAndItsState(t *testing.T) {
	f := ui.NewPANField(theme, "Card", "")
	f.Focus()
	state := func() string {
		sign, words := f.State()
		return strings.TrimSpace(sign + " " + words[0])
	}
	enter(f, typed(visa[:8]+"-"+visa[8:])...)
	if s, _ := f.View(50); plain(s) != "•••• •••• •••• 4242" || state() != "✓ Visa, 16 digits" {
		t.Errorf("it shows %q and says %q", plain(s), state())
	}
	if p, err := f.Value(); err != nil || p.Expose() != visa {
		t.Errorf("%v, %v", p, err)
	}
	for n, want := range map[int]string{8: "too few", 13: "wrong digit"} { // neither is shown while typing
		enter(f, append(keys("ctrl+u"), typed(visa[:n])...)...)
		lacks(t, state(), want)
		f.Blur()
		sees(t, state(), "! "+want)
		f.Focus()
	}
	enter(f, append(keys("ctrl+u"), typed(visa)...)...)
	enter(f, keys("backspace", "3")...)
	if s := state(); s != "! wrong digit, 16 digits" || !strings.Contains(f.Check(), "mistyped") {
		t.Errorf("with a wrong digit it says %q and %q", s, f.Check())
	}
	enter(f, keys("ctrl+u")...)
	if !f.Empty() || f.Check() != "Card is required" {
		t.Errorf("emptied: %q", f.Check())
	}
}

// Who records the terminal sees every frame: the last four of each length would be the
// whole number.
func TestAllFramesOfAnEntryTogetherShowFourDigits(t *testing.T) {
	for _, number := range []string{"4539148803436467", "5425233430109903", "378282246310005", "5060666666666666666"} {
		f := ui.NewPANField(theme, "Card", "")
		f.Focus()
		shown := map[string]bool{}
		for _, digit := range number {
			enter(f, typed(string(digit))...)
			s, _ := f.View(50)
			shown[strings.NewReplacer("•", "", " ", "").Replace(plain(s))] = true
		}
		delete(shown, "")
		if last := number[len(number)-4:]; len(shown) != 1 || !shown[last] {
			t.Errorf("the frames of …%s show %v", last, shown)
		}
	}
}

func TestAPasteThatIsNotACardNumberIsRefusedWhole(t *testing.T) {
	f := ui.NewPANField(theme, "Card", "")
	for text, says := range map[string]string{
		"42424242424242424242":     "At most 19 digits",
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
	p := newPaymentForm(t)
	pan, cvv := "4539578763621486", "937"
	enter(p.pan, typed(pan)...)
	enter(p.cvv, typed(cvv)...)
	enter(p.expiry, typed("1131")...)
	for _, v := range []any{p.pan, *p.pan, p.cvv, *p.cvv, p.expiry, *p.expiry, p, *p, p.Form, struct {
		f *ui.PANField
		c ui.CVVField
	}{p.pan, *p.cvv}} {
		printsNone(t, v, pan, "539578", "57 51 55", "0x35, 0x33", "53 51 57 53", `"937"`)
		for _, s := range printed(v) {
			if regexp.MustCompile(`\b1131\b`).MatchString(s) { // not within a pointer's digits
				t.Errorf("the expiry is printed in\n%s", s)
			}
		}
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

func TestAnExpiryGetsItsSlashAndNoImpossibleMonth(t *testing.T) {
	for _, tt := range []struct {
		msgs       []tea.Msg
		want, says string
	}{
		{typed("1229"), "12/29", ""},
		{typed("3"), "03/", "Enter the expiry as MM/YY"},
		{typed("13"), "1", "The month must be 01 to 12"},
		{typed("1026"), "10/26", "The card has expired"},
		{append(typed("12"), keys("backspace", "0", "2", "7")...), "10/27", ""},
		{[]tea.Msg{paste("04/2031\n")}, "04/31", ""},
		{append(typed("1229"), paste("1331")), "12/29", "The month must be 01 to 12 (input ignored)"},
		{typed("12295"), "12/29", "At most 4 digits"},
		{nil, "", "Expiry is required"},
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

func TestACVVIsDotsAndAsLongAsTheBrandRequires(t *testing.T) {
	pan := ui.NewPANField(theme, "Card", "")
	f := ui.NewCVVField(theme, "CVV", "", pan)
	enter(f, typed("123x45")...)
	if got := value(f); got != "••••" {
		t.Errorf("it shows %q", got)
	}
	if v, err := f.Value(); err != nil || v.Expose() != "1234" {
		t.Errorf("%v", err)
	}
	enter(pan, typed(visa)...)
	if got := f.Check(); !strings.Contains(got, "Visa cards have a code of 3 digits") {
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
	if got := value(f); got != "•••" || !strings.Contains(refused(f), "At most 4 digits") {
		t.Errorf("it shows %q, refused %q", got, refused(f))
	}
}
