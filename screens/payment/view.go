package payment

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/watch"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth   = 12
	wide         = 108 // from this width, a window of 110 columns, the history stands beside the rest
	leastSide    = 46  // of the history then
	mostSide     = 72
	leastHistory = 2 // lines the history keeps in a low window: its title and the newest change
	fairHistory  = 7 // lines of the history that come before blanks and titles
	leastAnswer  = 5 // lines below which the last answer is left out
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch {
	case m.prompting && m.prompt.several != nil:
		return m.viewSeveral(), nil
	case m.prompting:
		lines := ui.Wrap("Which payment? Its status is checked and shown; nothing is changed. Several references pasted at once, one a line, are pinned to Home.", m.W)
		return m.Under(append(lines, ""), m.prompt.form.View)
	case m.wholeOpen:
		return m.viewWhole(), nil
	case m.W >= wide:
		return m.viewWide(), nil
	}
	return ui.Lines(m.W, m.H, m.narrow(m.stepper(m.W), m.rows(m.W))...), nil
}

// narrow has the history below the rest, as far as there is room. What only sets the groups apart makes
// way for it.
func (m *Model) narrow(steps []string, rows []present.Line) []string {
	lines, room := slices.Clone(steps), m.H-len(steps)-1
	needed := 0
	for _, r := range rows {
		if r.Rank < blank {
			needed++
		}
	}
	lines = append(lines, present.FitHeight(min(max(needed, room-fairHistory), room-leastHistory), rows)...)
	if room := m.H - len(lines) - 1; room >= leastHistory {
		lines = append(append(lines, ""), m.history(m.W, room)...)
	}
	return lines
}

// viewWide puts the history and the last answer beside the rest, below the stepper.
func (m *Model) viewWide() string {
	lines := m.stepper(m.W)
	h, left, side := m.H-len(lines), m.bodyWidth(), m.sideWidth()
	beside := m.history(side, h)
	if room := h - len(beside) - 1; room >= leastAnswer {
		beside = append(append(beside, ""), m.lastAnswer(side, room)...)
	}
	for len(beside) < h {
		beside = append(beside, "")
	}
	for i, l := range beside {
		beside[i] = m.Theme.Muted.Render("│") + " " + l
	}
	lines = append(lines, present.SideBySide(left, m.body(left, h), beside)...)
	return ui.Lines(m.W, m.H, lines...)
}

// sideWidth is the width of the history beside the rest, bodyWidth that of the rest.
func (m *Model) sideWidth() int { return min(max(m.W*2/5, leastSide), mostSide) }

func (m *Model) bodyWidth() int {
	const between = 4 // blanks on the left, a line and a blank
	return m.W - m.sideWidth() - between
}

// stepper is drawn only for payments of this console.
func (m *Model) stepper(w int) []string {
	if !m.ours {
		return nil
	}
	f := m.flow
	return []string{present.Progress(m.Theme, w, f, present.StageOf(f)), ""}
}

// body is everything but the stepper and the history, in at most h lines if it can be.
func (m *Model) body(w, h int) []string { return present.FitHeight(h, m.rows(w)) }

// The ranks of the lines of the body, by which those without room are left out.
const (
	lesser = iota + 1
	blank
	title
	extra // what can be done without
)

// rows are everything but the stepper and the history: the amount and the status first.
func (m *Model) rows(w int) []present.Line {
	rows := present.Rows(0, m.amount(w))
	rows = append(rows, present.Rows(0, m.statusLines(w)...)...)
	rows = append(rows, present.Line{Rank: blank}, present.Line{Text: m.Theme.Rule("Payment", "", w), Rank: title})
	rows = append(rows, m.facts(w)...)
	rows = append(rows, present.Line{Rank: blank}, present.Line{Text: m.Theme.Rule("Watching", "", w), Rank: title})
	rows = append(rows, present.Rows(0, m.polling(w)...)...)
	for _, f := range m.settings() {
		rows = append(rows, present.Rows(extra, m.row(f[0], f[1], w))...)
	}
	return rows
}

