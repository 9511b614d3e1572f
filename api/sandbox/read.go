package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const maxDepth = 16

var errNotJSON = errors.New("the body must be one JSON object in UTF-8, without repeated names")

// parse decodes a body strictly: one object, valid UTF-8, no repeated names and nothing
// after it. encoding/json alone accepts violations of all four.
func parse(body []byte) (map[string]any, error) {
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, errNotJSON
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	v, err := parseValue(d, 0)
	if err != nil {
		return nil, err
	}
	m, is := v.(map[string]any)
	if !is {
		return nil, errNotJSON
	}
	return m, nil
}

func parseValue(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err != nil || depth > maxDepth {
		return nil, errNotJSON
	}
	switch token {
	case json.Delim('{'):
		m := map[string]any{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, errNotJSON
			}
			key := name.(string)
			if _, twice := m[key]; twice {
				return nil, errNotJSON
			}
			if m[key], err = parseValue(d, depth+1); err != nil {
				return nil, err
			}
		}
		d.Token()
		return m, nil
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := parseValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		d.Token()
		return list, nil
	}
	return token, nil
}

// A violation is one thing wrong with a request.
type violation struct {
	field string // "userInformation.firstName"
	text  string // "is required"
	shape bool   // missing or of the wrong type, rather than a broken constraint
}

// A reading is a request being parsed. It collects all violations, so that one response
// names them all.
type reading struct {
	violations  []violation
	objects     []*object
	minor       bool // amounts are in minor units
	anyMetaData bool // metaData may contain any values
}

// An object is a request, or an object inside it.
type object struct {
	prefix  string // such as "paymentRequestProps.card."; "" for the whole request
	values  map[string]any
	read    []string
	reading *reading
}

func newReading(values map[string]any) *object { return new(reading).object("", values) }

func (r *reading) object(at string, values map[string]any) *object {
	o := &object{prefix: at, values: values, reading: r}
	r.objects = append(r.objects, o)
	return o
}

// invalid records a broken constraint.
func (o *object) invalid(name, text string) {
	o.reading.violations = append(o.reading.violations, violation{field: o.prefix + name, text: text})
}

// malformed records a field that is missing or of the wrong type.
func (o *object) malformed(name, text string) {
	o.reading.violations = append(o.reading.violations, violation{o.prefix + name, text, true})
}

// value returns a field; null is the same as absent.
func (o *object) value(name string) (any, bool) {
	o.read = append(o.read, name)
	v := o.values[name]
	return v, v != nil
}

// text reads an optional string.
func (o *object) text(name string) string {
	v, is := o.value(name)
	if !is {
		return ""
	}
	s, is := v.(string)
	if !is {
		o.malformed(name, "must be a string")
	}
	return s
}

// requiredText reads a required string that is not blank.
func (o *object) requiredText(name string) string {
	before := len(o.reading.violations)
	s := o.text(name)
	if len(o.reading.violations) == before && strings.TrimSpace(s) == "" {
		o.malformed(name, "is required")
	}
	return s
}

// limitedText reads an optional string of at most limit characters.
func (o *object) limitedText(name string, limit int) string {
	s := o.text(name)
	if utf8.RuneCountInString(s) > limit {
		o.invalid(name, fmt.Sprintf("must have at most %d characters", limit))
	}
	return s
}

// amount reads a required amount, in major units unless a switch says otherwise.
func (o *object) amount(name string, least int64) int64 {
	v, is := o.value(name)
	if !is {
		o.malformed(name, "is required")
		return 0
	}
	literal, is := v.(json.Number)
	if !is {
		o.malformed(name, "must be a number")
		return 0
	}
	read, write := parseHundredths, formatMajor
	if o.reading.minor {
		read, write = parseMinor, formatMinor
	}
	n, problem := read(literal.String())
	switch {
	case problem != "":
		o.invalid(name, problem)
	case n < least:
		o.invalid(name, "must be at least "+write(least).String())
	}
	return n
}

// integer reads a required integer from low to high.
func (o *object) integer(name string, low, high int) int {
	v, is := o.value(name)
	if !is {
		o.malformed(name, "is required")
		return low
	}
	literal, _ := v.(json.Number)
	n, err := strconv.Atoi(literal.String())
	switch {
	case err != nil:
		o.malformed(name, "must be an integer")
	case n < low || n > high:
		o.invalid(name, fmt.Sprintf("must be from %d to %d", low, high))
	}
	return n
}

// part reads an object inside; nil when it is absent.
func (o *object) part(name string, required bool) *object {
	v, is := o.value(name)
	if !is {
		if required {
			o.malformed(name, "is required")
		}
		return nil
	}
	m, is := v.(map[string]any)
	if !is {
		o.malformed(name, "must be an object")
		return nil
	}
	return o.reading.object(o.prefix+name+".", m)
}

// checkSpelling rejects names that differ from a known one only by case. Other unknown
// names are ignored, and returnURL would be ignored with them.
func (o *object) checkSpelling() {
	for _, known := range o.read {
		for given := range o.values {
			if given != known && strings.EqualFold(given, known) {
				o.malformed(known, "is spelled with other capitals")
			}
		}
	}
}

// refusal is the answer for all violations, nil when there are none: 422 for a missing
// field or a wrong type, 400 for a broken constraint (facts page).
func (c call) refusal() *answer {
	r := c.body.reading
	for _, o := range r.objects {
		o.checkSpelling()
	}
	if len(r.violations) == 0 {
		return nil
	}
	status := http.StatusBadRequest
	var lines []string
	for _, w := range r.violations {
		if w.shape {
			status = http.StatusUnprocessableEntity
		}
		if line := w.field + " " + w.text; !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	a := c.refuse(status, strings.Join(lines, "; "))
	return &a
}
