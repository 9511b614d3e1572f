package transactions

import (
	"slices"
	"strings"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	leastTotalBar = 12 // cells: shorter ones are alike for shares that are not
	mostTotalBar  = 30
	leastWord     = 13 // cells: none of the console's own words is longer
	usualLabel    = 12 // cells, with a glyph: groups with shorter labels, numbers and sums line up with the others
	usualCount    = 5
	usualSum      = 13
	totalGap      = "  "
	mostWords     = 8 // of the service, that are listed one by one
)

// A totalsPage is a part of the totals that is drawn whole: all currencies, or one.
type totalsPage struct {
	name string
	draw func(t *ui.Theme, w int) []string
}

// pages are the parts of the totals. One currency says all there is to say of all.
func (t *totals) pages() (all []totalsPage) {
	if t.added == nil {
		return nil
	}
	sums := t.added.totals
	if len(sums.Currencies) != 1 || sums.Currencies[0].Currency.IsZero() {
		all = append(all, totalsPage{"all", func(theme *ui.Theme, w int) []string { return allCurrencies(theme, sums, w) }})
	}
	for _, c := range sums.Currencies {
		if c.Currency.IsZero() {
			break // the page of all counts them
		}
		all = append(all, totalsPage{c.Currency.Code(), func(theme *ui.Theme, w int) []string {
			lines := oneCurrency(theme, c, sums.Rows, w)
			if len(c.Bins) > 0 {
				lines = append(append(lines, ""), histogram(theme, c, w)...)
			}
			return lines
		}})
	}
	return all
}

// headLines say what was added up, and what speaks against it.
func (t *totals) headLines(w int) []string {
	words := "Adding up " + present.Count(t.begun.n, "row", "rows") + " …"
	if t.added != nil {
		words = "Totals " + t.added.of
	}
	lines := ui.Indented(ui.Wrap(words, w-len(indent)))
	mark := func(words string) {
		lines = append(lines, ui.Indented(t.screen.Theme.MarkLines(ui.ToneAct, words, w-len(indent)))...)
	}
	if t.added != nil && t.added.partial != "" {
		mark(t.added.partial)
	}
	if t.added != nil && t.added.totals.Unchecked {
		mark("The journal could not be read: a payment with a mismatch may be counted by its status.")
	}
	return lines
}

// besideLines are the totals beside the list.
func (t *totals) besideLines(w, h int) []string { return t.once(w, h, t.first, t.drawBeside) }

// below stands for the totals below the marked row: no page has its name.
const below = "below"

// belowLines are as many of the totals as there is room for below the marked row. While the list is read they stay as they were.
func (t *totals) belowLines(w, h int) []string {
	if t.added == nil {
		return nil
	}
	return t.once(w, h, below, t.drawBelow)
}

// once draws lines, unless the same were drawn last.
func (t *totals) once(w, h int, first string, draw func(w, h int) []string) []string {
	if now := (drawing{t.added, t.begun.n, w, h, first}); now != t.drawn {
		t.drawn, t.drawnLines = now, draw(w, h)
	}
	return slices.Clone(t.drawnLines)
}

func (t *totals) drawBelow(w, h int) []string {
	theme, sums := t.screen.Theme, t.added.totals
	for _, lines := range [][]string{allCurrencies(theme, sums, w), allStatuses(theme, sums, present.Count(sums.Rows, "row", "rows"), w)} {
		if len(lines) < h {
			return append([]string{""}, lines...)
		}
	}
	return nil
}

func (t *totals) drawBeside(w, h int) []string {
	lines := slices.Concat([]string{t.screen.Theme.Rule("Totals", "", w)}, t.headLines(w), t.lines(w))
	if len(lines) > h && h > 0 {
		lines = append(lines[:h-1], indent+t.screen.Theme.Muted.Render("… shift+↓ has the rest"))
	}
	return lines
}

// rest are the pages from the chosen one on.
func (t *totals) rest() []totalsPage {
	pages := t.pages()
	return pages[max(slices.IndexFunc(pages, func(p totalsPage) bool { return p.name == t.first }), 0):]
}

