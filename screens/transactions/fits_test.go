package transactions

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// fits draws the screen in all sizes; it must stay within each.
func fits(t *testing.T, name string, m *Model) {
	t.Helper()
	for w := range 131 {
		for h := range 46 {
			m.Resize(w, h)
			view, _ := m.View()
			if w == 0 || h == 0 {
				if view != "" {
					t.Fatalf("%s at %d×%d draws %q", name, w, h, view)
				}
				continue
			}
			lines := strings.Split(view, "\n")
			if len(lines) > h {
				t.Fatalf("%s at %d×%d has %d lines", name, w, h, len(lines))
			}
			for _, l := range lines {
				if n := ansi.StringWidth(l); n > w {
					t.Fatalf("%s at %d×%d has a line of %d cells: %q", name, w, h, n, l)
				}
			}
		}
	}
}
