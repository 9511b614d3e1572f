package collect

import (
	"crypto/rand"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A review is a frozen payment and the question whether to send it. Only in holds the card.
type review struct {
	in      api.Initiation
	card    string      // the card, masked; "" for other channels
	confirm *ui.Confirm // nil if the CVV must be entered again first
	doubted bool        // the card may be a real one: the question asks for a word
	scroll  ui.Scroll   // what is under review, where it does not all fit

	duplicates present.Duplicates // earlier payments that look the same
}

// wipe overwrites the card and forgets the payment.
func (r *review) wipe() {
	r.in.Card.Wipe()
	*r = review{}
}

// channelNow is the channel that was chosen, or the marked one where one is being chosen.
func (m *Model) channelNow() string {
	if marked, some := m.channel.list.Selected(); some && m.stage == stageChannel {
		return Canonical(string(marked.Alias))
	}
	return m.channel.chosen
}

// initiation is the payment as far as it is entered.
func (m *Model) initiation() api.Initiation {
	in := m.withoutCard()
	if in.Channel == api.ChannelCard {
		in.Card = m.details.card()
	}
	return in
}

// withoutCard is the payment as far as it is entered, without its card.
func (m *Model) withoutCard() api.Initiation {
	d := m.details
	e := Entry{
		Amount: m.amount.value(), Channel: m.channelNow(), Customer: m.customer.value(), Narration: d.narration.Value(),
		Meta: d.meta.Value(), ReturnURL: d.returnURL.Value(), Email: d.email.Value(), Link: d.link(),
	}
	if m.options.Link != nil {
		e.Link = m.options.Link.Alias
	}
	return e.Initiation()
}

// toReview freezes the payment for the review. The form may change after that; the frozen payment
// is sent.
func (m *Model) toReview() tea.Cmd {
	in := m.initiation()
	m.stage = reviewing
	m.review = review{in: in, card: CardWords(in.Card)}
	return m.newConfirm()
}

// newConfirm asks whether to send the payment; an earlier answer no longer counts. What scrolls begins with the last problem,
// which must be seen.
func (m *Model) newConfirm() tea.Cmd {
	m.review.duplicates, m.review.scroll = present.Duplicates{}, ui.Scroll{}
	if m.options.SendReference {
		m.review.in.OwnReference = rand.Text()[:20] // a new one each time
	}
	in, place := m.review.in, m.options.Target
	q := ui.Question{Title: Question(in), Place: place.String(), Yes: "Charge", No: "Go back", Closed: place.Closes()}
	if in.Card == nil {
		q.Yes = "Request payment"
	}
	if place.Live() {
		q.Typed = in.Amount.Grouped()
	}
	if m.review.doubted = in.Card != nil && m.options.Doubts != nil && m.options.Doubts.DoubtsCard(in.Card.PAN); m.review.doubted {
		q.Typed, q.Lines = "real", m.Theme.MarkLines(ui.ToneAct, MayBeReal, m.formWidth())
	}
	m.review.confirm = ui.NewConfirm(m.Theme, q)
	return m.review.confirm.Init(m.Scope)
}

// MayBeReal is said of a card that is on no list of published test cards, before it is confirmed.
const MayBeReal = "This may be a real card: it is on no list of published test cards. A real one does not belong in a test."

// updateReview scrolls, or passes the message to the question. Without a question, the CVV was
// wiped and has to be entered again.
func (m *Model) updateReview(msg tea.Msg) tea.Cmd {
	if pressed(msg, keyDown) || pressed(msg, keyUp) { // the question must not see them
		m.review.scroll.Update(msg)
		return nil
	}
	if m.review.confirm == nil {
		return m.Press(msg, m.retypes())
	}
	return m.review.confirm.Answer(msg, m.send, func() tea.Cmd {
		m.Back()
		return nil
	})
}

// retypes are the keys where the CVV has to be entered again.
func (m *Model) retypes() ui.Commands {
	return ui.Commands{
		{Key: ui.Bind("enter", "type the CVV"), On: true, Do: func() tea.Cmd {
			m.Back()
			m.details.form.FocusOn(m.details.cvv)
			return nil
		}},
		{Key: ui.Bind("v", "raw answer"), On: true, Do: nav.To(nav.Raw{Operation: api.OpInitiate})},
	}
}

// channelWords are the chosen channel, and what is doubtful about it.
func (m *Model) channelWords() string { return ChannelWords(m.channel.chosen, m.channel.doubt) }

// rows are the payment in readable form, the amount first and without a label.
func (m *Model) rows(w int) []string {
	in := m.review.in
	channel := m.channelWords()
	if m.review.card != "" {
		channel += " · " + m.review.card
	}
	customer := whole(w-labels, in.Customer.FirstName+" "+in.Customer.LastName, in.Customer.Email, in.Customer.Phone)
	facts := Facts(in, channel, customer)
	amount, sent, _ := strings.Cut(facts[1], ", ")
	lines := []string{m.Theme.Strong.Render(amount) + "   " + m.Theme.Muted.Render(sent)}
	if ui.Width(lines[0]) > w {
		lines = append(m.Theme.StrongLines(amount, w), m.Theme.MutedLines(sent, w)...)
	}
	if m.split() {
		lines = append(lines, "")
	}
	return append(lines, m.facts(w, facts[2:]...)...)
}

// layReview gives the question, or why there is none, its lines first, and the rest to the last problem, or the duplicates, and the
// payment, which scroll: a question that is cut off could not be answered.
func (m *Model) layReview(w, h int) (foot string, cursor *tea.Cursor) {
	lines := m.problem.Lines(m.Theme, w)
	if m.review.duplicates.Any() {
		lines = m.review.duplicates.Lines(m.Theme, w)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	lines = append(lines, ui.Indented(m.rows(w-2))...)
	if c := m.review.confirm; c != nil {
		foot, cursor = c.View(w, max(h-len(lines)-1, c.Height(w)))
	} else {
		why := ui.Wrap("The CVV is wiped after every response. Press enter to type it again; everything else is kept.", w)
		foot = ui.Lines(w, len(why), why...)
	}
	m.review.scroll.Show(w, min(h-1-lineCount(foot), len(lines)), lines)
	return foot, cursor
}

// viewReview is the last problem, the payment and the question.
func (m *Model) viewReview(w, h int) (string, *tea.Cursor) {
	foot, cursor := m.layReview(w, h)
	var lines []string
	if shown := m.review.scroll.View(); shown != "" {
		lines = strings.Split(shown, "\n")
	}
	between := ""
	if m.review.scroll.Overflows() {
		between = m.Theme.Muted.Render(m.review.scroll.Position())
	}
	return ui.Below(w, h, append(lines, between), func(int, int) (string, *tea.Cursor) { return foot, cursor })
}
