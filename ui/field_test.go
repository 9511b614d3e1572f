package ui_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

func TestTextIsEditedAtTheCursor(t *testing.T) {
	for _, tt := range []struct {
		name string
		msgs []tea.Msg
		want string
		x    int
	}{
		{"as in a shell", append(typed("da"), keys("ctrl+a", "A", "ctrl+e", "!")...), "Ada!", 4},
		{"backspace and delete", append(typed("Axdya"), keys("left", "backspace", "home", "right", "delete")...), "Ada", 1},
		{"a word", append(typed("one two  "), keys("ctrl+w")...), "one", 4},
		{"wide characters", append(typed("漢字"), keys("left")...), "漢字", 2},
		{"an accent of its own goes with its letter", append(typed("e\u0301a"), keys("left", "backspace")...), "a", 0},
		{"a paste", []tea.Msg{paste("Ada"), paste(" Obi\r\n")}, "Ada Obi", 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := ui.NewTextField(theme, "Name", "")
			f.Focus()
			enter(f, tt.msgs...)
			if _, x := f.View(40); f.Value() != tt.want || x != tt.x || refused(f) != "" {
				t.Errorf("%q with the cursor at %d, refused %q", f.Value(), x, refused(f))
			}
		})
	}
}

func TestInvisibleOrTooLongInputIsRefusedWhole(t *testing.T) {
	for name, tt := range map[string]struct {
		msg  tea.Msg
		says string
	}{
		"too long":             {paste("12345678901"), "Too long: at most 12 characters"},
		"two lines":            {paste("a\nb"), "More than one line"},
		"an escape":            {paste("\x1b[2J"), "U+001B"},
		"a bidi override":      {paste("a\u202eb"), "U+202E"},
		"a variation selector": {paste("a\ufe0f"), "U+FE0F"},
		"bytes":                {paste("a\xffb"), "Not text"},
		"a heap of accents":    {paste("a" + strings.Repeat("\u0301", 5)), "Too many accents"},
	} {
		t.Run(name, func(t *testing.T) {
			f := ui.NewTextField(theme, "Name", "As on the card", ui.Limit(12))
			form := ui.NewForm(theme, f)
			send(form, typed("Ada")...)
			send(form, tt.msg)
			if f.Value() != "Ada" {
				t.Errorf("the value is %q", f.Value())
			}
			sees(t, shown(form, 78, 5), "! ", tt.says)
			send(form, stroke("x"))
			sees(t, shown(form, 78, 5), "As on the card", "Adax")
		})
	}
}

func TestAMaskedTextIsDotsEverywhere(t *testing.T) {
	f := ui.NewTextField(theme, "Secret key", "", ui.Masked(), ui.Required())
	f.Focus()
	enter(f, paste("sk_test_EXAMPLE\n"))
	if got := value(f); got != strings.Repeat("•", 15) {
		t.Errorf("it shows %q", got)
	}
	printsNone(t, f, "sk_test", "115 107 95") // "sk_" as numbers
	if f.Value() != "sk_test_EXAMPLE" {
		t.Error("the value differs")
	}
	f.Wipe()
	if !f.Empty() || value(f) != "" || f.Check() == "" {
		t.Error("it was not wiped")
	}
}

// printsNone fails when any way of printing v shows one of words.
func printsNone(t *testing.T, v any, words ...string) {
	t.Helper()
	for _, s := range printed(v) {
		lacks(t, s, words...)
	}
}

// printed returns v as fmt, encoding/json and log/slog print it.
func printed(v any) []string {
	j, _ := json.Marshal(v)
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("here", "v", v)
	slog.New(slog.NewTextHandler(&log, nil)).Info("here", "v", v)
	return []string{fmt.Sprintf("%v %+v %#v %s %q %x %d", v, v, v, v, v, v, v), fmt.Sprint(&v, []any{v}), string(j), log.String()}
}

// A letter that a terminal sends together with an invisible character is not left out in silence.
func TestWhatIsLeftOutStaysSaid(t *testing.T) {
	f := ui.NewTextField(theme, "Name", "")
	enter(f, stroke("\u202e"))
	sees(t, f.InputError(), "U+202E")
	enter(f, keys("backspace")...)
	enter(f, tea.KeyPressMsg{Code: tea.KeyExtended, Text: "a\u200c"}, stroke("b"), stroke("c"))
	if want := "Invisible character U+200C: not taken. Delete what is wrong"; f.Value() != "bc" || f.InputError() != want || f.Check() != want {
		t.Errorf("%q: %q, %q", f.Value(), f.InputError(), f.Check())
	}
	if enter(f, keys("backspace", "d")...); f.Value() != "bd" || f.InputError() != "" || f.Check() != "" {
		t.Errorf("%q: %q, %q", f.Value(), f.InputError(), f.Check())
	}
}

func TestAJoinerWithoutItsLetterIsNotSent(t *testing.T) {
	f := ui.NewTextField(theme, "Name", "")
	if enter(f, typed("علی\u200c")...); f.InputError() != "" || f.Check() != "Invisible character U+200C: delete it and the letter before it" {
		t.Errorf("%q: %q, %q", f.Value(), f.InputError(), f.Check())
	}
	if enter(f, typed("رضا")...); f.Value() != "علی\u200cرضا" || f.Check() != "" {
		t.Errorf("%q: %q", f.Value(), f.Check())
	}
}
