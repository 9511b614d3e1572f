package sandbox

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/screens/present"
	"paydesk/ui"
)

// payments returns the payments of this run, newest first.
func (m *Model) payments() (all []payment) {
	for _, v := range m.view.Payments {
		all = append(all, payment{v})
	}
	return all
}

// columns have the true state first, which no response can fake. The longest reference stays whole, and what the text about the
// payment has too makes way for it.
func (m *Model) columns() []ui.Column {
	longest := 0
	for _, p := range m.view.Payments {
		longest = max(longest, len(p.Reference))
	}
	return []ui.Column{
		{Title: "True state", Width: 12},
		{Title: "Amount", Width: 16, Right: true},
		{Title: "Paid by", Width: 9, Drop: 1},
		{Title: "Reference", Width: 10, Full: longest, Grow: true, Quiet: true, Whole: true},
		{Title: "Made", Width: 8, Drop: 2},
	}
}

func (p payment) cells() []ui.Cell {
	return []ui.Cell{
		{Text: present.Word(p.status()), Tone: present.Tone(p.status())},
		{Text: p.total().String()}, {Text: p.paidBy()}, {Text: p.Reference}, {Text: present.Clock(p.Made)},
	}
}

// mayChange reports whether anything may change without a key: payments settle and expire,
// a customer decides in a browser, a webhook is delivered.
func (m *Model) mayChange() bool {
	return m.open() > 0 ||
		slices.ContainsFunc(m.view.Deliveries, func(d sandbox.Delivery) bool { return !d.Delivered })
}

// open counts the payments that are not final.
func (m *Model) open() (n int) {
	for _, p := range m.payments() {
		if !p.final() {
			n++
		}
	}
	return n
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

func (m *Model) head(w int) []string {
	switch {
	case m.view.problem != "":
		words := m.view.problem + " This may be out of date; paydesk asks again every second."
		return append(ui.Wrap(m.Theme.Mark(ui.ToneBad, words), w), "")
	case !m.view.read:
		return append(m.Theme.WaitLines(m.reading.Wait(), "Reading the sandbox", w), "")
	case len(m.view.Payments) > 0:
		return nil
	}
	const settings = 4 // lines below it
	words := "No payments in this run yet. Collect one, and come back with f3 to decide how it ends."
	return append(m.Theme.Invite(words, collect, w, max(m.H-settings, 1)), "")
}

// says describes a payment, and below it the sandbox's settings. Where that would cost a row or a fact, it leaves out the amount and
// the state, which the row has.
func (m *Model) says(p payment, some bool, w, h int) (lines []present.Line) {
	settings := append([]present.Line{{Rank: rankBlank, Text: m.Theme.Rule("Sandbox", "", w)}}, m.settings(w)...)
	if !some {
		return settings
	}
	settings = append([]present.Line{{Rank: rankBlank + 1}}, settings...)
	if lines = append(m.details(p, w, true), settings...); len(lines) < h { // and a blank below the rows
		return lines
	}
	return append(m.details(p, w, false), settings...)
}

// details shows what the columns may have no room for; in the whole of it the amount and the state come first.
func (m *Model) details(p payment, w int, whole bool) []present.Line {
	var lines []present.Line
	if whole {
		chip := m.Theme.Chip(present.Tone(p.status()), present.Word(p.status()))
		lines = present.Rows(rankMore, m.Theme.Strong.Render(p.total().String())+"   "+chip, "")
	}
	now, _ := p.situation()
	return append(lines, m.facts(w, fact{rankWhere, "Reference", p.Reference}, fact{rankMore, "Paid by", p.paidBy() + ", made " + present.Clock(p.Made)}, fact{rankWhere, "Link", p.Link},
		fact{rankMoney, "Received", p.received()}, fact{rankKeep, "Now", now})...)
}

// received returns what was paid of a transfer; "" of a card payment.
func (p payment) received() string {
	if !p.isTransfer() {
		return ""
	}
	return amount(p.Received, p.Currency).Grouped() + " of " + p.total().String()
}

// situation is a payment's state and what comes next, and the keys that change it now, in the order of the help bar.
func (p payment) situation() (words, keys string) {
	const finalize = "The customer's part is done. Finalize the payment."
	switch {
	case p.final() && p.missing().Minor <= 0:
		return "Final: paid in full.", ""
	case p.final() && p.isTransfer():
		return "Final: the account expired first.", ""
	case p.final():
		return "Final: declined or rejected at the bank.", ""
	case p.awaitsFinalize() && p.isTransfer():
		return finalize, ""
	case p.awaitsFinalize():
		return finalize, "D"
	case p.isTransfer():
		return "Waiting to be paid: P pays, X expires the account." + p.nextChange(), "PXS"
	case p.status().State == api.Initiated:
		return "Waiting for the customer: A approves, N rejects.", "AND"
	}
	return "Authorised: S settles, D declines." + p.nextChange(), "SD"
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

// settings shows the sandbox's settings: on one line those that are as it starts.
func (m *Model) settings(w int) (lines []present.Line) {
	clock, faults, switches := "this machine's clock", "no faults", "no switches"
	if m.view.Ahead > 0 {
		clock = ""
		lines = m.facts(w, fact{rankSet, "Clock", cmp.Or(present.Lasted(m.view.Ahead), "less than 1 s") + " ahead of this machine"})
	}
	if len(m.view.Armed) > 0 {
		faults = ""
		lines = append(lines, m.armedLines(w)...)
	}
	var words []string
	for _, s := range m.view.Switches {
		if s.Value != s.Default {
			words = append(words, s.Name+" = "+s.Value)
		}
	}
	if len(words) > 0 {
		switches = ""
		lines = append(lines, m.facts(w, fact{rankSet, "Switches", strings.Join(words, ", ")})[:1]...)
	}
	same := slices.DeleteFunc([]string{clock, faults, switches}, func(s string) bool { return s == "" })
	return append(lines, m.facts(w, fact{rankSet, "Settings", strings.Join(same, ", ")}, fact{rankSet, "Webhooks", m.webhookCounts()})...)
}

// webhookCounts counts delivered and undelivered webhooks; "" without any.
func (m *Model) webhookCounts() string {
	if len(m.view.Deliveries) == 0 {
		return ""
	}
	open := 0
	for _, d := range m.view.Deliveries {
		if !d.Delivered {
			open++
		}
	}
	words := strconv.Itoa(len(m.view.Deliveries)-open) + " delivered"
	if open > 0 {
		words += ", " + strconv.Itoa(open) + " not"
	}
	return words
}
