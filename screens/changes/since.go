package changes

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// The times to choose from, besides the scan before the last.
const (
	today = "today"
	week  = "7 days"
	typed = "a time"
)

// A since is the choice since when changes are shown.
type since struct {
	theme  *ui.Theme
	facet  *ui.Facet
	facets *ui.Facets
	shown  string    // the choice whose changes are shown: another one than the facet's while a time is typed
	at     time.Time // that was typed
	form   *ui.Form  // nil unless a time is being typed
	field  *ui.TextField
}

func newSince(t *ui.Theme) since {
	s := since{theme: t}
	s.facet = &ui.Facet{Any: "the scan before", Values: []string{today, week, typed}}
	s.facets = ui.NewFacets(t, s.facet)
	return s
}

// time is since when changes are shown; zero for the scan before the last.
func (s *since) time(now time.Time) time.Time {
	now = now.Local()
	switch s.shown {
	case today:
		y, m, d := now.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	case week:
		return now.AddDate(0, 0, -7)
	case typed:
		return s.at
	}
	return time.Time{}
}

// chooseSince shows what changed since the chosen time, or asks for it.
func (m *Model) chooseSince() tea.Cmd {
	s := &m.since
	if s.facet.Chosen != typed {
		s.shown = s.facet.Chosen
		return m.load()
	}
	now := m.Scope.Now().Local()
	s.field = ui.NewTextField(m.Theme, "Since", "09:30 today, or 2006-01-02 15:04", ui.Required(), ui.Limit(16),
		ui.Checked(func(text string) string {
			_, wrong := readTime(text, now)
			return wrong
		}))
	if !s.at.IsZero() {
		s.field.SetValue(s.at.Format(longTime))
	}
	s.form = ui.NewForm(m.Theme, s.field)
	s.form.SubmitLabel("show")
	m.layout()
	return nil
}

// typeSince handles input while a time is typed.
func (m *Model) typeSince(msg tea.Msg) tea.Cmd {
	s := &m.since
	if s.form.Update(msg) != ui.Submitted {
		m.layout()
		return nil
	}
	s.at, _ = readTime(s.field.Value(), m.Scope.Now().Local())
	s.form, s.shown = nil, typed
	s.facets.Leave()
	m.layout()
	return m.load()
}

// cancel closes the form, and goes back to the choice before.
func (s *since) cancel() {
	s.form, s.facet.Chosen = nil, s.shown
}

const longTime = "2006-01-02 15:04"

// readTime reads a time of today, a day, or a day and a time.
func readTime(text string, now time.Time) (at time.Time, wrong string) {
	text = strings.TrimSpace(text)
	if clock, err := time.ParseInLocation("15:04", text, now.Location()); err == nil {
		y, m, d := now.Date()
		at = time.Date(y, m, d, clock.Hour(), clock.Minute(), 0, 0, now.Location())
	} else if at, err = time.ParseInLocation(longTime, text, now.Location()); err != nil {
		if at, err = time.ParseInLocation(time.DateOnly, text, now.Location()); err != nil {
			return at, "Enter a time such as 09:30, or a day and a time such as 2026-01-31 09:30"
		}
	}
	if at.After(now) {
		return at, "This time has not come yet"
	}
	return at, ""
}
