package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A node is a JSON value. Members keep their order, and an object may repeat a name, as a request may.
type node struct {
	open    byte   // '{' or '['; 0 for a leaf
	leaf    string // as written: a string with its quotes
	members []member
}

// A member is an element of an object, or of an array, where it has no name.
type member struct {
	name string
	node
}

// leaf is a value as written.
func leaf(written string) node { return node{leaf: written} }

func stringNode(s string) node { return leaf(quote(s)) }

// objectNode returns an object of names and values, given in turn.
func objectNode(pairs ...any) node {
	n := node{open: '{'}
	for pair := range slices.Chunk(pairs, 2) {
		n.add(pair[0].(string), pair[1])
	}
	return n
}

// nodeOf returns a node as it is, and any other value as a leaf.
func nodeOf(v any) node {
	if n, is := v.(node); is {
		return n
	}
	return leaf(quote(v))
}

// MarshalJSON implements [json.Marshaler].
func (n node) MarshalJSON() ([]byte, error) { return n.bytes(), nil }

// quote is a value as JSON has it.
func quote(v any) string { return strings.TrimSuffix(string(encodeJSON(v)), "\n") }

// parseTree parses valid JSON, such as what answer.encode has written.
func parseTree(document []byte) node {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	return parseNode(d)
}

func parseNode(d *json.Decoder) node {
	switch t, _ := d.Token(); t := t.(type) {
	case json.Delim:
		n := node{open: byte(t)}
		for d.More() {
			m := member{}
			if t == '{' {
				name, _ := d.Token()
				m.name = name.(string)
			}
			m.node = parseNode(d)
			n.members = append(n.members, m)
		}
		d.Token()
		return n
	case string:
		return stringNode(t)
	case nil:
		return leaf("null")
	default:
		return leaf(fmt.Sprint(t))
	}
}

func (n node) bytes() []byte {
	var b bytes.Buffer
	n.write(&b)
	b.WriteByte('\n')
	return b.Bytes()
}

func (n node) write(b *bytes.Buffer) {
	if n.open == 0 {
		b.WriteString(n.leaf)
		return
	}
	b.WriteByte(n.open)
	for i, m := range n.members {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.open == '{' {
			b.WriteString(quote(m.name) + ":")
		}
		m.write(b)
	}
	b.WriteByte(n.open + 2) // in ASCII, } and ] are two after { and [
}

// find returns the member at a path such as "value.paymentItem"; nil when there is none.
func (n *node) find(path string) *node {
	for name := range strings.SplitSeq(path, ".") {
		if n = n.member(name); n == nil {
			return nil
		}
	}
	return n
}

// each visits what is at a path, in each element where that leads through an array.
func (n *node) each(path string, visit func(*node)) {
	if n.isArray() {
		for i := range n.members {
			n.members[i].each(path, visit)
		}
		return
	}
	name, rest, deeper := strings.Cut(path, ".")
	switch v := n.member(name); {
	case v == nil:
	case deeper:
		v.each(rest, visit)
	default:
		visit(v)
	}
}

// member returns the first member of a name; nil when there is none.
func (n *node) member(name string) *node {
	for i := range n.members {
		if n.open == '{' && n.members[i].name == name {
			return &n.members[i].node
		}
	}
	return nil
}

// add appends a member even when the name exists already.
func (n *node) add(name string, v any) { n.members = append(n.members, member{name, nodeOf(v)}) }

// camelCase changes the first letter of every name to lower case.
func (n *node) camelCase() {
	for i := range n.members {
		m := &n.members[i]
		if m.name != "" {
			m.name = strings.ToLower(m.name[:1]) + m.name[1:]
		}
		m.camelCase()
	}
}

func (n *node) isObject() bool { return n.open == '{' }
func (n *node) isArray() bool  { return n.open == '[' }
func (n *node) isString() bool { return strings.HasPrefix(n.leaf, `"`) }
func (n *node) isNumber() bool { return n.leaf != "" && strings.Contains("-0123456789", n.leaf[:1]) }

// stringValue decodes a string; "" when n is nil or not a string.
func (n *node) stringValue() (s string) {
	if n == nil || !n.isString() {
		return ""
	}
	json.Unmarshal([]byte(n.leaf), &s)
	return s
}
