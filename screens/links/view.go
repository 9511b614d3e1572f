package links

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Form) View() (string, *tea.Cursor) {
	switch {
	case m.confirm != nil:
		lines := m.alike.Lines(m.Theme, m.W)
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		question, _ := m.confirm.View(m.W, m.H)
		if draft := m.viewDraft(); len(lines)+len(draft)+strings.Count(question, "\n") < m.H {
			lines = append(lines, draft...)
		}
		return m.Under(lines, m.confirm.View)
	case m.sending():
		words := append(m.Theme.WaitLines(m.sent.Wait(), "Creating the link", m.W), "")
		words = append(words, ui.Wrap(present.SendingNote, max(1, m.W))...)
		return ui.Lines(m.W, m.H, words...), nil
	case m.problem.Unresolved:
		return ui.Lines(m.W, m.H, m.problem.Lines(m.Theme, m.W)...), nil
	case m.isElsewhere():
		return ui.Lines(m.W, m.H, m.viewMismatch()...), nil
	}
	return m.viewForm()
}

// viewDraft is the link that would be created, above the question.
func (m *Form) viewDraft() []string {
	a := ledger.Attempt{Kind: ledger.CreateLink, Draft: m.draft, Amount: m.draft.Amount}
	lines := m.Theme.StrongLines(present.Amount(a), m.W)
	for _, fact := range present.LinkFacts(a) {
		lines = append(lines, m.Theme.FactLines(fact[0], fact[1], labels, m.W)...)
	}
	return append(lines, "")
}

// labels are the cells of a label and the gap after it.
const labels = 13

// roomy is the height of a body from which a rule and a blank stand above the form.
const roomy = 16

// viewForm is the form, and the request that it makes beside it.
func (m *Form) viewForm() (string, *tea.Cursor) {
	if m.W < present.SplitFrom || m.H < roomy {
		return m.viewAlone(m.W, func(w, h int) (string, *tea.Cursor) { return m.form.FillAround(w, h, m.openAmount(w)...) })
	}
	left, right := present.SplitWidths(m.W)
	text, cursor := m.viewAlone(left, m.form.View)
	lines := append(append(strings.Split(text, "\n"), ""), m.openAmount(left)...)
	pane := present.Request(m.Theme, m.input().Preview(), "POST …/payment-link", right, m.H, m.feeds()...)
	return m.Theme.Beside(left, m.H, lines, pane), cursor
}

// viewAlone is the form, below the last problem.
func (m *Form) viewAlone(w int, form func(w, h int) (string, *tea.Cursor)) (string, *tea.Cursor) {
	head := m.problem.Lines(m.Theme, w)
	if len(head) > 0 {
		head = append(head, "")
	}
	if m.H >= roomy {
		note := "not sent yet"
		if m.attempted {
			note = "" // the problem says what was done
		}
		head = append([]string{m.Theme.Rule("Payment link", note, w), ""}, head...)
	}
	return ui.Below(w, m.H, head[:min(len(head), max(m.H-leastForm, 0))], form)
}

// feeds are the paths of the request that come from the field in focus.
func (m *Form) feeds() []string {
	return map[ui.Field][]string{
		m.name: {"name"}, m.description: {"description"}, m.uses: {"linkType"}, m.kind: {"amountType"},
		m.currency.Choice: {"currencyCode", "amountInfo.currencyCode"}, m.currency.Code: {"currencyCode", "amountInfo.currencyCode"},
		m.amount: {"amountInfo.amount"},
	}[m.form.Focused()]
}

// openAmount says what is sent as the amount where the customer chooses it.
func (m *Form) openAmount(w int) []string {
	sent := m.input().SentAmount()
	if !m.dynamic() || sent.Currency.IsZero() {
		return nil
	}
	const indent = "  "
	lines := m.Theme.MutedLines("The customer chooses the amount. The request needs one all the same and carries "+
		sent.String()+", the least that the service is known to accept; a payment page may suggest it.", w-len(indent))
	for i := range lines {
		lines[i] = indent + lines[i]
	}
	return lines
}

// leastForm are the lines the form keeps below a problem.
const leastForm = 6

// viewMismatch warns of a link that was created in another environment.
func (m *Form) viewMismatch() []string {
	words := "The link was created, but the service reports its environment as \"" + m.created.Environment.Line(20) + "\". This profile declares " +
		m.target.Environment + ". Check the profile's secret key and base URL before you do anything else."
	lines := append([]string{m.Theme.Chip(ui.ToneBad, "ENVIRONMENT MISMATCH")}, m.Theme.StrongLines("Do not share this link.", m.W)...)
	lines = append(append(lines, ui.Wrap(words, max(1, m.W))...), "")
	return append(lines, m.Theme.FactLines("Alias", string(m.created.Alias), labels, m.W)...)
}
