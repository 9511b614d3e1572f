package present_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/query"
	"paydesk/screens/present"
	"paydesk/ui"
)

// rows stand below a typed query.
type rows struct{ moved int }

func (r *rows) Update(tea.Msg) bool { r.moved++; return true }

func queryBox(ascii bool) *ui.Search {
	words := []query.Word{{Name: "FAILED"}, {Name: "PENDING"}, {Name: "SUCCESSFUL"}}
	l := &query.Language{Fields: []query.Field{
		{Name: "status", Kind: query.Words, Words: words, Bare: true, Example: "status:failed,pending"},
		{Name: "amount", Kind: query.Amount, Bare: true},
		{Name: "id", Label: "ID", Example: "id:5e62*"},
		{Name: "day", Kind: query.Day, Bare: true, Missing: "The service's list has no dates."},
	}}
	f := ui.NewQuery(ui.NewTheme(ascii), "Search", "status, amount or id, as in failed >100", present.ReadQuery(l))
	f.Typing = true
	return f
}

func typeText(f *ui.Search, text string) {
	for _, r := range text {
		f.Update(tea.KeyPressMsg{Code: r, Text: string(r)}, &rows{})
	}
}

// seen are the lines of the box in w×h cells, without their colours.
func seen(f *ui.Search, w, h int) string {
	lines, _ := f.View(nil, w, h)
	return ansi.Strip(strings.Join(lines, "\n"))
}

func TestEnterKeepsAQueryOnlyWhenAllOfItIsRight(t *testing.T) {
	f := queryBox(false)
	typeText(f, "failed status:fialed amount:100")
	enter := tea.KeyPressMsg{Code: tea.KeyEnter}
	f.Update(enter, &rows{})
	_, cursor := f.View(nil, 80, 20)
	if !f.Typing || cursor == nil || cursor.X != len("  Search failed status:fialed") {
		t.Fatalf("the query is kept, or the cursor is not behind what is wrong: %v", cursor)
	}
	for range len("fialed") {
		f.Update(tea.KeyPressMsg{Code: tea.KeyBackspace}, &rows{})
	}
	typeText(f, "failed")
	if f.Update(enter, &rows{}); f.Typing || f.Value() != "failed status:failed amount:100" {
		t.Errorf("%q is not kept", f.Value())
	}
	if got := seen(f, 80, 20); got != "Search failed status:failed amount:100" {
		t.Errorf("the kept query is drawn as %q", got)
	}
	if f.Clear(); f.Active() || len(f.Reading().Terms) > 0 {
		t.Errorf("a cleared query still means %v", f.Reading())
	}
}
