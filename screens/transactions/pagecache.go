package transactions

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/present"
)

const (
	maxPages  = 1000 // requested before a person is asked, and from then on
	maxCached = 50   // pages kept
)

// A page is one page as it was received; its meta counts only where it holds no impossible numbers.
type page struct {
	api.Page
	number int
	per    int // rows per page that were requested
	at     time.Time
}

// A pageCache holds the pages since the last reload, all with one number of rows per page.
type pageCache struct {
	per   int
	limit int           // pages that may be requested without a question
	pages map[int]*page // at most maxCached

	seen   map[[sha256.Size]byte]int // the page that had these rows
	hashes map[int][sha256.Size]byte // the rows of each page

	stored int                  // how many pages came
	rows   []listing.Listed     // of all pages, once a search covers them; nil before, and after another page
	table  func() *listing.Rows // the same rows, to be searched

	latest    *page  // the latest response
	end       int    // the last page worth requesting, once paging has ended; 0 before
	endReason string // why paging ended
}

// newPageCache is empty: it knows of no page but the first.
func newPageCache(per int) *pageCache {
	return &pageCache{
		per: per, limit: maxPages, pages: map[int]*page{}, latest: &page{},
		seen: map[[sha256.Size]byte]int{}, hashes: map[int][sha256.Size]byte{},
	}
}

// A pageCheck is what to do with a response.
type pageCheck struct {
	page     *page
	note     string // what is odd, in words
	lastPage int    // the last page, when there are fewer pages now; 0 otherwise
	odd      bool   // this cannot be the page that was requested
}

// receivePage checks a response, and stores it when it is the page that was requested. The rows of
// an odd response are in the check too, but not in the cache.
func (c *pageCache) receivePage(r response) pageCheck {
	p, m := &page{Page: r.page, number: r.number, per: c.per}, r.page.Meta
	p.HasMeta = p.HasMeta && m.Page >= 0 && m.PageCount >= 0 && m.Total >= 0
	c.latest = p
	set := hashRows(p.Rows)
	switch n, repeated := c.seen[set]; {
	case p.HasMeta && m.PageCount > 0 && m.PageCount < r.number:
		return pageCheck{page: p, lastPage: m.PageCount, note: fmt.Sprintf("There are fewer transactions now: the last page is %s.", present.Thousands(m.PageCount))}
	case len(p.Rows) == 0 && r.number > 1:
		return c.endBefore(p, fmt.Sprintf("Page %d is empty: the transactions end before it.", r.number))
	case p.HasMeta && m.Page != r.number:
		return c.endBefore(p, fmt.Sprintf("Requested page %d; the service returned page %d.", r.number, m.Page))
	case repeated && n != r.number && len(p.Rows) > 0:
		return c.endBefore(p, fmt.Sprintf("Page %d has the same rows as page %d. The transactions may have changed: r reloads.", r.number, n))
	}
	c.store(p, set)
	return pageCheck{page: p, note: c.oddities(p)}
}

// endBefore ends paging before an odd response.
func (c *pageCache) endBefore(s *page, why string) pageCheck {
	c.end, c.endReason = max(s.number-1, 1), why
	return pageCheck{page: s, note: why, odd: true}
}

// storeOdd stores an odd response, where there is nothing better to show.
func (c *pageCache) storeOdd(s *page) { c.store(s, hashRows(s.Rows)) }

// store keeps a page.
func (c *pageCache) store(s *page, set [sha256.Size]byte) {
	if old, ok := c.hashes[s.number]; ok {
		delete(c.seen, old)
	}
	c.seen[set], c.hashes[s.number] = s.number, set
	c.pages[s.number] = s
	c.stored++
	c.rows, c.table = nil, nil
	c.evict(s.number)
}

// evict drops the page that is farthest from the one just read.
func (c *pageCache) evict(at int) {
	if len(c.pages) <= maxCached {
		return
	}
	delete(c.pages, slices.MaxFunc(slices.Collect(maps.Keys(c.pages)), func(a, b int) int {
		return cmp.Compare(max(a-at, at-a), max(b-at, at-b))
	}))
}

