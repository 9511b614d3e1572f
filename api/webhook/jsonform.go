package webhook

import (
	"bytes"
	"encoding/json"
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

// A Part is a member of a webhook's body, or of an object in it.
type Part struct {
	Name, Path string
	value      json.RawMessage
	inner      []*Part // nil unless it is an object of the body itself
}

// Parts returns the members of a body in their order, and of the objects in it; false unless it is a JSON object.
func Parts(body []byte) ([]*Part, bool) {
	parts, is := members(body, "")
	for _, p := range parts {
		p.inner, _ = members(p.value, p.Name+".")
	}
	return parts, is
}

// members returns the parts of one object.
func members(object []byte, above string) (all []*Part, is bool) {
	if !json.Valid(object) || !bytes.HasPrefix(bytes.TrimSpace(object), []byte("{")) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(object))
	d.Token()
	for d.More() {
		p := new(Part)
		name, _ := d.Token()
		p.Name, _ = name.(string)
		p.Path = above + p.Name
		d.Decode(&p.value)
		all = append(all, p)
	}
	return all, true
}

// Leaves returns the parts that have a value, in their order.
func Leaves(parts []*Part) (all []*Part) {
	for _, p := range parts {
		if p.inner == nil {
			all = append(all, p)
		}
		all = append(all, Leaves(p.inner)...)
	}
	return all
}

// Compose returns the body that the parts make, with what was typed for each that has a value; one for which nothing was is left out.
func Compose(parts []*Part, typed func(*Part) string) []byte {
	var all []string
	for _, p := range parts {
		var value []byte
		if p.inner != nil {
			value = Compose(p.inner, typed)
		} else if value = p.parse(typed(p)); value == nil {
			continue
		}
		all = append(all, string(quoted(p.Name))+":"+string(value))
	}
	return []byte("{" + strings.Join(all, ",") + "}")
}

func quoted(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(text) // a string cannot fail
	return bytes.TrimSpace(b.Bytes())
}

// Typed is the value as it is typed: a string without its quotes, unless they are needed to see what is in it.
func (p *Part) Typed() string {
	var text string
	if json.Unmarshal(p.value, &text) != nil || !bytes.HasPrefix(p.value, []byte(`"`)) {
		return string(escaped(p.value))
	}
	if text != strings.TrimSpace(text) || text == "" || strings.HasPrefix(text, `"`) || strings.ContainsFunc(text, untypable) {
		return string(escaped(quoted(text)))
	}
	return text
}

// parse returns the value of what was typed in the place of this one; nil to leave it out. A number that is typed for
// a number stays one.
func (p *Part) parse(text string) []byte {
	isString := bytes.HasPrefix(p.value, []byte(`"`))
	switch {
	case text == "":
		return nil
	case json.Valid([]byte(text)) && (!isString || strings.HasPrefix(text, `"`)):
		return []byte(text)
	}
	return quoted(text)
}

// untypable reports whether a character cannot be typed.
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
	if strings.ContainsFunc(string(body), untypable) {
		return ""
	}
	return string(body)
}
