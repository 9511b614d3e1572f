package activity

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A day chooses the days shown, in the local time zone.
type day int

const (
	allDays day = iota
	today
	yesterday
	week // today and the six days before
	days // the number of choices
)

var dayLabels = [days]string{"", "today", "yesterday", "7 days"}

// bounds are the start and the end of the days; zero is open.
func (d day) bounds(now time.Time) (from, to time.Time) {
	midnight := func(back int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()-back, 0, 0, 0, 0, now.Location())
	}
	switch d {
	case today:
		return midnight(0), time.Time{}
	case yesterday:
		return midnight(1), midnight(0)
	case week:
		return midnight(6), time.Time{}
	}
	return time.Time{}, time.Time{}
}

// criteria are the values of a filter.
type criteria struct {
	text, state, currency, user, profile string
	day                                  day
}

// filter is the journal's own, with the days counted from now.
func (r criteria) filter(now time.Time) journal.Filter {
	f := journal.Filter{Text: r.text, State: r.state, Currency: r.currency, User: r.user, Profile: r.profile}
	f.From, f.To = r.day.bounds(now)
	return f
}

// describe words the criteria; "" when nothing is filtered.
func (r criteria) describe() string {
	var parts []string
	add := func(label, value string) {
		if value != "" {
			parts = append(parts, label+present.Plain(value))
		}
	}
	if r.text != "" {
		add("", "“"+r.text+"”")
	}
	add("status ", strings.ToUpper(r.state)) // an outcome is in small letters in the journal
	add("", r.currency)
	add("", dayLabels[r.day])
	add("by ", r.user)
	return strings.Join(parts, " · ")
}

// A filter chooses the attempts shown: those of the connected profile or of all profiles, and
// of them those with a text, status, currency, day and operator.
type filter struct {
	form    *ui.Form
	field   *ui.TextField
	typing  bool
	chosen  criteria // without the text and the profile
	profile string
	all     bool // profiles

	choices       journal.Choices
	choicesLoaded bool
	call          ui.Call[journal.Choices]
}

func newFilter(t *ui.Theme, profile string) filter {
	f := ui.NewTextField(t, "Text", "in reference, alias, link name, ID, channel, card's last four", ui.Limit(80))
	return filter{form: ui.NewForm(t, f), field: f, profile: profile}
}

func (f *filter) criteria() criteria {
	r := f.chosen
	r.text = f.field.Value()
	if !f.all {
		r.profile = f.profile
	}
	return r
}

// active reports whether the filter hides anything of the profile.
func (f *filter) active() bool { return f.chosen != criteria{} || !f.field.Empty() }

func (m *Model) readChoices() tea.Cmd {
	return m.filter.call.Ask(m.scope, m.options.Journal.Choices)
}

// clearFilter clears the filter. The screen reloads the rows with the key that cleared it.
func (m *Model) clearFilter() {
	f := &m.filter
	m.list.stale = f.active()
	m.list.reselect = ""
	f.typing, f.chosen = false, criteria{}
	f.field.SetValue("")
}

// updateFilter handles input while the filter is typed.
func (m *Model) updateFilter(msg tea.Msg) tea.Cmd {
	k, pressed := msg.(tea.KeyPressMsg)
	switch {
	case pressed && key.Matches(k, ui.Submit):
		m.filter.typing = false
		m.layout()
		return nil
	case pressed && slices.Contains([]string{"up", "down", "pgup", "pgdown"}, k.String()):
		m.list.table.Update(k)
		return m.follow()
	}
	before := m.filter.field.Value()
	m.filter.form.Update(msg)
	if m.filter.field.Value() == before {
		return nil
	}
	return m.refilter()
}

// cycle selects the next of the values, and none after the last.
func (m *Model) cycle(value *string, values []string, of string) tea.Cmd {
	switch {
	case !m.filter.choicesLoaded:
		return m.notify("The filter values have not loaded yet.")
	case len(values) == 0 && *value == "":
		return m.notify("There is no " + of + " to choose from yet.")
	}
	if i := slices.Index(values, *value) + 1; i < len(values) {
		*value = values[i]
	} else {
		*value = ""
	}
	return m.refilter()
}

// toggleAllProfiles shows the attempts of all profiles, or of this one again.
func (m *Model) toggleAllProfiles() tea.Cmd {
	m.filter.all = !m.filter.all
	m.list.table = ui.NewTable(m.theme, columns(m.filter.all)...)
	m.list.table.SetRows(m.list.window.total, m.row)
	return m.refilter()
}
