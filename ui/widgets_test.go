package ui_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"paydesk/ui"
)

func TestACommandThatIsOffIsNotInTheHelpAndSaysWhy(t *testing.T) {
	var b ui.Body
	cs := ui.Commands{
		{Key: ui.Bind("a", "first"), On: true, Do: func() tea.Cmd { return b.Warn("first") }},
		{Key: ui.Bind("b", "second"), Do: func() tea.Cmd { return b.Notify("second is off") }},
		{Key: ui.Bind("a", "third"), On: true, Do: func() tea.Cmd { return b.Notify("third") }},
	}
	on := slices.DeleteFunc(cs.Keys(), func(k key.Binding) bool { return !k.Enabled() })
	if len(on) != 2 || on[0].Help().Desc != "first" {
		t.Errorf("the help shows %v", on)
	}
	for name, want := range map[string]ui.Notice{"a": {Tone: ui.ToneAct, Text: "first"}, "b": {Text: "second is off"}, "c": {}} {
		b.News = ui.Notice{}
		if cs.Press(stroke(name)); b.Notice() != want {
			t.Errorf("%s says %q", name, b.Notice())
		}
	}
}

func TestAFilterTakesTextAndLeavesTheArrowsToTheTable(t *testing.T) {
	f, table := ui.NewFilter(ui.NewTheme(false), "Filter", "anything"), tableOf(5)
	if lines, _ := f.View([]string{"head"}, 40, 9); f.Active() || len(lines) != 1 {
		t.Errorf("an empty filter is drawn as %q", lines)
	}
	f.Typing = true
	if !f.Update(stroke("x"), table) || f.Update(stroke("down"), table) || table.Selected() != 1 {
		t.Errorf("the filter is %q, row %d is selected", f.Value(), table.Selected())
	}
	lines, cursor := f.View([]string{"head"}, 40, 9)
	if len(lines) != 3 || cursor == nil || cursor.Y != 1 || len(f.Keys()) != 3 {
		t.Errorf("the typed filter is %q with the cursor at %v", lines, cursor)
	}
	if f.Update(stroke("enter"), table) || f.Typing || !f.Active() {
		t.Error("enter does not keep the filter")
	}
	if lines, _ = f.View(nil, 40, 9); len(lines) != 1 || !strings.HasSuffix(lines[0], "x") {
		t.Errorf("the kept filter is %q", lines)
	}
	if f.Clear(); f.Active() {
		t.Error("the filter is not cleared")
	}
}

func TestAScrollShowsItsPositionAndStaysWithinItsLines(t *testing.T) {
	var s ui.Scroll
	s.Show(10, 3, strings.Fields("a b c d e f g"))
	for _, c := range []struct{ key, position string }{
		{"up", "lines 1–3 of 7"}, {"down", "lines 2–4 of 7"}, {"pgdown", "lines 4–6 of 7"}, {"space", "lines 5–7 of 7"},
		{"pgup", "lines 3–5 of 7"}, {"home", "lines 1–3 of 7"}, {"end", "lines 5–7 of 7"},
	} {
		if !s.Update(stroke(c.key)) || s.Position() != c.position {
			t.Errorf("after %s: %s", c.key, s.Position())
		}
	}
	if !s.Overflows() || !s.Keys().Enabled() || s.Update(stroke("x")) || !strings.HasPrefix(s.View(), "e") {
		t.Errorf("the end is drawn as %q", s.View())
	}
	if s.Show(10, 9, []string{"a"}); s.Overflows() || s.Keys().Enabled() || s.Position() != "lines 1–1 of 1" {
		t.Errorf("one line: %s", s.Position())
	}
}

func TestAHeldKeySubmitsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h ui.HeldKey
		clock := &ui.Clock{}
		scope := ui.NewScope(context.Background(), &ui.Work{}, clock, nil)
		after := func(d time.Duration) bool {
			time.Sleep(d)
			clock.Filter(nil, nil)
			return h.Ignores(scope, stroke("enter"), false)
		}
		if after(0) {
			t.Error("the first enter is ignored")
		}
		h.Submitted(scope)
		if !after(40*time.Millisecond) || !after(900*time.Millisecond) || !after(900*time.Millisecond) {
			t.Error("a key that is held submits again")
		}
		if h.Ignores(scope, stroke("enter"), true) {
			t.Error("a key is ignored while nothing can be submitted")
		}
		if after(time.Second) || after(0) {
			t.Error("a key that was released is ignored")
		}
		h.Submitted(scope)
		if h.Ignores(scope, stroke("x"), false) || after(0) {
			t.Error("another key does not release the first")
		}
	})
}

func TestReasonsGoToWhatTheyNameFirst(t *testing.T) {
	named := []ui.Named[string]{
		{Names: "lastname|last name", Value: "last"}, {Names: "email", Value: "email"}, {Names: "card", Value: "card"},
	}
	var placed []string
	rest := ui.PlaceReasons([]string{"The Last Name and the email are odd", "Email is missing", "No card today", "Nothing", "At all"}, named,
		func(what, _ string) bool {
			placed = append(placed, what)
			return what != "card"
		})
	if diff := cmp.Diff([]string{"card", "email", "last"}, placed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"No card today", "Nothing", "At all"}, rest); diff != "" {
		t.Error(diff)
	}
}

func TestTheSelectedRowIsOneThatIsThere(t *testing.T) {
	table := tableOf(3)
	table.Select(2)
	if row, ok := ui.Selected(table, []string{"a", "b", "c"}); !ok || row != "c" || table.Len() != 3 {
		t.Errorf("%q is selected of %d", row, table.Len())
	}
	if _, ok := ui.Selected(table, []string{"a"}); ok {
		t.Error("a row that is not there is selected")
	}
}

func TestMarkedLinesStandUnderTheFirstAndErrorsAreAllMarked(t *testing.T) {
	theme := ui.NewTheme(false).HighContrast()
	plain := func(lines []string) []string {
		for i, l := range lines {
			lines[i] = strings.TrimSpace(ansi.Strip(l))
		}
		return lines
	}
	if diff := cmp.Diff([]string{"▲ one two", "three"}, plain(theme.MarkLines(ui.ToneAct, "one two three", 10))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"! one two", "! three"}, plain(theme.ErrorLines("one two three", 10))); diff != "" {
		t.Error(diff)
	}
	if got := theme.MarkLines(ui.ToneNone, "one two three", 10); got[1] != "three" {
		t.Errorf("without a mark the second line is %q", got[1])
	}
}

func TestAPartBelowLinesKeepsItsCursorOrLosesIt(t *testing.T) {
	b := ui.Body{}
	b.Resize(10, 3)
	part := func(_, h int) (string, *tea.Cursor) { return strings.Repeat("x\n", h), tea.NewCursor(4, 1) }
	if _, cursor := b.Under([]string{"one"}, part); cursor == nil || cursor.Y != 2 {
		t.Errorf("the cursor is at %v", cursor)
	}
	if body, cursor := b.Under([]string{"one", "two"}, part); cursor != nil || strings.Count(body, "\n") != 2 {
		t.Errorf("%q with the cursor at %v", body, cursor)
	}
}

func tableOf(n int) *ui.Table {
	t := ui.NewTable(ui.NewTheme(false), ui.Column{Title: "Row", Width: 5})
	t.Resize(40, 5)
	t.SetRows(n, func(int) []ui.Cell { return []ui.Cell{{Text: "x"}} })
	return t
}
