package attempt

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// maxPages are read in one search, each with as many rows as the service allows.
const maxPages = 5

// A search looks for the unresolved attempt in the service's list of transactions. What it finds proves nothing.
type search struct {
	call ui.Call[searched]
	searched
}

// A searched is what came of a search.
type searched struct {
	found   []match
	words   string // say which rows were searched; "" before that
	rows    int    // searched
	total   int    // in the list; 0 while that is not known
	partly  bool   // pages of the list were not read
	problem present.Problem
}

// A match is a row that may be the unresolved attempt.
type match struct {
	api.Transaction
	Page int
}

// add adds a row if it has the amount.
func (s *searched) add(r api.Transaction, page int, of ledger.Attempt) {
	if r.Known && r.Amount == of.Amount {
		s.found = append(s.found, match{r, page})
	}
}

// has reports whether a row was found on another page: rows may shift between two requests.
func (s *searched) has(r api.Transaction) bool {
	return slices.ContainsFunc(s.found, func(o match) bool { return o.ID.Line(0) == r.ID.Line(0) && o.Object.Line(0) == r.Object.Line(0) })
}

// openMatches searches, and shows what was found.
func (m *Model) openMatches() tea.Cmd {
	m.problem = present.Problem{}
	return tea.Batch(m.find(), detail.NewChooser(m.Body, detail.Rows[match]{
		Title: "Possible matches", Columns: m.matchColumns, All: func() []match { return m.search.found }, Cells: match.cells,
		Head: m.matchHead, Commands: m.matchCommands,
		Help: []string{
			"Possible matches are transactions of the same amount and currency: from all rows, where the whole list was read since it was sent, else from at most 5 pages. They prove nothing: they have no time, and their ID may not be a reference.",
			"enter fills in the marked ID as what the attempt was found as: it is still checked with the service, and confirmed by you.",
		},
	}).Open(0))
}

func (m *Model) matchColumns() []ui.Column {
	return []ui.Column{
		{Title: "Status", Width: 14},
		{Title: "Amount", Width: 14, Right: true, Drop: 2},
		{Title: "ID", Width: 12, Full: 36},
		{Title: "Page", Width: 5, Right: true, Drop: 1},
	}
}

func (r match) cells() []ui.Cell {
	return []ui.Cell{
		{Text: present.Word(r.Status), Tone: present.Tone(r.Status)}, {Text: r.Amount.String()}, {Text: r.ID.Line(80)}, {Text: present.Thousands(r.Page)},
	}
}

// find starts a search: of all rows, where they were read, else of some pages.
func (m *Model) find() tea.Cmd {
	of, service := m.record.Attempt, m.service
	do := func(ctx context.Context) (searched, error) { return searchPages(ctx, service, of) }
	if st, is := m.scanned(); is {
		do = func(ctx context.Context) (searched, error) { return searchRows(ctx, st, of) }
	}
	m.statusCall.Drop()
	m.search.searched = searched{}
	return m.search.call.Then(func(a ui.Result[searched]) tea.Cmd {
		if m.search.searched = a.Value; a.Err != nil {
			m.search.problem = present.Error(a.Err, present.Reading)
		}
		return nil
	}).Timed(maxPages*api.ReadLimit).Ask(m.Scope, do)
}

// scanned is a scan that has read the list to its end since the attempt was answered, or can no longer be under way: one
// that began earlier may have passed the row by before it was there.
func (m *Model) scanned() (st listing.State, is bool) {
	st = m.scan()
	return st, st.Phase == listing.Done && m.record.LatestMade().Before(st.Began)
}

// searchRows searches all rows of a scan, without a request.
func searchRows(ctx context.Context, st listing.State, of ledger.Attempt) (s searched, err error) {
	all := "all "
	if !st.Verdict.Trusted {
		all = ""
	}
	s.words = "Searched " + all + present.Count(st.Read, "row", "rows") + ", read at " + present.Clock(st.Ended.Local()) + present.Verdict(st.Verdict) + "."
	q, _ := listing.Language().Parse("amount:" + of.Amount.Major() + " currency:" + strings.ToLower(of.Amount.Currency.Code()))
	for r, err := range st.Rows.Each(ctx, listing.Search{Query: q, To: st.Read}) {
		if err != nil {
			s.words = "Not all rows were searched."
			return s, err
		}
		s.add(r.Transaction, r.Place/api.MaxPerPage+1, of)
	}
	s.rows = st.Read
	return s, nil
}

// searchPages searches pages from the beginning and from the end in turn: the order of the transactions is not specified. What was
// found stays when a page fails.
func searchPages(ctx context.Context, service Service, of ledger.Attempt) (s searched, err error) {
	read, pages := 0, 1
	for read < min(pages, maxPages) {
		page := 1 + read/2
		if read%2 == 1 {
			page = pages - read/2
		}
		p, err := service.Transactions(ctx, page, api.MaxPerPage)
		if err != nil {
			return s, err
		}
		if read == 0 && p.HasMeta {
			pages, s.total = max(p.Meta.PageCount, 1), p.Meta.Total
		}
		read++
		for _, r := range p.Rows {
			if !s.has(r) {
				s.add(r, page, of)
			}
		}
		s.rows += len(p.Rows)
		s.words = fmt.Sprintf("Searched %s rows on %d of %s pages", present.Thousands(s.rows), read, present.Thousands(pages))
		if s.partly = read < pages; s.partly {
			s.words += "; " + present.Thousands(pages-read) + " not read"
		}
		if s.words += "."; !p.HasMeta && pages == 1 {
			s.words = "Searched " + present.Thousands(s.rows) + " rows on page 1; the number of pages is not known."
		}
	}
	return s, nil
}

// matchHead says what the matches are worth, and how far the search is.
func (m *Model) matchHead(w int) []string {
	s, t := &m.search, m.Theme
	note := present.Thousands(len(s.found)) + " found in " + present.Thousands(s.rows)
	if s.rows < s.total {
		note += " of " + present.Thousands(s.total)
	}
	lines := append(m.head(w), t.Rule("Rows of "+m.record.Amount.String(), note+" rows", w))
	if s.call.Pending() {
		return append(lines, t.WaitLines(s.call.Wait(), "Searching the transactions", w)...)
	}
	lines = append(lines, t.StrongLines("NO PROOF: they have no time, and their ID may not be a reference.", w)...)
	lines = append(append(lines, t.MutedLines(s.words, w)...), s.problem.Lines(t, w)...)
	next := ""
	switch {
	case len(s.found) > 0:
		next = "Compare with the provider's dashboard, then press enter to check the marked ID."
	case s.problem.IsZero():
		next = "None has this amount and currency. That does not prove that the payment was not made."
	}
	lines = append(lines, ui.Wrap(next, w)...)
	if s.partly {
		from := ""
		if at := m.record.LatestMade(); m.Scope.Now().Before(at) { // until then the service may still make it
			from = " from " + present.Clock(at.Local()) + " on"
		}
		lines = append(lines, ui.Wrap("To search every row, read the whole list in Transactions"+from+", then press r here.", w)...)
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
