package sandbox

import "strings"

// What is wrong with an answer as JSON, or as an answer. Each bends the true one.

// verdict is the name of the member that says yes or no.
func verdict(doc *node) string {
	if doc.member("isSuccess") == nil && doc.member("status") != nil {
		return "status"
	}
	return "isSuccess"
}

// result is the name of the member with the result.
func result(doc *node) string {
	if doc.member("data") != nil {
		return "data"
	}
	return "value"
}

// opposite is the other verdict.
func opposite(doc *node) node {
	if v := doc.member(verdict(doc)); v != nil && v.leaf == "true" {
		return leaf("false")
	}
	return leaf("true")
}

func twice(doc *node) { doc.add(verdict(doc), opposite(doc)) }

func twiceFolded(doc *node) {
	name := verdict(doc)
	doc.add(strings.ToUpper(name[:1])+name[1:], opposite(doc))
}

func notUTF8(doc *node)       { doc.put("message", leaf("\"caf\xe9 \xff\xfe\"")) }
func loneSurrogate(doc *node) { doc.put("message", leaf(`"half \ud800 a pair"`)) }

// numbers changes every number; where there is none, one is added.
func numbers(doc *node, change func(string) string) {
	found := false
	doc.each("", func(_ string, l *node) {
		if l.isNumber() {
			l.leaf, found = change(l.leaf), true
		}
	})
	if !found {
		doc.add("number", leaf(change("1")))
	}
}

func hugeNumbers(doc *node) {
	numbers(doc, func(string) string { return "1" + strings.Repeat("0", 399) })
}

func exponents(doc *node)      { numbers(doc, func(n string) string { return n + "e0" }) }
func numbersAsTexts(doc *node) { numbers(doc, quote) }

func textsAsNumbers(doc *node) {
	if v := doc.member(result(doc)); v != nil {
		v.each("", func(_ string, l *node) {
			if l.isText() {
				l.leaf = "12345"
			}
		})
	}
}

func nullValue(doc *node)   { doc.put(result(doc), leaf("null")) }
func absentValue(doc *node) { doc.drop(result(doc)) }

func arrayForObject(doc *node) {
	name := result(doc)
	if name == "data" {
		name = "meta"
	}
	if v := doc.member(name); v != nil {
		*v = list(*v)
	}
}
