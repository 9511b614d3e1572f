package api

import "fmt"

// notices describes what is inconsistent about a page that was requested as page and perPage.
func notices(p Page, page, perPage int) []Text {
	var all []Text
	note := func(when bool, format string, args ...any) {
		if when {
			all = append(all, Clean(fmt.Sprintf(format, args...)))
		}
	}
	rows, m := len(p.Rows), p.Meta
	note(!p.HasMeta, "The service did not report how many pages there are; this is treated as a single page.")
	if p.HasMeta {
		note(m.Page != page, "Page %d was requested, but the service reports page %d.", page, m.Page)
		note(m.PageCount == 0 && (rows > 0 || m.Total > 0), "The service reports 0 pages but %s.", reportedCount(rows, m.Total))
		note(m.PageCount > 0 && page > m.PageCount, "There are %d pages now: page %d does not exist.", m.PageCount, page)
		note(m.Total < rows, "The service reports %d transactions in all, but this page alone has %d.", m.Total, rows)
		note(m.PerPage != perPage, "%d rows per page were requested, but the service reports %d.", perPage, m.PerPage)
		note(rows == 0 && page <= m.PageCount && m.Total > 0, "This page is empty, but the service reports %d transactions in all.", m.Total)
	}
	note(rows > perPage, "%d rows per page were requested, but %d were returned.", perPage, rows)
	nameless, twice := countIDs(p.Rows)
	note(nameless > 0, "Rows without an id, which cannot be opened: %d of %d.", nameless, rows)
	note(twice > 0, "Rows that repeat an id of this page: %d of %d.", twice, rows)
	return all
}

func reportedCount(rows, total int) string {
	if rows > 0 {
		return fmt.Sprintf("sent a page of %d rows", rows)
	}
	return fmt.Sprintf("%d transactions in all", total)
}

// countIDs counts rows without an id, and rows that repeat an earlier row's id.
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
