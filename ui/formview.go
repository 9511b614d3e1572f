package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

const (
	labelWidth = 16 // as in the facts below a form, which line up with its values
	boxWidth   = 64 // of an input at most, however wide the form
	leastBox   = 8
	signWidth  = 3 // two blanks, and a sign
	footText   = 3 // lines of help or of an error
	lowForm    = 8 // lines from which two of them are worth a field
)

// required ends the note of the foot, and the label of a field that must not be empty.
const required = "*"

// A formLayout divides the height of a form between its fields and, below a gap, its foot: a rule, and the
// text about the field in focus. Below a rule the text has its lines whether it fills them or not, so that no line moves
// with the focus.
type formLayout struct {
	rows, gap, text int
	rule            bool
}

// layout divides h lines. A form of one field has no rule, because it would repeat the label.
func (f *Form) layout(h int) formLayout {
	n := len(f.fields)
	switch {
	case n < 2:
		return formLayout{rows: min(n, h), text: max(min(h-n, maxErrorLines), 0)}
	case h < 4:
		return formLayout{rows: max(h-1, 1), text: min(h-1, 1)}
	}
	least := 2
	if h >= lowForm {
		least = 3
	}
	foot := min(max(h-n, least), 1+footText)
	l := formLayout{rows: min(n, h-foot), text: foot - 1, rule: true}
	l.gap = min(h-l.rows-foot, 1)
	return l
}

// Height is the lines that a form takes where there are enough.
func (f *Form) Height() int {
	if n := len(f.fields); n > 1 {
		return n + 1 + 1 + footText
	}
	return len(f.fields) + maxErrorLines
}

// View draws the form in at most w×h cells, scrolled to the focused field. An arrow at the right
// edge shows where there is more above or below.
func (f *Form) View(w, h int) (string, *tea.Cursor) {
	if w < 1 || h < 1 {
		return "", nil
	}
	l := f.layout(h)
	lines := make([]string, 0, h)
	var cursor *tea.Cursor
	from := f.first(l.rows)
	for i := from; i < min(from+l.rows, len(f.fields)); i++ {
		line, x := f.drawField(i, w)
		if x >= 0 && x < w {
			cursor = steady(x, len(lines))
		}
		lines = append(lines, line)
	}
	more := func(y int, arrow string) { lines[y] = Fit(lines[y], w-1) + f.theme.Muted.Render(arrow) }
	if from > 0 && len(lines) > 0 {
		more(0, "↑")
	}
	if from+l.rows < len(f.fields) {
		more(len(lines)-1, "↓")
	}
	lines = append(lines, make([]string, l.gap)...)
	return Lines(w, h, append(lines, f.foot(w, l)...)...), cursor
}

// steady returns a cursor that does not blink.
func steady(x, y int) *tea.Cursor {
	c := tea.NewCursor(x, y)
	c.Blink = false
	return c
}

// first is the first visible field of n, with the focused one near the middle.
func (f *Form) first(n int) int { return max(min(f.current-n/2, len(f.fields)-n), 0) }

// foot is the text about the focused field: what is wrong with it, and what to type.
func (f *Form) foot(w int, l formLayout) []string {
	if f.current < 0 {
		return nil
	}
	s := f.fields[f.current]
	said := f.theme.footError(s.message(), w-markWidth, l.text)
	help := f.theme.Muted.hanging(markWidth, "", wrapIn(s.Help(), w-markWidth, l.text-len(said)))
	switch {
	case l.rule:
		rest := make([]string, max(l.text-len(said)-len(help), 0))
		return slices.Concat([]string{f.theme.Rule(s.Label(), f.legend(), w)}, said, help, rest)
	case len(said) > 0: // in place of the help
		return said
	}
	return help
}

// footError words an error below a field, in at most n lines of w cells and a margin.
func (t *Theme) footError(words string, w, n int) []string {
	return t.Error.hanging(markWidth, "! ", wrapIn(words, w-2, n))
}

// legend says what the mark of the focused field's label means, where it has one.
func (f *Form) legend() string {
	if f.fields[f.current].Required() {
		return required + " required"
	}
	return ""
}

// wrapIn wraps text in at most n lines of at most w cells; what does not fit in the last is cut.
func wrapIn(text string, w, n int) []string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" || n < 1 || w < 1 {
		return nil
	}
	lines := Wrap(text, w)
	if len(lines) > n {
		lines = append(lines[:n-1], cut(strings.Join(lines[n-1:], " "), w))
	}
	return lines
}

// maxErrorLines limits the lines of the text under a field that is alone.
const maxErrorLines = 2

// columns returns the widths of the label, with the blank after it, and of what follows it. The last two
// cells are a blank and the arrow.
func columns(w int) (label, room int) {
	label = min(labelWidth, w/3)
	return label, max(w-markWidth-label-2, 0)
}

