package webhook

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"paydesk/api"
)

// Indent returns a body with a line for each value, and reports whether it is JSON; a body that is not comes back as it is.
// The text is not safe to draw: clean it as any text from outside.
func Indent(body []byte) (text string, is bool) {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body), false
	}
	return b.String(), true
}

// mostLines limits the lines in which a body is typed.
const mostLines = 200

// Lines are a body as it is typed, in printable ASCII: a line for each value where it is JSON of not too many, else one line, which is
// empty where the body has bytes that cannot be typed.
func Lines(body []byte) []string {
	var b bytes.Buffer
	if json.Compact(&b, body) != nil {
		if strings.ContainsFunc(string(body), untypable) {
			return []string{""}
		}
		return []string{string(body)}
	}
	typed := api.EscapeJSON(b.Bytes(), func(r rune) bool { return !untypable(r) })
	if text, _ := Indent(typed); strings.Count(text, "\n") < mostLines {
		return strings.Split(text, "\n")
	}
	return []string{string(typed)}
}

// untypable reports whether a character cannot be typed.
func untypable(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }

// OfLines is the body that lines make, without blanks between its values where it is JSON. Empty lines are left out.
func OfLines(lines []string) []byte {
	text := strings.Join(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l == "" }), "\n")
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return []byte(text)
	}
	return b.Bytes()
}
