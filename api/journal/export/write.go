package export

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"
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
	var header []string
	for _, c := range columns(new(journal.Attempt)) {
		header = append(header, c.name)
	}
	if err := out.Write(header); err != nil {
		return 0, err
	}
	for a, err := range rows {
		if err != nil {
			return n, err
		}
		var line []string
		for _, c := range columns(&a) {
			line = append(line, csvCell(c.value))
		}
		if err := out.Write(line); err != nil {
			return n, err
		}
		n++
	}
	out.Flush()
	return n, out.Error()
}

// csvCell is a value as CSV has it: "" for none, and whole numbers without separators.
func csvCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return escapeFormula(v)
	}
	return fmt.Sprint(v)
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

// jsonRow is an object with every column in order; what there is none of is null.
func jsonRow(a *journal.Attempt) string {
	var members []string
	for _, c := range columns(a) {
		value, _ := json.Marshal(c.value) // a string, a number, a bool or nil
		members = append(members, `"`+c.name+`":`+string(api.EscapeJSON(value, isPlainASCII)))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// isPlainASCII holds of what every reader of a file can show; encoding/json escapes control characters.
func isPlainASCII(r rune) bool { return r < 0x7f }
