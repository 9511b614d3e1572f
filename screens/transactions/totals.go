package transactions

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/listing"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// totals add up the rows listed, by currency and status, and show how their amounts are spread. They are beside the
// list in place of the marked row where there is room, else in place of the list. A million rows take a moment: they are
// added up in the background, and again when other rows are listed.
type totals struct {
	screen *Model
	beside bool          // shown in place of the marked row
	over   *detail.Model // shows them in place of the list; nil while they are not
	call   ui.Call[added]
	added  *added   // the last ones; nil before the first
	begun  counting // what the call adds up, or what was added up last
	first  string   // the name of the page that is shown first, before those after it; "" for the first of all
	pace            // of the calls

	drawn      drawing  // of what is beside the list, which is drawn once and not with each key
	drawnLines []string // of it
	counted    drawing  // what length was counted for
	length     int      // the lines that there are from the chosen page on
}

// A drawing is what lines beside the list depend on.
type drawing struct {
	added       *added
	begun, w, h int
	first       string
}

// A counting is the rows that are added up: another one means other rows, or other things known of them.
type counting struct {
	rows    *listing.Rows
	typed   string
	at      time.Time // when they were listed
	n       int
	running bool
}

// added is the rows added up.
type added struct {
	of     string // "of 320 rows found in 5,000 read"
	totals listing.Totals
	// partial says why the rows may not be the whole list as it was at one time; "" where they are, or are not meant to be.
	partial string
}

// counted returns what to add up now, and which of its rows.
func (m *Model) counted() (counting, listing.Search) {
	c := counting{at: m.At(), n: m.Count()}
	s := m.searchOf(m.Query(), c.n)
	if !m.found.plain() {
		s.To = m.found.read
	}
	c.rows, c.typed, c.running, s.Order = m.state.Rows, s.Query.String(), m.state.Phase != listing.Done, ""
	return c, s
}

// of says which rows are added up: they are never all there are, only those that were read.
func (m *Model) of() string {
	n := present.Count(m.Count(), "row", "rows")
	if m.Searched() {
		return "of " + n + " found in " + present.Thousands(m.found.read) + " read"
	}
	words := "of " + n + " read"
	if s := m.state; s.Phase != listing.Done && s.Counted && s.Total > m.Count() {
		words += " so far, of " + present.Thousands(s.Total)
	}
	return words
}

// partial says why the rows of a scan that has ended may not be the whole list. While it is read, of says so.
func (m *Model) partial() string {
	if m.state.Phase != listing.Done && !m.state.Stale() {
		return ""
	}
	return present.NotWhole(m.state)
}

// seen reports whether the totals are on the screen: beside a list that is not being read they are below its marked row.
func (t *totals) seen() bool {
	return t.chosen() || t.screen.Beside() && !t.screen.state.Phase.Running()
}

// chosen reports whether a person has chosen to see them.
func (t *totals) chosen() bool { return t.over != nil || t.beside && t.screen.Beside() }

// countAgain adds up the rows that are listed now, unless that was done or is being done. While a scan brings more of them
// a part of the time alone is spent on it.
func (m *Model) countAgain() tea.Cmd {
	t := m.totals
	now, s := m.counted()
	running := m.state.Phase.Running()
	if !t.seen() || now == t.begun || t.call.Pending() && (running || now.rows == t.begun.rows) || running && !t.again(m.Scope.Now()) {
		return nil
	}
	t.begun = now
	lister, result, began := m.lister, added{of: m.of(), partial: m.partial()}, m.Scope.Now()
	return t.call.Then(func(a ui.Result[added]) tea.Cmd {
		if t.pace = paced(began, m.Scope.Now()); a.Err == nil {
			t.added = &a.Value
		}
		if t.over != nil {
			t.over.Layout()
		}
		return m.countAgain()
	}).Ask(m.Scope, func(ctx context.Context) (_ added, err error) {
		s.Mismatches = listing.MismatchesOf(ctx, lister)
		result.totals, err = now.rows.Totals(ctx, s)
		return result, err
	})
}

// label names what t does: beside the list it shows one page after the other, and then the marked row again.
func (t *totals) label() string {
	if !t.beside || !t.screen.Beside() {
		return "totals"
	}
	if next := t.next(); next != "" {
		return "totals " + next
	}
	return "marked row"
}

// showTotals shows the totals beside the list, then their next page, and in the end the marked row again. Where there is no
// room beside the list they are in place of it.
func (m *Model) showTotals() tea.Cmd {
	t := m.totals
	m.TopOfPane()
	switch {
	case m.Count() == 0 && !t.chosen():
		return m.Notify("No rows are listed.")
	case !m.Beside():
		t.first, t.over = "", detail.New(&m.Body, detail.Of{
			Title: "Totals", Head: t.headLines, Lines: t.lines, Commands: t.commands, Help: totalsHelp, Left: func() { t.over, t.first = nil, "" },
		})
		return t.over.Open()
	case !t.beside:
		t.beside, t.first = true, ""
	case t.next() != "":
		t.first = t.next()
	default:
		t.beside = false
	}
	return nil
}

func (t *totals) commands() ui.Commands {
	pages := t.pages()
	n := len(pages)
	turn := func(by int) func() tea.Cmd {
		return func() tea.Cmd {
			if n < 2 { // nothing is added up yet, or one page has all
				return nil
			}
			at := n - len(t.rest())
			t.first = pages[(at+by+n)%n].name
			t.over.Less()
			t.over.Layout()
			return nil
		}
	}
	return ui.Commands{
		{Key: ui.Bind("→", "next currency", "right", "tab"), On: n > 1, Do: turn(1)},
		{Key: ui.Bind("←", "previous", "left", "shift+tab"), On: n > 1, Do: turn(-1)},
		{Key: ui.Bind("t", "list"), On: true, Do: func() tea.Cmd {
			t.over = nil
			return nav.Pop
		}},
		t.screen.readOnKey(),
	}
}

var totalsHelp = []string{
	"Totals of the rows listed. They leave out rows that were not read.",
	"Sums are exact, in one currency each. A row of unknown amount or currency is counted, but is in no sum.",
	"Shares are of the rows, each rounded to a tenth of a percent. A payment about which an answer differed is a mismatch, whatever its status.",
	"The steps of the amounts grow from 1 to 2 to 5 to 10, the bars with the number of rows.",
}
