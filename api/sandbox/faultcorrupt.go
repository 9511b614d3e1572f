package sandbox

import "strings"

// successName is the name of the member that reports success.
func successName(doc *node) string {
	if doc.member("isSuccess") == nil && doc.member("status") != nil {
		return "status"
	}
	return "isSuccess"
}

// resultName is the name of the member that holds the result.
func resultName(doc *node) string {
	if doc.member("data") != nil {
		return "data"
	}
	return "value"
}

func oppositeSuccess(doc *node) node {
	if v := doc.member(successName(doc)); v != nil && v.leaf == "true" {
		return leaf("false")
	}
	return leaf("true")
}

func duplicateSuccess(doc *node) { doc.add(successName(doc), oppositeSuccess(doc)) }

func duplicateSuccessFolded(doc *node) {
	name := successName(doc)
	doc.add(strings.ToUpper(name[:1])+name[1:], oppositeSuccess(doc))
}

func invalidUTF8(doc *node)   { doc.set("message", leaf("\"caf\xe9 \xff\xfe\"")) }
func loneSurrogate(doc *node) { doc.set("message", leaf(`"half \ud800 a pair"`)) }

// changeNumbers changes every number, or adds one where there is none.
func changeNumbers(doc *node, change func(string) string) {
	found := false
	doc.eachLeaf("", func(_ string, l *node) {
		if l.isNumber() {
			l.leaf, found = change(l.leaf), true
		}
	})
	if !found {
		doc.add("number", leaf(change("1")))
	}
}

func hugeNumbers(doc *node) {
	changeNumbers(doc, func(string) string { return "1" + strings.Repeat("0", 399) })
}

func exponents(doc *node)        { changeNumbers(doc, func(n string) string { return n + "e0" }) }
func numbersAsStrings(doc *node) { changeNumbers(doc, quote) }

func stringsAsNumbers(doc *node) {
	if v := doc.member(resultName(doc)); v != nil {
		v.eachLeaf("", func(_ string, l *node) {
			if l.isString() {
				l.leaf = "12345"
			}
		})
	}
}

func nullValue(doc *node)   { doc.set(resultName(doc), leaf("null")) }
func absentValue(doc *node) { doc.remove(resultName(doc)) }

func arrayForObject(doc *node) {
	name := resultName(doc)
	if name == "data" {
		name = "meta"
	}
	if v := doc.member(name); v != nil {
		*v = arrayNode(*v)
	}
}
