// Package export writes rows to files that other programs read: as CSV, as a JSON array, or as
// JSON Lines. It has one writer for all rows, and one way to make a file of them.
//
//	path, err := export.CreateFile(ctx, folder, name, func(w io.Writer) error {
//		n, err = export.Write(w, export.CSV, table, rows, told)
//		return err
//	})
//
// Rows are written as they are read, so that a million take no more memory than one.
//
// No text from outside can act where a file is opened. CSV is RFC 4180 in UTF-8, with control
// characters removed and spreadsheet formulas escaped. JSON is plain ASCII.
//
// The tables of the lists are in paydesk/screens/report.
package export

import (
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"paydesk/api"
	"paydesk/api/card"
)

// A Format is the file format of rows.
type Format string

// The formats; each is also the extension of a file's name.
const (
	CSV   Format = "csv"
	JSON  Format = "json"  // an array with one row on each line
	Lines Format = "jsonl" // JSON Lines: an object on each line, and nothing else
)

// Formats are all formats, the usual one first.
func Formats() []Format { return []Format{CSV, JSON, Lines} }

// String is the name of a format as people know it.
func (f Format) String() string {
	switch f {
	case JSON:
		return "JSON"
	case Lines:
		return "JSON Lines"
	}
	return "CSV"
}

// A Table says how rows of one type are written. Other programs depend on the names in it.
type Table[T any] struct {
	// Columns are the columns of CSV, and the members of a JSON object unless Members are set;
	// null where a row has no value.
	Columns []Column[T]
	// Members are the members of a JSON object where they differ from Columns: a row has only those
	// with a value.
	Members []Column[T]
}

// A Whole is a whole number of any size, as it was written.
type Whole = json.Number

// A Column is one value of a row. Value returns a string, a [Decimal], a [json.Number], an int64, a
// bool, or a [time.Time], which is written as RFC 3339 in the local zone. Nil, an empty text and
// the zero time are none.
type Column[T any] struct {
	Name  string
	Value func(row *T) any
}

// A Decimal is an exact decimal number. It is a string in JSON, where readers make floats of numbers.
type Decimal string

// often is after how many rows the progress is reported.
const often = 256

// Write writes rows as they are read and returns how many. It stops at the first error of a
// row or of w. It tells how many it has written, now and then and at the end; told may be nil.
func Write[T any](w io.Writer, f Format, t Table[T], rows iter.Seq2[T, error], told func(n int)) (n int, err error) {
	e := encoder[T]{format: f, table: t}
	put := func() {
		if err == nil {
			_, err = w.Write(e.line)
		}
		e.line = e.line[:0]
	}
	e.begin()
	put()
	for row, bad := range rows {
		if bad != nil {
			return n, bad
		}
		e.row(&row, n == 0)
		if put(); err != nil {
			return n, err
		}
		if n++; told != nil && n%often == 0 {
			told(n)
		}
	}
	e.end(n == 0)
	if put(); err == nil && told != nil {
		told(n)
	}
	return n, err
}

// Rows writes the heading of CSV, and returns a function that writes a row.
func Rows[T any](w io.Writer, t Table[T]) func(T) error {
	e := encoder[T]{format: CSV, table: t}
	e.begin()
	_, err := w.Write(e.line)
	return func(row T) error {
		if err == nil {
			e.line = e.line[:0]
			e.row(&row, false)
			_, err = w.Write(e.line)
		}
		return err
	}
}

// An encoder makes the lines of a file.
type encoder[T any] struct {
	format Format
	table  Table[T]
	line   []byte // not written yet
}

func (e *encoder[T]) begin() {
	switch e.format {
	case JSON:
		e.line = append(e.line, '[')
	case Lines:
	default:
		for i, c := range e.table.Columns {
			e.csvCell(i, c.Name)
		}
		e.line = append(e.line, "\r\n"...)
	}
}

func (e *encoder[T]) row(row *T, first bool) {
	switch e.format {
	case JSON:
		if !first {
			e.line = append(e.line, ',')
		}
		e.line = append(e.line, '\n')
		e.object(row)
	case Lines:
		e.object(row)
		e.line = append(e.line, '\n')
	default:
		for i, c := range e.table.Columns {
			e.csvCell(i, csvText(plain(c.Value(row))))
		}
		e.line = append(e.line, "\r\n"...)
	}
}

func (e *encoder[T]) end(empty bool) {
	switch {
	case e.format == JSON && empty:
		e.line = append(e.line, "]\n"...)
	case e.format == JSON:
		e.line = append(e.line, "\n]\n"...)
	}
}

