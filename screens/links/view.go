package links

import (
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labels = 13 // cells of a label and the gap after it
	roomy  = 16 // lines of a body from which a rule and a blank stand above the form
)

// head is the last problem, below a rule where it has room.
func (m *Form) head(w int) (lines []string) {
	if !m.editing() {
		return nil
	}
	if m.H >= roomy {
		note := "not sent yet"
		if m.attempted {
			note = "" // the problem says what was done
		}
		lines = []string{m.Theme.Rule("Payment link", note, w), ""}
	}
	if problem := m.problem.Lines(m.Theme, w); len(problem) > 0 {
		lines = append(append(lines, problem...), "")
	}
	return lines
}

// busy stands in place of the form once the link is being created, was, or may have been.
func (m *Form) busy(w int) []string {
	switch {
	case m.sending():
		return append(append(m.Theme.WaitLines(m.sent.Wait(), "Creating the link", w), ""), ui.Wrap(present.SendingNote, max(1, w))...)
	case m.problem.Unresolved:
		return m.problem.Lines(m.Theme, w)
	case m.isElsewhere():
		return m.mismatch(w)
	}
	return nil
}

// asked stands above a question: the attempts that look the same, and where all of it has room the link that would be created.
func (m *Form) asked(w int) (lines []present.Line) {
	if alike := m.alike.Lines(m.Theme, w); len(alike) > 0 {
		lines = present.Rows(0, append(alike, "")...)
	}
	a := ledger.Attempt{Kind: ledger.CreateLink, Draft: m.draft, Amount: m.draft.Amount}
	draft := m.Theme.StrongLines(present.Amount(a), w)
	for _, fact := range present.LinkFacts(a) {
		draft = append(draft, m.Theme.FactLines(fact[0], fact[1], labels, w)...)
	}
	return append(lines, present.Paragraph(1, append(draft, "")...)...)
}

// request is what the form will send.
func (m *Form) request(w, h int) []string {
	return present.Request(m.Theme, m.input().Preview(), "POST …/payment-link", w, h, m.feeds()...)
}

// feeds are the paths of the request that come from the field in focus.
func (m *Form) feeds() []string {
	return map[ui.Field][]string{
		m.name: {"name"}, m.description: {"description"}, m.uses: {"linkType"}, m.kind: {"amountType"},
		m.currency.Choice: {"currencyCode", "amountInfo.currencyCode"}, m.currency.Code: {"currencyCode", "amountInfo.currencyCode"},
		m.amount: {"amountInfo.amount"},
	}[m.Form.Focused()]
}

// openAmount says what is sent as the amount where the customer chooses it. In a low window it leaves the lines to a problem.
func (m *Form) openAmount(w int) []string {
	sent := m.input().SentAmount()
	if !m.dynamic() || sent.Currency.IsZero() || m.H < roomy && !m.problem.IsZero() {
		return nil
	}
	const indent = "  "
	words := "The customer chooses the amount. The request needs one all the same and carries " + sent.String() +
		", the least that the service is known to accept; a payment page may suggest it."
	return append([]string{""}, ui.Indented(m.Theme.MutedLines(words, w-len(indent)))...)
}

// mismatch warns of a link that was created in another environment.
func (m *Form) mismatch(w int) []string {
	words := "The link was created, but the service reports its environment as \"" + m.created.Environment.Line(20) + "\". This profile declares " +
		m.target.Environment + ". Check the profile's secret key and base URL before you do anything else."
	lines := append([]string{m.Theme.Chip(ui.ToneBad, "ENVIRONMENT MISMATCH")}, m.Theme.StrongLines("Do not share this link.", w)...)
	lines = append(append(lines, ui.Wrap(words, max(1, w))...), "")
	return append(lines, m.Theme.FactLines("Alias", string(m.created.Alias), labels, w)...)
}
