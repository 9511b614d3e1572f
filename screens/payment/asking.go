package payment

import (
	"time"

	"paydesk/api"
	"paydesk/screens/show"
	"paydesk/ui"
)

// asking is how the asking stands: the last answer and the next question, and what
// went wrong with the last one.
func (m *Model) asking(w int) []string {
	lines := []string{ui.Fit(m.coming()+m.theme.Muted.Render(" · ")+m.answer(), w)}
	if m.watch.err != nil {
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
	v := &m.watch
	switch {
	case v.at.IsZero():
		return "no answer yet"
	case m.watch.rest == settled && v.err == nil:
		return "last answer " + show.Clock(v.at)
	case v.now.IsZero():
		return "last answer " + show.Clock(v.at)
	}
	ago := agoWords(age(v.at, v.now))
	if v.stale() {
		return m.theme.Mark(ui.ToneAct, "stale:") + " last answer " + show.Clock(v.at) + " (" + ago + ")"
	}
	return "last answer " + ago
}

func agoWords(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return show.Age(d) + " ago"
}

// coming is when the next question comes.
func (m *Model) coming() string {
	switch {
	case m.asked.Pending():
		return "Asking…"
	case m.watch.rest == settled:
		return "Final, not asked any more"
	case m.watch.rest == paused:
		return "Paused, p goes on"
	case m.watch.rest != watching:
		return "Not asked any more"
	}
	return "Next question at " + show.Clock(m.watch.due)
}

// resting says why nothing is asked any more, and the key that asks again.
func (m *Model) resting() string {
	switch m.watch.rest {
	case tooLong:
		return "Watched long enough: still " + m.stillWord() + ", press r to ask and watch on."
	case refused:
		return "Asking has stopped: check the secret key, then press r."
	case unknown:
		return "Asking has stopped: r asks once more, l looks up another."
	}
	if m.watch.rest == watching && api.Definite(m.watch.err) {
		return "A payment just made may not be known yet; asking goes on."
	}
	return ""
}

// stillWord is "pending", unless another status was told.
func (m *Model) stillWord() string {
	if s, told := m.history.shown(); told && s.State != api.Pending {
		return "not final"
	}
	return "pending"
}

// trouble is what went wrong with the last question. What to do about it is the
// business of the line below while asking goes on by itself.
func (m *Model) trouble(w int) []string {
	t := show.Error(m.watch.err, show.Reading)
	if m.watch.rest == watching {
		t.Next = ""
	}
	return t.Lines(m.theme, w)
}
