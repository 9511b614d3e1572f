package report

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/present"
	"paydesk/ui"
)

const labelWidth = 13 // with a blank after the longest label

// head is the amount with the status, and what that means.
func (r Report) head(t *ui.Theme, w int, on Place) []present.Line {
	if on == InPane {
		return present.Rows(0, append(r.amount(t, w), r.meaning(t, w)...)...)
	}
	lines := present.Rows(0, joined(r.amount(t, w), r.Card, 2, w)...)
	for _, order := range []bool{true, false} { // what to do is read first
		says := slices.DeleteFunc(slices.Clone(r.Says), func(s Words) bool { return s.Order != order })
		lines = append(lines, paragraphs(says, t, w, on)...)
	}
	return lines
}

func paragraphs(all []Words, t *ui.Theme, w int, on Place) (lines []present.Line) {
	for _, s := range all {
		if s.In.has(on) {
			lines = append(lines, present.Paragraph(s.Rank, s.lines(t, w)...)...)
		}
	}
	return lines
}

// amount is the amount, bold, with what is to be said of it and the status as a chip, each on a line of its own where they have
// no room on one. An amount is never cut. A remark takes its place where there is none.
func (r Report) amount(t *ui.Theme, w int) []string {
	var lines []string
	if r.Amount != "" {
		lines = t.StrongLines(r.Amount, max(w, 1))
	}
	if r.Remark != "" {
		if ui.Width(r.Remark) > w { // never cut either: it may be a caveat about money
			lines = append(lines, t.MutedLines(r.Remark, w)...)
		} else {
			lines = joined(lines, t.Muted.Render(r.Remark), 1, w)
		}
	}
	switch {
	case r.Status.Text == "":
		return lines
	case len(lines) == 0:
		return []string{r.Line(t, w)}
	}
	return joined(lines, t.Chip(r.Status.Tone, r.Status.Text), 3, w)
}

// keyed draws the keys bold that lines say to press.
func keyed(t *ui.Theme, lines []string) []string {
	for i, l := range lines {
		if before, after, is := strings.Cut(l, "press "); is && (before == "" || strings.HasSuffix(before, " ")) {
			end := len(after)
			if at := strings.IndexAny(after, " .,;:"); at >= 0 {
				end = at
			}
			lines[i] = before + "press " + t.Strong.Render(after[:end]) + after[end:]
		}
	}
	return lines
}

// joined puts words at the end of the last line, after a gap, or where they have no room there on a line of their own.
func joined(lines []string, words string, gap, w int) []string {
	if last := len(lines) - 1; last >= 0 && ui.Width(lines[last])+gap+ui.Width(words) <= w && words != "" {
		lines[last] += strings.Repeat(" ", gap) + words
	} else if words != "" {
		lines = append(lines, words)
	}
	return lines
}

func (s Words) lines(t *ui.Theme, w int) []string {
	next, is := strings.CutPrefix(s.Text, "→ ")
	switch {
	case !s.Problem.IsZero():
		return s.Problem.Lines(t, w)
	case is:
		lines := keyed(t, ui.Indented(ui.Wrap(next, max(w-2, 1))))
		lines[0] = t.Accent.Render("→ ") + strings.TrimPrefix(lines[0], "  ")
		return lines
	case s.Order:
		return t.StrongLines(s.Text, w)
	case s.Tone != ui.ToneNone:
		return t.MarkLines(s.Tone, s.Text, w)
	}
	return keyed(t, ui.Wrap(s.Text, max(w, 1)))
}

// lines are a fact in at most w cells.
func (f Fact) lines(t *ui.Theme, w int, on Place) []present.Line {
	value := f.words(present.DateTime)
	if on == OnPage && f.Hint != "" {
		value += " · " + f.Hint
	}
	room := max(w-labelWidth, 1)
	var values []string
	switch {
	case f.Muted:
		values = t.MutedLines(value, room)
	case f.Strong:
		values = t.StrongLines(value, room)
	case strings.HasPrefix(value, "https://") && ui.Width(value) <= room:
		values = []string{t.Hyperlink(value, value)}
	case f.Tone == ui.ToneNone:
		values = keyed(t, ui.Wrap(value, room))
	default:
		values = t.MarkLines(f.Tone, value, room)
	}
	label := f.Label
	for i, v := range values {
		values[i] = t.Muted.Render(ui.Fit(label, labelWidth)) + v
		label = ""
	}
	return present.Paragraph(f.Rank, values...)
}

