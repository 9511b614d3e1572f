package transactions

import (
	"context"
	"slices"
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
	page   int      // the one shown where there is no room for all
	pace            // of the calls

	drawn      drawing  // of what is beside the list, which is drawn once and not with each key
	drawnLines []string // of it
}

// A drawing is what lines beside the list depend on.
type drawing struct {
	added             *added
	begun, w, h, page int
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
			t.show(&a.Value)
		}
		return m.countAgain()
	}).Ask(m.Scope, func(ctx context.Context) (_ added, err error) {
		s.Mismatches = listing.MismatchesOf(ctx, lister)
		result.totals, err = now.rows.Totals(ctx, s)
		return result, err
	})
}

// show shows what was added up, and keeps the page that was chosen.
func (t *totals) show(a *added) {
	name := ""
	if was := t.pages(); t.page < len(was) {
		name = was[t.page].name
	}
	t.added = a
	t.page = max(slices.IndexFunc(t.pages(), func(p totalsPage) bool { return p.name == name }), 0)
	if t.over != nil {
		t.over.Layout()
	}
}

// label names what t does: beside the list it shows one page after the other, and then the marked row again.
func (t *totals) label() string {
	if !t.beside || !t.screen.Beside() {
		return "totals"
	}
	if next := t.next(); next > 0 {
		return "totals " + t.pages()[next].name
	}
	return "marked row"
}

// showTotals shows the totals beside the list, then their next page, and in the end the marked row again. Where there is no
// room beside the list they are in place of it.
func (m *Model) showTotals() tea.Cmd {
	t := m.totals
	switch {
	case !m.Beside():
		if m.Count() == 0 {
			return m.Notify("No rows are listed.")
		}
		t.page, t.over = 0, detail.New(&m.Body, detail.Of{
			Title: "Totals", Head: t.headLines, Lines: func(w int) []string { return t.lines(w, m.H) },
			Commands: t.commands, Help: totalsHelp, Left: func() { t.over = nil },
		})
		return t.over.Open()
	case !t.beside:
		t.beside, t.page = true, 0
	case t.next() > 0:
		t.page = t.next()
	default:
		t.beside = false
	}
	return nil
}

func (t *totals) commands() ui.Commands {
	n := len(t.pages())
	turn := func(by int) func() tea.Cmd {
		return func() tea.Cmd {
			t.page = (t.page + by + n) % n
			t.over.Less()
			t.over.Layout()
			return nil
		}
	}
	some := t.several()
	return ui.Commands{
		{Key: ui.Bind("→", "next currency", "right", "tab"), On: some, Do: turn(1)},
		{Key: ui.Bind("←", "previous", "left", "shift+tab"), On: some, Do: turn(-1)},
		{Key: ui.Bind("t", "list"), On: true, Do: func() tea.Cmd {
			t.over = nil
			return nav.Pop
		}},
	}
}

var totalsHelp = []string{
	"What the rows listed come to: of those that were read, never of all there are.",
	"Sums are exact, in one currency each. A row whose amount or currency is not known is counted and not in a sum.",
	"Shares are of the rows, each rounded to a tenth of a percent. A payment about which an answer differed is a mismatch, whatever its status.",
	"The steps of the amounts grow from 1 to 2 to 5 to 10, the bars with the number of rows.",
}
