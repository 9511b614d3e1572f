package ui

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// A Search is the text by which a list is searched, typed on a line above its table.
type Search struct {
	Typing bool
	theme  *Theme
	field  *TextField

	read    func(text string) Reading // of a query; nil for plain text
	reading Reading
}

// NewSearch makes an empty search; help says what its text is looked for in.
func NewSearch(t *Theme, label, help string) *Search { return NewQuery(t, label, help, nil) }

// A mover takes the movement keys: a [Table] or a [Scroll].
type mover interface{ Update(tea.Msg) bool }

// Value is the text.
func (f *Search) Value() string { return f.field.Value() }

// Problem returns what is wrong with the text; "" when nothing is.
func (f *Search) Problem() string {
	if wrong := f.field.Check(); wrong != "" || len(f.reading.Problems) == 0 {
		return wrong
	}
	return f.reading.Problems[0].Text
}

// Active reports whether the search is typed or hides anything.
func (f *Search) Active() bool { return f.Typing || !f.field.Empty() }

// Clear removes the text.
func (f *Search) Clear() {
	f.Typing = false
	f.Set("")
}

// Set replaces the text.
func (f *Search) Set(text string) {
	f.field.SetValue(text)
	f.reread()
}

var (
	// KeepSearch ends the typing of a search, unless something is wrong with its text.
	KeepSearch = Bind("enter", "keep search")
	searchMove = Bind("↑/↓", "move", "up", "down", "pgup", "pgdown")
)

// ClearSearch goes back in a list while a search hides anything, before the list is left.
var ClearSearch = Bind("esc", "clear")

// Keys are the bindings while the search is typed.
func (f *Search) Keys() []key.Binding { return []key.Binding{KeepSearch, ClearSearch, searchMove} }

// Arrange adds the key that clears a search to those of its list while there is something to clear.
func (f *Search) Arrange(keys []key.Binding) []key.Binding {
	if f.Active() {
		keys = append(keys, ClearSearch)
	}
	return keys
}

// Update handles input while the search is typed, and reports whether its text changed. Enter
// ends the typing, unless something is wrong with the text; the arrows move in what is searched.
func (f *Search) Update(msg tea.Msg, searched mover) (changed bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.Matches(k, KeepSearch):
			if f.Typing = f.Problem() != ""; f.Typing { // a card number was removed, or a query is wrong
				f.cursorToProblem()
			}
			f.field.Focus() // a paste then begins another search
			return false
		case key.Matches(k, searchMove):
			searched.Update(k)
			return false
		}
	}
	before := f.Value()
	f.field.Update(msg)
	f.reread()
	return f.Value() != before
}

// View adds the search to the lines above a table: as a box while it is typed, in one line while
// it hides anything, in none otherwise.
func (f *Search) View(lines []string, w, h int) ([]string, *tea.Cursor) {
	switch {
	case f.Typing:
		return f.box(lines, w, h)
	case f.Active():
		lines = append(lines, f.theme.Muted.Render("Search ")+f.Value())
	}
	return lines, nil
}

// A Reading explains a typed query: words for each of its terms, and for what is wrong.
type Reading struct{ Terms, Problems []Remark }

// A Remark is words about the part of a text from the byte Start to the one before End.
type Remark struct {
	Start, End int
	Text       string
}

const (
	searchLimit = 200 // characters
	// searchLines counts the lines of a search that is typed: the line of its text, and the words under it. They stay
	// while it is typed, so that no row of the list moves.
	searchLines = 3
)

// NewQuery makes an empty search whose text is a query. Its [Search.Hint] is what read says that each of its terms means, or what is
// wrong, which is in reverse video in the text. read is called with every change of the text, on the event loop: it may only parse.
func NewQuery(t *Theme, label, help string, read func(text string) Reading) *Search {
	f := NewTextField(t, label, help, Limit(searchLimit))
	f.Focus()
	return &Search{theme: t, field: f, read: read}
}

// reread reads the text again, with its surrounding blanks: the cursor stands in them.
func (f *Search) reread() {
	if f.read != nil {
		f.reading = f.read(string(f.field.line().text))
	}
}

// cursorToProblem moves the cursor behind the first thing that is wrong, where backspace deletes it.
func (f *Search) cursorToProblem() {
	l := f.field.line()
	if len(f.reading.Problems) > 0 {
		l.pos = l.boundaryFrom(runesBefore(string(l.text), f.reading.Problems[0].End))
	}
}

// runesBefore returns how many runes of a text are before a byte.
func runesBefore(s string, at int) int { return utf8.RuneCountInString(s[:min(max(at, 0), len(s))]) }