// oddities describes what is inconsistent in a response that can be shown.
func (c *pageCache) oddities(p *page) string {
	var words []string
	for _, n := range p.Notices {
		words = append(words, n.Line(0))
	}
	switch {
	case len(words) > 0: // the client found something already
	case !p.HasMeta:
		words = append(words, "The service did not report the number of pages: this one is shown.")
	case len(p.Rows) == 0 && p.Meta.Total > 0:
		words = append(words, fmt.Sprintf("The service reports %s transactions but returned none.", present.Thousands(p.Meta.Total)))
	case len(p.Rows) > 0 && p.Meta.Total < len(p.Rows):
		words = append(words, fmt.Sprintf("The service reports %s transactions but returned %d.", present.Thousands(p.Meta.Total), len(p.Rows)))
	case p.Meta.PerPage != c.per && p.Meta.PerPage > 0:
		words = append(words, fmt.Sprintf("Requested %d rows per page; the service reports %d.", c.per, p.Meta.PerPage))
	}
	return strings.Join(words, " ")
}

// count is the number of pages in the latest response; ok is false when it has none.
func (c *pageCache) count() (n int, ok bool) {
	n = c.latest.Meta.PageCount
	return n, c.latest.HasMeta && n > 0
}

// whyNot is why a page cannot be requested, "" when it can.
func (c *pageCache) whyNot(n int) string {
	count, counted := c.count()
	switch {
	case n < 1:
		return "This is the first page."
	case c.pages[n] != nil, n == 1:
		return ""
	case c.end > 0 && n > c.end:
		return c.endReason
	case !counted:
		return "The service did not report another page."
	case n > count:
		return fmt.Sprintf("The last page is %s.", present.Thousands(count))
	}
	return ""
}

// asksFor reports whether a page may be requested only once a person has said so.
func (c *pageCache) asksFor(n int) bool { return len(c.hashes) >= c.limit && c.pages[n] == nil }

// last is the last page that can be requested.
func (c *pageCache) last() int {
	n, ok := c.count()
	if !ok {
		n = 1
	}
	if c.end > 0 {
		n = min(n, c.end)
	}
	return max(n, 1)
}

// numbers are the cached pages, in order.
func (c *pageCache) numbers() []int { return slices.Sorted(maps.Keys(c.pages)) }

// nearest is the cached page with a number, or the one closest to it; nil without any.
func (c *pageCache) nearest(n int) *page {
	var best *page
	for _, number := range c.numbers() {
		if best == nil || max(number-n, n-number) < max(best.number-n, n-best.number) {
			best = c.pages[number]
		}
	}
	return best
}

// age is when the oldest and the newest cached page were received.
func (c *pageCache) age() (oldest, newest time.Time) {
	for _, p := range c.pages {
		if oldest.IsZero() || p.at.Before(oldest) {
			oldest = p.at
		}
		if p.at.After(newest) {
			newest = p.at
		}
	}
	return oldest, newest
}

// loaded are the rows of all cached pages, in the order of the service. A row that is on two
// pages, because rows shifted between two requests, is there once; two rows that differ in
// anything that is shown are two. table makes a table of the same rows, in the background.
func (c *pageCache) loaded() (rows []listing.Listed, table func() *listing.Rows) {
	if c.table != nil {
		return c.rows, c.table
	}
	once, all := map[api.Transaction]bool{}, []api.Transaction(nil)
	for _, n := range c.numbers() {
		for _, l := range c.pages[n].listed() {
			bare := l.Transaction
			bare.Object = api.Text{}
			if !l.ID.Empty() && once[bare] {
				continue
			}
			once[bare] = true
			rows, all = append(rows, l), append(all, l.Transaction)
		}
	}
	c.rows, c.table = rows, sync.OnceValue(func() *listing.Rows { return listing.Of(all...) })
	return c.rows, c.table
}

// hashRows is the same for pages with the same rows in any order.
func hashRows(rows []api.Transaction) [sha256.Size]byte {
	ids := make([]string, len(rows))
	for i, r := range rows {
		if ids[i] = "id " + r.ID.Line(0); r.ID.Empty() {
			ids[i] = "no id " + r.Object.Line(0)
		}
	}
	slices.Sort(ids)
	return sha256.Sum256([]byte(strings.Join(ids, "\x00")))
}
