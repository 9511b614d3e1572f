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

func TestNothingBelowAQueryMovesWhileItIsTyped(t *testing.T) {
	for _, size := range []struct{ w, h, lines int }{{80, 20, 4}, {60, 8, 3}, {120, 30, 4}, {20, 2, 2}, {1, 1, 1}, {0, 0, 0}} {
		f := queryBox(false)
		for _, r := range `failed,pending status:fialed >100 amount:250..100 "two words" id:5e62* ` + strings.Repeat("abc ", 30) {
			typeText(f, string(r))
			lines, cursor := f.View(nil, size.w, size.h)
			if len(lines) != size.lines {
				t.Fatalf("%dx%d: %d lines under %q", size.w, size.h, len(lines), f.Value())
			}
			for _, line := range lines {
				if ansi.StringWidth(line) > size.w {
					t.Fatalf("%dx%d: %q is too wide", size.w, size.h, line)
				}
			}
			if size.w >= 20 && (cursor == nil || cursor.X >= size.w || cursor.Y != 0) {
				t.Fatalf("%dx%d: the cursor is at %v in %q", size.w, size.h, cursor, f.Value())
			}
		}
	}
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

func TestALongQueryScrollsWithTheMarkOfWhatIsWrong(t *testing.T) {
	f := queryBox(true)
	typeText(f, strings.Repeat("abc ", 20)+"status:fialed")
	lines := strings.Split(seen(f, 40, 20), "\n")
	at := strings.Index(lines[0], "fialed")
	if at < 0 || strings.Index(lines[1], "^^^^^^") != ansi.StringWidth(lines[0][:at]) {
		t.Errorf("the mark is not under what is wrong:\n%s", strings.Join(lines, "\n"))
	}
	typeText(f, strings.Repeat("z", 200))
	if got := seen(f, 80, 20); len([]rune(f.Value())) != 200 || !strings.Contains(got, "Too long: at most 200 characters") {
		t.Errorf("a query of %d characters says\n%s", len([]rune(f.Value())), got)
	}
}
