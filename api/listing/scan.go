package listing

import (
	"maps"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
)

// A scan holds what was read of the list so far, and what is still to be read. It belongs to its Scanner, and is
// used under the lock of that.
type scan struct {
	now   State             // but for what [Scanner.state] adds
	first []api.Transaction // of page 1

	next    int              // the first page that was never asked for
	again   []int            // pages to be asked for once more, in order
	flying  map[int]bool     // pages that were asked for; checkPage for the check
	ahead   map[int]api.Page // pages that came before their turn
	turn    int              // the page whose rows come next
	end     int              // the last page; 0 while it is not known
	most    int              // the last page that is asked for, however the list grows; 0 for no limit
	least   int              // the fewest pages that there ever were
	largest int              // the most
	tries   map[int]int      // failures of a page, in a row

	fruitless, allowed int  // pages in a row that brought nothing new, and how many may
	stopped            bool // there were more
	resumed            bool // no page was read since a pause
	beyond             bool // a person wants more than MostPages

	full    error    // why no more rows can be kept
	check   api.Page // page 1, read again at the end
	checked bool

	place chan ledger.Destination // where it is read, once that is known; nil where nothing keeps it
	throttle

	wentOn time.Time // reading, when that was last
	had    int       // rows then
}

// checkPage stands for page 1 when it is read again, and noPage for no page, while answers are awaited.
const (
	checkPage = 0
	noPage    = -1
)

// inAdvance limits how far pages may be ahead of one that fails again and again.
const inAdvance = 3 * MostAtOnce

// mostRows limits how many rows a scan may have: some hundred bytes of the disk each.
const mostRows = 20_000_000

func newScan() *scan {
	return &scan{
		now: State{Rows: newRows()}, next: 1, turn: 1, flying: map[int]bool{}, ahead: map[int]api.Page{}, tries: map[int]int{},
		throttle: throttle{width: MostAtOnce},
	}
}

// step returns the page to ask for next, to have the rows that are asked for, or why reading is to pause.
func (s *scan) step() (page int, why Why) {
	to := s.now.To
	s.again = slices.DeleteFunc(s.again, func(n int) bool { return s.end > 0 && n > s.end })
	busy := len(s.flying) > 0
	switch {
	case s.full != nil || s.now.Rows.Len() > mostRows:
		return noPage, ByFull
	case len(s.again) > 0:
		page, s.again = s.again[0], s.again[1:]
		return page, NotPaused
	case to > 0 && !busy && (s.now.Rows.Len() >= to || s.end > 0 && s.next > s.end):
		return noPage, Enough
	case to > 0 && busy && (s.next-1)*api.MaxPerPage >= to:
		return noPage, NotPaused
	case s.most > 0 && s.next > s.most && s.next <= s.end:
		s.giveUp(s.most, KeepsGrowing)
		return s.step()
	case !busy && s.end > 0 && s.next > s.end:
		s.takeRest()
		return checkPage, NotPaused
	case busy && (s.next > s.end || s.next > MostPages && !s.beyond), s.next-s.turn >= inAdvance: // an end that is not known is 0
		return noPage, NotPaused
	case s.next > MostPages && !s.beyond:
		return noPage, AtLimit
	}
	s.next++
	return s.next - 1, NotPaused
}

// putBack notes the pages that were asked for as not asked for.
func (s *scan) putBack() {
	s.again = slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(s.again, maps.Keys(s.flying)))))
	s.again = slices.DeleteFunc(s.again, func(n int) bool { return n == checkPage })
	clear(s.flying)
}

// receive puts a page where its turn is waited for.
func (s *scan) receive(n int, p api.Page) {
	delete(s.tries, n)
	if n == checkPage {
		s.check, s.checked = p, true
		return
	}
	s.ahead[n] = p
}

// inTurn returns the page whose turn it is, if it has come.
func (s *scan) inTurn() (n int, p api.Page, is bool) {
	p, is = s.ahead[s.turn]
	return s.turn, p, is
}

// takeRest takes the pages that wait for one that is no longer asked for, since the list ends before it.
func (s *scan) takeRest() {
	for _, n := range slices.Sorted(maps.Keys(s.ahead)) {
		a, err := s.now.Rows.add(s.ahead[n].Rows, false)
		s.take(n, s.ahead[n], a, err, s.now.Ended)
	}
}

// take notes a page whose rows were added, or could not be.
func (s *scan) take(n int, p api.Page, a added, err error, now time.Time) {
	if delete(s.ahead, n); err != nil {
		s.full = err
		s.again = slices.Sorted(slices.Values(append(s.again, n)))
		return
	}
	s.now.Pages++
	s.turn = n + 1
	s.now.Ended = now
	v := &s.now.Verdict
	v.Repeated, v.Differing, v.Nameless = v.Repeated+a.repeated, v.Differing+a.differ, v.Nameless+a.nameless
	s.note(n, p, a)
	if s.now.Pages == 1 {
		s.first, v.Before, s.now.Counted = p.Rows, p.Meta.Total, p.HasMeta
		s.least = p.Meta.PageCount
	}
	s.allow(p, s.now.Total)
	if p.HasMeta {
		s.now.Total, s.now.Of = p.Meta.Total, p.Meta.PageCount
		s.largest, s.least = max(s.largest, s.now.Of), min(s.least, s.now.Of)
	}
	s.goOn(n, p, a)
}

