package sandbox

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A list shows the payments of this run, newest first, and the sandbox's settings.
type list struct {
	base
	actions []action

	payments   []payment
	changed    []sandbox.Switch // differing from their default
	armed      []sandbox.ArmedFault
	ahead      time.Duration
	deliveries []sandbox.Delivery
	longest    int // of the references, in cells
}

// newList has the true state first, which no response can fake.
func newList(m *Model) *list {
	l := &list{actions: actions(), base: newBase(m, "Sandbox", "Payment", 3)}
	l.layout(0)
	return l
}

// layout builds a new table when another reference is the longest: it stays whole, and what the text about the
// payment has too makes way for it.
func (l *list) layout(longest int) {
	if l.longest == longest && l.rows != nil {
		return
	}
	at := l.table.Selected()
	l.longest, l.rows = longest, nil
	l.table = ui.NewTable(l.m.Theme,
		ui.Column{Title: "True state", Width: 12},
		ui.Column{Title: "Amount", Width: 16, Right: true},
		ui.Column{Title: "Paid by", Width: 9, Drop: 1},
		ui.Column{Title: "Reference", Width: 10, Full: longest, Grow: true, Quiet: true},
		ui.Column{Title: "Made", Width: 8, Drop: 2},
	)
	l.table.Select(at)
}

// read keeps the same payment selected.
func (l *list) read() {
	was, had := l.selected()
	now := l.m.view
	l.payments = l.payments[:0]
	for _, v := range now.Payments {
		l.payments = append(l.payments, payment{v})
	}
	l.armed, l.ahead, l.deliveries = now.Armed, now.Ahead, now.Deliveries
	l.changed = slices.DeleteFunc(slices.Clone(now.Switches), func(s sandbox.Switch) bool { return s.Value == s.Default })
	longest := 0
	for _, p := range l.payments {
		longest = max(longest, len(p.Reference))
	}
	l.layout(longest)
	l.setRows(now.Payments, len(l.payments), l.row)
	if i := slices.IndexFunc(l.payments, func(p payment) bool { return p.Reference == was.Reference }); had && i >= 0 {
		l.table.Select(i)
	}
}

// mayChange reports whether anything may change without a key: payments settle and expire,
// a customer decides in a browser, a webhook is delivered.
func (l *list) mayChange() bool {
	return l.open() > 0 ||
		slices.ContainsFunc(l.deliveries, func(d sandbox.Delivery) bool { return !d.Delivered })
}

// open counts the payments that are not final.
func (l *list) open() (n int) {
	for _, p := range l.payments {
		if !p.final() {
			n++
		}
	}
	return n
}

func (l *list) selected() (payment, bool) { return ui.Selected(l.table, l.payments) }

func (l *list) row(i int) []ui.Cell {
	p := l.payments[i]
	return []ui.Cell{
		{Text: present.Word(p.status()), Tone: present.Tone(p.status())},
		{Text: p.total().String()}, {Text: p.paidBy()}, {Text: p.Reference}, {Text: present.Clock(p.Made)},
	}
}

// paidBy is the masked card, or the channel.
func (p payment) paidBy() string {
	switch {
	case p.isTransfer():
		return "transfer"
	case p.Channel == "PayByAccount":
		return "account"
	}
	return cmp.Or(p.Masked, p.Channel)
}

func (p payment) total() money.Amount { return amount(p.Amount, p.Currency) }

// missing is the amount still to be paid; zero or less when paid in full.
func (p payment) missing() money.Amount {
	left := p.total()
	left.Minor -= amount(p.Received, p.Currency).Minor
	return left
}

// amount parses an amount in major units, as the sandbox formats them.
func amount(major, code string) money.Amount {
	c, err := money.ParseCurrency(code)
	if err != nil {
		return money.Amount{}
	}
	a, _ := money.Parse(major, c) // zero when invalid
	return a
}

func (l *list) head(w int) []string {
	switch {
	case l.m.view.problem != "":
		words := l.m.view.problem + " What is shown may be old; it is asked again every second."
		return append(ui.Wrap(l.m.Theme.Mark(ui.ToneBad, words), w), "")
	case !l.m.view.read:
		return append(l.m.Theme.WaitLines(l.m.reading.Wait(), "Reading the sandbox", w), "")
	case len(l.payments) > 0:
		return nil
	}
	const settings = 4 // lines below it
	words := "No payments in this run yet. Collect one, and come back with f3 to decide how it ends."
	return append(l.m.Theme.Invite(words, collect, w, max(l.m.H-settings, 1)), "")
}

