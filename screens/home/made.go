package home

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api/journal"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// The least and the most cells of a bar.
const leastBar, mostBar = 6, 30

// madeWords say what was made today in a currency: how many payments, how many of each tone, and how much is secured.
func (m *Model) madeWords(d journal.Made) []string {
	words := []string{present.Thousands(d.Payments()) + " made"}
	for _, p := range madeParts(d) {
		count := ""
		if p.N > 0 {
			count = m.Theme.Mark(p.Tone, strconv.Itoa(p.N)) + "  "
		}
		words = append(words, count)
	}
	return append(words, money.Amount{Minor: d.Secured.Minor, Currency: d.Currency}.Grouped()+" secured")
}

// madeParts counts what was made by how it stands. Neither a mismatch nor an unresolved one is ever among the secured.
func madeParts(d journal.Made) []ui.Part {
	return []ui.Part{
		{Tone: ui.ToneGood, N: d.Secured.Payments}, {Tone: ui.ToneBad, N: d.Failed.Payments}, {Tone: ui.ToneWait, N: d.Pending.Payments},
		{Tone: ui.ToneAct, N: d.Open.Payments}, {Tone: ui.ToneMismatch, N: d.Mismatched.Payments}, {Tone: ui.ToneUnknown, N: d.Unresolved.Payments},
	}
}

// madeLines returns what was made from here today by currency, in at most h lines with their rule, which says how many there
// is no room for; none where there is no room.
func (m *Model) madeLines(w, h int) []string {
	if h < leastMade {
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
	return append([]string{m.Theme.Rule("Made from here today", from, w)}, m.alignMade(shown, w)...)
}

// alignMade draws a row for each currency, with the columns one below the other, without those that are empty. The longest bar gets what
// the words leave, or nothing where that is too little to be read; the others are as long as their payments are many.
func (m *Model) alignMade(shown []journal.Made, w int) (lines []string) {
	most, widths := 0, map[int]int{}
	for _, d := range shown {
		most = max(most, d.Payments())
		for i, words := range m.madeWords(d) {
			widths[i] = max(widths[i], ansi.StringWidth(words))
		}
	}
	for _, d := range shown {
		words, tail := m.madeWords(d), ""
		last := len(words) - 1
		left := "  " + m.Theme.Strong.Render(d.Currency.Code()) + "  " + ui.Right(words[0], widths[0]) + "  "
		for i := 1; i < last; i++ {
			tail += ui.Fit(words[i], widths[i])
		}
		tail += ui.Right(words[last], widths[last])
		bar := min(w-ansi.StringWidth(left)-ansi.StringWidth(tail)-4, mostBar) // with a gap behind it, and no further than the payments
		if bar >= leastBar {
			left += ui.Fit(m.Theme.Bar(max(bar*d.Payments()/most, 1), 0, madeParts(d)...), bar) + "  "
		}
		lines = append(lines, left+tail)
	}
	return lines
}
