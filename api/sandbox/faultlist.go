package sandbox

import "slices"

// A listing is what a page of the list was made from.
type listing struct {
	listMeta // the true one
	count    int
	row      func(int) row // the i-th row of the whole list
}

// anomalies lists the twelve ways in which a page of the list can be wrong.
func anomalies() []faultKind {
	return []faultKind{
		{Fault: newFault("shrink", "the list loses a page with each call", whenAlwaysAfter), page: shrinkList},
		{Fault: newFault("grow", "the list gains a page at the front with each call", whenAlwaysAfter), page: growList},
		{Fault: newFault("repeat", "every page has the rows of the first", whenAlwaysAfter), page: repeatFirstPage},
		{Fault: newFault("page-0", "meta.page is 0", whenAlwaysAfter), page: func(e *listEnvelope, _ listing) { e.Meta.Page = 0 }},
		{Fault: newFault("per-page-500", "pages have 500 rows, whatever was requested", whenAlwaysAfter), page: fiveHundred},
		{Fault: newFault("total-0", "meta.total and meta.pageCount are 0, but there are rows", whenAlwaysAfter), page: zeroTotal},
		{Fault: newFault("total-less", "meta.total is one less than the rows on the page", whenAlwaysAfter), page: shortTotal},
		{Fault: newFault("negative", "all numbers of meta are negative", whenAlwaysAfter), page: negativeMeta},
		{Fault: newFault("no-meta", "meta is missing", whenAlwaysAfter), page: func(e *listEnvelope, _ listing) { e.Meta = listMeta{} }},
		{Fault: newFault("loop", "there is always one more page, starting over with the first rows", whenAlwaysAfter), page: endless},
		{Fault: newFault("duplicate-ids", "all rows of a page have the id of the first", whenAlwaysAfter), page: sameIDs},
		{Fault: newFault("reorder", "every other call returns the list in reverse order", whenAlwaysAfter), page: reverseEveryOther},
	}
}

// fill builds a page from the first total rows.
func (l listing) fill(e *listEnvelope, total int) {
	e.Data = []row{}
	for i := l.Skipped; i < min(l.Skipped+l.PerPage, total); i++ {
		e.Data = append(e.Data, l.row(i))
	}
	e.Meta = pagination(l.Page, l.PerPage, total)
}

func shrinkList(e *listEnvelope, l listing) { l.fill(e, max(l.Total-l.count*l.PerPage, 0)) }

// growList inserts new rows at the front, which move the others to later pages.
func growList(e *listEnvelope, l listing) {
	newer, old := l.count*l.PerPage, l.row
	l.row = func(i int) row {
		if i < newer {
			return seededRows{seed: newerSeed, count: newer - i}.row(0)
		}
		return old(i - newer)
	}
	l.fill(e, l.Total+newer)
}

// newerSeed is the seed of the inserted rows.
const newerSeed = 1<<63 | 54

func repeatFirstPage(e *listEnvelope, l listing) {
	l.Skipped = 0
	meta := e.Meta
	l.fill(e, l.Total)
	e.Meta = meta
}

func fiveHundred(e *listEnvelope, l listing) {
	l.PerPage = 500
	l.Skipped = (l.Page - 1) * l.PerPage
	l.fill(e, l.Total)
}

func zeroTotal(e *listEnvelope, _ listing)  { e.Meta.Total, e.Meta.PageCount = 0, 0 }
func shortTotal(e *listEnvelope, _ listing) { e.Meta.Total = max(len(e.Data)-1, 0) }

func negativeMeta(e *listEnvelope, l listing) {
	e.Meta = listMeta{-l.Page, -l.PageCount - 1, -l.Total - 1, -l.PerPage, -l.Skipped - 1}
}

func endless(e *listEnvelope, l listing) {
	l.Skipped = (l.Page - 1) % max(l.PageCount, 1) * l.PerPage
	meta := e.Meta
	l.fill(e, l.Total)
	e.Meta = meta
	e.Meta.PageCount = l.Page + 1
}

func sameIDs(e *listEnvelope, _ listing) {
	e.Data = slices.Clone(e.Data)
	for i := range e.Data {
		e.Data[i].ID = e.Data[0].ID
	}
}

func reverseEveryOther(e *listEnvelope, l listing) {
	if l.count%2 == 0 {
		return
	}
	old := l.row
	l.row = func(i int) row { return old(l.Total - 1 - i) }
	l.fill(e, l.Total)
}
