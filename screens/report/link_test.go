package report_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/screens/report"
	"paydesk/ui"
)

// The name of a part is read whole, at any width.
func TestEachPartOfALinkThatDiffersIsNamedWhole(t *testing.T) {
	for part, label := range map[string]string{"amount": "Amount ", "amount type": "Amount type ", "alias in URL": "Alias in URL "} {
		l := api.Link{Differs: []api.LinkDifference{{Part: api.Clean(part), Asked: api.Clean("0-a1b2c3d"), Answered: api.Clean("other77")}}}
		for _, w := range []int{30, 58, 78, 118} {
			text := ""
			for _, line := range report.OfDifferences(l).Page(ui.NewTheme(false), w) {
				text += ansi.Strip(line.Text) + "\n"
			}
			if !strings.Contains(text, label) || !strings.Contains(text, "other77") {
				t.Errorf("%s, %d cells: %s", part, w, text)
			}
		}
	}
}
