package faulttest

import (
	"fmt"
	"slices"

	"paydesk/api/sandbox"
)

// The faults of a page of the list.

// shrinkList drops the oldest rows, so that a page a client has seen is beyond the end.
func shrinkList(e *sandbox.ListPage, l sandbox.Listing) {
	*e = l.MakePage(max(l.Total-l.Count*l.PerPage, 0))
}

// growList inserts new rows at the front, which move the others to later pages.
func growList(e *sandbox.ListPage, l sandbox.Listing) {
	newer, old := l.Count*l.PerPage, l.Row
	l.Row = func(i int) sandbox.Row {
		if i < newer {
			return sandbox.Row{ID: fmt.Sprintf("%08x-0000-4000-8000-%012x", newerSeed, newer-i), Amount: int64(100 * (newer - i)), Currency: "NGN", Status: "PENDING"}
		}
		return old(i - newer)
	}
	*e = l.MakePage(l.Total + newer)
}

// newerSeed begins the ids of the inserted rows.
const newerSeed = 0x36000000

// repeatFirstPage ignores the page that was requested, but meta does not say so.
func repeatFirstPage(e *sandbox.ListPage, l sandbox.Listing) {
	l.Skipped = 0
	e.Data = l.MakePage(l.Total).Data
}

// fiveHundred exceeds the limit of perPage (section 8).
func fiveHundred(e *sandbox.ListPage, l sandbox.Listing) {
	l.PerPage = 500
	l.Skipped = (l.Page - 1) * l.PerPage
	*e = l.MakePage(l.Total)
}

func pageZero(e *sandbox.ListPage, _ sandbox.Listing)   { e.Meta.Page = 0 }
func noMeta(e *sandbox.ListPage, _ sandbox.Listing)     { e.Meta = sandbox.ListMeta{} }
func zeroTotal(e *sandbox.ListPage, _ sandbox.Listing)  { e.Meta.Total, e.Meta.PageCount = 0, 0 }
func shortTotal(e *sandbox.ListPage, _ sandbox.Listing) { e.Meta.Total = max(len(e.Data)-1, 0) }

func negativeMeta(e *sandbox.ListPage, l sandbox.Listing) {
	e.Meta = sandbox.ListMeta{Page: -l.Page, PageCount: -l.PageCount - 1, Total: -l.Total - 1, PerPage: -l.PerPage, Skipped: -l.Skipped - 1}
}

// endless makes a client that reads until the last page read forever.
func endless(e *sandbox.ListPage, l sandbox.Listing) {
	l.Skipped = (l.Page - 1) % max(l.PageCount, 1) * l.PerPage
	e.Data = l.MakePage(l.Total).Data
	e.Meta.PageCount = l.Page + 1
}

// sameIDs makes a client that identifies rows by their ids lose all but one.
func sameIDs(e *sandbox.ListPage, _ sandbox.Listing) {
	e.Data = slices.Clone(e.Data)
	for i := range e.Data {
		e.Data[i].ID = e.Data[0].ID
	}
}

// reverseEveryOther moves rows between pages while a client turns them.
func reverseEveryOther(e *sandbox.ListPage, l sandbox.Listing) {
	if l.Count%2 == 0 {
		return
	}
	old := l.Row
	l.Row = func(i int) sandbox.Row { return old(l.Total - 1 - i) }
	*e = l.MakePage(l.Total)
}
