package home

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api/journal"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// The least and the most cells of a bar.
const leastBar, mostBar = 6, 30

// readMade reads again what was made today, once a payment has another status.
func (m *Model) readMade() tea.Cmd {
	p, today := m.payments, day(m.Scope.Now())
	return m.sums.Then(m.madeRead).Ask(m.Scope, func(ctx context.Context) ([]journal.Made, error) {
		return p.Made(ctx, today, today.AddDate(0, 0, 1))
	})
}

func (m *Model) madeRead(a ui.Result[[]journal.Made]) tea.Cmd {
	if a.Err == nil {
		m.made = a.Value
		m.layout()
	}
	return nil
}

// A madeRow words what was made today in a currency.
type madeRow struct {
	currency, made string
	payments       int
	counts         []string // one of each tone that any currency has
	secured        string
	bar            []ui.Part
}

// madeRow words what was made in a currency. with are the tones that are counted.
func (m *Model) madeRow(d journal.Made, with []ui.Tone) madeRow {
	parts := madeParts(d)
	r := madeRow{currency: d.Currency.Code(), payments: d.Payments(), made: present.Thousands(d.Payments()) + " made", bar: parts}
	for _, p := range parts {
		for _, tone := range with {
			switch {
			case p.Tone != tone:
			case p.N == 0:
				r.counts = append(r.counts, "")
			default:
				r.counts = append(r.counts, m.Theme.Mark(tone, strconv.Itoa(p.N)))
			}
		}
	}
	r.secured = money.Amount{Minor: d.Secured.Minor, Currency: d.Currency}.Grouped() + " secured"
	return r
}

// madeParts counts what was made by how it stands. Neither a mismatch nor an unresolved one is ever among the secured.
func madeParts(d journal.Made) []ui.Part {
	return []ui.Part{
		{Tone: ui.ToneGood, N: d.Secured.Payments}, {Tone: ui.ToneBad, N: d.Failed.Payments}, {Tone: ui.ToneWait, N: d.Open.Payments},
		{Tone: ui.ToneMismatch, N: d.Mismatched.Payments}, {Tone: ui.ToneUnknown, N: d.Unresolved.Payments},
	}
}

// madeLines returns what was made from here today by currency, in at most h lines with their rule, which says how many there
// is no room for; none where nothing was made.
func (m *Model) madeLines(w, h int) []string {
	if len(m.made) == 0 || h < 2 {
		return nil
	}
	from := "from the journal"
	if !m.options.Journal {
		from = "in this run"
	}
	shown := m.made[:min(h-1, len(m.made))]
	if rest := len(m.made) - len(shown); rest > 0 {
		from = "and " + present.Count(rest, "currency", "currencies") + " more"
	}
	lines := []string{m.Theme.Rule("Made from here today", from, w)}
	var rows []madeRow
	tones := m.madeTones()
	for _, d := range shown {
		rows = append(rows, m.madeRow(d, tones))
	}
	return append(lines, m.alignMade(rows, w)...)
}

// madeTones returns the tones that payments of today have.
func (m *Model) madeTones() (all []ui.Tone) {
	for i, p := range madeParts(journal.Made{}) {
		some := false
		for _, d := range m.made {
			some = some || madeParts(d)[i].N > 0
		}
		if some {
			all = append(all, p.Tone)
		}
	}
	return all
}

// alignMade draws rows with their columns one below the other. The longest bar gets what the words leave, or nothing where
// that is too little to be read; the others are as long as their payments are many.
func (m *Model) alignMade(rows []madeRow, w int) (lines []string) {
	made, secured, most := 0, 0, 0
	var counts []int
	for _, r := range rows {
		made, secured, most = max(made, len(r.made)), max(secured, len(r.secured)), max(most, r.payments)
		for i, c := range r.counts {
			if i == len(counts) {
				counts = append(counts, 0)
			}
			counts[i] = max(counts[i], ansi.StringWidth(c))
		}
	}
	for _, r := range rows {
		left := "  " + m.Theme.Strong.Render(r.currency) + "  " + ui.Right(r.made, made) + "  "
		var words strings.Builder
		for i, c := range r.counts {
			words.WriteString(ui.Fit(c, counts[i]) + "  ")
		}
		tail := words.String() + ui.Right(r.secured, secured)
		bar := min(w-ansi.StringWidth(left)-ansi.StringWidth(tail)-4, mostBar) // with a gap behind it, and no further than the payments
		if bar >= leastBar {
			left += ui.Fit(m.Theme.Bar(max(bar*r.payments/most, 1), 0, r.bar...), bar) + "  "
		}
		lines = append(lines, left+tail)
	}
	return lines
}
