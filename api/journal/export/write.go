package export

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"paydesk/api"
	"paydesk/api/journal"
)

// A Format is the file format of rows.
type Format string

// The formats; each is also the extension of a file's name.
const (
	CSV  Format = "csv"
	JSON Format = "json"
)

// Write writes rows as they are read and returns how many. It stops at the first error of a
// row or of w.
func Write(w io.Writer, f Format, rows iter.Seq2[journal.Attempt, error]) (int, error) {
	if f == JSON {
		return writeJSON(w, rows)
	}
	return writeCSV(w, rows)
}

// writeCSV writes RFC 4180: a header, and CRLF after every line.
func writeCSV(w io.Writer, rows iter.Seq2[journal.Attempt, error]) (n int, err error) {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = c.name
	}
	if err := out.Write(line); err != nil {
		return 0, err
	}
	for a, err := range rows {
		if err != nil {
			return n, err
		}
		for i, c := range columns {
			line[i] = csvCell(c.value(&a))
		}
		if err := out.Write(line); err != nil {
			return n, err
		}
		n++
	}
	out.Flush()
	return n, out.Error()
}

func csvCell(v any) string {
	switch v := v.(type) {
	case string:
		return escapeFormula(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// formulaStarts are the characters that begin a formula in a spreadsheet, the wide ones where
// it is set to an East Asian language.
const formulaStarts = "=+-@＝＋－＠"

// escapeFormula removes control characters, and puts an apostrophe in front of a text that a
// spreadsheet would take for a formula.
func escapeFormula(s string) string {
	clean := api.Clean(s).Line(0)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(clean, " '"))
	if strings.ContainsRune(formulaStarts, first) || strings.IndexAny(s, "\t\r\n") == 0 {
		return "'" + clean
	}
	return clean
}

// writeJSON writes an array with one row on each line, in ASCII.
func writeJSON(w io.Writer, rows iter.Seq2[journal.Attempt, error]) (n int, err error) {
	between := "[\n"
	for a, err := range rows {
		if err != nil {
			return n, err
		}
		if _, err := io.WriteString(w, between+jsonRow(&a)); err != nil {
			return n, err
		}
		between = ",\n"
		n++
	}
	end := "\n]\n"
	if n == 0 {
		end = "[]\n"
	}
	_, err = io.WriteString(w, end)
	return n, err
}

func jsonRow(a *journal.Attempt) string {
	var b strings.Builder
	for i, c := range columns {
		if i == 0 {
			b.WriteByte('{')
		} else {
			b.WriteByte(',')
		}
		value, _ := json.Marshal(c.value(a)) // a string, a number, a bool or nil
		b.WriteString(`"` + c.name + `":` + escapeNonASCII(value))
	}
	b.WriteByte('}')
	return b.String()
}

// escapeNonASCII escapes everything but printable ASCII. In JSON it occurs in strings only.
func escapeNonASCII(value []byte) string {
	out := make([]byte, 0, len(value))
	for _, r := range string(value) {
		switch {
		case r < 0x7f:
			out = append(out, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = appendEscape(appendEscape(out, high), low)
		default:
			out = appendEscape(out, r)
		}
	}
	return string(out)
}

// appendEscape appends \uXXXX.
func appendEscape(out []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(out, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
