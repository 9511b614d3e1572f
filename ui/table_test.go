package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

var payments = []Column{
	{Title: "Reference", Width: 10},
	{Title: "Amount", Width: 9, Right: true},
	{Title: "Status", Width: 12, Grow: true},
	{Title: "Name", Width: 8, Drop: 1},
	{Title: "Note", Width: 8, Drop: 2},
}

func payment(i int) []Cell {
	tone, word := ToneGood, "SUCCESSFUL"
	if i%3 == 1 {
		tone, word = ToneBad, "FAILED"
	}
	return []Cell{{Text: fmt.Sprintf("pay-%04d", i)}, {Text: fmt.Sprintf("%d.50", i)}, {word, tone}, {Text: "Zoë"}, {Text: "two\nlines"}}
}

func newTable(n, w, h int) *Table {
	t := NewTable(NewTheme(false), payments...)
	t.Resize(w, h)
	t.SetRows(n, payment)
	return t
}

func press(t *Table, names ...string) {
	codes := map[string]rune{"up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd}
	for _, name := range names {
		k := tea.KeyPressMsg{Code: rune(name[0]), Text: name}
		if code, ok := codes[name]; ok {
			k = tea.KeyPressMsg{Code: code}
		}
		if !t.Update(k) {
			panic(name + " is not a key of the table")
		}
	}
}

func TestATableNeverExceedsItsSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := NewTable(NewTheme(false), payments...)
		n, w, h := 0, 0, 0
		t.Repeat(map[string]func(*rapid.T){
			"rows": func(t *rapid.T) {
				n = rapid.IntRange(0, 40).Draw(t, "n")
				table.SetRows(n, payment)
			},
			"resize": func(t *rapid.T) {
				w, h = rapid.IntRange(-1, 90).Draw(t, "w"), rapid.IntRange(-1, 30).Draw(t, "h")
				table.Resize(w, h)
			},
			"key": func(t *rapid.T) {
				press(table, rapid.SampledFrom([]string{"up", "down", "pgup", "pgdown", "home", "end", "k", "j", "g", "G"}).Draw(t, "key"))
			},
			"select": func(t *rapid.T) { table.Select(rapid.IntRange(-9, 99).Draw(t, "row")) },
			"groups": func(t *rapid.T) {
				every := rapid.IntRange(1, 9).Draw(t, "every")
				table.Grouped(func(i int) (string, string) { return fmt.Sprint("Day ", i/every), fmt.Sprint(every) }, func(i int) bool { return i%every > 0 })
			},
			"whole": func(t *rapid.T) {
				table.Within(rapid.IntRange(-9, 999).Draw(t, "whole"))
			},
			"": func(t *rapid.T) {
				if sel := table.Selected(); (n == 0) != (sel == -1) || sel >= n {
					t.Fatalf("row %d of %d is selected", sel, n)
				}
				if w > 1 && h > 1 && n > 0 && !strings.Contains(table.View(), "▌") {
					t.Fatalf("row %d of %d is not visible:\n%s", table.Selected(), n, table.View())
				}
				fits(t, table.View(), w, h)
				if lines := strings.Count(table.View(), "\n") + 1; w > 0 && h > 0 && lines != h {
					t.Fatalf("%d lines, not %d", lines, h)
				}
			},
		})
	})
}

// A wider table shows whatever a narrower one does, and each column at least as wide.
func TestAWiderTableNeverShowsLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Column {
			return Column{
				Width: rapid.IntRange(0, 20).Draw(t, "width"), Full: rapid.IntRange(0, 40).Draw(t, "full"),
				Grow: rapid.Bool().Draw(t, "grow"), Drop: rapid.IntRange(0, 3).Draw(t, "drop"),
			}
		}), 1, 6).Draw(t, "columns")
		table := NewTable(NewTheme(false), columns...)
		widths := map[int]int{}
		for w := range 200 {
			table.Resize(w, 9)
			now, added := map[int]int{}, false
			for _, c := range table.shown {
				now[c.index] = c.Width
				_, was := widths[c.index]
				added = added || !was && c.Drop > 0
			}
			for index, before := range widths {
				if now[index] < before {
					t.Fatalf("at %d cells column %d has %d, and %d with one less", w, index, now[index], before)
				}
			}
			for _, c := range table.shown {
				if added && c.Width < c.full() {
					t.Fatalf("at %d cells a column was added while column %d has %d of %d", w, c.index, c.Width, c.full())
				}
			}
			widths = now
		}
	})
}
