package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const maxDepth = 16

// parse decodes a body strictly: one object, valid UTF-8, no repeated names and nothing
// after it. encoding/json alone accepts violations of all but the last.
func parse(body []byte) (doc node, is bool) {
	if utf8.Valid(body) && json.Valid(body) {
		doc = parseTree(body)
	}
	return doc, doc.isObject() && doc.strict(0)
}

// strict reports whether no object repeats a name and nothing is nested too deeply.
func (n *node) strict(depth int) bool {
	seen := map[string]bool{}
	for i := range n.members {
		m := &n.members[i]
		if n.isObject() && seen[m.name] || !m.strict(depth+1) {
			return false
		}
		seen[m.name] = true
	}
	return depth <= maxDepth
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
	values  *node
	read    []string
	reading *reading
}

func newReading(values node) *object { return new(reading).object("", &values) }

// object adds an object to those whose names are checked at the end.
func (r *reading) object(at string, values *node) *object {
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

// sound reports whether nothing is wrong with fields so far, so that more can be concluded from
// them.
func (o *object) sound(names ...string) bool {
	return !slices.ContainsFunc(o.reading.violations, func(w violation) bool {
		name, is := strings.CutPrefix(w.field, o.prefix)
		return is && slices.Contains(names, name)
	})
}

// value returns a field; nil when it is absent or null.
func (o *object) value(name string) *node {
	o.read = append(o.read, name)
	if v := o.values.member(name); v != nil && v.leaf != "null" {
		return v
	}
	return nil
}

// typed returns a field of a type; nil when it is absent or of another type.
func (o *object) typed(name string, is func(*node) bool, problem string) *node {
	v := o.value(name)
	if v != nil && !is(v) {
		o.malformed(name, problem)
		return nil
	}
	return v
}

// required is a field as typed returns it, which may not be absent.
func (o *object) required(name string, is func(*node) bool, problem string) *node {
	if o.value(name) == nil {
		o.malformed(name, "is required")
	}
	return o.typed(name, is, problem)
}

// text reads an optional string.
func (o *object) text(name string) string {
	return o.typed(name, (*node).isString, "must be a string").stringValue()
}

// texts reads an optional array of strings.
func (o *object) texts(name string) (all []string) {
	areTexts := func(n *node) bool {
		return n.isArray() && !slices.ContainsFunc(n.members, func(m member) bool { return !m.isString() })
	}
	if v := o.typed(name, areTexts, "must be an array of strings"); v != nil {
		for _, m := range v.members {
			all = append(all, m.stringValue())
		}
	}
	return all
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
	v := o.required(name, (*node).isNumber, "must be a number")
	if v == nil {
		return 0
	}
	read, write := parseHundredths, formatMajor
	if o.reading.minor {
		read, write = parseMinor, formatMinor
	}
	n, problem := read(v.leaf)
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
	n := low
	whole := func(v *node) bool {
		number, err := strconv.Atoi(v.leaf)
		n = number
		return err == nil
	}
	if o.required(name, whole, "must be an integer") != nil && (n < low || n > high) {
		o.invalid(name, fmt.Sprintf("must be from %d to %d", low, high))
	}
	return n
}

// part reads an object inside; nil when it is absent.
func (o *object) part(name string, required bool) *object {
	read := o.typed
	if required {
		read = o.required
	}
	if v := read(name, (*node).isObject, "must be an object"); v != nil {
		return o.reading.object(o.prefix+name+".", v)
	}
	return nil
}

// checkSpelling rejects names that differ from a known one only by case. Other unknown
// names are ignored, and returnURL would be ignored with them.
func (o *object) checkSpelling() {
	for _, known := range o.read {
		for _, given := range o.values.members {
			if given.name != known && strings.EqualFold(given.name, known) {
				o.malformed(known, "is spelled with other capitals")
			}
		}
	}
}

// refusal is the answer for all violations, nil when there are none: 422 for a missing
// field or a wrong type, 400 for a broken constraint.
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
	return c.refuse(status, strings.Join(lines, "; "))
}
