package attempt

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// maxPages are read in one search, each with as many rows as the service allows.
const maxPages = 5

// A search reads pages of the transactions, one after the other.
type search struct {
	call      ui.Call[api.Page]
	scan      ui.Call[[]match] // searches the rows of a scan instead
	remaining []int            // pages still to read; the first is under way
	done      int              // pages read
	list      api.Meta         // zero while that is not known
	rows      int              // searched
	scanned   string           // says which rows of a scan were searched; "" for none
	found     []match
	problem   present.Problem
}

// A match is a row of the service's list of transactions that may be the unresolved attempt. It
// proves nothing.
type match struct {
	api.Transaction
	Page int
}

// reset drops the search and what it is waiting for.
func (s *search) reset() {
	s.call.Drop()
	s.scan.Drop()
	*s = search{call: s.call, scan: s.scan}
}

// samplePages are the pages to read after the first, alternating between the end and the
// beginning: the order of the transactions is not specified.
func samplePages(count int) []int {
	var pages []int
	for low, high := 2, count; low <= high && len(pages) < maxPages-1; {
		pages = append(pages, high)
		if high--; low <= high && len(pages) < maxPages-1 {
			pages = append(pages, low)
			low++
		}
	}
	return pages
}

// openMatches searches, and shows what was found.
func (m *Model) openMatches() tea.Cmd {
	return tea.Batch(m.find(), detail.NewChooser(m.Body, detail.Rows[match]{
		Title: "Possible matches", Columns: m.matchColumns, All: func() []match { return m.search.found }, Cells: match.cells,
		Head: m.matchHead, Commands: m.matchCommands,
		Left: m.search.call.Drop, // what was found so far is evidence for a decision
		Help: []string{
			"Possible matches are transactions of the same amount and currency: from all rows, where the whole list was read since it was sent, else from at most 5 pages. They prove nothing: they have no time, and their ID may not be a reference.",
			"enter fills in the marked ID as what the attempt was found as: it is still checked with the service, and confirmed by you.",
		},
	}).Open(0))
}

func (m *Model) matchColumns() []ui.Column {
	return []ui.Column{
		{Title: "Status", Width: 14},
		{Title: "ID", Width: 12, Full: 36},
		{Title: "Page", Width: 5, Right: true, Drop: 1},
	}
}

func (r match) cells() []ui.Cell {
	return []ui.Cell{
		{Text: present.Word(r.Status), Tone: present.Tone(r.Status)}, {Text: r.ID.Line(80)}, {Text: present.Thousands(r.Page)},
	}
}

// find starts a search.
func (m *Model) find() tea.Cmd {
	m.statusCall.Drop()
	m.search.reset()
	m.problem = present.Problem{}
	if st, is := m.scanned(); is {
		return m.searchScanned(st)
	}
	m.search.remaining = []int{1}
	return m.nextPage()
}

// scanned is a scan that has read the list to its end since the attempt was answered, or can no longer be under way: one
// that began earlier may have passed the row by before it was there.
func (m *Model) scanned() (st listing.State, is bool) {
	st = m.scan()
	return st, st.Phase == listing.Done && m.record.LatestMade().Before(st.Began)
}

// searchScanned searches all rows of a scan, without a request.
func (m *Model) searchScanned(st listing.State) tea.Cmd {
	s, of := &m.search, m.record.Amount
	all := "all "
	if !st.Verdict.Trusted {
		all = ""
	}
	s.rows = st.Read
	s.scanned = "Searched " + all + present.Count(st.Read, "row", "rows") + ", read at " + present.Clock(st.Ended.Local()) + present.Verdict(st.Verdict) + "."
	q, _ := listing.Language().Parse("amount:" + of.Major() + " currency:" + strings.ToLower(of.Currency.Code()))
	return s.scan.Then(func(a ui.Result[[]match]) tea.Cmd {
		if s.found = a.Value; a.Err != nil {
			s.scanned, s.problem = "Not all rows were searched.", present.Error(a.Err, present.Reading)
		}
		return nil
	}).Ask(m.Scope, func(ctx context.Context) (all []match, err error) {
		for r, err := range st.Rows.Each(ctx, listing.Search{Query: q, To: st.Read}) {
			if err != nil {
				return all, err
			}
			if r.Known && r.Amount == of {
				all = append(all, match{Transaction: r.Transaction, Page: r.Place/api.MaxPerPage + 1})
			}
		}
		return all, nil
	})
}

