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
// escapes, which mean the same to a JSON reader and nothing to a terminal; < > & are not escaped.
func encode(v any, indent string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escapeUnprintable(bytes.TrimSuffix(out.Bytes(), []byte{'\n'})), nil
}

// escapeUnprintable writes the unprintable characters of a JSON text as \u escapes.
func escapeUnprintable(b []byte) []byte {
	plain := true
	for _, r := range string(b) {
		plain = plain && (r == '\n' || strconv.IsPrint(r))
	}
	if plain {
		return b
	}
	var out []byte
	for _, r := range string(b) {
		switch {
		case r == '\n' || strconv.IsPrint(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
