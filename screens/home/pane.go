package home

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/session"
	"paydesk/api/watch"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	paneLabel    = 11
	titleStrokes = 6                      // cells of a rule beside its title
	restsAfter   = 120 * time.Millisecond // when a mark that was moved rests
)

// listWidth is what the list needs beside a pane.
func listWidth(team bool) int {
	if team {
		return 78
	}
	return 76
}

// A rested message is when the mark has been where it is for a moment: the pane follows it then.
type rested struct{ moves int }

// rest lets the pane follow the mark.
func (m *Model) rest() tea.Cmd {
	m.moves++
	return m.Scope.After(restsAfter, rested{m.moves})
}

// atRest shows in the pane what the mark is on, and reads what the journal has of a payment that was not read yet.
func (m *Model) atRest(r rested) tea.Cmd {
	if r.moves != m.moves {
		return nil
	}
	m.shownWay = m.way
	return m.recall()
}

// recall reads the history of the payment that the mark is on, once for as long as the screen is open.
func (m *Model) recall() tea.Cmd {
	e, ok := m.selected()
	if !ok || e.Reference == "" || m.recalled[e.Reference] || !m.panes.Beside() {
		return nil
	}
	m.recalled[e.Reference] = true
	p, r := m.payments, e.Reference
	return m.history.Then(func(ui.Result[struct{}]) tea.Cmd { return nil }).Ask(m.Scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, p.Recall(ctx, r) })
}

// pane is what there is to say of a row of the list, or of the way that the mark is on.
func (m *Model) pane() []string {
	w, h := m.panes.PaneSize()
	switch row := m.panes.Row(); {
	case h == 0 || m.waiting != "":
		return nil
	case m.shownWay >= 0:
		return m.wayPane(w)
	case row < 0 || row >= len(m.entries):
		return nil
	case m.panes.Beside():
		return m.paymentPane(m.entries[row].Entry, w, h)
	default:
		return m.preview(m.entries[row].Entry, w)
	}
}

// wayPane says what is done on a screen that the menu leads to.
func (m *Model) wayPane(w int) []string {
	all := m.ways()
	return m.wayLines(all[min(m.shownWay, len(all)-1)], w)
}

func (m *Model) wayLines(one way, w int) []string {
	return append([]string{m.Theme.Rule(one.name, "", w)}, ui.Indented(ui.Wrap(one.more, w-2))...)
}

// preview is a payment in a few lines below the list.
func (m *Model) preview(e session.Entry, w int) []string {
	head := strings.Join(m.headline(e, w-2), "   ")
	if next := m.nextCheck(e); next != "" {
		head += m.Theme.Muted.Render("   next check " + next)
	}
	return append([]string{m.Theme.Rule(named(e), "", w), "  " + head}, ui.Indented(append(m.notes(e, w-2), m.about(e, w-2)...))...)
}

// paymentPane is a payment beside the list: what it is, what its status means, what happened, and what can be done.
func (m *Model) paymentPane(e session.Entry, w, h int) []string {
	lines := []string{m.Theme.Rule(named(e), "", w), ""}
	lines = append(append(lines, ui.Indented(m.headline(e, w-2))...), "")
	lines = append(lines, ui.Indented(m.facts(e, w-2))...)
	lines = append(append(lines, ""), ui.Indented(append(m.about(e, w-2), m.notes(e, w-2)...))...)
	next := m.nextLines(e, w)
	if room := h - len(lines) - len(next) - 1; room > 2 {
		if history := m.historyLines(e, w, room); len(history) > 0 {
			lines = append(append(lines, ""), history...)
		}
	}
	return append(append(lines, ""), next...)
}

// named is what a payment is called above all that is said of it.
func named(e session.Entry) string {
	switch {
	case e.Unread:
		return "Link " + string(e.Link)
	case e.Reference != "" && e.Kind == journal.Finalize:
		return "Finalize " + string(e.Reference)
	case e.Reference != "":
		return string(e.Reference)
	case e.ID != "":
		return "Attempt " + string(e.ID)
	}
	return present.KindName(e.Kind)
}

// headline is the amount, bold, and the status as a chip, on a line of its own where there is no room beside the amount.
func (m *Model) headline(e session.Entry, w int) []string {
	status := m.status(e)
	if a := amount(e); a != "" {
		return present.AmountWithChip(m.Theme, a, "", status, w)
	}
	return []string{m.Theme.Chip(status.Tone, status.Text)}
}

// facts are how a payment is paid, when it was sent, and until when it can be.
func (m *Model) facts(e session.Entry, w int) (lines []string) {
	fact := func(label, value string) {
		if value != "" {
			lines = append(lines, m.Theme.FactLines(label, value, paneLabel, w)...)
		}
	}
	now := m.Scope.Now()
	if len(named(e)) > w-titleStrokes { // the title is cut
		fact("Reference", string(e.Reference))
	}
	fact("Paid by", paidBy(e))
	if m.options.Team {
		fact("Operator", present.Operator(e.By))
	}
	fact("Link", string(e.Link))
	sent := "Sent"
	if e.LookedUp {
		sent = "First seen"
	}
	fact(sent, present.DateTime(e.Started))
	if c := e.Changed; !c.At.IsZero() {
		fact("Changed", "from "+present.OwnWord(c.Was)+" to "+present.OwnWord(c.Is)+", "+present.When(c.At, now))
	}
	if t := e.Payment.Transfer; t.Expires() && e.Open() {
		fact("Pay until", present.When(t.Expiration.Time, now))
	}
	fact("Next check", m.nextCheck(e))
	return lines
}

