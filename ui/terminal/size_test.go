package terminal

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestASizeBeyondAnyScreenIsNotBelieved(t *testing.T) {
	for _, c := range [][4]int{
		{80, 24, 80, 24}, {0, 0, 0, 0}, {1, 1, 1, 1}, {-1, -1, 0, 0}, {500, 200, 500, 200}, {600, 300, 500, 200},
		{65535, 65535, 80, 24}, {65535, 1, 80, 1}, {40, 65535, 40, 24},
	} {
		got := plausibleSize(tea.WindowSizeMsg{Width: c[0], Height: c[1]})
		if got.Width != c[2] || got.Height != c[3] {
			t.Errorf("%d×%d is drawn in %d×%d", c[0], c[1], got.Width, got.Height)
		}
	}
}
