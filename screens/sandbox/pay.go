package sandbox

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A pay chooses how much of a transfer is paid.
type pay struct {
	m     *Model
	table *ui.Table
	payment
	ways []way
}

type way struct {
	amount money.Amount
	words  string
}

const more = 1_00 // minor units that are paid too much

// pay opens the chooser for the selected payment, or says why not.
func (l *list) pay() tea.Cmd {
	p, ok := l.selected()
	if !ok {
		return l.m.say(ui.ToneAct, noPayment)
	}
	if why := p.whyNotPay(); why != "" {
		return l.m.say(ui.ToneAct, why)
	}
	c := &pay{m: l.m, payment: p, table: ui.NewTable(l.m.theme,
		ui.Column{Title: "Pay", Width: 18, Right: true},
		ui.Column{Title: "Which is", Width: 20, Grow: true},
	)}
	c.read()
	return l.m.open(c)
}

// read works the ways out anew: money may have come meanwhile.
func (c *pay) read() {
	if v, ok := c.m.box.Payment(c.Reference); ok {
		c.payment = payment{v}
	}
	left := c.missing()
	half, over := left, left
	half.Minor /= 2
	over.Minor += more
	c.ways = []way{{left, "exactly what is missing"}}
	if half.Minor > 0 {
		c.ways = append(c.ways, way{half, "too little: the rest stays missing"})
	}
	c.ways = append(c.ways, way{over, "too much"})
	c.table.SetRows(c.rows(), func(i int) []ui.Cell {
		return []ui.Cell{{Text: c.ways[i].amount.String()}, {Text: c.ways[i].words}}
	})
}

func (c *pay) title() string     { return "Sandbox: pay a transfer" }
func (c *pay) sheet() *ui.Table  { return c.table }
func (c *pay) rows() int         { return len(c.ways) }
func (c *pay) head(int) []string { return nil }

func (c *pay) foot(w int) []present.Line {
	came := amount(c.Received, c.Currency).Major() + " of " + c.sum().String()
	lines := present.Rows(rankWhere, c.m.fact("Reference", c.Reference, w)...)
	lines = append(lines, present.Rows(rankMoney, c.m.fact("Received", came, w)...)...)
	return append(lines, present.Rows(rankKeep, c.m.fact("Now", c.now(), w)...)...)
}

func (c *pay) keys() []key.Binding {
	return append([]key.Binding{chooses("pay it")}, c.table.Keys()[:1]...)
}

func (c *pay) press(k tea.KeyPressMsg) tea.Cmd {
	if !pressed(k, chooses("")) {
		c.table.Update(k)
		return nil
	}
	paid := c.ways[max(c.table.Selected(), 0)].amount
	if err := c.m.box.Pay(c.Reference, paid.Major()); err != nil {
		c.m.over = nil
		return c.m.say(ui.ToneAct, present.Sentence(err.Error()))
	}
	c.read()
	return c.m.done(paid.String() + " were paid; it is " + c.State + " now.")
}
