package payment

import (
	"time"

	"paydesk/api"
	"paydesk/api/watch"
	"paydesk/screens/present"
	"paydesk/ui"
)

// polling is how the requests stand: the last answer and the next request, and what went wrong
// with the last one.
func (m *Model) polling(w int) []string {
	lines := []string{ui.Fit(m.coming()+m.theme.Muted.Render(" · ")+m.answer(), w)}
	if m.state.Err != nil {
		lines = append(lines, m.trouble(w)...)
	}
	if why := m.resting(); why != "" {
		lines = append(lines, ui.Wrap(why, w)...)
	}
	return lines
}

// answer is how old the last answer is. It stands at the end of its line: when the
// age changes, nothing else on the screen does. What changes has no colour, which would be
// sent with it each time.
func (m *Model) answer() string {
	s := &m.state
	at := "last answer " + present.Clock(s.ReportedAt)
	switch {
	case s.ReportedAt.IsZero():
		return "no answer yet"
	case s.Phase == watch.Settled && s.Err == nil, m.now.IsZero():
		return at
	}
	ago := agoWords(watch.Age(s.ReportedAt, m.now))
	if s.Stale(m.now) {
		return m.theme.Mark(ui.ToneAct, "stale:") + " " + at + " (" + ago + ")"
	}
	return "last answer " + ago
}

func agoWords(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return present.Age(d) + " ago"
}

// coming is when the next question comes.
func (m *Model) coming() string {
	switch {
	case m.state.Checking:
		return "Asking…"
	case m.state.Phase == watch.Settled:
		return "Final, not asked any more"
	case m.state.Phase == watch.Paused:
		return "Paused, p goes on"
	case m.state.Phase != watch.Polling:
		return "Not asked any more"
	}
	return "Next question at " + present.Clock(m.state.Due)
}

// resting says why nothing is asked any more, and the key that asks again.
func (m *Model) resting() string {
	switch m.state.Phase {
	case watch.Expired:
		return "Watched long enough: still " + m.stillWord() + ", press r to ask and watch on."
	case watch.KeyRejected:
		return "Asking has stopped: check the secret key, then press r."
	case watch.NotFound:
		return "Asking has stopped: r asks once more, l looks up another."
	}
	if m.state.Phase == watch.Polling && api.Definite(m.state.Err) {
		return "A payment just made may not be known yet; asking goes on."
	}
	return ""
}

// stillWord is "pending", unless another status was told.
func (m *Model) stillWord() string {
	if h := m.state.History; h.Any && h.Shown.State != api.Pending {
		return "not final"
	}
	return "pending"
}

// trouble is what went wrong with the last question. What to do about it is the
// business of the line below while asking goes on by itself.
func (m *Model) trouble(w int) []string {
	t := present.Error(m.state.Err, present.Reading)
	if m.state.Phase == watch.Polling {
		t.Next = ""
	}
	return t.Lines(m.theme, w)
}
