package ui

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// FuzzALineIsSafeToDraw gives the editor any text and any keys: it never holds what
// cannot be seen, never more than its limit, and what it draws fits, cursor included.
func FuzzALineIsSafeToDraw(f *testing.F) {
	f.Add("Ada Obi", "lrhbdukw", 10, 40, false)
	f.Add("漢字漢字漢字e\u0301\u0301🇬🇧👍🏽", "llblhrd", 5, 20, false)
	f.Add("\x1b[2J\u202e\u200b\xff", "x", 0, 3, true)
	f.Add("🇧", "h🇬xlld", 9, 9, false)
	f.Add("각ᅡ\u0e33", "lb", 3, 9, false)
	strokes := map[rune]tea.KeyPressMsg{
		'l': {Code: tea.KeyLeft}, 'r': {Code: tea.KeyRight}, 'h': {Code: tea.KeyHome}, 'e': {Code: tea.KeyEnd}, 'b': {Code: tea.KeyBackspace},
		'd': {Code: tea.KeyDelete}, 'u': {Code: 'u', Mod: tea.ModCtrl}, 'k': {Code: 'k', Mod: tea.ModCtrl}, 'w': {Code: 'w', Mod: tea.ModCtrl},
	}
	f.Fuzz(func(t *testing.T, text, keys string, w, limit int, dots bool) {
		if len(keys) > 60 {
			t.Skip("more keys find nothing more")
		}
		w, limit = min(max(w, -1), 200), min(max(limit, 0), 200)
		l := &lineEditor{limit: limit, masked: dots}
		msgs := []tea.Msg{tea.PasteMsg{Content: text}}
		for _, r := range keys {
			if k, ok := strokes[r]; ok {
				msgs = append(msgs, k)
			} else {
				msgs = append(msgs, tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
		for _, msg := range append(msgs, msgs...) {
			before := string(l.text)
			own, changed, refused := l.update(msg)
			if !own || changed && refused != "" || !changed && string(l.text) != before {
				t.Fatalf("%v: own %v, changed %v, refused %q, %q to %q", msg, own, changed, refused, before, string(l.text))
			}
			if len(l.text) > limit || l.pos < 0 || l.pos > len(l.text) {
				t.Fatalf("%d characters of %d, cursor at %d", len(l.text), limit, l.pos)
			}
			if l.pos != l.boundaryFrom(l.pos) {
				t.Fatalf("the cursor at %d stands within a character of %q", l.pos, string(l.text))
			}
			if s := string(l.text); !utf8.ValidString(s) || checkVisible(s, !dots) != "" {
				t.Fatalf("it holds %q", s)
			}
			for _, focused := range []bool{true, false} {
				s, x := l.view(w, focused)
				if ansi.StringWidth(s) > max(w, 0) || x >= max(w, 1) || ansi.Strip(s) != s {
					t.Fatalf("%q, cursor %d, in %d", s, x, w)
				}
				if dots && strings.Trim(s, "•… ") != "" {
					t.Fatalf("a secret shows as %q", s)
				}
			}
		}
		l.wipe()
		for _, r := range l.text[:cap(l.text)] {
			if r != 0 {
				t.Fatal("wipe left text behind")
			}
		}
	})
}

func TestDeletedDigitsAreOverwritten(t *testing.T) {
	theme := NewTheme(false)
	pan, expiry := NewPANField(theme, "", ""), NewExpiryField(theme, "", "", nil)
	cvv := NewCVVField(theme, "", "", pan)
	for _, f := range []struct {
		Field
		digits *digits
	}{{pan, &pan.digits}, {cvv, &cvv.digits}, {expiry, &expiry.digits}} {
		for name, take := range map[string]func(){
			"wipe":      f.Wipe,
			"ctrl+u":    func() { f.Update(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}) },
			"backspace": func() { f.Update(tea.KeyPressMsg{Code: tea.KeyBackspace}) },
		} {
			f.Update(tea.PasteMsg{Content: "1229"})
			if f.Empty() {
				t.Fatal("the digits were not added")
			}
			take()
			for i, b := range f.digits.array() {
				if i >= f.digits.n && b != 0 {
					t.Errorf("%s left digit %d", name, i)
				}
			}
			f.Wipe()
		}
	}
}
