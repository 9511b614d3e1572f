package collect

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	roomy        = 16 // body height from which a rule and a blank line follow the stepper
	labels       = 16 // cells of a label and the gap after it, as those of a form
	problemRoom  = 3  // lines of the problem above a form in a low window
	leastRequest = 5  // lines from which the request stands below a stage
	leastCards   = 5  // lines from which test cards stand below a form: a blank, a rule and three
)

// View implements [ui.Screen]. The request that a stage makes is beside it, or below.
func (m *Model) View() (string, *tea.Cursor) {
	text, cursor := m.Under(m.head(), func(w, h int) (string, *tea.Cursor) {
		if !m.split() {
			return ui.Below(w, h, m.rule(w), m.part().view)
		}
		left, right := present.SplitWidths(w)
		text, cursor := ui.Below(left, h, m.rule(left), m.part().view)
		return m.Theme.Beside(left, h, strings.Split(text, "\n"), m.request(right, h)), cursor
	})
	if room := m.H - lineCount(text) - 1; room >= leastRequest && m.W > 0 && m.stage <= reviewing && !m.channel.call.Pending() {
		text += "\n\n" + strings.Join(m.request(m.W, room), "\n")
	}
	return text, cursor
}

// head is the stepper, and the link that is paid.
func (m *Model) head() []string {
	head := []string{present.Stepper(m.Theme, m.W, m.channel.chosen, m.linked(), m.stepperStage())}
	if l := m.options.Link; l != nil {
		words := "Through the link " + string(l.Alias)
		switch {
		case m.options.Again != nil && m.amount.form != nil:
			words += ", again"
		case m.stage != stageAmount:
			words += " for " + m.amount.value().String()
		case !m.amount.link.IsZero():
			words += ", in " + m.amount.link.Code() + "; enter any amount"
		}
		head = append(head, m.Theme.Muted.Render(words))
		if present.UsedUp(*l, m.options.Paid) {
			head = append(head, m.Theme.Mark(ui.ToneUnknown, usedUp))
		}
	}
	if m.split() || m.stage > reviewing && m.H >= roomy {
		head = append(head, "")
	}
	return head
}

// rule stands above a stage where there is room: it has what was entered in those before, and that nothing was sent. A rejection says
// itself what was done.
func (m *Model) rule(w int) []string {
	if m.H < roomy || m.stage > reviewing {
		return nil
	}
	note := "not sent yet"
	if m.attempted {
		note = ""
	}
	return []string{m.Theme.Rule(m.soFar(), note, w), ""}
}

// soFar returns what was entered in the stages before this one. A review has all of it.
func (m *Model) soFar() string {
	switch m.stage {
	case stageAmount:
		return "New payment"
	case reviewing:
		return "Review"
	}
	parts := []string{m.amount.value().String()}
	if m.stage > stageChannel {
		parts = append(parts, m.channelWords())
	}
	if m.stage > stageCustomer {
		parts = append(parts, m.customer.name())
	}
	return strings.Join(parts, " · ")
}

// usedUp warns before the service refuses the payment.
const usedUp = "This one-time link was paid already."

// linked reports whether the payment goes through a link, as far as is known.
func (m *Model) linked() bool { return m.options.Link != nil || m.details.link() != "" }

// stepperStage is the stage on the stepper. Without a card the details belong to the customer step.
func (m *Model) stepperStage() present.Stage {
	if m.stage == stageDetails && m.channel.chosen != api.ChannelCard {
		return present.StageCustomer
	}
	return present.Stage(min(m.stage, reviewing))
}

// formWidth is the width below the stepper, without what stands beside the form.
func (m *Model) formWidth() int {
	if !m.split() {
		return m.W
	}
	left, _ := present.SplitWidths(m.W)
	return left
}

// bodyHeight is the height below the stepper and the rule.
func (m *Model) bodyHeight() int {
	return max(m.H-len(m.head())-len(m.rule(m.W)), 0)
}

