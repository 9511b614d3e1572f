// Package output writes what a command prints on stdout: rows and pairs as plain text, objects as JSON.
// On a terminal, plain text is aligned and its states have colours. In a pipe it is separated by tabs,
// without colours and without a heading, for cut and awk.
//
// Text from outside is made safe for one line here, so that no caller has to. Printing returns no error: whoever made the writer keeps
// the first one, and ends the command with it.
//
// # Objects
//
// The JSON objects that commands print with --json are in shape.go, payment.go, transactions.go, webhook.go and host.go. Other
// programs depend on them. Each object names its schema first, such as "paydesk.status/1". Within a version, members are only added.
// What is not known is left out. Amounts are decimal strings, because readers make floats of numbers; times
// are RFC 3339 with their zone.
package output

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Format shapes what a command prints.
type Format uint8

// The formats.
const (
	Text Format = iota
	JSON        // an object on each line
	CSV         // written by package export
)

// Options of a [Writer].
type Options struct {
	Format   Format
	Terminal bool                 // aligned, with headings; otherwise separated by tabs
	Width    int                  // of the terminal, in cells
	Colours  colorprofile.Profile // of the terminal
	Say      func(words string)   // on stderr; nil says nothing
}

// A Writer writes to stdout. What it is given is printed at once, unless it is held.
type Writer struct {
	Options
	Held  bool             // its input is printed in large pieces
	w     io.Writer        // takes off the colours that the terminal has not
	to    *bufio.Writer    // writes nothing after its first error
	theme func() *ui.Theme // of a terminal

	object  bytes.Buffer // the last one
	encoder *json.Encoder
}

// held bounds what is held, in bytes: a write for each of a million rows would take longer than the service.
const held = 1 << 16

// Flush prints what is held.
func (w *Writer) Flush() { _ = w.to.Flush() }

// New returns a writer.
func New(w io.Writer, o Options) *Writer {
	to := bufio.NewWriterSize(w, held)
	made := &Writer{Options: o, w: to, to: to}
	if o.Terminal {
		made.w, made.theme = &colorprofile.Writer{Forward: to, Profile: o.Colours}, sync.OnceValue(func() *ui.Theme { return ui.NewTheme(true) })
	}
	made.encoder = json.NewEncoder(&made.object)
	return made
}

// Write writes bytes as they are: a file's, or Markdown.
func (w *Writer) Write(b []byte) (int, error) {
	n, err := w.w.Write(b)
	if err == nil && !w.Held {
		err = w.to.Flush()
	}
	return n, err
}

// Line prints one line.
func (w *Writer) Line(words string) { io.WriteString(w, clean(words)+"\n") }

// Object prints a JSON object on one line, its schema first. Its characters outside of ASCII are escaped where they could
// act on a terminal.
func (w *Writer) Object(v Object) {
	w.object.Reset()
	w.object.WriteString(`{"schema":"` + string(v.Schema()) + `",`)
	brace := w.object.Len()
	if err := w.encoder.Encode(v); err != nil { // every value of the objects can be encoded: see [Time]
		panic(err)
	}
	w.Write(escaped(slices.Delete(w.object.Bytes(), brace, brace+1)))
}

// escaped escapes what is not printable ASCII in JSON, where it can only stand in strings.
func escaped(b []byte) []byte {
	printed := func(r rune) bool { return r >= 0x20 && r < 0x7f || r == '\n' } // a line end is none of a string's
	if !bytes.ContainsFunc(b, func(r rune) bool { return !printed(r) }) {      // as nearly always
		return b
	}
	return api.EscapeJSON(b, printed)
}

// Show prints a thing as an object, or as pairs.
func (w *Writer) Show(object Object, pairs ...[2]string) {
	if w.Format == JSON {
		w.Object(object)
	} else {
		w.Pairs(pairs...)
	}
}

// Pairs prints labels with their values, a line each. A pair without a value is left out.
func (w *Writer) Pairs(pairs ...[2]string) {
	widest := 0
	for _, p := range pairs {
		if p[1] != "" {
			widest = max(widest, ansi.StringWidth(p[0]))
		}
	}
	for _, p := range pairs {
		if p[1] == "" {
			continue
		}
		line := p[0] + "\t" + clean(p[1])
		if w.Terminal {
			line = pad(p[0], widest, false) + "  " + clean(p[1])
		}
		io.WriteString(w, line+"\n")
	}
}

// A Table prints rows as they come.
type Table struct {
	w       *Writer
	columns []ui.Column
	begun   bool
}

// Room is the width of a table with some columns, while no cell is wider than its own.
func Room(columns []ui.Column) (cells int) {
	for _, c := range columns {
		cells += max(c.Width, ansi.StringWidth(c.Title)) + len(between)
	}
	return cells - len(between)
}

