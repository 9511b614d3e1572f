package transactions

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/screens/present"
)

const (
	maxPages  = 1000 // pages read before somebody has to begin anew (R54)
	maxCached = 50   // pages kept
)

// A page is a page as it was read.
type page struct {
	number int
	per    int // rows a page that were asked for
	rows   []api.Row
	search []string // per row, what a filter looks in
	meta   api.Meta
	usable bool // the meta can be reckoned with
	at     time.Time
}

// A pageCache is what was read of the list since it was last begun anew, with one number
// of rows per page.
type pageCache struct {
	per   int
	pages map[int]*page // at most inBook

	seen   map[[sha256.Size]byte]int // which page had a set of ids
	hashes map[int][sha256.Size]byte // which set a page had

	meta      api.Meta // of the latest answer
	usable    bool
	end       int    // the last page worth asking for, where the walk has ended; 0 while it has not
	endReason string // it ended there
}

func newPageCache(per int) *pageCache {
	return &pageCache{
		per: per, pages: map[int]*page{},
		seen: map[[sha256.Size]byte]int{}, hashes: map[int][sha256.Size]byte{},
	}
}

// A pageCheck is what to do with an answer.
type pageCheck struct {
	page     *page
	note     string // what is odd, in words
	lastPage int    // the list has become shorter: this is its last page; 0 when it has not
	odd      bool   // the answer cannot be the page that was asked for
}

// receivePage judges the answer to a question for one page, and keeps it when it is that page
// (R54). The rows of an odd answer are in the verdict all the same.
func (b *pageCache) receivePage(r response) pageCheck {
	p, m := r.page, r.page.Meta
	s := &page{
		number: r.number, per: b.per, rows: p.Rows, at: r.at, meta: m,
		usable: p.HasMeta && m.Page >= 0 && m.PageCount >= 0 && m.Total >= 0,
	}
	b.meta, b.usable = m, s.usable
	set := hashRows(p.Rows)
	switch n, repeated := b.seen[set]; {
	case s.usable && m.PageCount > 0 && m.PageCount < r.number:
		return pageCheck{page: s, lastPage: m.PageCount, note: fmt.Sprintf("The list has become shorter: page %s is its last.", present.Thousands(m.PageCount))}
	case len(p.Rows) == 0 && r.number > 1:
		return b.endBefore(s, fmt.Sprintf("Page %d came empty: the list ends before it.", r.number))
	case s.usable && m.Page != r.number:
		return b.endBefore(s, fmt.Sprintf("Page %d was asked for and the service says it gave page %d.", r.number, m.Page))
	case repeated && n != r.number && len(p.Rows) > 0:
		return b.endBefore(s, fmt.Sprintf("Page %d came with the rows of page %d. The list may have moved: r reads it anew.", r.number, n))
	}
	b.store(s, set)
	return pageCheck{page: s, note: b.oddities(s, p.Notices)}
}

// endBefore ends the walk before an answer.
func (b *pageCache) endBefore(s *page, why string) pageCheck {
	b.end, b.endReason = max(s.number-1, 1), why
	return pageCheck{page: s, note: why, odd: true}
}

// storeOdd keeps an odd answer, where there is nothing better to show.
func (b *pageCache) storeOdd(s *page) { b.store(s, hashRows(s.rows)) }

func (b *pageCache) store(s *page, set [sha256.Size]byte) {
	if old, ok := b.hashes[s.number]; ok {
		delete(b.seen, old)
	}
	b.seen[set], b.hashes[s.number] = s.number, set
	for _, row := range s.rows {
		s.search = append(s.search, searchable(row))
	}
	b.pages[s.number] = s
	b.evict(s.number)
}

// evict forgets the page that is farthest from the one just read.
func (b *pageCache) evict(at int) {
	if len(b.pages) <= maxCached {
		return
	}
	farthest, most := 0, -1
	for n := range b.pages {
		if d := max(n-at, at-n); d > most {
			farthest, most = n, d
		}
	}
	delete(b.pages, farthest)
}

// oddities says what does not fit in an answer that can be shown.
func (b *pageCache) oddities(s *page, said []api.Text) string {
	var words []string
	for _, n := range said {
		words = append(words, n.Line(0))
	}
	switch {
	case len(words) > 0: // the client said so
	case !s.usable:
		words = append(words, "The service did not say how many pages there are: this one is shown.")
	case len(s.rows) == 0 && s.meta.Total > 0:
		words = append(words, fmt.Sprintf("The service counts %s and gave none of them.", present.Thousands(s.meta.Total)))
	case len(s.rows) > 0 && s.meta.Total < len(s.rows):
		words = append(words, fmt.Sprintf("The service counts %s and gave %d.", present.Thousands(s.meta.Total), len(s.rows)))
	case s.meta.PerPage != b.per && s.meta.PerPage > 0:
		words = append(words, fmt.Sprintf("%d rows a page were asked for; the service says %d.", b.per, s.meta.PerPage))
	}
	return strings.Join(words, " ")
}

// count is how many pages there are, as the latest answer says; ok is false when
// it did not say.
func (b *pageCache) count() (n int, ok bool) {
	return b.meta.PageCount, b.usable && b.meta.PageCount > 0
}

// whyNot says why a page cannot be asked for, "" when it can.
func (b *pageCache) whyNot(n int) string {
	count, counted := b.count()
	switch {
	case n < 1:
		return "This is the first page."
	case b.pages[n] != nil, n == 1:
		return ""
	case b.end > 0 && n > b.end:
		return b.endReason
	case !counted:
		return "The service did not say that there is another page."
	case n > count:
		return fmt.Sprintf("The last page is %s.", present.Thousands(count))
	case len(b.hashes) >= maxPages:
		return "A thousand pages were read; r begins anew."
	}
	return ""
}

// last is the last page that can be asked for.
func (b *pageCache) last() int {
	n, ok := b.count()
	if !ok {
		n = 1
	}
	if b.end > 0 {
		n = min(n, b.end)
	}
	return max(n, 1)
}

// loaded lists the rows kept, in the order of the list. A row that is on two pages,
// because the list moved between two answers, is there once; two rows that differ in
// anything are two.
func (b *pageCache) loaded() (rows []api.Row, search []string) {
	numbers := slices.Sorted(maps.Keys(b.pages))
	type twin struct{ id, object string }
	once := map[twin]bool{}
	for _, n := range numbers {
		for i, row := range b.pages[n].rows {
			t := twin{row.ID.Line(0), row.Object.Line(0)}
			if t.id != "" && once[t] {
				continue
			}
			once[t] = true
			rows, search = append(rows, row), append(search, b.pages[n].search[i])
		}
	}
	return rows, search
}

// hashRows is the same for pages with the same rows in any order.
func hashRows(rows []api.Row) [sha256.Size]byte {
	ids := make([]string, len(rows))
	for i, r := range rows {
		if ids[i] = "id " + r.ID.Line(0); r.ID.Empty() {
			ids[i] = "no id " + r.Object.Line(0)
		}
	}
	slices.Sort(ids)
	return sha256.Sum256([]byte(strings.Join(ids, "\x00")))
}
