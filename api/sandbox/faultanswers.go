package sandbox

import (
	"slices"
	"strings"
)

// The faults of a true answer that is well-formed, and wrong.

// references finds where an answer names its payment or link.
func references(doc *node) (all []*node) {
	for _, path := range []string{"value.paymentItem.paymentReference", "value.paymentItem.reference", "value.paymentReference", "value.reference", "value.alias"} {
		if v := doc.find(path); v != nil && v.isString() {
			all = append(all, v)
		}
	}
	return all
}

// declinePayment makes the payment of the answer fail, as its issuer would.
func declinePayment(s *Sandbox, _ operation, doc *node) {
	for _, v := range references(doc) {
		if p := s.payments[v.stringValue()]; p != nil && p.decline(s.now()) {
			s.wakeSenders()
		}
	}
	if v := doc.find("value.paymentStatus"); v != nil {
		*v = stringNode(string(failed))
	}
}

func changeReference(s *Sandbox, _ operation, doc *node) { nameAll(doc, shortCode(s.random)) }

func nameAll(doc *node, reference string) {
	for _, v := range references(doc) {
		*v = stringNode(reference)
	}
}

// repeatReference answers with the reference of the payment that was made before, if there is one.
func repeatReference(s *Sandbox, _ operation, doc *node) {
	all := references(doc)
	for _, p := range slices.Backward(s.ordered) {
		if len(all) > 0 && p.reference != all[0].stringValue() {
			nameAll(doc, p.reference)
			return
		}
	}
}

// addToAmounts adds 1.00 to what the answer says that is paid.
func addToAmounts(s *Sandbox, op operation, doc *node) {
	eachAmount(doc, func(v *node) {
		n, _ := parseHundredths(v.leaf)
		v.leaf = formatMajor(n + 100).String()
	})
	if op.list {
		for _, row := range doc.find("data").members {
			if v := row.member("amount"); v != nil {
				n, _ := parseMinor(v.leaf)
				v.leaf = formatMinor(n + 100).String()
			}
		}
	}
}

// driftSpelling writes status words as they have been seen elsewhere.
func driftSpelling(_ *Sandbox, _ operation, doc *node) {
	doc.eachLeaf("", func(name string, l *node) {
		if word := l.stringValue(); l.isString() && (name == "paymentStatus" || name == "status") && word != "" {
			word = strings.ToUpper(word[:1]) + strings.ToLower(word[1:])
			l.leaf = quote(strings.TrimSuffix(strings.Replace(word, "ssfull", "ssful", 1), "_"))
		}
	})
}

// successName is the name of the member that reports success.
func successName(doc *node) string {
	if doc.member("isSuccess") == nil && doc.member("status") != nil {
		return "status"
	}
	return "isSuccess"
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