// next names the page after the chosen one beside the list; "" where all that follow are on the screen with it.
func (t *totals) next() string {
	w, h := t.screen.PaneSize()
	if now := (drawing{t.added, t.begun.n, w, h, t.first}); now != t.counted { // the help bar asks with each key
		t.counted, t.length = now, 1+len(t.headLines(w))+len(t.lines(w))
	}
	if rest := t.rest(); len(rest) > 1 && t.length > h {
		return rest[1].name
	}
	return ""
}

// lines are the chosen page and all after it.
func (t *totals) lines(w int) (lines []string) {
	for _, p := range t.rest() {
		lines = append(append(lines, ""), p.draw(t.screen.Theme, w)...)
	}
	return lines
}

// A totalLine is the number of rows in a group, and their sum.
type totalLine struct {
	label string // drawn
	tone  ui.Tone
	rows  int
	sum   string // "" for none
	whole bool   // of all others
}

// allCurrencies are the rows by status and by currency. Sums of different currencies are not added up.
func allCurrencies(t *ui.Theme, sums listing.Totals, w int) []string {
	if c := sums.Currencies; len(c) == 1 && !c[0].Currency.IsZero() {
		return oneCurrency(t, c[0], sums.Rows, w)
	}
	lines := allStatuses(t, sums, "all currencies", w)
	var all []totalLine
	rest, restRows, unknown := 0, 0, 0
	for _, c := range sums.Currencies {
		one := totalLine{label: c.Currency.Code(), rows: c.Rows, sum: c.Sum.Grouped()}
		if c.Currency.IsZero() {
			if unknown++; unknown > mostWords {
				rest, restRows = rest+1, restRows+c.Rows
				continue
			}
			one.label, one.sum = present.Quoted(c.Text, "no currency"), notSummed
		}
		all = append(all, one)
	}
	if rest > 0 {
		all = append(all, totalLine{label: present.Count(rest, "other", "others"), rows: restRows, sum: notSummed})
	}
	lines = append(lines, "", t.Rule("Currency", "all statuses", w))
	return append(lines, totalLines(t, all, sums.Rows, w)...)
}

// allStatuses are the rows by status.
func allStatuses(t *ui.Theme, sums listing.Totals, note string, w int) []string {
	return append([]string{t.Rule("Status", note, w)}, totalLines(t, statusLines(t, sums.Statuses, false), sums.Rows, w)...)
}

// oneCurrency are the rows in one currency by their status.
func oneCurrency(t *ui.Theme, c listing.CurrencyTotal, all, w int) []string {
	note := present.Count(c.Rows, "row", "rows")
	if c.Rows < all {
		note += " of " + present.Thousands(all)
	}
	some := statusLines(t, c.Statuses, true)
	if len(some) > 1 {
		some = append(some, totalLine{label: "All " + c.Currency.Code(), rows: c.Rows, sum: c.Sum.Grouped(), whole: true})
	}
	lines := append([]string{t.Rule(c.Currency.Code(), note, w)}, totalLines(t, some, c.Rows, w)...)
	if c.Unread > 0 {
		words := present.Count(c.Unread, "row", "rows") + " without an amount that can be read: not in the sums."
		lines = append(lines, ui.Indented(t.MutedLines(words, w-len(indent)))...)
	}
	return lines
}

// statusLines are rows by their status. Of many words that are not recognised the most frequent are listed.
func statusLines(t *ui.Theme, all []listing.StatusTotal, summed bool) (lines []totalLine) {
	words, rest := 0, listing.StatusTotal{}
	for _, s := range all {
		if s.State == api.Unrecognised && !s.Differs {
			if words++; words > mostWords {
				rest.Add(s)
				continue
			}
		}
		tone, word := present.ClassOf(s.Class)
		line := totalLine{label: t.Mark(tone, word), tone: tone, rows: s.Rows}
		if summed {
			line.sum = s.Sum.Grouped()
		}
		lines = append(lines, line)
	}
	if rest.Rows > 0 {
		others := totalLine{label: t.Mark(ui.ToneUnknown, "other words"), tone: ui.ToneUnknown, rows: rest.Rows}
		if summed {
			others.sum = rest.Sum.Grouped()
		}
		lines = append(lines, others)
	}
	return lines
}

