package ui

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// filling is a screen that fills the window.
type filling struct {
	Body
	whole Whole
	fills bool
}

func (f *filling) Update(tea.Msg) tea.Cmd      { return nil }
func (f *filling) View() (string, *tea.Cursor) { return "", nil }
func (f *filling) Title() string               { return "Bank check" }
func (f *filling) Keys() []key.Binding         { return nil }
func (f *filling) Whole() (Whole, bool)        { return f.whole, f.fills }

func codeOf(text string) *filling {
	t := NewTheme(false)
	return &filling{whole: Whole{Code: t.QR(text), Words: []string{"The customer scans it at bank.example", "12.50 GBP"}}, fills: true}
}

func TestACodeIsDrawnWholeInEveryWindowThatItFills(t *testing.T) {
	f := Frame{Theme: NewTheme(false), Environment: "TEST", Host: "payments.example", Trail: []string{"Bank check"}, Keys: []key.Binding{Back, Help, Quit}}
	s := codeOf(address)
	for w := range 140 {
		for h := range 50 {
			if w%13 > 0 && h%13 > 0 { // each width, and each height
				continue
			}
			got := f.Fill(w, h, s)
			if short := s.whole.TooSmall(w-bodyMargins, h-chromeLines); (got == "") != (short != "" || TooSmall(w, h)) {
				t.Fatalf("in %d×%d it is drawn: %v, but it says %q", w, h, got != "", short)
			}
			if got == "" {
				continue
			}
			lines := strings.Split(got, "\n")
			if len(lines) != h {
				t.Fatalf("%d×%d has %d lines", w, h, len(lines))
			}
			code, _ := s.whole.fit(w, h)
			for y, l := range lines {
				if width(l) > w || y < len(code) && !strings.HasPrefix(l, code[y]) {
					t.Fatalf("in %d×%d line %d is %q", w, h, y, ansi.Strip(l))
				}
			}
		}
	}
}