// viewForm is the form, below the problem, or as much of it as the form leaves room for. Errors of a field stand at the field.
func (m *Model) viewForm(w, h int) (string, *tea.Cursor) {
	top, form := m.problem.Lines(m.Theme, w), m.forms[m.stage]
	top = top[:min(len(top), max(h-form.Height(), problemRoom))]
	text, cursor := ui.Below(w, h, top, form.View)
	cards := m.cardsBelow(w, h-lineCount(text))
	return ui.Lines(w, h, append([]string{text}, cards...)...), cursor
}

// viewSending shows what is being sent and how long the response may take. Nothing can be pressed:
// there is no way to stop a payment that is on its way.
func (m *Model) viewSending(w, h int) (string, *tea.Cursor) {
	return spaced(w, h, m.Theme.WaitLines(m.sent.Wait(), "Sending the payment", w),
		append(m.Theme.StrongLines(m.review.in.Amount.String(), w), m.facts(w,
			"Channel", strings.TrimSuffix(m.channelWords()+" · "+m.review.card, " · "),
			"To", m.options.Target.String())...),
		ui.Wrap(present.SendingNote, w))
}

// spaced puts a blank line between groups of lines where there is room for it. There is no cursor.
func spaced(w, h int, groups ...[]string) (string, *tea.Cursor) {
	var lines []present.Line
	for _, g := range groups {
		if len(g) > 0 && len(lines) > 0 {
			lines = append(lines, present.Line{Rank: 1})
		}
		lines = append(lines, present.Rows(0, g...)...)
	}
	return ui.Lines(w, h, present.FitHeight(h, lines)...), nil
}

// facts are labels, each followed by its value; those without a value are left out, so that what
// was not entered takes no room.
func (m *Model) facts(w int, pairs ...string) (lines []string) {
	for fact := range slices.Chunk(pairs, 2) {
		if strings.TrimSpace(fact[1]) != "" {
			lines = append(lines, m.Theme.FactLines(fact[0], fact[1], labels, w)...)
		}
	}
	return lines
}

// whole joins parts, on a line each where they have no room on one, so that none is broken that fits: a phone number has blanks.
func whole(w int, parts ...string) string {
	if line := strings.Join(parts, " · "); ui.Width(line) <= w {
		return line
	}
	return strings.Join(parts, "\n")
}

// lineCount counts the lines of a text.
func lineCount(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}

// split reports whether the request stands beside the stage: where there is room, and something to show.
func (m *Model) split() bool { return m.W >= present.SplitFrom && m.H >= roomy && m.stage <= reviewing }

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

// feeds are the paths of the request that come from the field in focus, or from the marked channel.
func (m *Model) feeds() []string {
	var focused ui.Field
	if f := m.forms[m.stage]; f != nil {
		focused = f.Focused()
	}
	for _, n := range m.spots() {
		if n.Value.stage == m.stage && n.Value.field == focused {
			return n.Value.feeds
		}
	}
	return nil
}

// cardsBelow are the test cards of the demo, as many as h lines have room for. A key shows all of them as a list to pick from.
func (m *Model) cardsBelow(w, h int) []string {
	if !m.offersCards() || h < leastCards {
		return nil
	}
	const number, name = 6, 19
	cards, title := m.options.Cards, "Test cards (ctrl+t)"
	lines := make([]string, 2) // a blank and the rule
	for i, c := range cards {
		pan, _ := card.ParsePAN(c.Number) // an invalid one has no last four
		first := "  " + ui.Fit(pan.LastFour(), number) + ui.Fit(c.Name, name)
		does := ui.Wrap(c.Does, w-len(first))
		if len(lines)+len(does) > h {
			title = "Test cards (ctrl+t: " + strconv.Itoa(len(cards)-i) + " more)"
			break
		}
		for _, line := range does {
			lines = append(lines, first+m.Theme.Muted.Render(line))
			first = strings.Repeat(" ", len(first))
		}
	}
	lines[1] = m.Theme.Rule(title, m.options.Target.Environment+" only", w)
	return lines
}
