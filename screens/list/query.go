package list

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/query"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A finder is the search of a list: its query, and the facets that show and write terms of it. The program has it once, not for each
// kind of row.
type finder struct {
	search   *ui.Search // nil without a language
	language *query.Language
	facets   *ui.Facets
	choose   []*ui.Facet
}

// newFinder makes the search of a list that has a language.
func newFinder(t *ui.Theme, l *query.Language, example string, facets []*ui.Facet) *finder {
	f := &finder{facets: ui.NewFacets(t, facets...), choose: facets, language: l}
	if l != nil {
		f.search = ui.NewQuery(t, "Search", example, func(text string) ui.Reading { return present.ReadQuery(l, text) })
	}
	return f
}

// setQuery types a query.
func (m *finder) setQuery(text string) {
	if m.search != nil {
		m.search.Set(text)
		m.showTerms()
	}
}

// SearchHelp explains the search, for the help page.
func (m *finder) SearchHelp() []string { return m.language.Explain() }

// typedQuery returns the query as typed.
func (m *finder) typedQuery() string {
	if m.search == nil {
		return ""
	}
	return m.search.Value()
}

// Where returns the options by which a command finds what the list does.
func (m *finder) Where() []string {
	if where := m.typedQuery(); where != "" {
		return []string{"--where", where}
	}
	return nil
}

// parse returns what a text asks for. What is wrong in it is no term.
func (m *finder) parse(text string) (q query.Query) {
	if m.language != nil {
		q, _ = m.language.Parse(text)
	}
	return q
}

// Searched reports whether the search is typed or hides anything.
func (m *Model[R]) Searched() bool { return m.search != nil && m.search.Active() }

// faceted reports whether there are facets to choose from.
func (m *Model[R]) faceted() bool {
	return len(m.of.Facets) > 0 && (m.of.Faceted == nil || m.of.Faceted())
}

// Search is the key that opens the line of the query. From then on esc clears it.
func (m *Model[R]) Search() ui.Command {
	obstacle, _ := m.obstacle()
	return ui.Command{Key: ui.Bind("/", "search"), On: len(obstacle) == 0, Do: func() tea.Cmd {
		m.facets.Leave()
		if r, some := m.Selected(); some && !m.Searched() {
			m.before = &r
		}
		m.search.Typing, m.base = true, ""
		m.Layout()
		return nil
	}}
}

// Reload is the key that reads the rows again.
func (m *Model[R]) Reload() ui.Command {
	return ui.Command{Key: ui.Bind("r", "reload"), On: true, Do: m.Refresh}
}

// typed handles input while the search is typed; the arrows move in the list meanwhile.
func (m *Model[R]) typed(msg tea.Msg) tea.Cmd {
	was := m.table.Selected()
	if m.search.Update(msg, m.table) {
		m.showTerms()
		return m.restart()
	}
	m.Layout()
	if k, pressed := msg.(tea.KeyPressMsg); pressed && key.Matches(k, ui.KeepSearch) && m.search.Typing {
		return m.Notify("This search cannot be read: correct it, or clear it with esc.")
	}
	if m.table.Selected() == was {
		return nil
	}
	m.Stop()
	return tea.Batch(m.panes.Moved(m.Scope, was), m.readAhead())
}

// readChoices reads the values that occur, so that the facets offer only those that find something.
func (m *Model[R]) readChoices() tea.Cmd {
	if m.of.Choices == nil {
		return nil
	}
	return m.choices.Then(func(a ui.Result[func()]) tea.Cmd {
		if a.Value != nil {
			a.Value()
		}
		m.showTerms()
		return nil
	}).Ask(m.Scope, m.of.Choices)
}

// chose reads the rows of the value that a facet has now.
func (m *Model[R]) chose(facet *ui.Facet) tea.Cmd {
	switch {
	case facet == nil && m.facets.Focused() != nil: // another has the focus: its values may have changed since
		return m.readChoices()
	case facet == nil:
		return nil
	case len(facet.Values) == 0:
		return m.Notify("There is no " + facet.Any + " to choose from yet.")
	}
	if m.field(facet) >= 0 {
		m.write(facet)
	}
	return m.restart()
}

// field is the number of the field whose name a facet has; -1 for a facet that chooses what else the rows are read by. Choosing a value
// writes a term of that field into the query, which is the only truth.
func (m *finder) field(f *ui.Facet) int {
	return slices.IndexFunc(m.language.Fields, func(of query.Field) bool { return of.Name == f.Any })
}

// write writes the value of a facet into the query, in place of what that has of the field. The blank at its end
// is for what is typed next.
func (m *finder) write(f *ui.Facet) {
	typed := m.typedQuery()
	text := without(typed, m.parse(typed), func(t query.Term) bool { return isOf(t, f) })
	if f.Chosen != "" {
		text = strings.TrimSpace(text+" "+m.term(f, f.Chosen)) + " "
	}
	m.setQuery(text)
}

// isOf reports whether a term belongs to a facet.
func isOf(t query.Term, f *ui.Facet) bool { return t.Field == f.Any && !t.Not }

// showTerms lets each facet show the value of the term that the query has for it, if that is the only one of its field.
func (m *finder) showTerms() {
	q := m.parse(m.typedQuery())
	for _, f := range m.choose {
		if m.field(f) < 0 {
			continue
		}
		f.Chosen = ""
		of := query.Query{Terms: slices.DeleteFunc(slices.Clone(q.Terms), func(t query.Term) bool { return !isOf(t, f) })}
		if len(of.Terms) == 1 {
			f.Chosen = m.value(f, of)
		}
	}
}

// value is the value of a facet that a query of one term asks for; "" for none.
func (m *finder) value(f *ui.Facet, of query.Query) string {
	t := of.Terms[0]
	if at := slices.IndexFunc(f.Values, func(v string) bool { return m.parse(m.term(f, v)).String() == of.String() }); at >= 0 {
		return f.Values[at]
	}
	if v := t.Values; len(v) == 1 && (v[0].How == query.Known || v[0].How == query.Whole && t.Kind == query.Text) {
		return v[0].Text // that does not occur
	}
	return ""
}

// term is a term for a value of a facet, as a person types it.
func (m *finder) term(f *ui.Facet, value string) string {
	return m.language.Fields[m.field(f)].Typed(value)
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
func (m *finder) rest() string {
	text := m.typedQuery()
	for _, t := range slices.Backward(m.parse(text).Terms) {
		if t.Kind == query.Exact {
			not := ""
			if t.Not {
				not = "-"
			}
			text = text[:t.Start] + not + t.Field + ":…" + text[t.End:]
		}
	}
	return without(text, m.parse(text), func(t query.Term) bool {
		return slices.ContainsFunc(m.choose, func(f *ui.Facet) bool { return f.Chosen != "" && isOf(t, f) })
	})
}
