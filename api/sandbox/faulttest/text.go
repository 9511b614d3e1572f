package faulttest

import (
	"encoding/json"
	"regexp"
	"strings"
)

// The faults of a response whose JSON is wrong. They change its text, which encoding/json would repair.

// token is a name, a string or a number of a JSON document.
var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"\s*:?|-?\d[0-9.eE+-]*`)

// eachLeaf replaces the strings and numbers of a document; each has its own name or that of its array.
func eachLeaf(text string, change func(name, leaf string) string) string {
	name := ""
	return token.ReplaceAllStringFunc(text, func(t string) string {
		if before, is := strings.CutSuffix(t, ":"); is {
			name = strings.Trim(before, `" `)
			return t
		}
		return change(name, t)
	})
}

// member returns a member of an object as it is written; "" when there is none.
func member(text, name string) string {
	var all map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &all) != nil {
		return ""
	}
	return string(all[name])
}

// set replaces a member of an object, or adds it at the end.
func set(text, name, value string) string {
	before, after, found := strings.Cut(text, `"`+name+`":`+member(text, name))
	if !found || member(text, name) == "" {
		return add(text, name, value)
	}
	return before + `"` + name + `":` + value + after
}

// add appends a member even when the name exists already.
func add(text, name, value string) string {
	return strings.TrimSuffix(text, "}\n") + `,"` + name + `":` + value + "}\n"
}

func message(value string) func(string) string {
	return func(text string) string { return set(text, "message", value) }
}

// numbers changes every number, or adds one where there is none.
func numbers(change func(string) string) func(string) string {
	return func(text string) string {
		found := false
		out := eachLeaf(text, func(_, leaf string) string {
			if strings.HasPrefix(leaf, `"`) {
				return leaf
			}
			found = true
			return change(leaf)
		})
		if !found {
			return add(text, "number", change("1"))
		}
		return out
	}
}

// resultName is the name of the member that holds the result.
func resultName(text string) string {
	if member(text, "data") != "" {
		return "data"
	}
	return "value"
}

// result changes the member that holds the result, if there is one.
func result(text string, change func(string) string) string {
	name := resultName(text)
	if held := member(text, name); held != "" {
		return set(text, name, change(held))
	}
	return set(text, name, "null")
}

// stringsAsNumbers changes the type of references and status words.
func stringsAsNumbers(text string) string {
	if member(text, resultName(text)) == "" {
		return text
	}
	return result(text, func(held string) string {
		return eachLeaf(held, func(_, leaf string) string {
			if strings.HasPrefix(leaf, `"`) {
				return "12345"
			}
			return leaf
		})
	})
}

// arrayForObject changes an object into an array of one; in the list, data is an array
// already.
func arrayForObject(text string) string {
	name := resultName(text)
	if name == "data" {
		name = "meta"
	}
	if held := member(text, name); held != "" {
		return set(text, name, "["+held+"]")
	}
	return text
}
