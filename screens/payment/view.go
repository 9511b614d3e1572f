package payment

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/api/watch"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth   = 12
	wide         = 100 // from this width the history stands beside the rest
	sideWidth    = 50  // of the history then
	leastHistory = 2   // lines the history keeps in a low window: its title and the newest change

	quickCheck = time.Second // a check that is answered within this is not shown
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
	return ui.Lines(m.W, m.H, m.narrowLines()...), nil
}

// narrowLines have the history below the rest, as far as there is room.
func (m *Model) narrowLines() []string {
	lines := m.stepper(m.W)
	lines = append(lines, m.body(m.W, m.H-leastHistory-1-len(lines))...)
	if room := m.H - len(lines) - 1; room >= leastHistory {
		lines = append(append(lines, ""), m.history(m.W, room)...)
	}
	return lines
}

// viewWide puts the history beside the rest, below the stepper.
func (m *Model) viewWide() string {
	lines := m.stepper(m.W)
	h, left := m.H-len(lines), m.W-sideWidth-2
	lines = append(lines, present.SideBySide(left, m.body(left, h), m.history(sideWidth, h))...)
	return ui.Lines(m.W, m.H, lines...)
}

// stepper is drawn only for payments of this console.
func (m *Model) stepper(w int) []string {
	if !m.ours {
		return nil
	}
	f := m.flow
	return []string{present.Progress(m.Theme, w, f, present.StageOf(f)), ""}
}

// body is everything but the stepper and the history. Blank lines go first if it is higher than h.
func (m *Model) body(w, h int) []string {
	const blank, lesser = 2, 1
	lines := present.Rows(0, m.facts(w)...)
	if fees := present.Fees(m.entry.Asked()); m.ours && fees != "" {
		lines = append(lines, present.Rows(lesser, m.Theme.FactLines("Fees", fees, labelWidth, w)...)...)
	}
	if paid := m.paidBy(); paid != "" {
		lines = append(lines, present.Line{Text: m.row("Paid by", paid, w), Rank: lesser})
	}
	if said := m.said(); said != "" {
		lines = append(lines, present.Rows(lesser, m.Theme.FactLines("Message", said, labelWidth, w)...)...)
	}
	lines = append(lines, present.Line{Rank: blank})
	lines = append(lines, present.Rows(0, m.statusLines(w)...)...)
	lines = append(lines, present.Line{Rank: blank})
	lines = append(lines, present.Rows(0, m.polling(w)...)...)
	return present.FitHeight(h, lines)
}

