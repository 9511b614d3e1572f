package sandbox

import (
	"slices"
	"strings"
)

// The faults of a response whose JSON is wrong.

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

// oppositeSuccess contradicts the response: a client must not believe either of the two.
func oppositeSuccess(doc *node) node {
	if v := doc.member(successName(doc)); v != nil && v.leaf == "true" {
		return leaf("false")
	}
	return leaf("true")
}

func duplicateSuccess(doc *node) { doc.add(successName(doc), oppositeSuccess(doc)) }

// duplicateSuccessFolded repeats the name with a capital. Parsers that ignore case take
// one of them.
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

// hugeNumbers makes numbers that no integer type holds.
func hugeNumbers(doc *node) {
	changeNumbers(doc, func(string) string { return "1" + strings.Repeat("0", 399) })
}

func exponents(doc *node)        { changeNumbers(doc, func(n string) string { return n + "e0" }) }
func numbersAsStrings(doc *node) { changeNumbers(doc, quote) }

// stringsAsNumbers changes the type of references and status words.
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

// arrayForObject changes an object into an array of one; in the list, data is an array
// already.
func arrayForObject(doc *node) {
	name := resultName(doc)
	if name == "data" {
		name = "meta"
	}
	if v := doc.member(name); v != nil {
		*v = arrayNode(*v)
	}
}

// The faults of a page of the list.

// shrinkList drops the oldest rows, so that a page a client has seen is beyond the end.
func shrinkList(e *listEnvelope, l listing) { *e = l.page(max(l.Total-l.count*l.PerPage, 0)) }

// growList inserts new rows at the front, which move the others to later pages.
func growList(e *listEnvelope, l listing) {
	newer, old := l.count*l.PerPage, l.row
	l.row = func(i int) row {
		if i < newer {
			return seededRows{seed: newerSeed, count: newer - i}.row(0)
		}
		return old(i - newer)
	}
	*e = l.page(l.Total + newer)
}

// newerSeed is the seed of the inserted rows.
const newerSeed = 1<<63 | 54

// repeatFirstPage ignores the page that was requested, but meta does not say so.
func repeatFirstPage(e *listEnvelope, l listing) {
	l.Skipped = 0
	e.Data = l.page(l.Total).Data
}

// fiveHundred exceeds the limit of perPage (section 8).
func fiveHundred(e *listEnvelope, l listing) {
	l.PerPage = 500
	l.Skipped = (l.Page - 1) * l.PerPage
	*e = l.page(l.Total)
}

func pageZero(e *listEnvelope, _ listing)   { e.Meta.Page = 0 }
func noMeta(e *listEnvelope, _ listing)     { e.Meta = listMeta{} }
func zeroTotal(e *listEnvelope, _ listing)  { e.Meta.Total, e.Meta.PageCount = 0, 0 }
func shortTotal(e *listEnvelope, _ listing) { e.Meta.Total = max(len(e.Data)-1, 0) }

func negativeMeta(e *listEnvelope, l listing) {
	e.Meta = listMeta{-l.Page, -l.PageCount - 1, -l.Total - 1, -l.PerPage, -l.Skipped - 1}
}

// endless makes a client that reads until the last page read forever.
func endless(e *listEnvelope, l listing) {
	l.Skipped = (l.Page - 1) % max(l.PageCount, 1) * l.PerPage
	e.Data = l.page(l.Total).Data
	e.Meta.PageCount = l.Page + 1
}

// sameIDs makes a client that identifies rows by their ids lose all but one.
func sameIDs(e *listEnvelope, _ listing) {
	e.Data = slices.Clone(e.Data)
	for i := range e.Data {
		e.Data[i].ID = e.Data[0].ID
	}
}

// reverseEveryOther moves rows between pages while a client turns them.
func reverseEveryOther(e *listEnvelope, l listing) {
	if l.count%2 == 0 {
		return
	}
	old := l.row
	l.row = func(i int) row { return old(l.Total - 1 - i) }
	*e = l.page(l.Total)
}
