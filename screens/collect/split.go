package collect

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/card"
	"paydesk/screens/present"
	"paydesk/ui"
)

// ruleLines are the rule above a stage beside the request, and a blank.
const ruleLines = 2

// split reports whether the request stands beside the stage: where there is room, and something to show.
func (m *Model) split() bool { return m.W >= present.SplitFrom && m.H >= roomy && m.stage <= reviewing }

// viewSplit is the stage, and beside it the request that it makes.
func (m *Model) viewSplit() (string, *tea.Cursor) {
	left, right := present.SplitWidths(m.W)
	return m.Under(m.head(), func(_, h int) (string, *tea.Cursor) {
		head := []string{m.Theme.Rule(m.stageTitle(), m.note(), left), ""}
		text, cursor := ui.Below(left, h, head, m.part().view)
		return m.Theme.Beside(left, h, strings.Split(text, "\n"), m.request(right, h)), cursor
	})
}

// request is what would be sent, beside or below the stage.
func (m *Model) request(w, h int) []string {
	return present.Request(m.Theme, m.json(), "POST …/pay/initiate", w, h, m.feeds()...)
}

// json returns what would be sent as it is entered now, or what is under review, with the card masked.
// It is made for each frame, which takes a few microseconds.
func (m *Model) json() string {
	in := m.review.in
	if m.review.confirm == nil {
		in = m.initiation()
		defer in.Card.Wipe()
	}
	return m.options.Preview(in)
}

// feeds are the paths of the request that come from the field in focus. Below a list only the list has a mark.
func (m *Model) feeds() []string {
	var focused ui.Field
	switch f := m.forms[m.stage]; {
	case f != nil:
		focused = f.Focused()
	case !m.split():
		return nil
	}
	for _, n := range m.spots() {
		if n.Value.stage == m.stage && n.Value.field == focused {
			return n.Value.feeds
		}
	}
	return nil
}

// underForm returns what stands below a form where there is room: what was entered before, and the test cards. A
// group that does not fit is left out.
func (m *Model) underForm(w, h int) (lines []string) {
	for _, group := range [][]string{m.soFar(w), m.cardsBelow(w)} {
		if len(group) > 0 && len(lines)+1+len(group) <= h {
			lines = append(append(lines, ""), group...)
		}
	}
	return lines
}

// soFar returns what was entered in the stages before this one.
func (m *Model) soFar(w int) []string {
	if m.stage == stageAmount {
		return nil
	}
	amount, who := m.amount.value(), m.customer.value()
	facts := []string{"Amount", amount.String(), "Channel", "", "Customer", ""}
	if m.stage > stageChannel {
		facts[3] = m.channelWords()
	}
	if m.stage > stageCustomer {
		facts[5] = whole(w-2-labels, m.customer.name(), who.Email, who.Phone)
	}
	return append([]string{m.Theme.Rule("So far", "", w)}, ui.Indented(m.facts(w-2, facts...))...)
}

// cardsBelow are the test cards of the demo. A key shows them as a list to pick from.
func (m *Model) cardsBelow(w int) []string {
	if !m.offersCards() {
		return nil
	}
	const number, name = 6, 18
	lines := []string{m.Theme.Rule("Test cards (ctrl+t)", m.options.Target.Environment+" only", w)}
	for _, c := range m.options.Cards {
		pan, _ := card.ParsePAN(c.Number) // an invalid one has no last four
		first := "  " + ui.Fit(pan.LastFour(), number) + ui.Fit(c.Name, name)
		for _, does := range ui.Wrap(c.Does, w-len(first)) {
			lines = append(lines, first+m.Theme.Muted.Render(does))
			first = strings.Repeat(" ", len(first))
		}
	}
	return lines
}
