package newlink

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	switch m.stage {
	case confirming:
		lines := m.alike.Lines(m.Theme, m.W)
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		return m.Under(lines, m.confirm.View)
	case sending:
		words := append(m.Theme.WaitLines(m.sent.Wait(), "Creating the link", m.W), "")
		words = append(words, ui.Wrap(present.SendingNote, max(1, m.W))...)
		return ui.Lines(m.W, m.H, words...), nil
	case unresolved:
		return ui.Lines(m.W, m.H, m.viewUnresolved()...), nil
	case mismatched:
		return ui.Lines(m.W, m.H, m.viewMismatch()...), nil
	}
	return m.viewForm()
}

// viewForm is the form, below the last problem and beside the preview.
func (m *Model) viewForm() (string, *tea.Cursor) {
	w := m.W
	var right []string
	if m.W >= present.WidePreview {
		w = m.W - present.PreviewWidth - 2
		right = present.Preview(m.Theme, m.preview)
	}
	head := append(m.problem.Lines(m.Theme, w), m.openAmount(w)...)
	if len(head) > 0 {
		head = append(head, "")
	}
	head = head[:min(len(head), max(m.H-leastForm, 0))]
	left, cursor := m.Under(head, func(_, h int) (string, *tea.Cursor) { return m.form.Fill(w, h) })
	return ui.Lines(m.W, m.H, present.SideBySide(w, strings.Split(left, "\n"), right)...), cursor
}

// openAmount says what is sent as the amount where the customer chooses it.
func (m *Model) openAmount(w int) []string {
	sent := m.input().SentAmount()
	if !m.dynamic() || sent.Currency.IsZero() {
		return nil
	}
	return m.Theme.MutedLines("The customer chooses the amount. The request needs one all the same and carries "+
		sent.String()+", the least that the service is known to accept; a payment page may suggest it.", w)
}

// leastForm are the lines the form keeps below a problem.
const leastForm = 6

// viewUnresolved offers no way to send again.
func (m *Model) viewUnresolved() []string {
	p := m.problem
	p.Done = "" // the heading says it
	lines := append(present.UnresolvedHeading(m.Theme, m.W, present.NotKnown(journal.CreateLink)), "")
	lines = append(append(lines, p.Lines(m.Theme, m.W)...), "")
	return append(lines, ui.Wrap("Look for \""+m.draft.Name+"\" in the provider's dashboard. A link moves no money by itself: "+
		"a duplicate does no harm until somebody is given its URL.", max(1, m.W))...)
}

// viewMismatch warns of a link that was created in another environment.
func (m *Model) viewMismatch() []string {
	environment := m.created.Environment.Line(20)
	lines := []string{m.Theme.Mark(ui.ToneBad, "ENVIRONMENT MISMATCH"), ""}
	lines = append(lines, ui.Wrap("The link was created, but the service reports its environment as \""+environment+
		"\". This profile declares "+m.target.Environment+".", max(1, m.W))...)
	lines = append(lines, "", m.Theme.Muted.Render("Alias  ")+string(m.created.Alias), "")
	return append(lines, ui.Wrap("Do not share this link. Check the profile's secret key and base URL before you do anything else.", max(1, m.W))...)
}