// The ranks of lines below the table. In a low window the highest are dropped first.
const (
	rankKeep = iota
	rankSet
	rankMoney
	rankWhere
	rankMore
	rankBlank
)

// foot shows the selected payment, and below it what differs from a sandbox as it starts.
func (l *list) foot(w int) []present.Line {
	var lines []present.Line
	if p, ok := shown(&l.base, l.payments); ok {
		lines = append(l.details(p, w), present.Line{Rank: rankBlank + 1})
	}
	settings := l.settings(w)
	if len(settings) == 0 {
		return lines
	}
	lines = append(lines, present.Line{Rank: rankBlank, Text: l.m.Theme.Rule("Sandbox", "", w)})
	return append(lines, settings...)
}

// details shows what the columns do not.
func (l *list) details(p payment, w int) []present.Line {
	var lines []present.Line
	if l.m.panes.Beside() {
		chip := l.m.Theme.Chip(present.Tone(p.status()), present.Word(p.status()))
		lines = present.Rows(rankMore, l.m.Theme.Strong.Render(p.total().String())+"   "+chip, "")
	}
	return append(lines, l.m.facts(w, fact{rankWhere, "Reference", p.Reference}, fact{rankMore, "Paid by", p.paidBy() + ", made " + present.Clock(p.Made)}, fact{rankWhere, "Link", p.Link},
		fact{rankMoney, "Received", p.received()}, fact{rankKeep, "Now", p.situation()})...)
}

// received returns what was paid of a transfer; "" of a card payment.
func (p payment) received() string {
	if !p.isTransfer() {
		return ""
	}
	return amount(p.Received, p.Currency).Grouped() + " of " + p.total().String()
}

// situation is a payment's state and what comes next.
func (p payment) situation() string {
	switch {
	case p.final() && p.missing().Minor <= 0:
		return "Final: paid in full."
	case p.final() && p.isTransfer():
		return "Final: the account expired first."
	case p.final():
		return "Final: declined or rejected at the bank."
	case p.awaitsFinalize():
		return awaitsFinalizeText
	case p.isTransfer():
		return "Waiting to be paid: P pays, X expires the account." + p.nextChange()
	case p.whyNotAnswer() == "":
		return "Waiting for the customer: A approves, N rejects."
	}
	return "Authorised: S settles, D declines." + p.nextChange()
}

// nextChange says how the payment ends by itself; "" when it will not.
func (p payment) nextChange() string {
	what := " It settles by itself at "
	switch {
	case p.Ends.IsZero():
		return ""
	case p.EndsIn == "FAILED":
		what = " It expires at "
	case p.isTransfer():
		what = " It is paid by itself at "
	}
	return what + present.Clock(p.Ends) + "."
}

// settings shows the sandbox's settings that differ from the default.
func (l *list) settings(w int) []present.Line {
	var lines []present.Line
	if l.ahead > 0 {
		lines = l.m.facts(w, fact{rankSet, "Clock", span(l.ahead) + " ahead of this machine"})
	}
	if len(l.armed) > 0 {
		lines = append(lines, l.m.armedLines(l.armed, w)...)
	}
	if len(l.changed) > 0 {
		var words []string
		for _, s := range l.changed {
			words = append(words, s.Name+" = "+s.Value)
		}
		lines = append(lines, l.m.facts(w, fact{rankSet, "Switches", strings.Join(words, ", ")})[:1]...)
	}
	return append(lines, l.m.facts(w, fact{rankSet, "Webhooks", l.webhookCounts()})...)
}

// webhookCounts counts delivered and undelivered webhooks; "" without any.
func (l *list) webhookCounts() string {
	if len(l.deliveries) == 0 {
		return ""
	}
	open := 0
	for _, d := range l.deliveries {
		if !d.Delivered {
			open++
		}
	}
	words := strconv.Itoa(len(l.deliveries)-open) + " delivered"
	if open > 0 {
		words += ", " + strconv.Itoa(open) + " not"
	}
	return words
}