// lines are the rows of a table below its titles, or where they are too wide the values of each title.
func (tb Table) lines(t *ui.Theme, w int) []present.Line {
	const gap = 3
	label := labelWidth
	for _, r := range tb.Rows {
		label = max(label, ui.Width(r.Label)+1)
	}
	widths, all := make([]int, len(tb.Titles)), label
	for i, title := range tb.Titles {
		widths[i] = ui.Width(title)
		for _, r := range tb.Rows {
			widths[i] = max(widths[i], ui.Width(t.Mark(r.Cells[i].Tone, r.Cells[i].Text)))
		}
		all += widths[i] + gap
	}
	var lines []present.Line
	if len(tb.Rows) == 0 {
		return nil
	}
	if all-gap > w {
		for i, title := range tb.Titles {
			for _, r := range tb.Rows {
				if r.Cells[i].Text != "" {
					lines = append(lines, present.Rows(0, t.FactLines(r.Label, t.Mark(r.Cells[i].Tone, title+" "+r.Cells[i].Text), label, w)...)...)
				}
			}
		}
		return lines
	}
	row := func(name string, cell func(i int) string) {
		line := t.Muted.Render(ui.Fit(name, label))
		for i := range tb.Titles {
			line += ui.Fit(cell(i), widths[i]+gap)
		}
		lines = append(lines, present.Line{Text: strings.TrimRight(line, " ")})
	}
	row("", func(i int) string { return t.Muted.Render(tb.Titles[i]) })
	for _, r := range tb.Rows {
		row(r.Label, func(i int) string { return t.Mark(r.Cells[i].Tone, r.Cells[i].Text) })
	}
	return lines
}

// Draw draws the text, broken at w cells.
func (q Quote) Draw(t *ui.Theme, w int) (lines []string) {
	gutter := t.Muted.Render("│ ")
	for _, l := range q.Lines {
		wrap := ui.Wrap
		if q.JSON {
			wrap = t.JSONLine
		}
		for _, part := range wrap(l, w-2) {
			lines = append(lines, gutter+part)
		}
	}
	return lines
}

// words are the value of a fact with its time, written by stamp, and its person.
func (f Fact) words(stamp func(time.Time) string) string {
	var parts []string
	if f.Value != "" {
		parts = append(parts, f.Value)
	}
	if !f.At.IsZero() {
		parts = append(parts, stamp(f.At))
	}
	words := strings.Join(parts, ", ")
	if f.By != "" {
		words += " by " + f.By
	}
	return words
}

// Page are the lines of its own page, all but the history.
func (r Report) Page(t *ui.Theme, w int) []present.Line { return r.lines(t, w, OnPage) }

// Column is its own page with the history below the rest, in h lines, as far as there is room.
func (r Report) Column(t *ui.Theme, w, h int) []string {
	lines, _ := r.column(t, w, h, r.Page(t, w))
	return lines
}

// Whole are all lines of its own page, the history last. In a wide window a text and what follows it stand beside the rest, with the
// line between both over h lines at least.
func (r Report) Whole(t *ui.Theme, w, h int) []string {
	at := slices.IndexFunc(r.Sections, func(s Section) bool { return len(s.Quote.Lines) > 0 })
	if at > 0 && w >= present.SplitFrom {
		left, right := present.SplitWidths(w)
		facts, text := r, Report{Sections: r.Sections[at:]}
		facts.Sections = r.Sections[:at]
		lines, beside := facts.Whole(t, left, 0), text.Whole(t, right, 0)
		return strings.Split(t.Beside(left, max(len(lines), len(beside), h), lines, beside), "\n")
	}
	return append(append(present.FitHeight(math.MaxInt, r.Page(t, w)), ""), r.HistoryLines(t, w, math.MaxInt)...)
}

// lines are all but the history, and those of the highest rank are left out first.
func (r Report) lines(t *ui.Theme, w int, on Place) []present.Line {
	lines := r.head(t, w, on)
	if on == InPane { // what is below moves only for a meaning that is longer than usual
		for len(r.Says) > 0 && len(lines) < usualHead {
			lines = append(lines, present.Line{Rank: rankBlank})
		}
		lines = append(lines, present.Line{Rank: rankBlank})
	}
	for i, s := range r.Sections {
		facts := paragraphs(s.Words, t, w, on)
		if on == OnPage {
			facts = append(facts, s.Table.lines(t, w)...)
		}
		for _, f := range s.Facts {
			if f.In.has(on) && !f.empty() {
				facts = append(facts, f.lines(t, w, on)...)
			}
		}
		if len(facts) > 0 && on == OnPage {
			blank, title := present.Line{Rank: rankBlank}, present.Line{Text: t.Rule(s.Title, s.Note, w), Rank: rankTitle}
			if len(s.Table.Rows) > 0 || i > 0 && len(r.Sections[i-1].Table.Rows) > 0 { // its columns are not told from words above it, nor from facts below it
				blank.Rank, title.Rank = rankTable, 0
			}
			if len(lines) > 0 {
				lines = append(lines, blank)
			}
			lines = append(lines, title)
		}
		if len(s.Quote.Lines) > 0 && s.Quote.In.has(on) { // its title never stands alone
			quote := s.Quote.Draw(t, w)
			if len(lines)+len(facts) > 0 {
				facts = append(facts, present.Line{Rank: rankBlank})
			}
			facts = append(facts, present.Paragraph(rankQuote, append([]string{t.Rule(s.Title, s.Note, w)}, quote[:min(2, len(quote))]...)...)...)
			facts = append(facts, present.Rows(rankQuote, quote[min(2, len(quote)):]...)...)
		}
		lines = append(lines, facts...)
	}
	return lines
}

