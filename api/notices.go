package api

import "fmt"

// notices says in words what is odd about a page that was asked for as page and
// perPage (R54). The loops over pages are the business of those who ask for them.
func notices(p Page, page, perPage int) []Text {
	var all []Text
	note := func(when bool, format string, args ...any) {
		if when {
			all = append(all, Clean(fmt.Sprintf(format, args...)))
		}
	}
	rows, m := len(p.Rows), p.Meta
	note(!p.HasMeta, "The service did not say in a usable way how many pages there are: this is taken as a single page.")
	if p.HasMeta {
		note(m.Page != page, "Page %d was asked for, and the service says that this is page %d.", page, m.Page)
		note(m.PageCount == 0 && (rows > 0 || m.Total > 0), "The service says that there are 0 pages, and %s all the same.", reportedCount(rows, m.Total))
		note(m.PageCount > 0 && page > m.PageCount, "The list has %d pages now: there is no page %d.", m.PageCount, page)
		note(m.Total < rows, "The service says that the list has %d in all, and this page alone has %d.", m.Total, rows)
		note(m.PerPage != perPage, "%d a page were asked for, and the service says %d.", perPage, m.PerPage)
		note(rows == 0 && page <= m.PageCount && m.Total > 0, "This page is empty, and the service says that the list has %d in all.", m.Total)
	}
	note(rows > perPage, "%d a page were asked for, and %d came.", perPage, rows)
	nameless, twice := countIDs(p.Rows)
	note(nameless > 0, "Without an id, and so not to be opened: %d of %d.", nameless, rows)
	note(twice > 0, "On this page more than once by their id: %d of %d.", twice, rows)
	return all
}

func reportedCount(rows, total int) string {
	if rows > 0 {
		return fmt.Sprintf("sent a page of %d", rows)
	}
	return fmt.Sprintf("that the list has %d in all", total)
}

// countIDs counts rows without an id, and rows whose id stood on the page before.
func countIDs(rows []Row) (nameless, twice int) {
	seen := make(map[string]bool, len(rows))
	for _, r := range rows {
		id := r.ID.Line(0)
		switch {
		case id == "":
			nameless++
		case seen[id]:
			twice++
		}
		seen[id] = true
	}
	return nameless, twice
}
