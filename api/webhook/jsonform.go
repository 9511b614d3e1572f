package webhook

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"paydesk/api"
)

// A Part is a member of a webhook's body, with the value as JSON; or an object with members of its own.
type Part struct {
	Name  string
	Value json.RawMessage
	Inner []Part // nil unless it is an object of the body itself
}

// Indent is a body with a line for each value, and whether it is JSON; it is returned as it is where it is not. It is not safe to
// draw: clean it as any text from outside.
func Indent(body []byte) (text string, is bool) {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body), false
	}
	return b.String(), true
}

// Parts are the members of a body in their order, and of the objects in it; false unless it is a JSON object.
func Parts(body []byte) ([]Part, bool) {
	parts, is := members(body)
	for i, p := range parts {
		if inner, is := members(p.Value); is && len(inner) > 0 {
			parts[i].Inner = inner
		}
	}
	return parts, is
}

// members are those of one object.
func members(object []byte) (all []Part, is bool) {
	if !json.Valid(object) || !bytes.HasPrefix(bytes.TrimSpace(object), []byte("{")) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(object))
	d.Token()
	for d.More() {
		var p Part
		name, _ := d.Token()
		p.Name, _ = name.(string)
		d.Decode(&p.Value)
		all = append(all, p)
	}
	return all, true
}

// Compose returns the body that the parts make. A part without a value is left out.
func Compose(parts []Part) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, p := range parts {
		value := p.Value
		if p.Inner != nil {
			value = Compose(p.Inner)
		} else if value == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(quoted(p.Name))
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func quoted(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(text) // a string cannot fail
	return bytes.TrimSpace(b.Bytes())
}

// Typed is a value as it is typed: a string without its quotes, unless they are needed to see what is in it.
func Typed(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil || bytes.Equal(value, []byte("null")) || !strings.HasPrefix(string(value), `"`) {
		return string(escaped(value))
	}
	if text != strings.TrimSpace(text) || text == "" || strings.HasPrefix(text, `"`) || strings.ContainsFunc(text, untypable) {
		return string(escaped(quoted(text)))
	}
	return text
}

// Parse returns the value of what was typed in the place of one; nil to leave it out. A number that is typed for
// a number stays one.
func ParseValue(text string, was json.RawMessage) json.RawMessage {
	isString := bytes.HasPrefix(was, []byte(`"`))
	switch {
	case text == "":
		return nil
	case json.Valid([]byte(text)) && (!isString || strings.HasPrefix(text, `"`)):
		return json.RawMessage(text)
	}
	return quoted(text)
}

// hidden reports whether a character cannot be typed.
func untypable(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }

// escaped is JSON in printable ASCII.
func escaped(value []byte) []byte {
	return api.EscapeJSON(value, func(r rune) bool { return !untypable(r) })
}

// OneLine is a body on one line as it is typed; "" where it has bytes that cannot be.
func OneLine(body []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, body) == nil {
		return string(escaped(b.Bytes()))
	}
	if slices.ContainsFunc([]rune(string(body)), untypable) {
		return ""
	}
	return string(body)
}
