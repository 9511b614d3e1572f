package ui_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"paydesk/api/card"
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
	for n := range 16 { // no number is wrong while it is typed
		enter(f, append(keys("ctrl+u"), typed(visa[:n+1])...)...)
		lacks(t, state(), "wrong digit")
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

const (
	pan  = "4242424242424242"
	gone = "Card number removed: it belongs in the card step."
)

func TestACardNumberIsRemovedFromATextThatIsShown(t *testing.T) {
	for name, tt := range map[string]struct {
		msgs []tea.Msg
		left string
		none bool
	}{
		"typed":                  {typed(pan), "", false},
		"typed in other digits":  {typed("４２４２４２４２４２４２４２４２"), "", false},
		"typed as a whole line":  {append(typed("card 4242 4242 4242 4242 please"), stroke("enter")), "card", false},
		"the second half pasted": {append(typed("x 42424242"), paste("42424242")), "x", false},
		"typed into its middle":  {append(typed("a 424242424242422 b"), keys("left", "left", "left", "4")...), "a  b", false},
		"left by a deletion":     {append(typed("42424242x42424242"), keys("left", "left", "left", "left", "left", "left", "left", "left", "backspace")...), "", false},
		"cut free by a blank":    {append([]tea.Msg{paste("424242424242424299")}, keys("left", "left", "space")...), "99", false},
		"no number of a card":    {typed("4242424242424241"), "4242424242424241", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := ui.NewTextField(theme, "Narration", "optional")
			form := ui.NewForm(theme, f)
			send(form, tt.msgs...)
			found := !tt.none
			if got := f.Value(); got != tt.left || strings.HasPrefix(refused(f), gone) != found {
				t.Errorf("the field has %q and says %q", got, refused(f))
			}
			if !found {
				return
			}
			sees(t, shown(form, 78, 5), "! Card number removed")
			lacks(t, shown(form, 78, 5), "42424")
			printsNone(t, f, pan)
			if v := send(form, stroke("ctrl+s")); v == ui.Submitted {
				t.Error("it was submitted")
			}
			sees(t, shown(form, 58, 5), "card step.", "Backspace goes on.")
			send(form, keys("backspace", "o", "k")...)
			if v := send(form, stroke("ctrl+s")); v != ui.Submitted || !strings.Contains(f.Value(), "ok") {
				t.Errorf("then it holds %q and says %q", f.Value(), refused(f))
			}
		})
	}
}

func TestAMaskedTextMayBeAnything(t *testing.T) {
	f := ui.NewTextField(theme, "Passphrase", "", ui.Masked())
	if enter(f, typed(pan)...); f.Value() != pan || value(f) != strings.Repeat("•", 16) {
		t.Errorf("%q", value(f))
	}
	key := ui.NewTextField(theme, "Secret key", "", ui.Masked(), ui.Checked(ui.NoCardNumber))
	for text, says := range map[string]string{pan: "This is a card number", "sk_test_" + pan: "", "": ""} {
		if key.SetValue(text); !strings.HasPrefix(key.Check(), says) || says == "" && key.Check() != "" {
			t.Errorf("%q", key.Check())
		}
	}
}

func TestACardNumberIsNoAmount(t *testing.T) {
	for _, text := range []string{pan, "4242 4242 4242 4242", "4242-4242-4242-4242", "4242.4242.4242.4242", "378282246310005"} {
		f, pasted := pounds(t), pounds(t)
		if enter(f, typed(text)...); !f.Empty() || !strings.HasPrefix(refused(f), gone) {
			t.Errorf("%q leaves %q, said %q", text, value(f), refused(f))
		}
		if enter(pasted, paste(text+".")); !pasted.Empty() {
			t.Errorf("%q leaves %q", text, value(pasted))
		}
		if enter(f, append(keys("backspace"), typed("12.50")...)...); f.Check() != "" || value(f) != "12.50" {
			t.Errorf("then it shows %q and says %q", value(f), f.Check())
		}
	}
	f := pounds(t)
	if enter(f, typed("42,222,222,222.22")...); f.Check() != "" {
		t.Errorf("%q: %s", value(f), f.Check())
	}
}

func TestTheFoldersOfAPathAreNoCardNumber(t *testing.T) {
	for path, kept := range map[string]bool{
		"/tmp/4222222222/222": true, "~/4242/4242/4242/4242": true, "/tmp/" + pan + "/001": false, "4242/4242/4242/4242": false,
	} {
		f := ui.NewTextField(theme, "Folder", "", ui.Path())
		if enter(f, paste(path)); (f.Value() == path) != kept {
			t.Errorf("%q leaves %q", path, f.Value())
		}
	}
}

// However it is typed, no view of a text ever has a whole card number.
func TestNoTextEverShowsACardNumber(t *testing.T) {
	moves := []string{"left", "right", "home", "end", "backspace", "delete", "ctrl+w", "ctrl+k", "4", "2", "space", "-", "x"}
	rapid.Check(t, func(t *rapid.T) {
		f := ui.NewTextField(theme, "Narration", "")
		f.Focus()
		for range rapid.IntRange(1, 30).Draw(t, "inputs") {
			if rapid.Bool().Draw(t, "pasted") {
				enter(f, paste(rapid.StringMatching(`(4242[ -]?){1,4}|x|42`).Draw(t, "paste")))
			} else {
				enter(f, stroke(rapid.SampledFrom(moves).Draw(t, "key")))
			}
			if _, to := card.Find(f.Value()); to > 0 {
				t.Fatalf("it holds %q", f.Value())
			}
		}
	})
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
	p.cvv.Wipe()
	p.FocusOn(p.cvv)
	send(p, typed("x")...)
	sees(t, shown(p, 78, 40), "! Digits only")
	send(p, keys("tab")...)
	lacks(t, shown(p, 78, 40), "Digits only") // which was about that key
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

func TestNoLineOfAFormMovesWithTheFocusOrWithAnError(t *testing.T) {
	for _, size := range [][2]int{{58, 20}, {118, 36}} {
		p := newPaymentForm(t)
		lines := func() []string {
			s, _ := p.View(size[0], size[1])
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
