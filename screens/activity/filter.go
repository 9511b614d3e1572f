package activity

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/query"
	"paydesk/screens/present"
	"paydesk/ui"
)

// days are the choices of days and how a query has them, in their order.
var days = []struct{ word, typed string }{{"today", "today"}, {"yesterday", "yesterday"}, {"7 days", "7d"}}

// midnight is the start of the day that is back days before now.
func midnight(now time.Time, back int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()-back, 0, 0, 0, 0, now.Location())
}

// criteria are the values of a filter.
type criteria struct {
	text    string             // the query
	service ledger.Destination // zero for all
}

// A filter chooses the attempts shown: those of the connected service or of all services, and of them those
// that a query finds. The query is the only truth: a facet shows the term that it has for it, and choosing a
// value writes that term into it.
type filter struct {
	text     *ui.Filter
	facets   *ui.Facets
	language *query.Language
	here     func() ledger.Destination

	services *ui.Facet
	terms    []termFacet

	choicesLoaded bool
	call          ui.Call[journal.Choices]
}

// A termFacet is the facet of a field.
type termFacet struct {
	*ui.Facet
	field string
	from  func(journal.Choices) []string // the values that occur; nil for values that are always there
}

// textIn names the fields that text is searched in.
const textIn = "reference, alias, link name, ID, channel, card's last 4"

// newFilter begins with the connected service, whatever its profile was called: others are other accounts.
func newFilter(t *ui.Theme, here func() ledger.Destination, today func() query.DayNumber) filter {
	f := filter{here: here, language: journal.AttemptLanguage(today), services: &ui.Facet{Any: "this service", Values: []string{"all services"}}}
	var words []string
	for _, d := range days {
		words = append(words, d.word)
	}
	f.terms = []termFacet{
		{&ui.Facet{Any: "status", Word: present.Plain}, "status", func(c journal.Choices) []string { return c.Statuses }},
		{&ui.Facet{Any: "outcome", Word: present.OutcomeWord}, "outcome", func(c journal.Choices) []string { return c.Outcomes }},
		{&ui.Facet{Any: "day", Values: words}, "day", nil},
		{&ui.Facet{Any: "currency"}, "currency", func(c journal.Choices) []string { return c.Currencies }},
		{&ui.Facet{Any: "operator", Word: present.Plain}, "operator", func(c journal.Choices) []string { return c.Users }},
	}
	all := []*ui.Facet{f.services}
	for _, facet := range f.terms {
		all = append(all, facet.Facet)
	}
	f.facets = ui.NewFacets(t, all...)
	f.text = ui.NewQuery(t, "Search", "such as status:failed >100 gbp day:7d, a customer's whole e-mail or phone (no name is kept), or text in "+textIn,
		present.ReadQuery(f.language))
	return f
}

// everywhere reports whether the attempts of all services are shown.
func (f *filter) everywhere() bool { return f.services.Chosen != "" }

// query returns what the text asks for. What is wrong in it is no term.
func (f *filter) query() query.Query {
	q, _ := f.language.Parse(f.text.Value())
	return q
}

// criteria are those that hold now.
func (f *filter) criteria() criteria {
	r := criteria{text: f.text.Value()}
	if !f.everywhere() {
		r.service = f.here()
	}
	return r
}

// journal is the filter as the journal's own, with the days counted from now.
func (f *filter) journal() journal.Filter {
	return journal.Filter{Query: f.query(), Service: f.criteria().service}
}

// describe words the query; "" when nothing is filtered.
func (f *filter) describe() string {
	var parts []string
	for _, t := range f.query().Terms {
		parts = append(parts, present.Plain(t.Meaning()))
	}
	return strings.Join(parts, " · ")
}

// follow lets the facets show the terms of the query.
func (f *filter) follow() {
	q := f.query()
	for _, facet := range f.terms {
		facet.Chosen = ""
		if t, one := facet.term(q); one {
			facet.Chosen = facet.value(f, t)
		}
	}
}

// term is the only term of a query about the field of the facet.
func (facet termFacet) term(q query.Query) (t query.Term, one bool) {
	all := slices.DeleteFunc(slices.Clone(q.Terms), func(t query.Term) bool { return t.Field != facet.field || t.Not })
	if len(all) != 1 {
		return t, false
	}
	return all[0], true
}

