package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// encode writes v as JSON, indented when indent is not empty. Unprintable characters become \u
// escapes, which mean the same to a JSON reader and nothing to a terminal; < > & are not escaped. Its
// error is a [*Failure].
func encode(v any, indent string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, notSent("the request cannot be encoded as JSON")
	}
	readable := func(r rune) bool { return r == '\n' || strconv.IsPrint(r) }
	return EscapeJSON(bytes.TrimSuffix(out.Bytes(), []byte{'\n'}), readable), nil
}

// preview is encode for people, indented.
func preview(v any) string {
	b, _ := encode(v, "  ")
	return string(b)
}

// EscapeJSON writes the characters of a JSON text that keep does not hold of as \u escapes. Those
// outside ASCII, and a deletion character, occur in its strings only.
func EscapeJSON(b []byte, keep func(rune) bool) []byte {
	var out []byte
	for _, r := range string(b) {
		if keep(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, half := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, `\u%04x`, half)
		}
	}
	return out
}