// goOn decides where the list ends, as far as a page shows. Where the service does not say how many pages there
// are, it ends with a page that is not full or brings nothing new.
func (s *scan) goOn(n int, p api.Page, a added) {
	barren := a.repeated == len(p.Rows)
	switch {
	case s.stopped:
		return
	case p.HasMeta && (p.Meta.PageCount > 0 || p.Meta.Total == 0 && len(p.Rows) == 0):
		s.end = max(p.Meta.PageCount, 1)
	case barren || len(p.Rows) < len(s.first):
		s.end = n
	}
	switch {
	case !barren:
		s.fruitless = 0
		return
	case s.fruitless == 0:
		// Rows that were added at the top have moved all others back, by so many pages at most.
		moved := min(max(s.now.Total-s.now.Verdict.Before, 0), s.now.Rows.Len())
		s.allowed = 3 + 2*moved/max(len(s.first), 1)
	}
	if s.fruitless++; s.fruitless > s.allowed && n < s.end {
		s.giveUp(n, NeverEnds)
	}
}

// giveUp ends reading with a page, though there are more.
func (s *scan) giveUp(n int, why Strange) {
	s.strange(why, n)
	s.end, s.stopped = n, true
}

// allow limits how far a list is followed that grows while it is read: to a twentieth more, and a few pages. What
// it has grown by in a pause comes on top.
func (s *scan) allow(p api.Page, before int) {
	switch {
	case !p.HasMeta || p.Meta.PageCount == 0:
		s.most = 0
	case s.now.Pages == 1:
		pages := max(p.Meta.PageCount, (p.Meta.Total+api.MaxPerPage-1)/api.MaxPerPage)
		s.most = pages + pages/20 + 4
	case s.resumed && s.most > 0:
		s.most += max(p.Meta.Total-before, 0) / api.MaxPerPage
	}
	s.resumed = false
}

// note notes what is strange about a page.
func (s *scan) note(n int, p api.Page, a added) {
	m, rows := p.Meta, len(p.Rows)
	for what, is := range map[Strange]bool{
		NoCount:     !p.HasMeta || m.PageCount == 0 && rows > 0,
		WrongNumber: p.HasMeta && m.Page != n,
		EmptyPage:   p.HasMeta && rows == 0 && n <= m.PageCount && m.Total > 0,
		NothingNew:  rows > 0 && a.repeated == rows,
		MorePages:   p.HasMeta && n > 1 && m.PageCount > s.largest,
		FewerPages:  p.HasMeta && n > 1 && m.PageCount < s.least,
		FewTotal:    p.HasMeta && m.Total < rows,
		LargePage:   rows > api.MaxPerPage,
		OtherTotal:  p.HasMeta && n > 1 && s.now.Counted && m.Total != s.now.Verdict.Before,
	} {
		if is {
			s.strange(what, n)
		}
	}
}

func (s *scan) strange(what Strange, n int) {
	odd := &s.now.Verdict.Odd
	i, is := slices.BinarySearchFunc(*odd, what, func(o Oddity, w Strange) int { return int(o.What) - int(w) })
	if !is {
		*odd = slices.Insert(*odd, i, Oddity{What: what, Page: n})
	}
	(*odd)[i].Pages++
}

// verdict judges what was read, once page 1 was read again.
func (s *scan) verdict() Verdict {
	v := s.now.Verdict
	v.Counted, v.After, v.Unique = s.now.Counted && s.check.HasMeta, s.check.Meta.Total, s.now.Rows.Unique()
	v.FirstDiffers = !slices.EqualFunc(s.first, s.check.Rows, same)
	// Of what contradicts itself, numbers that agree in the end prove nothing. More rows than were asked for are no contradiction.
	contradicts := func(o Oddity) bool { return o.What != LargePage }
	v.Trusted = v.Counted && v.Before == v.After && v.Unique == v.After && s.now.Rows.Len() == v.Unique && !v.FirstDiffers &&
		!slices.ContainsFunc(v.Odd, contradicts)
	return v
}

// same reports whether two rows are the same, as far as rows are kept.
func same(a, b api.Transaction) bool {
	a.Object, b.Object = api.Text{}, api.Text{}
	return a == b
}

// leastTime is the shortest time over which the speed is measured.
const leastTime = 400 * time.Millisecond

// speed returns how many rows are read in a second since reading began or went on, and how long the rest will take; zeros while that is
// not known.
func (s *scan) speed(now time.Time) (rate int, left time.Duration) {
	took, read := now.Sub(s.wentOn), s.now.Rows.Len()
	if took < leastTime || read <= s.had {
		return 0, 0
	}
	rate = int(int64(read-s.had) * int64(time.Second) / int64(took))
	if s.now.Counted && rate > 0 && s.now.Total > read {
		left = time.Duration((s.now.Total-read)/rate)*time.Second + time.Second
	}
	return rate, left
}
