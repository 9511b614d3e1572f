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
	from    int         // first visible row, if they do not all fit

	duplicates present.Duplicates // earlier payments that look the same
}

// wipe overwrites the card and forgets the payment.
func (r *review) wipe() {
	r.in.Card.Wipe()
	*r = review{}
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
		Amount: m.amount.value(), Channel: m.channel.chosen, Customer: m.customer.value(), Narration: d.narration.Value(),
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

// newConfirm asks whether to send the payment; an earlier answer no longer counts.
func (m *Model) newConfirm() tea.Cmd {
	m.review.duplicates = present.Duplicates{}
	if m.options.SendReference {
		m.review.in.OwnReference = rand.Text()[:20] // a new one each time
	}
	in, place := m.review.in, m.options.Target
	q := ui.Question{Title: Question(in), Lines: []string{place.String()}, Yes: "Charge", No: "Go back", Closed: place.Closes()}
	if in.Card == nil {
		q.Yes = "Request payment"
	}
	if place.Live() {
		q.Typed = in.Amount.Grouped()
	}
	if m.review.doubted = in.Card != nil && m.options.Doubts != nil && m.options.Doubts.DoubtsCard(in.Card.PAN); m.review.doubted {
		q.Typed, q.Lines = "real", append(m.Theme.MarkLines(ui.ToneAct, MayBeReal, m.formWidth()), q.Lines...)
	}
	m.review.confirm = ui.NewConfirm(m.Theme, q)
	return m.review.confirm.Init(m.Scope)
}

// MayBeReal is said of a card that is on no list of published test cards, before it is confirmed.
const MayBeReal = "This may be a real card: it is on no list of published test cards. A real one does not belong in a test."

// updateReview scrolls, or passes the message to the question. Without a question, the CVV was
// wiped and has to be entered again.
func (m *Model) updateReview(msg tea.Msg) tea.Cmd {
	if m.scroll(msg) {
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

// scroll moves through the rows of the review. The confirmation must not see these keys.
func (m *Model) scroll(msg tea.Msg) bool {
	by := 0
	switch {
	case pressed(msg, keyDown):
		by = 1
	case pressed(msg, keyUp):
		by = -1
	default:
		return false
	}
	l := m.layReview(m.formWidth(), m.bodyHeight())
	m.review.from = max(min(m.review.from+by, len(l.rows)-l.room), 0)
	return true
}

// channelWords are the chosen channel, and whether the service listed it.
func (m *Model) channelWords() string { return ChannelWords(m.channel.chosen, m.channel.byHand) }

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
	return append(lines, m.facts(w, facts[2:]...)...)
}

// A layout divides the room between the parts of the review.
type layout struct {
	top    []string // the last problem, or the duplicates
	rows   []string
	room   int // visible rows
	foot   string
	cursor *tea.Cursor // relative to the foot
}

// scrolls reports whether not all rows are visible.
func (l layout) scrolls() bool { return len(l.rows) > l.room }

// layReview gives the question its lines first, then the rows, then the top: a question that is cut
// off could not be answered.
func (m *Model) layReview(w, h int) layout {
	leastRows := 3
	needs := 4 // lines of the question
	if m.review.doubted {
		needs += len(m.Theme.MarkLines(ui.ToneAct, MayBeReal, w))
	}
	if m.options.Target.Live() || m.review.doubted || m.review.duplicates.Any() {
		needs += 2 // and the text to type
	}
	l := layout{rows: m.rows(w), top: m.problem.Lines(m.Theme, w)}
	if m.review.duplicates.Any() { // they matter more than the rows
		l.top, leastRows = m.review.duplicates.Lines(m.Theme, w), 0
	}
	if len(l.top) > 0 {
		l.top = append(l.top, "")
	}
	l.top = l.top[:min(len(l.top), max(h-leastRows-needs-1, 0))]
	h -= len(l.top)
	l.foot, l.cursor = m.foot(w, max(h-len(l.rows)-1, needs))
	l.room = max(h-1-lineCount(l.foot), 0)
	return l
}

// viewReview is the last problem, the payment and the question. Rows that do not fit scroll.
func (m *Model) viewReview(w, h int) (string, *tea.Cursor) {
	l := m.layReview(w, h)
	shown := l.rows
	if l.scrolls() {
		from := min(m.review.from, len(l.rows)-l.room)
		shown = append([]string{}, l.rows[from:from+l.room]...)
		if last := len(shown) - 1; last >= 0 && from+l.room < len(l.rows) {
			shown[last] = ui.Fit(shown[last], w-1) + m.Theme.Muted.Render("↓")
		}
		if from > 0 && len(shown) > 0 {
			shown[0] = ui.Fit(shown[0], w-1) + m.Theme.Muted.Render("↑")
		}
	}
	all := append(append(l.top, shown...), "")
	if l.cursor != nil {
		l.cursor.Y += len(all)
	}
	return ui.Lines(w, h, append(all, l.foot)...), l.cursor
}

// foot is the question, or why there is none.
func (m *Model) foot(w, h int) (string, *tea.Cursor) {
	if m.review.confirm == nil {
		words := "The CVV is wiped after every response. Press enter to type it again; everything else is kept."
		return ui.Lines(w, h, ui.Wrap(words, w)...), nil
	}
	return m.review.confirm.View(w, h)
}
