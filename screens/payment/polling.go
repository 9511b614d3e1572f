package payment

import (
	"time"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// quickCheck sets how long a check may take that is not shown.
const quickCheck = time.Second

// polling says when the last and the next check are, and what went wrong with the last one.
func (m *Model) polling() []report.Words {
	var all []report.Words
	if m.stale() {
		all = append(all, report.Words{Text: "This status may be stale.", Tone: ui.ToneAct})
	}
	all = append(all, report.Words{Text: m.nextCheck() + " · " + m.lastChecked()})
	return append(all, m.trouble()...)
}

// trouble says what went wrong with the last check, and what becomes of it.
func (m *Model) trouble() (all []report.Words) {
	if m.state.Err != nil {
		all = append(all, report.Words{Problem: m.problem()})
	}
	if why := m.stopped(); why != "" {
		all = append(all, report.Words{Text: why})
	}
	return all
}

// settings returns what is done about the payment besides, with the keys that change it.
func (m *Model) settings() []report.Fact {
	pinned := "no; p pins it to home"
	if m.payments.IsPinned(m.reference) {
		pinned = "to home, where it is checked too"
	}
	var all []report.Fact
	if s := &m.state; s.Phase == session.Polling && !s.Begun.IsZero() {
		all = append(all, report.Fact{Label: "Until", Value: present.Clock(s.Until().Local()) + ", or a final status", Rank: report.Extra})
	}
	if m.mayAlert() {
		all = append(all, report.Fact{Label: "Alerts", Value: m.alerts.On() + " (b)", Rank: report.Extra})
	}
	return append(all, report.Fact{Label: "Pinned", Value: pinned, Rank: report.Extra})
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
			return "Checking… " + present.Age(took)
		}
		return "Checking…"
	case m.state.Phase == session.Settled:
		return "Final; no more checks"
	case m.state.Phase == session.Paused:
		return "Paused; space resumes"
	case m.state.Phase != session.Polling:
		return "Checking stopped"
	}
	return "Next check " + present.Due(m.state.Wait, m.state.Due, m.state.Err)
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
		return "Time limit reached: still " + m.stillWord() + ". Press r to check and watch again."
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

// stillWord is "pending", unless the service reported another status.
func (m *Model) stillWord() string {
	if h := m.state.History; h.Any && h.Shown.State != api.Pending {
		return "not final"
	}
	return "pending"
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