// plain is a value without a time in it, and nil for none.
func plain(v any) any {
	t, isTime := v.(time.Time)
	switch {
	case v == "", v == Decimal(""), v == json.Number(""), isTime && t.IsZero():
		return nil
	case isTime:
		return t.Local().Format(time.RFC3339Nano)
	}
	return v
}

// csvCell writes a cell with its separator, in quotes where RFC 4180 wants them.
func (e *encoder[T]) csvCell(i int, text string) {
	if i > 0 {
		e.line = append(e.line, ',')
	}
	if !strings.ContainsAny(text, ",\"\r\n") && !strings.HasPrefix(text, " ") {
		e.line = append(e.line, text...)
		return
	}
	e.line = append(e.line, '"')
	e.line = append(e.line, strings.ReplaceAll(text, `"`, `""`)...)
	e.line = append(e.line, '"')
}

// csvText is a value as CSV has it: "" for none, and numbers without separators.
func csvText(v any) string {
	switch v := v.(type) {
	case string:
		return escapeFormula(v)
	case Decimal:
		return numberText(string(v))
	case json.Number:
		return numberText(string(v))
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// numberText is a number as it is. It may begin with a minus sign, which no text may.
func numberText(s string) string {
	const digit = "0123456789"
	if size := strings.TrimPrefix(s, "-"); strings.ContainsAny(size, digit) && strings.Trim(size, digit+".") == "" {
		return s
	}
	return escapeFormula(s)
}

// formulaStarts are the characters that begin a formula in a spreadsheet, the wide ones where
// it is set to an East Asian language.
const formulaStarts = "=+-@＝＋－＠"

// escapeFormula removes control characters, and puts an apostrophe in front of a text that a
// spreadsheet would take for a formula. A spreadsheet that separates cells by semicolons, as where a
// decimal comma is usual, would also find one after a semicolon.
func escapeFormula(s string) string {
	clean := api.Clean(s).Line(0)
	parts := strings.Split(clean, ";")
	for i, part := range parts {
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(part, " '\""))
		if strings.ContainsRune(formulaStarts, first) {
			parts[i] = "'" + part
		}
	}
	clean = strings.Join(parts, ";")
	if strings.IndexAny(s, "\t\r\n") == 0 && !strings.HasPrefix(clean, "'") {
		return "'" + clean
	}
	return clean
}

// object writes a row as a JSON object in ASCII.
func (e *encoder[T]) object(row *T) {
	columns := e.table.Members
	if columns == nil {
		columns = e.table.Columns
	}
	e.line = append(e.line, '{')
	some := false
	for _, c := range columns {
		v := plain(c.Value(row))
		if v == nil && e.table.Members != nil {
			continue
		}
		if some {
			e.line = append(e.line, ',')
		}
		some = true
		e.jsonText(c.Name)
		e.line = append(e.line, ':')
		e.jsonValue(v)
	}
	e.line = append(e.line, '}')
}

func (e *encoder[T]) jsonValue(v any) {
	switch v := v.(type) {
	case string:
		e.jsonText(v)
	case Decimal:
		e.jsonText(string(v))
	case json.Number:
		e.line = append(e.line, v...)
	case int64:
		e.line = strconv.AppendInt(e.line, v, 10)
	case bool:
		e.line = strconv.AppendBool(e.line, v)
	default:
		e.line = append(e.line, "null"...)
	}
}

// jsonText writes a text in quotes. Most texts are written as they are.
func (e *encoder[T]) jsonText(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || strings.IndexByte(`"\<>&`, c) >= 0 {
			quoted, _ := json.Marshal(s) // a string cannot fail
			e.line = append(e.line, api.EscapeJSON(quoted, isPlainASCII)...)
			return
		}
	}
	e.line = append(e.line, '"')
	e.line = append(e.line, s...)
	e.line = append(e.line, '"')
}

// isPlainASCII holds of what every reader of a file can show; encoding/json escapes control characters.
func isPlainASCII(r rune) bool { return r < 0x7f }

// Object is one row as a JSON object on one line, as the table has it in a file.
func Object[T any](t Table[T], row T) string {
	e := encoder[T]{format: Lines, table: t}
	e.object(&row)
	return string(e.line)
}

// Masked is a text of the service as files and the clipboard have it: one that looks like a card number is masked,
// whichever field it came in. The list shows an ID as it came, since one number in ten passes for a card's.
func Masked(t api.Text) string { return card.Redact(t.Line(0)) }

// IsWhole reports whether a text is a whole number as JSON has it.
func IsWhole(s string) bool {
	return s != "" && strings.Trim(strings.TrimPrefix(s, "-"), "0123456789") == "" && json.Valid([]byte(s))
}
