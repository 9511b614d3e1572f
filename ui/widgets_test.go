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
	"github.com/google/go-cmp/cmp"

	"paydesk/ui"
)

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

func TestASearchTakesTextAndLeavesTheArrowsToTheTable(t *testing.T) {
	f, table := ui.NewSearch(ui.NewTheme(false), "Search", "anything"), tableOf(5)
	if lines, _ := f.View([]string{"head"}, 40, 9); f.Active() || len(lines) != 1 {
		t.Errorf("an empty search is drawn as %q", lines)
	}
	f.Typing = true
	if !f.Update(stroke("x"), table) || f.Update(stroke("down"), table) || table.Selected() != 1 {
		t.Errorf("the search is %q, row %d is selected", f.Value(), table.Selected())
	}
	lines, cursor := f.View([]string{"head"}, 40, 9)
	if len(lines) != 3 || cursor == nil || cursor.Y != 1 || len(f.Keys()) != 3 {
		t.Errorf("the typed search is %q with the cursor at %v", lines, cursor)
	}
	if f.Update(stroke("enter"), table) || f.Typing || !f.Active() {
		t.Error("enter does not keep the search")
	}
	if lines, _ = f.View(nil, 40, 9); len(lines) != 1 || !strings.HasSuffix(lines[0], "x") {
		t.Errorf("the kept search is %q", lines)
	}
	if f.Clear(); f.Active() {
		t.Error("the search is not cleared")
	}
}
