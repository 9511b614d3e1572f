package ui

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// themes returns every theme.
func themes() map[string]*Theme {
	return map[string]*Theme{
		"usual": NewTheme(false), "ASCII": NewTheme(true), "light": NewTheme(false).On(Light), "dark": NewTheme(false).On(Dark),
		"high contrast": NewTheme(false).HighContrast(), "high contrast on light": NewTheme(true).On(Light).HighContrast(),
	}
}

// bare returns a drawing without colours and styles.
func bare(t *Theme, s string) string { return ansi.Strip(t.Text(s)) }

func TestTheFocusIsVisibleWithoutColours(t *testing.T) {
	for name, theme := range themes() {
		form := NewForm(theme, NewTextField(theme, "Name", ""), NewPANField(theme, "Card", ""), NewChoiceField(theme, "Paid", "", "once", "often"))
		table := NewTable(theme, Column{Title: "Name", Width: 10})
		table.SetRows(3, func(int) []Cell { return []Cell{{Text: "same"}} })
		table.Resize(40, 10)
		confirm := NewConfirm(theme, Question{Title: "Charge?", Yes: "Charge", No: "Go back"})
		confirm.Init(NewScope(t.Context(), &Work{}, &Clock{}, nil))
		confirm.armed = true
		for what, w := range map[string]struct {
			key  rune
			n    int
			draw func() string
			send func(tea.KeyPressMsg)
		}{
			"a field":   {tea.KeyTab, 3, func() string { s, _ := form.View(60, 20); return s }, func(k tea.KeyPressMsg) { form.Update(k) }},
			"a row":     {tea.KeyDown, 3, table.View, func(k tea.KeyPressMsg) { table.Update(k) }},
			"an answer": {tea.KeyRight, 2, func() string { s, _ := confirm.View(60, 20); return s }, func(k tea.KeyPressMsg) { confirm.Update(k) }},
		} {
			seen := map[string]bool{}
			for range w.n {
				seen[regexp.MustCompile(`(?m) +$`).ReplaceAllString(bare(theme, w.draw()), "")] = true
				w.send(tea.KeyPressMsg{Code: w.key})
			}
			if len(seen) != w.n {
				t.Errorf("%s: %s in focus looks like another: %v", name, what, seen)
			}
		}
	}
}

func TestHighContrastHasNothingFaintAndNoColour(t *testing.T) {
	codes := regexp.MustCompile(`\x1b\[([0-9;]*)m`)
	for _, theme := range []*Theme{NewTheme(false).HighContrast(), NewTheme(false).On(Dark).HighContrast()} {
		drawn := theme.Muted.Render("m") + theme.Strong.Render("s") + theme.Accent.Render("a") + theme.Label.Render("l") + theme.Error.Render("e")
		for tone := range toneGlyphs {
			drawn += theme.Mark(Tone(tone), "w")
		}
		for _, m := range codes.FindAllStringSubmatch(drawn, -1) {
			for code := range strings.SplitSeq(m[1], ";") {
				if code != "" && code != "1" && code != "4" {
					t.Errorf("%q sets %s", m[0], code)
				}
			}
		}
		if theme.Accent.Render("x") == theme.Strong.Render("x") || theme.Muted.Render("x") != "x" {
			t.Error("the accent does not differ from bold text, or muted text has a style")
		}
	}
}
