package transactions

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui/termtest"
)

// fits fails the test if the screen draws outside of a body of any size.
func fits(t *testing.T, name string, m *Model) {
	t.Helper()
	if failure := termtest.Oversteps(func(w, h int) (string, *tea.Cursor) { m.Resize(w, h); return m.View() }); failure != "" {
		t.Fatal(name, " ", failure)
	}
}
