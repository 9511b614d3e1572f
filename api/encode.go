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
	return escapeUnprintable(bytes.TrimSuffix(out.Bytes(), []byte{'\n'})), nil
}

// preview is encode for people, indented.
func preview(v any) string {
	b, _ := encode(v, "  ")
	return string(b)
}

// escapeUnprintable writes the unprintable characters of a JSON text as \u escapes.
func escapeUnprintable(b []byte) []byte {
	var out []byte
	for _, r := range string(b) {
		if r == '\n' || strconv.IsPrint(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, half := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, `\u%04x`, half)
		}
	}
	return out
}
