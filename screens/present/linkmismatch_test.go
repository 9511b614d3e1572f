package present_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
)

// The name of a part is read whole, at any width.
func TestEachPartOfALinkThatDiffersIsNamedWhole(t *testing.T) {
	for part, label := range map[string]string{"amount": "Amount ", "amount type": "Amount type ", "alias in URL": "Alias in URL "} {
		l := api.Link{Differs: []api.LinkDifference{{Part: api.Clean(part), Asked: api.Clean("0-a1b2c3d"), Answered: api.Clean("other77")}}}
		for _, w := range []int{30, 58, 78, 118} {
			lines := present.LinkDifferences(screentest.Theme, l, w)
			if text := ansi.Strip(strings.Join(lines, "\n")); !strings.Contains(text, label) || !strings.Contains(text, "other77") {
				t.Errorf("%s, %d cells: %s", part, w, text)
			}
		}
	}
}