// totalLines draw how often each thing occurs with its sum, and where there is room its share of all and a bar. Where there is room for
// one of these, it is the share beside a sum, and else the bar. A sum without room beside the rest has a line of its own. Numbers are never
// cut, and their right ends are aligned. A long word of the service gives way to them, where there is room for its beginning.
func totalLines(t *ui.Theme, all []totalLine, whole, w int) (lines []string) {
	all = pointsAligned(all)
	label, count, sum := usualLabel, usualCount, 0
	for _, l := range all {
		label, count, sum = max(label, ui.Width(l.label)), max(count, len(present.Thousands(l.rows))), max(sum, len(l.sum))
	}
	if sum > 0 {
		sum = max(sum, usualSum)
	}
	const share, gap = len("100.0 %"), len(totalGap)
	room, least := w-len(indent)-count-gap, min(label, leastWord)
	takes := func(cells int) bool {
		fits := room >= least+gap+cells
		if fits {
			room -= gap + cells
		}
		return fits
	}
	beside := sum > 0 && takes(sum)
	shared := (sum > 0 || room >= least+gap+share+gap+leastTotalBar) && takes(share)
	barred := takes(leastTotalBar)
	label = min(label, max(room, 0))
	bar := min(leastTotalBar+room-label, mostTotalBar)
	for _, l := range all {
		line := indent + ui.Fit(l.label, label) + totalGap + ui.Right(t.Strong.Render(present.Thousands(l.rows)), count)
		if shared {
			line += totalGap + ui.Right(present.Share(l.rows, whole), share)
		}
		if barred {
			line += totalGap + ui.Fit(drawBar(t, l, bar, whole), bar)
		}
		if beside {
			line += totalGap + ui.Right(l.sum, sum)
		}
		if lines = append(lines, line); sum > 0 && !beside {
			lines = append(lines, ui.Right(l.sum, w))
		}
	}
	return lines
}

// pointsAligned are lines whose sums have their points at the same place, where currencies have different decimals.
func pointsAligned(all []totalLine) []totalLine {
	decimals := func(l totalLine) int {
		if at := strings.LastIndexByte(l.sum, '.'); at >= 0 {
			return len(l.sum) - at
		}
		return 0
	}
	most := 0
	for _, l := range all {
		most = max(most, decimals(l))
	}
	all = slices.Clone(all)
	for i, l := range all {
		if l.sum != "" && l.sum != notSummed {
			all[i].sum += strings.Repeat(" ", most-decimals(l))
		}
	}
	return all
}

// notSummed is in place of the sum of what is in a currency that is not known.
const notSummed = "not summed"

// drawBar draws a number as a part of the whole; the line that has the whole has no bar.
func drawBar(t *ui.Theme, l totalLine, bar, whole int) string {
	if l.whole {
		return ""
	}
	return t.Bar(bar, whole, ui.Part{Tone: max(l.tone, ui.ToneDone), N: l.rows})
}

// histogram are the amounts in one currency on a logarithmic scale.
func histogram(t *ui.Theme, c listing.CurrencyTotal, w int) []string {
	var bins []ui.Bin
	for _, b := range c.Bins {
		low, high := b.Low.Grouped(), b.High.Grouped()
		bin := ui.Bin{Label: low + " – " + high, Short: low, Count: present.Thousands(b.Rows), N: b.Rows}
		switch {
		case b.High.Minor < 0:
			bin.Label, bin.Short = "below 0", "below 0"
		case b.Low == b.High:
			bin.Label = low
		}
		bins = append(bins, bin)
	}
	lines := t.Histogram(w-len(indent), bins)
	title, note := "Amounts in "+c.Currency.Code(), present.Count(c.Rows-c.Unread, "row", "rows")
	if shortened := len(lines) > 0 && !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, " – ") }); shortened {
		title = "From, in " + c.Currency.Code()
	}
	return append([]string{t.Rule(title, note, w)}, ui.Indented(lines)...)
}