// nextPage requests the next page, if any is left.
func (m *Model) nextPage() tea.Cmd {
	s := &m.search
	if len(s.remaining) == 0 {
		return nil
	}
	service, page := m.service, s.remaining[0]
	return s.call.Then(m.receivePage).Timed(api.ReadLimit).Ask(m.Scope, func(ctx context.Context) (api.Page, error) {
		return service.Transactions(ctx, page, api.MaxPerPage)
	})
}

// receivePage searches a page and requests the next. What was found stays when a page fails.
func (m *Model) receivePage(a ui.Result[api.Page]) tea.Cmd {
	s, p := &m.search, a.Value
	if a.Err != nil {
		s.problem, s.remaining = present.Error(a.Err, present.Reading), nil
		return nil
	}
	number := s.remaining[0]
	s.remaining, s.done = s.remaining[1:], s.done+1
	s.rows += len(p.Rows)
	if number == 1 && p.HasMeta {
		s.list = p.Meta
		s.remaining = samplePages(s.list.PageCount)
	}
	for _, r := range p.Rows {
		again := func(o match) bool { return o.ID.Line(0) == r.ID.Line(0) && o.Object.Line(0) == r.Object.Line(0) }
		if r.Known && r.Amount == m.record.Amount && !slices.ContainsFunc(s.found, again) { // the rows may shift between two requests
			s.found = append(s.found, match{Transaction: r, Page: number})
		}
	}
	return m.nextPage()
}

// matchHead says what the matches are worth, and how far the search is.
func (m *Model) matchHead(w int) []string {
	s, t := &m.search, m.Theme
	note := present.Thousands(len(s.found)) + " found in " + present.Thousands(s.rows)
	if s.rows < s.list.Total {
		note += " of " + present.Thousands(s.list.Total)
	}
	lines := append(m.head(w), t.Rule("Rows of "+m.record.Amount.String(), note+" rows", w))
	lines = append(lines, t.StrongLines("NO PROOF: they have no time, and their ID may not be a reference.", w)...)
	if s.call.Pending() {
		lines = append(lines, t.WaitLines(s.call.Wait(), s.progress(), w)...)
	} else {
		lines = append(lines, t.MutedLines(s.progress(), w)...)
	}
	lines = append(lines, s.problem.Lines(t, w)...)
	if s.done < s.list.PageCount && !s.call.Pending() {
		lines = append(lines, ui.Wrap("To search every row, read the whole list in Transactions, then press r here.", w)...)
	}
	if len(s.found) == 0 && !s.call.Pending() && !s.scan.Pending() && s.problem.IsZero() {
		lines = append(lines, ui.Wrap("None has this amount and currency. That does not prove that the payment was not made.", w)...)
	}
	return append(lines, "")
}

// matchCommands are the keys of the possible matches. The ID of one is still checked with the service, and confirmed.
func (m *Model) matchCommands(one match, some bool) ui.Commands {
	why := ""
	r, err := api.ParseReference(one.ID.Line(0))
	switch {
	case !some:
		why = "No row is selected."
	case err != nil:
		why = "This ID cannot be a payment reference."
	}
	return ui.Commands{
		{Key: ui.Bind("enter", "check this ID"), On: true, Why: why, Do: func() tea.Cmd {
			m.offer(r)
			return m.openFound()
		}},
		{Key: ui.Bind("s", "status"), On: true, Why: why, Do: nav.To(nav.Payment{Reference: r})},
		{Key: ui.Bind("r", "reload"), On: true, Do: func() tea.Cmd {
			m.Notify("Search started again at " + present.Clock(m.Scope.Now()) + ".")
			return m.find()
		}},
	}
}

// progress returns how far the search has come.
func (s *search) progress() string {
	all := present.Thousands(s.list.PageCount)
	switch {
	case s.scanned != "":
		return s.scanned
	case s.call.Pending() && s.list.PageCount == 0:
		return "Reading page 1"
	case s.call.Pending():
		return fmt.Sprintf("Reading page %s of %s (%d of %d to search)", present.Thousands(s.remaining[0]), all, s.done+1, s.done+len(s.remaining))
	case s.list.PageCount == 0:
		return fmt.Sprintf("Searched %s rows on page 1; the number of pages is not known.", present.Thousands(s.rows))
	}
	words := fmt.Sprintf("Searched %s rows on %d of %s pages", present.Thousands(s.rows), s.done, all)
	if rest := s.list.PageCount - s.done; rest > 0 {
		words += "; " + present.Thousands(rest) + " not read"
	}
	return words + "."
}
