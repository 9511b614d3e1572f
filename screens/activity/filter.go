package activity

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// days are the choices of days, in the local time zone: from the first to before another, both in
// days before today. A negative one is open.
var days = map[string]struct{ from, to int }{"": {-1, -1}, "today": {0, -1}, "yesterday": {1, 0}, "7 days": {6, -1}}

// midnight is the start of the day that is back days before now.
func midnight(now time.Time, back int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()-back, 0, 0, 0, 0, now.Location())
}

// criteria are the values of a filter.
type criteria struct {
	text, status, outcome, day, currency, user string
	service                                    journal.Destination // zero for all
}

// filter is the journal's own, with the days counted from now.
func (r criteria) filter(now time.Time) journal.Filter {
	f := journal.Filter{Text: r.text, Status: r.status, Outcome: r.outcome, Currency: r.currency, User: r.user, Service: r.service}
	if d := days[r.day]; d.from >= 0 {
		f.From = midnight(now, d.from)
	}
	if d := days[r.day]; d.to >= 0 {
		f.To = midnight(now, d.to)
	}
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
	add("", r.day)
	add("by ", r.user)
	return strings.Join(parts, " · ")
}

// A filter chooses the attempts shown: those of the connected service or of all services, and
// of them those with a text, status, outcome, day, currency and operator.
type filter struct {
	text   *ui.Filter
	facets *ui.Facets
	here   func() journal.Destination

	services, status, outcome, day, currency, user *ui.Facet

	choicesLoaded bool
	call          ui.Call[journal.Choices]
}

// textIn is what the text is looked for in.
const textIn = "reference, alias, link name, ID, channel, card's last four"

// newFilter begins with the connected service, whatever its profile was called: others are other accounts.
func newFilter(t *ui.Theme, here func() journal.Destination) filter {
	f := filter{
		text:     ui.NewFilter(t, "Text", "in "+textIn),
		here:     here,
		services: &ui.Facet{Any: "this service", Values: []string{"all services"}},
		status:   &ui.Facet{Any: "status", Word: present.Plain},
		outcome:  &ui.Facet{Any: "outcome", Word: present.OutcomeWord},
		day:      &ui.Facet{Any: "day", Values: []string{"today", "yesterday", "7 days"}},
		currency: &ui.Facet{Any: "currency"},
		user:     &ui.Facet{Any: "operator", Word: present.Plain},
	}
	f.facets = ui.NewFacets(t, f.services, f.status, f.outcome, f.day, f.currency, f.user)
	return f
}

// everywhere reports whether the attempts of all services are shown.
func (f *filter) everywhere() bool { return f.services.Chosen != "" }

// chosen are the criteria of the facets.
func (f *filter) chosen() criteria {
	return criteria{status: f.status.Chosen, outcome: f.outcome.Chosen, day: f.day.Chosen, currency: f.currency.Chosen, user: f.user.Chosen}
}

// criteria are those that hold now.
func (f *filter) criteria() criteria {
	r := f.chosen()
	r.text = f.text.Value()
	if !f.everywhere() {
		r.service = f.here()
	}
	return r
}

// active reports whether the filter is typed or hides anything of the service.
func (f *filter) active() bool { return f.chosen() != criteria{} || f.text.Active() }

// clear chooses everything of the service.
func (f *filter) clear() {
	for _, facet := range []*ui.Facet{f.status, f.outcome, f.day, f.currency, f.user} {
		facet.Chosen = ""
	}
	f.text.Clear()
}

// readChoices reads the values that occur in the journal, so that the facets offer only those that find something.
func (m *Model) readChoices() tea.Cmd {
	f := &m.filter
	return f.call.Then(func(a ui.Result[journal.Choices]) tea.Cmd {
		f.status.Values, f.outcome.Values, f.currency.Values, f.user.Values = a.Value.Statuses, a.Value.Outcomes, a.Value.Currencies, a.Value.Users
		f.choicesLoaded = a.Err == nil
		return nil
	}).Ask(m.Scope, m.options.Journal.Choices)
}

// clearFilter clears the filter. The screen reloads the rows with the key that cleared it, and the selected
// attempt stays selected.
func (m *Model) clearFilter() {
	f := &m.filter
	m.list.stale = f.chosen() != criteria{} || f.text.Value() != ""
	if a, ok := m.selected(); ok && m.list.stale {
		m.list.place = a.At
	}
	m.list.reselect = ""
	f.clear()
}

// updateFilter handles input while the filter is typed.
func (m *Model) updateFilter(msg tea.Msg) tea.Cmd {
	was := m.list.table.Selected()
	if m.filter.text.Update(msg, m.list.table) {
		return m.refilter()
	}
	m.layout()
	if m.list.table.Selected() == was {
		return nil
	}
	return tea.Batch(m.panes.Moved(m.Scope, was), m.follow())
}

// typeText opens the line for the text.
func (m *Model) typeText() tea.Cmd {
	m.filter.facets.Leave()
	m.filter.text.Typing = true
	m.layout()
	return nil
}

// chose reads the rows of the value that a facet has now.
func (m *Model) chose(facet *ui.Facet) tea.Cmd {
	f := &m.filter
	switch {
	case facet == nil && f.facets.Focused() != nil: // another has the focus: its values may have changed since
		return m.readChoices()
	case facet == nil:
		return nil
	case len(facet.Values) == 0 && !f.choicesLoaded:
		return m.Notify("The filter values have not loaded yet.")
	case len(facet.Values) == 0:
		return m.Notify("There is no " + facet.Any + " to choose from yet.")
	case facet == f.services:
		m.newTable()
		m.list.table.SetRows(m.list.window.Count, m.row)
	}
	return m.refilter()
}
