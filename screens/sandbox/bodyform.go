package sandbox

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"paydesk/api"
)

// A bodyPart is a member of a webhook's body, with the value as JSON; or an object with members of its own.
type bodyPart struct {
	Name  string
	Value json.RawMessage
	Inner []bodyPart // nil unless it is an object of the body itself
}

// bodyParts are the members of a body in their order, and of the objects in it; false unless it is a JSON object.
func bodyParts(body []byte) ([]bodyPart, bool) {
	parts, is := members(body)
	for i, p := range parts {
		if inner, is := members(p.Value); is && len(inner) > 0 {
			parts[i].Inner = inner
		}
	}
	return parts, is
}

// members are those of one object.
func members(object []byte) (all []bodyPart, is bool) {
	if !json.Valid(object) || !bytes.HasPrefix(bytes.TrimSpace(object), []byte("{")) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(object))
	d.Token()
	for d.More() {
		var p bodyPart
		name, _ := d.Token()
		p.Name, _ = name.(string)
		d.Decode(&p.Value)
		all = append(all, p)
	}
	return all, true
}

// composeBody returns the body that the parts make. A part without a value is left out.
func composeBody(parts []bodyPart) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, p := range parts {
		value := p.Value
		if p.Inner != nil {
			value = composeBody(p.Inner)
		} else if value == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(quotedJSON(p.Name))
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func quotedJSON(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(text) // a string cannot fail
	return bytes.TrimSpace(b.Bytes())
}

// typedValue is a value as it is typed: a string without its quotes, unless they are needed to see what is in it.
func typedValue(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil || bytes.Equal(value, []byte("null")) || !strings.HasPrefix(string(value), `"`) {
		return string(escapedJSON(value))
	}
	if text != strings.TrimSpace(text) || text == "" || strings.HasPrefix(text, `"`) || strings.ContainsFunc(text, cannotType) {
		return string(escapedJSON(quotedJSON(text)))
	}
	return text
}

// parseValue returns the value of what was typed in the place of one; nil to leave it out. A number that is typed for
// a number stays one.
func parseValue(text string, was json.RawMessage) json.RawMessage {
	isString := bytes.HasPrefix(was, []byte(`"`))
	switch {
	case text == "":
		return nil
	case json.Valid([]byte(text)) && (!isString || strings.HasPrefix(text, `"`)):
		return json.RawMessage(text)
	}
	return quotedJSON(text)
}

// cannotType reports whether a character cannot be typed.
func cannotType(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }

// escapedJSON is JSON in printable ASCII.
func escapedJSON(value []byte) []byte {
	return api.EscapeJSON(value, func(r rune) bool { return !cannotType(r) })
}

// bodyLine is a body on one line as it is typed; "" where it has bytes that cannot be.
func bodyLine(body []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, body) == nil {
		return string(escapedJSON(b.Bytes()))
	}
	if slices.ContainsFunc([]rune(string(body)), cannotType) {
		return ""
	}
	return string(body)
}
