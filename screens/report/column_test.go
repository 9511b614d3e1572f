package report_test

import (
	"strings"
	"testing"

	"paydesk/keystore"
	"paydesk/screens/report"
	"paydesk/ui"
)

// sound checks that whatever a column is in has what it needs, and that a screen which is wide enough shows all of its columns.
func sound[R any](t *testing.T, list string, all []report.Column[R]) {
	t.Helper()
	names := map[string]bool{}
	for i, c := range all {
		switch {
		case c.On != 0 && c.Cell == nil, c.On&report.Screen != 0 && c.Title == "":
			t.Errorf("%s: column %d, %q, is drawn without a cell or a title", list, i, c.Title)
		case (c.Name != "" || c.Member != "") && c.Value == nil, c.On == 0 && c.Name == "" && c.Member == "":
			t.Errorf("%s: column %d, %q, is nowhere, or has no value in a file", list, i, c.Name)
		case c.Name != "" && names[c.Name]:
			t.Errorf("%s: two columns of a file are called %s", list, c.Name)
		}
		names[c.Name] = true
	}
	table := ui.NewTable(ui.NewTheme(true), report.Heads(report.Drawn(all, report.Screen), report.Screen)...)
	table.Resize(400, 10)
	titles, _, _ := strings.Cut(table.View(), "\n")
	for _, c := range report.Drawn(all, report.Screen) {
		if !strings.Contains(titles, strings.TrimSpace(c.Title)) {
			t.Errorf("%s: %q is at no width: %s", list, c.Title, titles)
		}
	}
}

func TestEachColumnHasWhatItNeeds(t *testing.T) {
	for _, compared := range []bool{false, true} {
		sound(t, "transactions", report.Transactions(compared))
	}
	for _, team := range []bool{false, true} {
		sound(t, "activity", report.Attempts(report.AttemptView{Team: team, Everywhere: team}))
	}
	sound(t, "links", report.Links())
	sound(t, "profiles", report.Profiles(new(keystore.Config), ""))
	sound(t, "inbox", report.Events(nil, noon))
}
