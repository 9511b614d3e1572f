package ui_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"paydesk/api/card"
	"paydesk/ui"
)

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