// facts are the reference, the amount, and the account of a transfer.
func (m *Model) facts(w int) []string {
	lines := []string{m.row("Reference", string(m.reference), w)}
	if !m.state.OtherReference.Empty() {
		lines = append(lines, m.row("Reported as", m.state.OtherReference.Line(max(w-labelWidth, 1)), w))
	}
	lines = append(lines, m.row("Amount", m.amount(w-labelWidth), w))
	if received := m.received(w - labelWidth); received != "" {
		lines = append(lines, m.row("Received", received, w))
	}
	if c := m.circumstances(); c.Account != nil && !c.Account.AccountNumber.Empty() {
		lines = append(lines, m.row("Pay into", present.Account(m.Theme, m.shown().State, c, w-labelWidth), w))
	}
	return lines
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

// amount is the reported amount, or else the requested one.
func (m *Model) amount(w int) string {
	a := m.state.Amount
	fees, differs := m.entry.Asked().Extra(a.Reported), m.mismatch()
	switch {
	case m.ours && !differs.Answered.Currency.IsZero():
		return m.entry.Requested.String() + m.Theme.Muted.Render(" requested, ") +
			differs.Answered.String() + m.Theme.Muted.Render(" answered")
	case m.ours && a.Has && fees.Minor > 0:
		asked := m.entry.Asked()
		asked.Total = a.Reported
		return present.AmountDue(asked)
	case m.ours && a.Has && a.Reported == m.entry.Requested:
		return present.AmountDue(m.entry.Asked())
	case a.Has:
		return a.Reported.String()
	case !a.Text.Empty():
		return a.Text.Line(max(w-12, 1)) + m.Theme.Muted.Render(" (raw)")
	case m.ours && m.amountUnstated():
		return m.entry.Requested.String() + m.Theme.Muted.Render(" (requested; not stated by the service)")
	case m.ours:
		return m.entry.Requested.String() + m.Theme.Muted.Render(" (requested; not reported yet)")
	case m.amountUnstated():
		return m.Theme.Muted.Render("not stated by the service")
	}
	return m.Theme.Muted.Render("not reported yet")
}

// amountUnstated reports whether the last answer has no amount that can be read, so that it could not be
// compared with the requested one.
func (m *Model) amountUnstated() bool {
	s := &m.state
	another := s.Difference.What&api.ReferenceDiffers != 0 // the answer says nothing of this one
	return !s.Amount.Has && s.Err == nil && !s.AnsweredAt.IsZero() && !another
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

// said are the service's last words about the payment. Once the money is there they explain nothing.
func (m *Model) said() string {
	if h := &m.state.History; h.Any && h.Shown.State == api.Successful && m.mismatch().IsZero() {
		return ""
	}
	return present.Said(m.payments.Said(m.reference))
}

// statusLines are the status, what it means and what to do about it.
func (m *Model) statusLines(w int) []string {
	h, differs := &m.state.History, m.mismatch()
	switch {
	case !differs.IsZero():
		lines := present.MismatchLines(m.Theme, differs, m.asked(), w)
		if differs.What&(api.AmountDiffers|api.CurrencyDiffers) != 0 && m.amountUnstated() {
			lines = append(lines, ui.Wrap("The latest answer states no amount.", w)...)
		}
		return append(lines, m.decide()...)
	case !h.Any:
		return []string{m.Theme.Strong.Render("No status yet")}
	}
	lines := []string{m.Theme.Strong.Render(present.StatusNow(m.Theme, h.Shown, m.circumstances()))}
	means, action := m.meaning()
	unstated := ""
	if h.Shown.State == api.Successful && m.amountUnstated() {
		unstated = "The service states no amount: compare it with the provider's first."
	}
	for _, words := range []string{means, unstated, action} {
		if words != "" {
			lines = append(lines, ui.Wrap(words, w)...)
		}
	}
	if lost := present.FinalizeLost(m.flow); lost != "" {
		lines = append(lines, m.Theme.MarkLines(ui.ToneUnknown, lost, w)...)
	}
	if next := m.next(); next != "" {
		lines = append(lines, m.Theme.Accent.Render("→ ")+next)
	}
	return lines
}

// decide names the key that leads to the decision about a mismatch. A payment that was made
// elsewhere has none; it may have been looked up by a reference that is not the service's.
func (m *Model) decide() []string {
	switch {
	case m.ours && m.entry.ID != "" && m.entry.Mismatch.Undecided():
		return []string{m.Theme.Accent.Render("→ ") + "Decide what it means: press y."}
	case !m.ours && m.state.Difference.What&api.ReferenceDiffers != 0:
		return ui.Wrap("If "+string(m.reference)+" is your own reference for it, look up the service's (l).", m.W)
	}
	return nil
}

// next is the next step, with its key.
func (m *Model) next() string {
	f := m.flow
	lost := !f.FinalizeLostAt().IsZero() && !f.CustomerMustAct()
	asks := f.State() == api.Initiated || f.State() == api.BankAuthRequired
	switch {
	case m.whyNotAgain() == "":
		return "Collect it with another card or channel: press n."
	case lost && m.Scope.Now().Before(f.FinalizeAgainAt()):
		return "It can be finalized again from " + present.Clock(f.FinalizeAgainAt().Local()) + " on (f)."
	case lost && m.whyNotFinalize() == "":
		return "If its status stays the same, finalize it again: press f."
	case !m.ours && asks && m.whyNoBank() == "":
		return "If it is paid by card, ask about its bank check: press a."
	case !m.ours || f.State().Final():
		return ""
	case f.Next() == flow.Finalize && m.whyNotFinalize() != "":
		return ""
	case f.Next() == flow.Finalize:
		return "This link payment must be finalized: press f."
	case f.Next() != flow.Authorise:
		return ""
	case f.IsTransfer() && !m.circumstances().MayPay(m.shown().State):
		return ""
	case f.IsTransfer() && m.receivedAll():
		return ""
	case f.IsTransfer() && m.receivedPart():
		return "Press t for the account."
	case f.IsTransfer() && m.shown().State == api.Pending:
		return "Not paid yet? Press t for the account."
	case f.IsTransfer():
		return "The customer must pay: press t for the account."
	case !f.MayBeCard():
		return "The customer must approve the payment: press a."
	}
	return "The customer must complete the bank check: press a."
}

// history is what happened to the payment, newest first, in at most h lines.
func (m *Model) history(w, h int) []string {
	return present.History(m.Theme, m.timeline, !m.mismatch().IsZero(), w, h)
}

// polling says when the last and the next check are, and what went wrong with the last one.
func (m *Model) polling(w int) []string {
	lines := []string{ui.Fit(m.nextCheck()+m.Theme.Muted.Render(" · ")+m.lastChecked(), w)}
	if m.state.Err != nil {
		lines = append(lines, m.problem(w)...)
	}
	if why := m.stopped(); why != "" {
		lines = append(lines, ui.Wrap(why, w)...)
	}
	return lines
}

// lastChecked is when the service last reported a status, and its age once that is doubtful. A time of day
// changes with an answer alone, an age with every second. It stands at the end of its line, and without
// colour, so that an answer that changes nothing writes its digits and no more.
func (m *Model) lastChecked() string {
	s, now := &m.state, m.Scope.Now()
	at := "last checked " + present.Clock(s.ReportedAt)
	switch {
	case s.ReportedAt.IsZero():
		return "no response yet"
	case s.Phase == watch.Settled && s.Err == nil, s.AnsweredAt.IsZero(), !s.Stale(now):
		return at
	}
	stale := m.Theme.Mark(ui.ToneAct, "stale:") + " " + at
	if age := watch.Age(s.ReportedAt, now); age >= time.Minute {
		return stale + " (" + present.Age(age) + " ago)"
	}
	return stale
}

// nextCheck is when the next check is. A check that is answered soon does not change it.
func (m *Model) nextCheck() string {
	switch {
	case m.checkShows(m.Scope.Now()):
		if took := watch.Age(m.state.CheckingAt, m.Scope.Now()); took >= time.Second {
			return "Checking… " + present.Age(took)
		}
		return "Checking…"
	case m.state.Phase == watch.Settled:
		return "Final; no more checks"
	case m.state.Phase == watch.Paused:
		return "Paused; p resumes"
	case m.state.Phase != watch.Polling:
		return "Checking stopped"
	}
	return "Next check " + present.Due(m.state.Wait, m.state.Due, m.state.Err)
}

// checkShows reports whether a check is worth a word: one that a person waits for, and one that takes long.
func (m *Model) checkShows(now time.Time) bool {
	s := &m.state
	return s.Checking && (s.Due.IsZero() || !now.Before(s.Due.Add(quickCheck)))
}

// stopped says why checking has stopped, and the key that starts it again.
func (m *Model) stopped() string {
	switch m.state.Phase {
	case watch.Expired:
		return "Time limit reached: still " + m.stillWord() + ". Press r to check and watch again."
	case watch.KeyRejected:
		return "Check the secret key, then press r."
	case watch.NotFound:
		if m.spelled != "" {
			return "The journal has " + string(m.spelled) + ": enter looks that up."
		}
		return "Press r to check once more, or l to look up another."
	}
	if m.state.Phase == watch.Polling && api.Definite(m.state.Err) {
		return "A new payment may not be available yet; still checking."
	}
	return ""
}

// stillWord is "pending", unless the service reported another status.
func (m *Model) stillWord() string {
	if h := m.state.History; h.Any && h.Shown.State != api.Pending {
		return "not final"
	}
	return "pending"
}

// problem is what went wrong with the last check. While checking continues by itself there is
// nothing to do about it.
func (m *Model) problem(w int) []string {
	p := present.Error(m.state.Err, present.Reading)
	switch {
	case m.state.Phase == watch.Polling:
		p.Next = ""
	case api.NotFound(m.state.Err):
		p.Next = "Check the reference (upper and lower case differ) and the environment."
	}
	return p.Lines(m.Theme, w)
}