// between two columns on a terminal
const between = "  "

// Table returns a table. Its heading is printed before the first row, on a terminal.
func (w *Writer) Table(columns ...ui.Column) *Table { return &Table{w: w, columns: columns} }

// Row prints a row, with a cell for each column.
func (t *Table) Row(cells ...ui.Cell) {
	if !t.begun && t.w.Terminal {
		t.heading()
	}
	t.begun = true
	parts, text := make([]string, len(cells)), ""
	for i, c := range cells {
		text = clean(c.Text)
		if !t.w.Terminal {
			parts[i] = text
			continue
		}
		parts[i] = t.cell(i, c.Tone, text)
	}
	if t.w.Terminal {
		t.below(parts, cells[len(cells)-1].Tone, text)
	} else {
		t.line(parts)
	}
}

// below prints a row on a terminal. Where the words of its last cell have no room in the line, they go on below it: the terminal
// would break them anywhere. A word that has no room in that column either is left to the terminal, so that it is copied whole.
func (t *Table) below(parts []string, tone ui.Tone, text string) {
	before := strings.Join(parts[:len(parts)-1], between) + between
	indent := ansi.StringWidth(before)
	lines := ui.Wrap(text, t.w.Width-indent)
	if len(lines) < 2 || strings.Join(lines, " ") != text {
		t.line(parts)
		return
	}
	for _, line := range lines {
		t.line([]string{before + t.w.painted(tone, line)})
		before = strings.Repeat(" ", indent)
	}
}

func (t *Table) heading() {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = t.cell(i, ui.ToneNone, strings.TrimSpace(c.Title))
	}
	t.line(names)
}

// cell is a text in the width of its column; one that is wider moves the rest of its row. The state's colour
// does not reach the blanks.
func (t *Table) cell(i int, tone ui.Tone, text string) string {
	c := t.columns[i]
	wide := max(c.Width, ansi.StringWidth(c.Title))
	return strings.Replace(pad(text, wide, c.Right), text, t.w.painted(tone, text), 1)
}

// painted is a text in the colour of a state. The word tells the state, so the glyph is left out.
func (w *Writer) painted(tone ui.Tone, text string) string {
	if tone == ui.ToneNone || text == "" {
		return text
	}
	return lipgloss.NewStyle().Foreground(w.theme().Colour(tone)).Render(text)
}

func (t *Table) line(parts []string) {
	gap := "\t"
	if t.w.Terminal {
		gap = between
	}
	io.WriteString(t.w, strings.TrimRight(strings.Join(parts, gap), " ")+"\n")
}

// pad fills a text with blanks.
func pad(text string, w int, right bool) string {
	blanks := strings.Repeat(" ", max(w-ansi.StringWidth(text), 0))
	if right {
		return blanks + text
	}
	return text + blanks
}

// clean makes a text safe for one line. A tab would be a column more.
func clean(s string) string { return api.Clean(strings.ReplaceAll(s, "\t", " ")).Line(0) }

// Rows prints all rows as [List] does, and tells a person where there is none.
func Rows[R any, O Object](out *Writer, columns []report.Column[R], rows iter.Seq2[R, error], object func(R) O) error {
	printed, none := List(out, columns, object), true
	for r, err := range rows {
		if err != nil {
			return err
		}
		printed(r)
		none = false
	}
	if none {
		out.SayNone("")
	}
	return nil
}

// SayNone tells a person that a list is empty, and what comes next.
func (w *Writer) SayNone(next string) {
	if w.Terminal && w.Say != nil {
		w.Say(strings.TrimSpace("Nothing was found. " + next))
	}
}

// List prints rows as they come: as CSV, as objects, or with the columns that have room.
func List[R any, O Object](out *Writer, columns []report.Column[R], object func(R) O) func(R) {
	switch out.Format {
	case JSON:
		return func(r R) { out.Object(object(r)) }
	case CSV:
		printed := export.Rows(out, report.FileOf(columns))
		return func(r R) { _ = printed(r) }
	}
	media := []report.Medium{report.Pipe} // the first that has room
	if out.Terminal {
		media = []report.Medium{report.Wide, report.Narrow}
	}
	for {
		on := media[0]
		drawn := report.Drawn(columns, on)
		table := out.Table(report.Heads(drawn, on)...)
		if media = media[1:]; len(media) == 0 || Room(table.columns) <= out.Width {
			return func(r R) { table.Row(report.Cells(drawn, r, on)...) }
		}
	}
}

// Cells are texts as cells without a state.
func Cells(texts ...string) []ui.Cell {
	cells := make([]ui.Cell, len(texts))
	for i, t := range texts {
		cells[i].Text = t
	}
	return cells
}
