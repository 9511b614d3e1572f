package payment

import (
	"time"

	"paydesk/api"
	"paydesk/api/watch"
	"paydesk/screens/present"
	"paydesk/ui"
)

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

// lastChecked is the age of the last response. It stands at the end of its line, and without colour,
// so that little is sent when only the age changes.
func (m *Model) lastChecked() string {
	s := &m.state
	at := "last checked " + present.Clock(s.ReportedAt)
	switch {
	case s.ReportedAt.IsZero():
		return "no response yet"
	case s.Phase == watch.Settled && s.Err == nil, s.AnsweredAt.IsZero():
		return at
	}
	ago := agoWords(watch.Age(s.ReportedAt, m.Scope.Now()))
	if s.Stale(m.Scope.Now()) {
		return m.Theme.Mark(ui.ToneAct, "stale:") + " " + at + " (" + ago + ")"
	}
	return "last checked " + ago
}

func agoWords(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return present.Age(d) + " ago"
}

// nextCheck is when the next check is.
func (m *Model) nextCheck() string {
	switch {
	case m.state.Checking:
		return "Checking…"
	case m.state.Phase == watch.Settled:
		return "Final; no more checks"
	case m.state.Phase == watch.Paused:
		return "Paused; p resumes"
	case m.state.Phase != watch.Polling:
		return "Checking stopped"
	}
	return "Next check at " + present.Clock(m.state.Due)
}

// stopped says why checking has stopped, and the key that starts it again.
func (m *Model) stopped() string {
	switch m.state.Phase {
	case watch.Expired:
		return "Time limit reached: still " + m.stillWord() + ". Press r to check and watch again."
	case watch.KeyRejected:
		return "Check the secret key, then press r."
	case watch.NotFound:
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