// usualHead sets how many lines the amount and the meaning usually have beside a list. What is below moves only for others:
// what stays where it is, is not written again.
const usualHead = 3

// Pane draws it under its title beside a list, in w×h cells.
func (r Report) Pane(t *ui.Theme, w, h int) []string {
	lines, whole := r.column(t, w, h-1, r.lines(t, w, InPane))
	if whole {
		return append([]string{t.Rule(r.Title, "", w)}, lines...)
	}
	const note = "↓ more" // the panel scrolls; a title makes way for that
	title := strings.TrimRight(ui.Fit(r.Title, max(w-ui.Width(note)-ui.RuleStrokes, 0)), " ")
	return append([]string{t.Rule(title, note, w)}, lines...)
}

// The lines of the history in a column.
const (
	leastHistory = 2 // its title and the newest event
	fairHistory  = 7 // the lines that come before blanks and titles
)

// column has the history below the rest, as far as there is room, and reports whether there was for all. What only sets the groups
// apart makes way for it, and where more is to come, or an answer differed, so does the rest for its newest event.
func (r Report) column(t *ui.Theme, w, h int, rows []present.Line) (lines []string, whole bool) {
	room, needed := h, 0
	for _, l := range rows {
		if l.Rank < rankTitle {
			needed++
		}
	}
	history := r.HistoryLines(t, w, math.MaxInt)
	if all := len(history); all > 0 {
		room = min(max(needed, h-1-min(all, fairHistory)), h)
		if r.Ahead.What != "" || r.Differs {
			room = min(room, h-1-leastHistory)
		}
	}
	lines = present.FitHeight(room, rows)
	room = h - len(lines) - 1
	if whole = len(lines) >= needed && len(history) <= max(room, 0); len(history) > room {
		history = r.HistoryLines(t, w, room)
	}
	if room < leastHistory || len(history) == 0 {
		return present.FitHeight(h, rows), whole
	}
	return append(append(lines, ""), history...), whole
}

// Preview draws it in the few lines below a list: what it is, what that means, and facts as far as there is room.
func (r Report) Preview(t *ui.Theme, note string, w, h int) []string {
	lines := []string{t.Rule(r.Title, note, w)}
	if r.Amount+r.Status.Text != "" {
		lines = append(lines, r.Line(t, w))
	}
	says, rail := r.meaning(t, w), r.rail(t, w)
	if rail != "" && len(says) < h-len(lines) {
		lines = append(lines, rail)
	}
	lines = append(lines, says...)
	for _, s := range r.Sections {
		for _, f := range s.Facts {
			if f.In.has(InPane) && !f.empty() && len(lines) < h {
				for _, l := range f.lines(t, w, InPane) {
					lines = append(lines, l.Text)
				}
			}
		}
	}
	if len(lines) > h && h > 0 { // the rest is on its page
		lines[h-1] = ui.Fit(strings.TrimRight(ansi.Truncate(lines[h-1], max(w-2, 0), ""), " …")+" …", w)
	}
	return lines[:min(len(lines), max(h, 0))]
}

// meaning returns what staff do now, what a person must see, and what the status means as one paragraph.
func (r Report) meaning(t *ui.Theme, w int) (lines []string) {
	var notes, words []string
	for _, s := range r.Says {
		switch {
		case !s.In.has(InPane):
		case s.Order:
			lines = append(lines, s.lines(t, w)...)
		case s.Tone == ui.ToneNone:
			words = append(words, s.Text)
		default:
			notes = append(notes, s.lines(t, w)...)
		}
	}
	if len(words) > 0 {
		notes = append(notes, ui.Wrap(strings.Join(words, " "), max(w, 1))...)
	}
	return append(lines, notes...)
}

// Line is the amount with the status, and in few words what it is where there is room for that.
func (r Report) Line(t *ui.Theme, w int) string {
	line := t.Chip(r.Status.Tone, r.Status.Text)
	if r.Amount != "" {
		room := max(w-3-ui.Width(line), 0)
		line = ui.Fit(t.Strong.Render(r.Amount), min(ui.Width(r.Amount), room)) + "   " + line
	}
	if more := line + "  " + r.Brief; r.Brief != "" && ui.Width(more) <= w {
		return more
	}
	return line
}
