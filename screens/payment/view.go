package payment

import (
	"strconv"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// stepper is drawn only for payments of this console.
func (m *Model) stepper(w int) []string {
	if !m.ours {
		return nil
	}
	return []string{present.Progress(m.Theme, w, m.entry.Attempt, present.StageOf(m.entry.Attempt)), ""}
}

// report returns what is known of the payment, and how it is watched.
func (m *Model) report() report.Report {
	r := report.Of(m.subject())
	for _, words := range []string{m.elsewhere(), m.next()} {
		if words != "" {
			r.Says = append(r.Says, report.Words{Text: "→ " + words})
		}
	}
	facts := &r.Sections[len(r.Sections)-1].Facts // those of the payment, which a comparison comes before
	if said := m.said(); said != "" {
		*facts = append(*facts, report.Fact{Label: "Message", Value: said, Rank: 1})
	}
	if m.ours {
		*facts = append(*facts, report.Fact{Label: "Narration", Value: present.Plain(m.entry.Sent.Narration), Rank: report.Extra},
			report.Fact{Label: "Return URL", Value: present.Plain(m.entry.Sent.ReturnURL), Rank: report.Extra})
	}
	if !m.ours && !m.state.History.Any && m.mismatch().IsZero() && api.NotFound(m.state.Err) { // which is the answer: how it is watched says no more
		r.Amount, r.Remark, r.Status = "", "", ui.Cell{Text: "NO RECORD", Tone: ui.ToneAct}
		r.Says = append(r.Says, m.trouble()...)
		return r
	}
	checks := report.Section{Title: "Status checks", Words: m.trouble(), Facts: m.settings()}
	if m.state.Phase == session.Settled {
		*facts, checks.Facts = append(*facts, checks.Facts...), nil
	}
	r.Sections = append(r.Sections, checks)
	if m.state.Phase == session.Polling {
		r.Ahead.What = "the next status"
	}
	return r
}

// lastAnswer is the service's last answer about a payment as it came, of those that are kept, in at most h lines. It does not
// say when: an answer that changes nothing writes nothing here.
func lastAnswer(t *ui.Theme, kept []session.KeptAnswer, w, h int) []string {
	if len(kept) == 0 || kept[0].Body.Empty() {
		return nil
	}
	a := kept[0]
	lines := []string{t.Rule("Last answer", present.OperationName(a.Operation)+" · HTTP "+strconv.Itoa(a.HTTP), w)}
	lines = append(lines, report.Quote{Lines: a.Body.Block(0, h), JSON: true}.Draw(t, w)...)
	if len(lines) > h {
		lines = append(lines[:h-1], t.Muted.Render("… v shows all of it"))
	}
	return lines
}

// said are the service's last words about the payment. Once the money is there they explain nothing.
func (m *Model) said() string {
	if h := &m.state.History; h.Any && h.Shown.State == api.Successful && m.mismatch().IsZero() {
		return ""
	}
	return present.Said(m.payments.Said(m.reference))
}

// elsewhere says what a payment that was made elsewhere may have been looked up by: a reference that is not the service's.
func (m *Model) elsewhere() string {
	if !m.ours && m.state.Difference.What&api.ReferenceDiffers != 0 {
		return "If " + m.reference.String() + " is your own reference for it, look up the service's (l)."
	}
	return ""
}

// next is the next step, with its key. There is none while it is in doubt what was charged.
func (m *Model) next() string {
	k, e, state := m.subject(), m.entry, m.entry.Status.State
	lost := !e.FinalizeLostAt().IsZero() && !e.CustomerMustAct()
	asks := state == api.Initiated || state == api.BankAuthRequired
	switch {
	case k.Mismatch.InDoubt():
		return ""
	case k.WhyNotAgain() == "":
		return "Collect it with another card or channel: press c."
	case lost && m.Scope.Now().Before(e.FinalizeAgainAt()):
		return "It can be finalized again from " + present.Clock(e.FinalizeAgainAt().Local()) + " on (f)."
	case lost && m.whyNotFinalize() == "":
		return "If its status stays the same, finalize it again: press f."
	case !m.ours && asks && m.whyNoBank() == "":
		return "If it is paid by card, ask about its bank check: press a."
	case !m.ours || state.Final():
		return ""
	case e.NextStep() == ledger.ToFinalize && m.whyNotFinalize() != "":
		return ""
	case e.NextStep() == ledger.ToFinalize:
		return "This link payment must be finalized: press f."
	case e.NextStep() != ledger.ToAuthorise:
		return ""
	case e.IsTransfer() && (!k.MayPay() || present.ReceivedAll(k.Received, k.Asked())):
		return ""
	case e.IsTransfer(): // whether the customer has to pay yet is said of the status
		return "Press a for the account."
	case !e.MayBeCard():
		return "The customer must approve the payment: press a."
	}
	return "The customer must complete the bank check: press a."
}

// quickCheck sets how long a check may take that is not shown.
const quickCheck = time.Second

// trouble says what is wrong with what is known, what went wrong with the last check, and what becomes of it.
func (m *Model) trouble() (all []report.Words) {
	if m.stale() {
		all = append(all, report.Words{Text: "This status may be stale.", Tone: ui.ToneAct})
	}
	if m.state.Err != nil {
		all = append(all, report.Words{Problem: m.problem()})
	}
	if why := m.stopped(); why != "" {
		all = append(all, report.Words{Text: why})
	}
	return all
}

// settings returns when the next and the last check are, and what is done about the payment besides, with the keys that change it.
func (m *Model) settings() []report.Fact {
	all := []report.Fact{{Label: "Next check", Value: m.nextCheck() + " · " + m.lastChecked()}}
	if m.state.Phase == session.Settled {
		all[0] = report.Fact{Label: "Checked", Value: strings.TrimPrefix(m.lastChecked(), "last checked ") + ", " + m.nextCheck()}
	}
	if s := &m.state; s.Phase == session.Polling && !s.Begun.IsZero() {
		all = append(all, report.Fact{Label: "Until", Value: present.Clock(s.Until().Local()) + ", or a final status", Rank: report.Extra})
	}
	if m.mayAlert() {
		all = append(all, report.Fact{Label: "Alerts", Value: m.alerts.On() + " (b)", Rank: report.Extra})
	}
	return all
}

// mayAlert reports whether the status may still become final.
func (m *Model) mayAlert() bool { return m.state.Phase != session.Settled }

// lastChecked returns when the service last reported a status, and its age once that is doubtful. A time of day
// changes with an answer alone, an age with every second. It stands at the end of its line, and without
// colour, so that an answer that changes nothing writes its digits and no more.
func (m *Model) lastChecked() string {
	s := &m.state
	if s.ReportedAt.IsZero() {
		return "no status yet"
	}
	at := "last checked " + present.Clock(s.ReportedAt)
	if !m.stale() {
		return at
	}
	if age := session.Age(s.ReportedAt, m.Scope.Now()); age >= time.Minute {
		at += " (" + present.Age(age) + " ago)"
	}
	return at
}

// stale reports whether the status on the screen is doubtful because of its age.
func (m *Model) stale() bool {
	s := &m.state
	return !s.ReportedAt.IsZero() && !s.AnsweredAt.IsZero() && s.Stale(m.Scope.Now()) && !(s.Phase == session.Settled && s.Err == nil)
}

// nextCheck returns when the next check is. A check that is answered soon does not change it.
func (m *Model) nextCheck() string {
	switch {
	case m.checkShows():
		if took := session.Age(m.state.CheckingAt, m.Scope.Now()); took >= time.Second {
			return "now… " + present.Age(took)
		}
		return "now…"
	case m.state.Phase == session.Settled:
		return "final; not checked again"
	case m.state.Phase == session.Paused:
		return "paused; space resumes"
	case m.state.Phase != session.Polling:
		return "none: stopped"
	}
	return present.Due(m.state.Wait, m.state.Due, m.state.Err)
}

// checkShows reports whether a check is worth a word: one that a person waits for, and one that takes long.
func (m *Model) checkShows() bool {
	s := &m.state
	return s.Checking && (s.Due.IsZero() || !m.Scope.Now().Before(s.Due.Add(quickCheck)))
}

// stopped says why checking has stopped, and the key that starts it again.
func (m *Model) stopped() string {
	switch m.state.Phase {
	case session.Expired:
		return "Time limit reached: still not final. Press r to check and watch again."
	case session.NotFound:
		if m.spelled != "" {
			return "The journal has " + string(m.spelled) + ": enter looks that up."
		}
		return "Press r to check once more, or l to look up another."
	}
	if m.state.Phase == session.Polling && api.Definite(m.state.Err) {
		return "A new payment may not be available yet; still checking."
	}
	return ""
}

// problem returns what went wrong with the last check. While checking continues by itself there is
// nothing to do about it.
func (m *Model) problem() present.Problem {
	p := present.Error(m.state.Err, present.Reading)
	switch {
	case m.state.Phase == session.Polling:
		p.Next = ""
	case api.NotFound(m.state.Err):
		p.Next = "Check the reference (upper and lower case differ) and the environment."
	}
	return p
}