// drawField draws a mark, the label, the input, and beside it what is to be said of its value. The mark
// shows the focus without colour, the underline where the input is.
func (f *Form) drawField(i, w int) (string, int) {
	s, focused := f.fields[i], i == f.current
	label, room := columns(w)
	name, mark, style := s.Label(), blanks(markWidth), f.theme.Plain
	if s.Required() && len(f.fields) > 1 {
		name += " " + required
	}
	if focused {
		mark, style = f.theme.Accent.Render(focusMark)+" ", f.theme.Strong
	}
	line := mark + style.Render(Fit(name, label-1)) + blanks(min(label, 1))
	value, x := f.drawValue(s, focused, room)
	if x >= 0 {
		x += markWidth + label
	}
	return line + value, x
}

// drawValue draws an input and what stands beside it in room cells, and in a column that all fields have in common
// whether the value is valid.
func (f *Form) drawValue(s *fieldState, focused bool, room int) (string, int) {
	words, style, valid := f.beside(s, focused)
	widest, sign := min(s.Width(), boxWidth), signWidth
	if !s.Typing() {
		sign = 0 // a choice is always valid
	}
	box := min(widest, room-sign)
	if box < leastBox { // no room for anything else
		words, valid, box = nil, false, min(widest, room)
	}
	value, x := s.View(box)
	switch {
	case !s.Typing():
		box = width(value) // a choice is as wide as its words
	case !focused && len(words) > 0 && s.message() != "": // what is wrong is read first, and the focus shows the value whole
		box = max(min(box, room-width(words[len(words)-1])-signWidth+1), leastBox)
		value, x = s.View(box)
	}
	line, at := f.input(s, value, box), box+signWidth-1
	if !valid {
		return line + f.place(words, style, at, room), x
	}
	check := min(room, boxWidth+signWidth) - 1
	return Fit(line+f.place(words, style, at, check-1), check) + style.Render(validSign), x
}

// input underlines the whole width of an input, whatever is in it. A choice is no line to type on.
func (f *Form) input(s *fieldState, value string, box int) string {
	if !s.Typing() {
		return value
	}
	return f.theme.Plain.Underline(true).Inline(true).Render(Fit(value, box))
}

// place puts words beside an input, from column at on, in the first of their forms that fits.
func (f *Form) place(words []string, style Style, at, room int) string {
	for _, w := range words {
		if at+width(w) <= room {
			return blanks(signWidth-1) + style.Render(w)
		}
	}
	if len(words) == 0 || room <= at {
		return ""
	}
	return blanks(signWidth-1) + style.Render(cutWords(words[len(words)-1], room-at))
}

// cutWords cuts s behind a word, so that it takes at most w cells.
func cutWords(s string, w int) string {
	if width(s) <= w {
		return s
	}
	if lines := Wrap(s, w-1); len(lines) > 0 && strings.HasPrefix(s, lines[0]+" ") {
		return lines[0] + "…"
	}
	return cut(s, w)
}

// validSign marks a valid value, in no colour: green is for payments that succeeded.
const validSign = "✓"

// beside returns what to say of a value, from the longest words to the shortest, how it is drawn, and whether the value is
// valid. Of the focused field's error the foot has the words.
func (f *Form) beside(s *fieldState, focused bool) (words []string, style Style, valid bool) {
	sign, words := s.State()
	switch message := s.message(); {
	case message != "" && !focused:
		return errorForms(strings.Join(strings.Fields(message), " ")), f.theme.Error, false
	case message != "":
		sign = "!"
	case sign == "" && s.valid() && s.Typing() && len(f.fields) > 1:
		sign = validSign
	}
	switch sign {
	case "":
		return words, f.theme.Muted, false
	case validSign:
		return append(words, ""), f.theme.Plain, true
	}
	return signed(sign, words), f.theme.Error, false
}

// errorForms are an error and, where it has examples or reasons after its first words, those words alone.
func errorForms(message string) []string {
	first := message
	for _, end := range []string{" (", ", ", "; ", ": "} {
		first, _, _ = strings.Cut(first, end)
	}
	if first == message {
		return []string{"! " + message}
	}
	return []string{"! " + message, "! " + first}
}

// signed puts a sign before each form of the words. The last form is the sign alone.
func signed(sign string, words []string) (all []string) {
	for _, w := range words {
		all = append(all, sign+" "+w)
	}
	return append(all, sign)
}

// valid reports whether the value was checked as it is, and nothing is wrong with it.
func (s *fieldState) valid() bool {
	return s.checked && s.checkedAt == s.Edits() && s.invalid == "" && !s.Empty()
}
