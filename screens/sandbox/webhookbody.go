package sandbox

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"paydesk/api"
)

// A part is a member of a webhook's body, with the value as JSON; or an object with members of its own.
type part struct {
	name  string
	value json.RawMessage
	inner []part // nil unless it is an object of the body itself
}

// bodyParts are the members of a body in their order, and of the objects in it; false unless it is a JSON object.
func bodyParts(body []byte) ([]part, bool) {
	parts, is := members(body)
	for i, p := range parts {
		if inner, is := members(p.value); is && len(inner) > 0 {
			parts[i].inner = inner
		}
	}
	return parts, is
}

// members are those of one object.
func members(object []byte) (all []part, is bool) {
	if !json.Valid(object) || !bytes.HasPrefix(bytes.TrimSpace(object), []byte("{")) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(object))
	d.Token()
	for d.More() {
		var p part
		name, _ := d.Token()
		p.name, _ = name.(string)
		d.Decode(&p.value)
		all = append(all, p)
	}
	return all, true
}

// composed is the body that the parts make. A part without a value is left out.
func composed(parts []part) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, p := range parts {
		value := p.value
		if p.inner != nil {
			value = composed(p.inner)
		} else if value == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(quoted(p.name))
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

// typed is a value as it is typed: a string without its quotes, unless they are needed to see what is in it.
func typed(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil || bytes.Equal(value, []byte("null")) || !strings.HasPrefix(string(value), `"`) {
		return string(escaped(value))
	}
	if text != strings.TrimSpace(text) || text == "" || strings.HasPrefix(text, `"`) || strings.ContainsFunc(text, hidden) {
		return string(escaped(quoted(text)))
	}
	return text
}

// untyped is the value of what was typed in the place of one; nil to leave it out. A number that is typed for
// a number stays one.
func untyped(text string, was json.RawMessage) json.RawMessage {
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
func hidden(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }

// escaped is JSON in printable ASCII.
func escaped(value []byte) []byte {
	return api.EscapeJSON(value, func(r rune) bool { return !hidden(r) })
}

// oneLine is a body on one line as it is typed; "" where it has bytes that cannot be.
func oneLine(body []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, body) == nil {
		return string(escaped(b.Bytes()))
	}
	if slices.ContainsFunc([]rune(string(body)), hidden) {
		return ""
	}
	return string(body)
}
