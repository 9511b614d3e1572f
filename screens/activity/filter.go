package activity

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// days are the choices of days, in the local time zone: from the first to before another, both in
// days before today. A negative one is open.
var days = [...]struct {
	label    string
	from, to int
}{{"", -1, -1}, {"today", 0, -1}, {"yesterday", 1, 0}, {"7 days", 6, -1}}

// midnight is the start of the day that is back days before now; zero when that is negative.
func midnight(now time.Time, back int) time.Time {
	if back < 0 {
		return time.Time{}
	}
	return time.Date(now.Year(), now.Month(), now.Day()-back, 0, 0, 0, 0, now.Location())
}

// criteria are the values of a filter.
type criteria struct {
	text, status, outcome, currency, user string
	service                               journal.Destination // zero for all
	day                                   int                 // of days
}

// filter is the journal's own, with the days counted from now.
func (r criteria) filter(now time.Time) journal.Filter {
	f := journal.Filter{Text: r.text, Status: r.status, Outcome: r.outcome, Currency: r.currency, User: r.user, Service: r.service}
	f.From, f.To = midnight(now, days[r.day].from), midnight(now, days[r.day].to)
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
	add("status ", r.status)
	if r.outcome != "" {
		add("outcome ", present.OutcomeWord(r.outcome))
	}
	add("", r.currency)
	add("", days[r.day].label)
	add("by ", r.user)
	return strings.Join(parts, " · ")
}

// A filter chooses the attempts shown: those of the connected service or of all services, and
// of them those with a text, status, outcome, currency, day and operator.
type filter struct {
	text   *ui.Filter
	chosen criteria // without the text and the service
	here   func() journal.Destination
	all    bool // services

	choices       journal.Choices
	choicesLoaded bool
	call          ui.Call[journal.Choices]
}

// newFilter begins with the connected service, whatever its profile was called: others are other accounts.
func newFilter(t *ui.Theme, here func() journal.Destination) filter {
	text := ui.NewFilter(t, "Text", "in reference, alias, link name, ID, channel, card's last four")
	return filter{text: text, here: here}
}

// criteria are those that hold now.
func (f *filter) criteria() criteria {
	r := f.chosen
	r.text = f.text.Value()
	if !f.all {
		r.service = f.here()
	}
	return r
}

// active reports whether the filter is typed or hides anything of the service.
func (f *filter) active() bool { return f.chosen != criteria{} || f.text.Active() }

// readChoices reads the values that occur in the journal, so that the keys of the filter step only
// through those that find something.
func (m *Model) readChoices() tea.Cmd {
	return m.filter.call.Then(func(a ui.Result[journal.Choices]) tea.Cmd {
		m.filter.choices, m.filter.choicesLoaded = a.Value, a.Err == nil
		return nil
	}).Ask(m.Scope, m.options.Journal.Choices)
}

// clearFilter clears the filter. The screen reloads the rows with the key that cleared it, and the selected
// attempt stays selected.
func (m *Model) clearFilter() {
	f := &m.filter
	m.list.stale = f.chosen != criteria{} || f.text.Value() != ""
	if a, ok := m.selected(); ok && m.list.stale {
		m.list.place = a.At
	}
	m.list.reselect, f.chosen = "", criteria{}
	f.text.Clear()
}

// updateFilter handles input while the filter is typed.
func (m *Model) updateFilter(msg tea.Msg) tea.Cmd {
	if m.filter.text.Update(msg, m.list.table) {
		return m.refilter()
	}
	m.layout()
	return m.follow()
}

// typeText opens the line for the text.
func (m *Model) typeText() tea.Cmd {
	m.filter.text.Typing = true
	m.layout()
	return nil
}

// nextDay chooses the next of the days, which need not be read from the journal first.
func (m *Model) nextDay() tea.Cmd {
	m.filter.chosen.day = (m.filter.chosen.day + 1) % len(days)
	return m.refilter()
}

// cycle selects the next of the values, and none after the last.
func (m *Model) cycle(value *string, values []string, of string) tea.Cmd {
	switch {
	case !m.filter.choicesLoaded:
		return m.Notify("The filter values have not loaded yet.")
	case len(values) == 0 && *value == "":
		return m.Notify("There is no " + of + " to choose from yet.")
	}
	next := slices.Index(values, *value) + 1
	*value = append(slices.Clone(values), "")[next]
	return m.refilter()
}

// toggleAll shows the attempts of all services, or of this one again.
func (m *Model) toggleAll() tea.Cmd {
	m.filter.all = !m.filter.all
	m.list.table = ui.NewTable(m.Theme, columns(m.filter.all)...)
	m.list.table.SetRows(m.list.window.Count, m.row)
	return m.refilter()
}