// value is the value of a facet that a term is about; "" for none.
func (facet termFacet) value(f *filter, t query.Term) string {
	if facet.field == "day" {
		for _, d := range days {
			if same, _ := f.language.Parse("day:" + d.typed); len(same.Terms) == 1 && slices.Equal(same.Terms[0].Days, t.Days) {
				return d.word
			}
		}
		return ""
	}
	if v := t.Values; len(v) == 1 && (v[0].How == query.Known || v[0].How == query.Whole && t.Kind == query.Text) {
		return v[0].Text
	}
	return ""
}

// typed is the term for the value that is chosen, as a person types it.
func (facet termFacet) typed() string {
	if facet.field == "day" {
		at := slices.IndexFunc(days, func(d struct{ word, typed string }) bool { return d.word == facet.Chosen })
		return "day:" + days[at].typed
	}
	value := query.Value{Text: facet.Chosen, How: query.Known}
	kind := query.Words
	if facet.field == "operator" {
		value.How, kind = query.Whole, query.Text
	}
	return query.Query{Terms: []query.Term{{Field: facet.field, Kind: kind, Values: []query.Value{value}}}}.Source()
}

// write writes the value of a facet into the query, in place of what that has about the field. The blank at its end
// is for what is typed next.
func (f *filter) write(facet termFacet) {
	text := without(f.text.Value(), f.query(), func(t query.Term) bool { return t.Field == facet.field && !t.Not })
	if facet.Chosen != "" {
		text = strings.TrimSpace(text+" "+facet.typed()) + " "
	}
	f.text.Set(text)
	f.follow()
}

// without is a text without those terms of its query.
func without(text string, q query.Query, leftOut func(query.Term) bool) string {
	for _, t := range slices.Backward(q.Terms) {
		if leftOut(t) {
			text = strings.TrimRight(text[:t.Start], " ") + " " + strings.TrimLeft(text[t.End:], " ")
		}
	}
	return strings.TrimSpace(text)
}

// rest is the part of the query that no facet shows, without what identifies a customer.
func (f *filter) rest() string {
	text, q := f.text.Value(), f.query()
	for _, t := range slices.Backward(q.Terms) {
		if t.Kind == query.Exact {
			not := ""
			if t.Not {
				not = "-"
			}
			text = text[:t.Start] + not + t.Field + ":…" + text[t.End:]
		}
	}
	q, _ = f.language.Parse(text)
	return without(text, q, func(t query.Term) bool {
		return slices.ContainsFunc(f.terms, func(facet termFacet) bool { return t.Field == facet.field && !t.Not && facet.Chosen != "" })
	})
}

// asksCustomer reports whether the query is about who paid.
func (f *filter) asksCustomer() bool {
	return slices.ContainsFunc(f.query().Terms, func(t query.Term) bool { return t.Kind == query.Exact })
}

// active reports whether the filter is typed or hides anything of the service.
func (f *filter) active() bool { return f.text.Active() }

// clear chooses everything of the service.
func (f *filter) clear() {
	f.text.Clear()
	f.follow()
}

// readChoices reads the values that occur in the journal, so that the facets offer only those that find something.
func (m *Model) readChoices() tea.Cmd {
	f := &m.filter
	return f.call.Then(func(a ui.Result[journal.Choices]) tea.Cmd {
		for _, facet := range f.terms {
			if facet.from != nil {
				facet.Values = facet.from(a.Value)
			}
		}
		f.choicesLoaded = a.Err == nil
		return nil
	}).Ask(m.Scope, m.options.Journal.Choices)
}

// clearFilter clears the filter. The screen reloads the rows with the key that cleared it, and the selected
// attempt stays selected.
func (m *Model) clearFilter() {
	f := &m.filter
	m.list.stale = f.text.Value() != ""
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
		m.filter.follow()
		return m.refilter()
	}
	m.layout()
	if m.list.table.Selected() == was {
		return nil
	}
	return tea.Batch(m.panes.Moved(m.Scope, was), m.follow())
}

// typeText opens the line for the query.
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
		m.setRows()
	}
	for _, of := range f.terms {
		if of.Facet == facet {
			f.write(of)
		}
	}
	return m.refilter()
}
