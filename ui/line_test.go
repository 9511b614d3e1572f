package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"

	"paydesk/ui/termtest"
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
		l := &lineEditor{limit: limit, masked: dots, whole: len(keys)%2 == 0}
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
		typed *digitsField
	}{{pan, &pan.digitsField}, {cvv, &cvv.digitsField}, {expiry, &expiry.digitsField}} {
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
			for i, b := range f.typed.array() {
				if i >= f.typed.n && b != 0 {
					t.Errorf("%s left digit %d", name, i)
				}
			}
			f.Wipe()
		}
	}
}

func TestWrapLosesNoWordAndKeepsTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("ab  é漢-\n"))).Draw(t, "text")
		w := rapid.IntRange(2, 12).Draw(t, "width")
		lines := Wrap(s, w)
		for _, line := range lines {
			if ansi.StringWidth(line) > w {
				t.Fatalf("%q is wider than %d", line, w)
			}
		}
		letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if letters(s) != letters(strings.Join(lines, " ")) {
			t.Fatalf("%q became %q", s, lines)
		}
	})
	if lines := Wrap("Requested 1,231.00 EUR, answered 12.50 GBP.", 18); !slices.Equal(lines, []string{"Requested", "1,231.00 EUR,", "answered", "12.50 GBP."}) {
		t.Errorf("an amount is parted from its currency: %q", lines)
	}
}

// What is drawn in a role is what lipgloss draws, of any text, on any background and without colours.
func TestARoleIsDrawnAsLipglossDrawsIt(t *testing.T) {
	texts := []string{"", " ", "a", "12.50 GBP", "two words ", "a\tb", "two\nlines", "a\r\nb\n", "\x1b[1mbold\x1b[m", "✓ SUCCESSFUL", "日本 é"}
	for _, theme := range []*Theme{NewTheme(false), NewTheme(false).On(Light), NewTheme(false).On(Dark), NewTheme(true).Sixteen().On(Dark), NewTheme(false).HighContrast()} {
		roles := map[string]Style{"plain": theme.Plain, "muted": theme.Muted, "strong": theme.Strong, "accent": theme.Accent, "error": theme.Error}
		for tone, style := range theme.tones {
			roles[fmt.Sprint("tone ", tone)] = style
		}
		for role, style := range roles {
			for _, text := range texts {
				if got, want := style.Render(text), style.Style.Render(text); got != want {
					t.Errorf("%s: %q is drawn as %q, want %q", role, text, got, want)
				}
			}
		}
	}
}

var tones = []Tone{ToneNone, ToneGood, ToneBad, ToneWait, ToneAct, ToneMismatch, ToneUnknown}

func TestEveryToneHasAGlyphOfItsOwnOneCellWide(t *testing.T) {
	for _, theme := range []*Theme{NewTheme(false), NewTheme(true)} {
		seen := map[string]Tone{}
		for _, tone := range tones {
			g := ansi.Strip(theme.glyph(tone))
			if other, ok := seen[g]; ok {
				t.Errorf("tones %d and %d share the glyph %q", tone, other, g)
			}
			seen[g] = tone
			for name, w := range map[string]int{"x/ansi": ansi.StringWidth(g), "wcwidth": ansi.StringWidthWc(g), "go-runewidth": runewidth.StringWidth(g)} {
				if w != 1 {
					t.Errorf("%q is %d cells wide by %s", g, w, name)
				}
			}
			if theme.ASCII && !ascii(g) {
				t.Errorf("%q is not ASCII", g)
			}
		}
	}
}

func TestEveryGlyphHasAnASCIITwinOfItsWidth(t *testing.T) {
	for _, g := range "…•·–—×‘’“”✓✗◌▲›‹←→↑↓●○■□─│┌┐└┘├┤┬┴┼╭╮╰╯▌▐▪▸▾█▓▒░" {
		twin := NewTheme(true).Text(string(g))
		if !ascii(twin) || len(twin) != ansi.StringWidth(string(g)) {
			t.Errorf("%q has the twin %q", g, twin)
		}
		if NewTheme(false).Text(string(g)) != string(g) {
			t.Errorf("%q is replaced where it can be drawn", g)
		}
	}
}

func ascii(s string) bool {
	for _, r := range ansi.Strip(s) {
		if r > '~' {
			return false
		}
	}
	return true
}

func TestWhatIsNoURLAndWhatTheTerminalHasNoLinksForIsPlain(t *testing.T) {
	linking := NewTheme(false)
	linking.Hyperlinks = true
	for _, url := range []string{
		"", "javascript:alert(1)", "file:///etc/passwd", "ftp://a.example/", "HTTPS://a.example/", "https://a.example/\x1b]52;c;aGk=\a", "https://a.example/\a",
		"https://a.example/ b", "https://a.example/é", "https://a.example/\u202e", "https://a.example/" + strings.Repeat("a", 2_000),
	} {
		if got := linking.Hyperlink(url, url); got != url {
			t.Errorf("%q is drawn as %q", url, got)
		}
	}
	if got := linking.Hyperlink("https://evil.example/", "https://good.example/"); got != "https://good.example/" {
		t.Errorf("a text that is not the target leads to it: %q", got)
	}
	if got := NewTheme(false).URLLines(address, 40); strings.Join(got, "") != address {
		t.Errorf("without hyperlinks the lines are %q", got)
	}
}

// Whatever gets into the words, a terminal reads one sequence with a text.
func TestANotificationCarriesNothingThatATerminalObeys(t *testing.T) {
	for _, words := range []string{"Ada\x1b[2J", "a;b\ac", "\x1b]52;c;YQ==\a", "\u202eevil\u0085\x9b", strings.Repeat("long ", 90), ""} {
		for _, by := range []Notifier{OSC9, OSC777} {
			sent := by.sequence(words)
			if strings.Count(sent, "\x1b") != 1 || strings.Count(sent, "\a") != 1 || len(sent) > 150 {
				t.Errorf("%q becomes %q", words, sent)
			}
		}
	}
	for r := range rune(0x2100) {
		if got := note("a" + string(r) + "b"); strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%U enters a notification: %q", r, got)
		}
	}
	if found := termtest.Breaches([]byte(OSC9.sequence("Payment PAY-7K3: SUCCESSFUL (TEST)"))); len(found) > 0 {
		t.Error(found)
	}
}

// Whatever is counted, a bar has its width, and a part is there exactly where it is not 0.
func TestABarFillsItsWidthAndLeavesNothingOut(t *testing.T) {
	tones := []Tone{ToneGood, ToneBad, ToneWait, ToneMismatch, ToneUnknown}
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(len(tones), 200).Draw(t, "w")
		var parts []Part
		for _, tone := range tones {
			parts = append(parts, Part{tone, rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 3), rapid.IntRange(0, 1_000_000)).Draw(t, "n")})
		}
		bar := ansi.Strip(NewTheme(false).Bar(w, rapid.IntRange(0, 2_000_000).Draw(t, "whole"), parts...))
		if ansi.StringWidth(bar) != w {
			t.Fatalf("%q has %d cells, not %d", bar, ansi.StringWidth(bar), w)
		}
		for _, p := range parts {
			if strings.Contains(bar, barGlyphs[p.Tone].glyph) != (p.N > 0) {
				t.Fatalf("%q with %v", bar, parts)
			}
		}
	})
}
