package collect

import (
	"crypto/rand"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/ui"
)

// A review is one payment frozen, and the question whether to send it. Only in holds
// the card; what is shown of it is made once.
type review struct {
	in      api.Initiation
	card    string      // the card, masked; "" for other channels
	confirm *ui.Confirm // nil when the CVV has to be typed again first
	from    int         // first row in sight, where they do not all fit

	// Where it looks like what was sent already (R44):
	alike  []journal.Attempt // on the screen, newest first
	sentAt time.Time         // when that was found
}

// wipe forgets the payment and overwrites its card.
func (r *review) wipe() {
	wipeCard(r.in)
	*r = review{}
}

// wipeCard overwrites the card in every copy of in.
func wipeCard(in api.Initiation) {
	if c := in.Card; c != nil {
		c.PAN.Wipe()
		c.CVV.Wipe()
	}
}

// initiation is the payment as far as it is filled in.
func (m *Model) initiation() api.Initiation {
	d := m.details
	meta, _ := pairs(d.meta.Value())
	in := api.Initiation{
		Amount:    m.amount.value(),
		Channel:   m.channel.chosen,
		Customer:  m.customer.value(),
		Narration: d.narration.Value(),
		MetaData:  meta,
		Link:      d.link(),
	}
	if m.options.Link != nil {
		in.Link = m.options.Link.Alias
	}
	if in.Channel == api.ChannelCard {
		in.Card, in.ReturnURL = d.card(), d.returnURL.Value()
	}
	return in
}

// toReview freezes the payment and asks.
func (m *Model) toReview() tea.Cmd {
	in := m.initiation()
	m.stage = reviewing
	m.review = review{in: in}
	if c := in.Card; c != nil {
		m.review.card = strings.TrimSpace(c.PAN.Brand() + " " + c.PAN.Masked() + " · " + c.Expiry.String())
	}
	return m.confirmAnew()
}

// confirmAnew puts the question again: what was answered before counts no more.
func (m *Model) confirmAnew() tea.Cmd {
	m.review.alike = nil
	m.review.in.OwnReference = rand.Text()[:20] // a new one each time; sent only where the profile says so
	in, place := m.review.in, m.options.Place
	q := ui.Question{Title: question(in), Lines: []string{place.String()}, Yes: "Charge", No: "Go back", Closed: place.Closed}
	if in.Card == nil {
		q.Yes = "Ask for it"
	}
	if place.Live() {
		q.Typed = in.Amount.Major()
	}
	m.review.confirm = ui.NewConfirm(m.theme, q)
	return m.review.confirm.Init(m.scope)
}

func question(in api.Initiation) string {
	switch {
	case in.Card != nil:
		return "Charge " + in.Amount.String() + " to " + in.Card.PAN.Masked() + "?"
	case in.Channel == api.ChannelTransfer:
		return "Ask " + in.Amount.String() + " by transfer?"
	}
	return "Ask " + in.Amount.String() + " by " + in.Channel + "?"
}

func (m *Model) decide(msg tea.Msg) tea.Cmd {
	if m.scroll(msg) {
		return nil
	}
	if m.review.confirm == nil {
		if pressed(msg, keyRetype) {
			m.Back()
			m.details.form.FocusOn(m.details.cvv)
		}
		return nil
	}
	d, cmd := m.review.confirm.Update(msg)
	switch d {
	case ui.Accepted:
		return m.send()
	case ui.Declined:
		m.Back()
	}
	return cmd
}

// scroll moves through the rows of the review. It is no answer, so the question
// does not hear of it.
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
	l := m.layReview(m.left(), m.bodyHeight())
	m.review.from = max(min(m.review.from+by, len(l.rows)-l.room), 0)
	return true
}

// rows are what will be sent, for people.
func (m *Model) rows(w int) []string {
	in := m.review.in
	l := lister{m.theme, w, nil}
	l.add("Amount", in.Amount.String()+", sent as "+api.SentAs(in.Amount))
	channel := in.Channel
	if channel == api.ChannelTransfer {
		channel = "Transfer, sent as " + channel
	}
	if m.channel.byHand {
		channel += ", unchecked"
	}
	if m.review.card != "" {
		channel += " · " + m.review.card
	}
	l.add("Channel", channel)
	l.add("Customer", in.Customer.FirstName+" "+in.Customer.LastName+" · "+in.Customer.Email+" · "+in.Customer.Phone)
	l.add("Link", string(in.Link))
	l.add("Return URL", in.ReturnURL)
	l.add("Narration", in.Narration)
	var meta []string
	for _, p := range in.MetaData {
		meta = append(meta, p.Key+"="+p.Value)
	}
	l.add("Metadata", strings.Join(meta, ", "))
	return l.lines
}

// A layout is how the review stands in the room it has.
type layout struct {
	top    []string // what went wrong last
	rows   []string
	room   int // rows in sight
	foot   string
	cursor *tea.Cursor // relative to the foot
}

// scrolls reports whether there are more rows than room.
func (l layout) scrolls() bool { return len(l.rows) > l.room }

// layReview gives the question its lines first, then the rows, then what went wrong.
func (m *Model) layReview(w, h int) layout {
	leastRows := 3
	needs := 4 // lines of the question
	if m.options.Place.Live() || len(m.review.alike) > 0 {
		needs += 2 // and what to type
	}
	l := layout{rows: m.rows(w), top: m.troubleLines(m.trouble, w, "")}
	if len(m.review.alike) > 0 { // what was sent already counts for more than what is sent
		l.top, leastRows = m.alikeLines(w), 0
	}
	if len(l.top) > 0 {
		l.top = append(l.top, "")
	}
	l.top = l.top[:min(len(l.top), max(h-leastRows-needs-1, 0))]
	h -= len(l.top)
	l.foot, l.cursor = m.foot(w, max(h-len(l.rows)-1, needs))
	l.room = max(h-1-lines(l.foot), 0)
	return l
}

// viewReview is what went wrong last, what will be sent, and the question. Rows that
// do not fit are scrolled to.
func (m *Model) viewReview(w, h int) (string, *tea.Cursor) {
	l := m.layReview(w, h)
	shown := l.rows
	if l.scrolls() {
		from := min(m.review.from, len(l.rows)-l.room)
		shown = append([]string{}, l.rows[from:from+l.room]...)
		if last := len(shown) - 1; last >= 0 && from+l.room < len(l.rows) {
			shown[last] = ui.Fit(shown[last], w-1) + m.theme.Muted.Render("↓")
		}
		if from > 0 && len(shown) > 0 {
			shown[0] = ui.Fit(shown[0], w-1) + m.theme.Muted.Render("↑")
		}
	}
	all := append(append(l.top, shown...), "")
	if l.cursor != nil {
		l.cursor.Y += len(all)
	}
	return ui.Lines(w, h, append(all, l.foot)...), l.cursor
}

// foot is the question, or why none is asked.
func (m *Model) foot(w, h int) (string, *tea.Cursor) {
	if m.review.confirm == nil {
		words := "The CVV was wiped, as it is after every answer. Press enter to type it again; nothing else is lost."
		return ui.Lines(w, h, ui.Wrap(words, w)...), nil
	}
	return m.review.confirm.View(w, h)
}