// facts are what is known of the payment beside its amount and status.
func (m *Model) facts(w int) []present.Line {
	var rows []present.Line
	fact := func(rank int, label, value string) {
		if value != "" {
			rows = append(rows, present.Line{Text: m.row(label, value, w), Rank: rank})
		}
	}
	fact(0, "Reference", string(m.reference))
	fact(0, "Reported as", m.state.OtherReference.Line(max(w-labelWidth, 1)))
	fact(0, "Received", m.received(w-labelWidth))
	if c := m.circumstances(); c.Account != nil && !c.Account.AccountNumber.Empty() {
		fact(0, "Pay into", present.Account(m.Theme, m.shown().State, c, w-labelWidth))
	}
	fact(lesser, "Paid by", m.paidBy())
	if fees := present.Fees(m.entry.Asked()); m.ours && fees != "" {
		rows = append(rows, present.Rows(lesser, m.Theme.FactLines("Fees", fees, labelWidth, w)...)...)
	}
	if said := m.said(); said != "" {
		rows = append(rows, present.Rows(lesser, m.Theme.FactLines("Message", said, labelWidth, w)...)...)
	}
	if m.ours {
		fact(extra, "Attempt", string(m.entry.ID))
		fact(extra, "Narration", present.Plain(m.entry.Sent.Narration))
		fact(extra, "Return URL", present.Plain(m.entry.Sent.ReturnURL))
	}
	return rows
}

// shown is the status on the screen.
func (m *Model) shown() api.Status { return m.state.History.Shown }

// circumstances are what its meaning depends on; nothing is known of a payment that was made elsewhere.
func (m *Model) circumstances() api.Circumstances {
	if !m.ours {
		return api.Circumstances{Now: m.Scope.Now()}
	}
	return m.entry.Circumstances(m.Scope.Now())
}

// row is a fact cut to the width, since values from outside may be long.
func (m *Model) row(label, value string, w int) string {
	return ui.Fit(m.Theme.Fact(label, value, labelWidth), w)
}

// amount is the reported amount, or else the requested one, alone on its line; what is to be said of it stands
// behind it.
func (m *Model) amount(w int) string {
	amount, words := m.amountWords(w)
	switch {
	case amount == "":
		return ui.Fit(m.Theme.Muted.Render(words), w)
	case words == "":
		return ui.Fit(m.Theme.Strong.Render(amount), w)
	}
	return ui.Fit(m.Theme.Strong.Render(amount)+" "+m.Theme.Muted.Render(words), w)
}

func (m *Model) amountWords(w int) (amount, words string) {
	a := m.state.Amount
	fees, differs := m.entry.Asked().Extra(a.Reported), m.mismatch()
	switch {
	case m.ours && !differs.Answered.Currency.IsZero():
		return m.entry.Requested.String() + " requested, " + differs.Answered.String() + " answered", ""
	case m.ours && a.Has && fees.Minor > 0:
		asked := m.entry.Asked()
		asked.Total = a.Reported
		return present.AmountDue(asked), ""
	case m.ours && a.Has && a.Reported == m.entry.Requested:
		return present.AmountDue(m.entry.Asked()), ""
	case a.Has:
		return a.Reported.String(), ""
	case !a.Text.Empty():
		return a.Text.Line(max(w-12, 1)), "(raw)"
	case m.ours && m.state.AmountUnstated():
		return m.entry.Requested.String(), "(requested; not stated by the service)"
	case m.ours:
		return m.entry.Requested.String(), "(requested; not reported yet)"
	case m.state.AmountUnstated():
		return "", "Amount not stated by the service"
	}
	return "", "Amount not reported yet"
}

// paidBy is how the customer pays; "" for a payment that was made elsewhere, of which this is not
// known.
func (m *Model) paidBy() string {
	if !m.ours {
		return ""
	}
	words := []string{m.entry.Channel}
	if m.flow.IsTransfer() {
		words[0] = "Transfer"
	}
	if m.entry.Masked != "" {
		words = append(words, m.entry.Masked)
	}
	if m.entry.Link != "" {
		words = append(words, "through the link "+string(m.entry.Link))
	}
	return strings.Join(words, " ")
}

// history is what happened to the payment, in at most h lines, and that it goes on.
func (m *Model) history(w, h int) []string {
	var ahead []ui.Stop
	if m.state.Phase == watch.Polling {
		ahead = append(ahead, ui.Stop{What: m.Theme.Muted.Render("  the next status"), Ahead: true})
	}
	return present.History(m.Theme, m.timeline, !m.mismatch().IsZero(), w, h, ahead...)
}

// lastAnswer is the service's last answer about the payment as it came, in at most h lines. It does not
// say when: an answer that changes nothing writes nothing here.
func (m *Model) lastAnswer(w, h int) []string {
	a := m.answer
	if a.Body.Empty() {
		return nil
	}
	lines := []string{m.Theme.Rule("Last answer", present.OperationName(a.Operation)+" · HTTP "+strconv.Itoa(a.HTTP), w)}
	for _, l := range a.Body.Block(0, h) {
		lines = append(lines, m.Theme.JSONLine(l, w)...)
	}
	if len(lines) > h {
		lines = append(lines[:h-1], m.Theme.Muted.Render("… v shows all of it"))
	}
	return lines
}
