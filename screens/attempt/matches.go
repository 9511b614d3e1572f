package attempt

import (
	"context"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// mostPages are read in one look for matches, each with as many rows as there may be (R46).
const mostPages = 5

// A sheet is a page of the list and the number it was asked for.
type sheet struct {
	api.Page
	number int
}

// A search is one look through the list. Its pages are read one after the other.
type search struct {
	call    ui.Call[sheet]
	ahead   []int // pages still to be read
	of      int   // pages to be read in all
	done    int   // pages read
	count   int   // pages of the list; 0 while it is not known
	rows    int   // looked at
	seen    map[string]bool
	found   []journal.Match
	table   *ui.Table
	trouble present.Problem
}

func newMatches(t *ui.Theme) *ui.Table {
	return ui.NewTable(t,
		ui.Column{Title: "Status", Width: 20},
		ui.Column{Title: "Id", Width: 12, Grow: true},
		ui.Column{Title: "Page", Width: 7, Right: true},
	)
}

// begun reports whether there is a look to go back to.
func (s *search) begun() bool { return s.of > 0 }

// end forgets the look; what it was waiting for is abandoned.
func (s *search) end() {
	s.call.Drop()
	*s = search{call: s.call, table: s.table}
}

// rest are the pages worth reading after the first, by turns from the end and from the
// beginning: the list does not say in which order it is.
func rest(count int) []int {
	var pages []int
	for low, high := 2, count; low <= high && len(pages) < mostPages-1; {
		pages = append(pages, high)
		if high--; low <= high && len(pages) < mostPages-1 {
			pages = append(pages, low)
			low++
		}
	}
	return pages
}

// openMatches begins a look. Only a payment has rows in the list.
func (m *Model) openMatches() tea.Cmd {
	if m.record.Kind != journal.Initiate {
		return m.say("The list has payments only: compare this in the provider's dashboard.")
	}
	m.byReference.Drop()
	m.search.end()
	m.stage, m.trouble = matching, present.Problem{}
	m.search.seen = map[string]bool{}
	m.search.ahead, m.search.of = []int{1}, 1
	m.fillMatches()
	return m.turn()
}

// turn asks for the next page, if any is left.
func (m *Model) turn() tea.Cmd {
	s := &m.search
	if len(s.ahead) == 0 {
		return nil
	}
	service, page := m.service, s.ahead[0]
	return s.call.Ask(m.scope, func(ctx context.Context) (sheet, error) {
		p, err := service.Transactions(ctx, page, api.MaxPerPage)
		return sheet{p, page}, err
	})
}

// paged looks through a page and asks for the next. What was found stays when a page fails.
func (m *Model) paged(a ui.Result[sheet]) tea.Cmd {
	s, p := &m.search, a.Value
	if a.Err != nil {
		s.trouble, s.ahead = present.Error(a.Err, present.Reading), nil
		m.fillMatches()
		return nil
	}
	s.ahead, s.done = s.ahead[1:], s.done+1
	s.rows += len(p.Rows)
	if p.number == 1 && p.HasMeta {
		s.count = p.Meta.PageCount
		s.ahead = rest(s.count)
		s.of = 1 + len(s.ahead)
	}
	for _, r := range p.Rows {
		row := r.ID.Line(0) + "\x00" + r.Object.Line(0)
		if r.Known && r.Amount == m.record.Amount && !s.seen[row] { // the list may move between two pages
			s.seen[row] = true
			s.found = append(s.found, journal.Match{Row: r, Page: p.number})
		}
	}
	m.fillMatches()
	return m.turn()
}

func (m *Model) fillMatches() {
	found := m.search.found
	m.search.table.SetRows(len(found), func(i int) []ui.Cell {
		r := found[i]
		return []ui.Cell{
			{Text: present.Word(r.Status), Tone: present.Tone(r.Status)}, {Text: r.ID.Line(80)}, {Text: present.Thousands(r.Page)},
		}
	})
	m.layMatches()
}

// selected is the match under the mark.
func (m *Model) selected() (journal.Match, bool) {
	i := m.search.table.Selected()
	if i < 0 || i >= len(m.search.found) {
		return journal.Match{}, false
	}
	return m.search.found[i], true
}

func (m *Model) matchKey(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case m.search.table.Update(k):
		return nil
	case key.Matches(k, m.keys.again):
		return m.openMatches()
	case key.Matches(k, m.keys.choose, m.keys.look):
		match, ok := m.selected()
		if !ok {
			return m.say("There is no row to take.")
		}
		r, err := api.ParseReference(match.ID.Line(0))
		if err != nil {
			return m.say("This id cannot be the reference of a payment.")
		}
		if key.Matches(k, m.keys.look) {
			return nav.Open(nav.Payment{Reference: r})
		}
		m.found.SetValue(string(r))
		return m.name()
	}
	return nil
}

// progress is how far the look has come.
func (s *search) progress() string {
	switch {
	case s.call.Pending() && s.count == 0:
		return "Reading page 1…"
	case s.call.Pending():
		return fmt.Sprintf("Reading page %d of %d: page %s of the list's %s…", s.done+1, s.of, present.Thousands(s.ahead[0]), present.Thousands(s.count))
	}
	list := "; how many pages the list has is not known"
	if s.count > 0 {
		list = " of the list's " + present.Thousands(s.count)
	}
	if s.done == 1 {
		return fmt.Sprintf("Read 1 page%s, %s rows.", list, present.Thousands(s.rows))
	}
	return fmt.Sprintf("Read %d pages%s, %s rows.", s.done, list, present.Thousands(s.rows))
}