// about is what the status of a payment means, and what is to be done about it.
func (m *Model) about(e session.Entry, w int) []string {
	switch means, action := e.Status.State.Meaning(e.Circumstances(m.Scope.Now())); {
	case e.Unresolved:
		return ui.Wrap(present.NotKnown(e.Kind)+" Find out before you send it again.", w)
	case e.Unread:
		return ui.Wrap("The link that was created differs from the one that was asked for. Read how before anybody pays.", w)
	case !e.Mismatch.IsZero():
		return ui.Wrap(present.MismatchHeading(e.Mismatch, e.Status), w)
	case e.SeenAt.IsZero():
		return nil
	default:
		return ui.Wrap(means+" "+action, w)
	}
}

// nextCheck says when a payment is checked the next time, or why it is not; "" where there is nothing to check.
func (m *Model) nextCheck(e session.Entry) string {
	s, followed := m.state(e)
	switch {
	case !followed || !e.Asks():
		return ""
	case s.Phase == watch.Polling && s.Due.IsZero(): // it is being checked, or is about to be
		return "now"
	case s.Phase == watch.Polling:
		return present.Due(s.Wait, s.Due, s.Err)
	case s.Phase == watch.Expired:
		return "none: r checks again"
	}
	return ""
}

// historyLines are what happened to a payment, or to an attempt of which nothing is known yet.
func (m *Model) historyLines(e session.Entry, w, h int) []string {
	if e.Reference != "" {
		return present.History(m.Theme, m.payments.Timeline(e.Reference), !e.Mismatch.IsZero(), w, h)
	}
	if !e.Unresolved {
		return nil
	}
	stops := []ui.Stop{
		{At: present.Clock(e.Started), What: "sent"},
		{What: m.Theme.Mark(ui.ToneUnknown, "no usable answer")},
	}
	if from := e.Started.Add(journal.NotFoundAfter); from.After(m.Scope.Now()) {
		stops = append(stops, ui.Stop{At: present.Clock(from), What: `"not found" opens`, Ahead: true})
	}
	rail, _ := m.Theme.Rail(stops, w-2, h-1)
	return append([]string{m.Theme.Rule("What happened", "", w)}, ui.Indented(rail)...)
}

// nextLines are the keys for the payment that the mark is on.
func (m *Model) nextLines(e session.Entry, w int) []string {
	lines := []string{m.Theme.Rule("Do next", "", w)}
	for i, c := range m.rowCommands() {
		h := c.Key.Help()
		if i == 0 {
			h.Desc = opens(e)
		}
		if c.On {
			lines = append(lines, ui.Fit("  "+m.Theme.Strong.Render(ui.Fit(h.Key, 7))+h.Desc, w))
		}
	}
	return lines
}

// opens is what enter does with a payment.
func opens(e session.Entry) string {
	switch {
	case e.Unread:
		return "read how the link differs"
	case e.Unresolved && e.ID != "":
		return "find out what happened"
	case e.Kind == journal.CreateLink:
		return "how to find it"
	case e.Reference == "":
		return "look for it in the list"
	case e.Open():
		return "watch its status"
	}
	return "its status"
}

// notes are what a person must know about a payment besides its status.
func (m *Model) notes(e session.Entry, w int) (lines []string) {
	if at := e.Flow.FinalizeLostAt(); !at.IsZero() && e.Open() {
		words := "Finalized at " + present.When(at, m.Scope.Now()) + " without an answer: check the status before you repeat it."
		lines = append(lines, m.Theme.MarkLines(ui.ToneUnknown, words, w)...)
	}
	if words := present.Lease(e.Lease); words != "" {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, words, w)...)
	}
	if e.Open() && !m.options.Journal {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, notKept, w)...)
	}
	return append(lines, m.elsewhere(e, w)...)
}

// elsewhere says how a payment was sent, or looked up, unless it was as the console sends now.
func (m *Model) elsewhere(e session.Entry, w int) []string {
	if m.options.Here == nil || e.Place == (journal.Destination{}) {
		return nil
	}
	words := present.Elsewhere(m.options.Here(), e.Place)
	if words == "" {
		return nil
	}
	did := "Sent "
	if e.LookedUp {
		did = "Looked up "
	}
	return m.Theme.MarkLines(ui.ToneAct, did+words+".", w)
}

// copyable is what of a payment can be copied: its reference, or the ID of an attempt.
func copyable(e session.Entry) (name, text string) {
	switch {
	case e.Reference != "" && present.Copyable(string(e.Reference)):
		return "reference", string(e.Reference)
	case e.Reference == "" && e.ID != "":
		return "attempt ID", strings.TrimSpace(string(e.ID))
	}
	return "", ""
}