// box draws the search while it is typed, under other lines within w×h cells. The words about a query stand where its list says.
func (f *Search) box(lines []string, w, h int) ([]string, *tea.Cursor) {
	n := min(searchLines, h-len(lines))
	if f.read != nil {
		n = min(n, 1)
	}
	if n < 1 || w < 1 {
		return lines, nil
	}
	t, l := f.theme, f.field.line()
	label, _ := columns(w)
	label = min(label, width(f.field.Label())+1)
	indent := markWidth + label
	room := max(w-indent-1, 0)
	text, x := l.view(room, true)
	line := t.Accent.Render(focusMark) + " " + t.Strong.Render(Fit(f.field.Label(), label-1)) + blanks(min(label, 1)) + f.marked(Fit(text, room), room)
	box := make([]string, n)
	box[0] = cut(line, w)
	copy(box[1:], f.hintLines(w, n-1))
	at := len(lines)
	if lines = append(lines, box...); x < 0 || indent+x >= w {
		return lines, nil
	}
	return lines, steady(indent+x, at)
}

// marked is the visible text, of room cells, with the part that a problem concerns in reverse video.
func (f *Search) marked(visible string, room int) string {
	plain := f.theme.Plain.Underline(true).Inline(true)
	if len(f.reading.Problems) == 0 || f.field.InputError() != "" {
		return plain.Render(visible)
	}
	p, l := f.problemHere(), f.field.line()
	text, first := string(l.text), l.scrolled(room)
	from := min(max(l.cells(runesBefore(text, p.Start))-first, 0), max(room-1, 0))
	to := min(max(l.cells(runesBefore(text, p.End))-first, from+1), room)
	before := ansi.Truncate(visible, from, "")
	wrong := ansi.Truncate(ansi.TruncateLeft(visible, from, ""), to-from, "")
	return plain.Render(before) + f.theme.Error.Reverse(true).Inline(true).Render(wrong) + plain.Render(ansi.TruncateLeft(visible, to, ""))
}

// Hint says behind a number of rows, on a line of w cells, what the query that is typed means. What is wrong with it is in place of
// their number, since it has not found them; and what could be typed, as long as nothing is.
func (f *Search) Hint(count string, w int) string {
	room := w
	if wrong := f.Problem() != ""; wrong || f.Value() == "" {
		count = ""
	} else {
		count = strings.TrimRight(count, " ") + f.theme.Muted.Render(termGap)
		room -= width(count)
	}
	return Fit(count+strings.TrimLeft(strings.Join(f.hintLines(room, 1), ""), " "), w)
}

// hintLines returns the words about the text, in at most n lines of w cells.
func (f *Search) hintLines(w, n int) []string {
	words := w - markWidth - 1
	switch wrong := f.field.InputError(); {
	case wrong != "": // a key that was not taken
		return f.theme.footError(wrong, words, n)
	case len(f.reading.Problems) > 0:
		return f.theme.footError(f.problemHere().Text, words, n)
	case f.field.Empty():
		return f.theme.Muted.hanging(markWidth, "", wrapIn(f.field.Help(), words, n))
	}
	return f.theme.Muted.hanging(markWidth, "", f.meanings(words, n))
}

// problemHere is the problem that the cursor is in or right behind, or the first.
func (f *Search) problemHere() Remark {
	l := f.field.line()
	text := string(l.text)
	for _, p := range f.reading.Problems {
		if from, to := runesBefore(text, p.Start), runesBefore(text, p.End); from <= l.pos && l.pos <= to {
			return p
		}
	}
	return f.reading.Problems[0]
}

// meanings are the words of the terms on at most n lines of w cells. Where not all have room, those before the term at the
// cursor give way, and then those behind it.
func (f *Search) meanings(w, n int) []string {
	if n < 1 {
		return nil
	}
	terms, here, from := f.reading.Terms, 0, 0
	l := f.field.line()
	at := len(string(l.text[:l.pos]))
	for i, term := range terms {
		if term.Start < at {
			here = i
		}
	}
	drawn := func(to int) []string {
		if from == 0 {
			return byTerm(terms[:to], w)
		}
		lines := byTerm(append([]Remark{{Text: "…"}}, terms[from:to]...), w)
		if lines[0] == "…" { // alone it is not worth a line
			return lines[1:]
		}
		return lines
	}
	for from < here && len(drawn(here+1)) > n {
		from++
	}
	lines := drawn(len(terms))
	if len(lines) > n {
		lines = lines[:n]
		lines[n-1] = cut(lines[n-1]+termGap+"…", w)
	}
	return lines
}

const termGap = " · " // between two terms

// byTerm puts the words of terms on lines of at most w cells, broken between terms.
func byTerm(terms []Remark, w int) (lines []string) {
	for _, term := range terms {
		if last := len(lines) - 1; last >= 0 && width(lines[last]+termGap+term.Text) <= w {
			lines[last] += termGap + term.Text
		} else {
			lines = append(lines, cut(term.Text, w))
		}
	}
	return lines
}
