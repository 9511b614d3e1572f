package ui

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
	"rsc.io/qr"
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
	return []Cell{{Text: fmt.Sprintf("pay-%04d", i)}, {Text: fmt.Sprintf("%d.50", i)}, {Text: word, Tone: tone}, {Text: "Zoë"}, {Text: "two\nlines"}}
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

// bin is a bin with whole pounds for its bounds.
func bin(from, to string, n int) Bin {
	return Bin{Label: from + " – " + to, Short: from, Count: strconv.Itoa(n), N: n}
}

// Whatever is counted and however wide it is, no bound and no number is cut, their right ends are aligned, and a bar is
// there exactly where the number is not 0.
func TestAHistogramNeverCutsANumber(t *testing.T) {
	theme := NewTheme(false)
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(24, 160).Draw(t, "w")
		var bins []Bin
		for range rapid.IntRange(0, 60).Draw(t, "bins") {
			n := rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 3), rapid.IntRange(0, 1_000_000)).Draw(t, "n")
			from := strconv.Itoa(rapid.IntRange(0, 1_000_000_000).Draw(t, "from"))
			bins = append(bins, bin(from, "9"+from, n))
		}
		end := 0
		for _, l := range theme.Histogram(w, bins) {
			l = ansi.Strip(l)
			numbers := strings.TrimRight(l, "█ ")
			if e := ansi.StringWidth(numbers); ansi.StringWidth(l) > w || end > 0 && e != end {
				t.Fatalf("%q of %d cells, whose numbers end at %d and not at %d", l, w, e, end)
			} else {
				end = e
			}
			fields := strings.Fields(numbers)
			some, roomy := fields[len(fields)-1] != "0", w-end >= leastBar+len(binGap)
			if strings.Contains(l, "█") != (some && roomy) {
				t.Fatalf("%q of %d cells", l, w)
			}
		}
	})
}

func texts(lines []string) string {
	for i, l := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n")
}

func TestNoTextLosesALetterInJSON(t *testing.T) {
	letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ {\["]{0,6}[a-z":, {}\-/.0-9\\漢]{0,80}\n?[ ]{0,3}[a-z"]{0,30}[:] ?["]?[a-z0-9 \-]{0,60}"?,?`).Draw(t, "text")
		w := rapid.IntRange(-1, 60).Draw(t, "w")
		lines, _ := NewTheme(false).MarkedJSON(text, w, "a")
		for _, l := range lines {
			if n := ansi.StringWidth(l); w > markWidth && n > w {
				t.Fatalf("%d cells in %d: %q", n, w, l)
			}
		}
		if got := texts(NewTheme(false).JSON(text, w)); w > 1 && letters(got) != letters(text) {
			t.Fatalf("%q is drawn %q in %d", text, got, w)
		}
	})
}

// facts are a pane that fills its room.
func facts(row, w, h int) (lines []string) {
	for n := range h + 3 {
		lines = append(lines, fmt.Sprintf("fact %d of row %d %s", n, row, strings.Repeat("x", w)))
	}
	return lines
}

func TestPanesStayWithinTheirSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		theme := NewTheme(false)
		table := NewTable(theme, payments...)
		panes := NewPanes(theme, table)
		w, h := rapid.IntRange(-1, 260).Draw(t, "w"), rapid.IntRange(-1, 70).Draw(t, "h")
		panes.Below(rapid.IntRange(0, 9).Draw(t, "below"))
		panes.Resize(w, h)
		table.Resize(panes.ListSize())
		table.SetRows(rapid.IntRange(0, 99).Draw(t, "rows"), payment)
		fits(t, panes.View(table.View(), facts), w, h)
		lw, lh := panes.ListSize()
		pw, ph := panes.PaneSize()
		if beside := panes.Beside(); beside && (lw < leastList || lw > mostList || pw < 27 || lw+3+pw != w) || !beside && (lw != max(w, 0) || lh+ph != max(h, 0)) {
			t.Fatalf("a list of %d×%d and a pane of %d×%d in %d×%d", lw, lh, pw, ph, w, h)
		}
		fits(t, strings.Join(theme.Invite("Nothing has been sent from here yet.", Bind("c", "collect a payment"), w, h), "\n"), w, h)
	})
}

// filling is a screen that fills the window.
type filling struct {
	Body
	whole Whole
	fills bool
}

func (f *filling) Update(tea.Msg) tea.Cmd      { return nil }
func (f *filling) View() (string, *tea.Cursor) { return "", nil }
func (f *filling) Title() string               { return "Bank check" }
func (f *filling) Keys() []key.Binding         { return nil }
func (f *filling) Whole() (Whole, bool)        { return f.whole, f.fills }

func codeOf(text string) *filling {
	t := NewTheme(false)
	return &filling{whole: Whole{Code: t.QR(text), Amount: "12.50 GBP", Words: []string{"The customer scans it at bank.example"}}, fills: true}
}

