package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
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

// OfLines is the body that lines make, without blanks between its values where it is JSON, else without empty lines, and the number of
// the line from which on it is not JSON, 0 where it is.
func OfLines(lines []string) (body []byte, broken int) {
	text := strings.Join(lines, "\n")
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) == nil {
		return b.Bytes(), 0
	}
	if wrong, is := errors.AsType[*json.SyntaxError](json.Unmarshal([]byte(text), new(json.RawMessage))); is {
		broken = 1 + strings.Count(text[:max(wrong.Offset-1, 0)], "\n")
	}
	typed := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.TrimSpace(l) == "" })
	return []byte(strings.Join(typed, "\n")), broken
}
