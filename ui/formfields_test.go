package ui_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

func TestNoLineOfAFormMovesWithTheFocusOrWithAnError(t *testing.T) {
	for _, size := range [][2]int{{58, 20}, {118, 36}} {
		for _, draw := range []func(*paymentForm, int, int) (string, *tea.Cursor){
			func(p *paymentForm, w, h int) (string, *tea.Cursor) { return p.View(w, h) },
			func(p *paymentForm, w, h int) (string, *tea.Cursor) { return p.Fill(w, h) },
		} {
			p := newPaymentForm(t)
			lines := func() []string {
				s, _ := draw(p, size[0], size[1])
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
}