func TestACodeIsDrawnWholeInEveryWindowThatItFills(t *testing.T) {
	f := Frame{Theme: NewTheme(false), Environment: "TEST", Host: "payments.example", Trail: []string{"Bank check"}, Keys: []key.Binding{Back, Help, Quit}}
	s := codeOf(address)
	s.whole.Words = append(s.whole.Words, strings.Repeat("One scan is enough. ", 30)+"Done.")
	for w := range 140 {
		for h := range 50 {
			if w%13 > 0 && h%13 > 0 { // each width, and each height
				continue
			}
			got := f.Fill(w, h, s)
			if short := s.whole.TooSmall(w-bodyMargins, h-chromeLines); (got == "") != (short != "" || TooSmall(w, h)) {
				t.Fatalf("in %d×%d it is drawn: %v, but it says %q", w, h, got != "", short)
			}
			if got == "" {
				continue
			}
			lines := strings.Split(got, "\n")
			if all := strings.Contains(got, "Done."); len(lines) != h || all == strings.Contains(got, "…") || !strings.Contains(got, "12.50 GBP") {
				t.Fatalf("%d×%d has %d lines, to the end: %v", w, h, len(lines), all)
			}
			code, _ := s.whole.Code.Within(w-wholeBeside-bodyMargins, h)
			for y, l := range lines {
				if width(l) > w || y < len(code) && !strings.HasPrefix(l, code[y]) {
					t.Fatalf("in %d×%d line %d is %q", w, h, y, ansi.Strip(l))
				}
			}
		}
	}
}

const address = "https://pay.example/collect/3f6e1c1a-8f8d-4a0e-9d8e-0c6a2a7d41f0?r=1x" // 69 bytes

// modules reads the light modules of a drawing from its half blocks.
func modules(t *testing.T, lines []string) [][]bool {
	t.Helper()
	var light [][]bool
	for _, line := range lines {
		var upper, lower []bool
		for _, r := range ansi.Strip(line) {
			if !strings.ContainsRune("█▀▄ ", r) {
				t.Fatalf("%q is not a half block", r)
			}
			upper = append(upper, r == '█' || r == '▀')
			lower = append(lower, r == '█' || r == '▄')
		}
		light = append(light, upper, lower)
	}
	return light
}

// draws fails where a drawing with a border, in modules, is not that of a text. Each module has a number of cells.
func draws(t *testing.T, lines []string, text string, across, down, cells int) {
	t.Helper()
	code := mustEncode(t, text)
	for y, line := range modules(t, lines) {
		for x, light := range line {
			if light == code.Black(x/cells-across, y/cells-down) {
				t.Fatalf("module %d,%d of %q has the wrong colour", x, y, text)
			}
		}
	}
}

func TestAQRCodeIsDrawnModuleByModule(t *testing.T) {
	for _, text := range []string{"a", address, strings.Repeat("x", 300)} {
		side := mustEncode(t, text).Size + 2*quietZone
		for _, each := range []int{1, 2} {
			lines, w := NewTheme(false).QR(text).Beside(each*side, (each*side+1)/2)
			draws(t, lines, text, quietZone, quietZone, each)
			if w != each*side || len(lines) != (each*side+1)/2 {
				t.Errorf("the code is %d×%d, not %d wide", w, len(lines), each*side)
			}
		}
	}
}

func TestATextTooLongOrInASCIIHasNoQRCode(t *testing.T) {
	long := strings.Repeat("x", 3_000)
	for _, none := range []struct {
		theme *Theme
		text  string
	}{{NewTheme(false), long}, {NewTheme(false), ""}, {NewTheme(true), address}} {
		if lines, w := none.theme.QR(none.text).Beside(999, 999); lines != nil || w != 0 || none.theme.QR(none.text).ASCII() != nil {
			t.Errorf("%d bytes have a code of %d×%d", len(none.text), w, len(lines))
		}
	}
}

// At 80×24 the URLs of the demo's bank, of 137 bytes, need every line of the window.
func TestACodeInTheWholeWindowHasAsMuchBorderAsThereIsRoomFor(t *testing.T) {
	long := address + address[:68]
	for _, c := range []struct{ w, h, width, lines int }{
		{80, 24, 45 + 8, 24}, {47, 24, 47, 24}, {48, 24, 47, 24}, {46, 24, 0, 0}, {80, 23, 0, 0}, {200, 60, 106, 53}, {0, 0, 0, 0}, {-3, -1, 0, 0},
	} {
		lines, w := NewTheme(false).QR(long).Within(c.w, c.h)
		if w != c.width || len(lines) != c.lines {
			t.Errorf("in %d×%d it takes %d×%d", c.w, c.h, w, len(lines))
		}
		if side := mustEncode(t, long).Size; w > 2*side { // two cells for each module
			draws(t, lines, long, 4, 4, 2)
		} else {
			draws(t, lines, long, (w-side)/2, min((2*c.h-side)/2, 4), 1)
		}
	}
	if w, h := NewTheme(false).QR(long).Least(); w != 47 || h != 24 {
		t.Errorf("it needs %d×%d", w, h)
	}
}

func mustEncode(t *testing.T, text string) *qr.Code {
	t.Helper()
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestAQRCodeInASCIIHasTwoCharactersForEachModule(t *testing.T) {
	code := mustEncode(t, address)
	lines := NewTheme(false).QR(address).ASCII()
	if side := code.Size + 2*quietZone; len(lines) != side {
		t.Fatalf("%d lines, not %d", len(lines), side)
	}
	for y, line := range lines {
		plain := ansi.Strip(line)
		for x := range len(lines) {
			want := "##"
			if code.Black(x-quietZone, y-quietZone) {
				want = "  "
			}
			if got := plain[2*x : 2*x+2]; got != want {
				t.Fatalf("module %d,%d is %q", x, y, got)
			}
		}
	}
	if !strings.HasPrefix(lines[0], "\x1b[38;5;253;48;5;253m##") {
		t.Errorf("a light square is %q", lines[0][:24])
	}
}
