// Package activity lists every attempt in the journal, newest first: what was sent, its
// outcome, and who sent it.
//
// The list is a [list.Model]. actions.go has what can be done with an attempt and with all that the search shows, days.go counts those
// of a day, and purge.go deletes old ones. The screen reads and writes the journal and files by calls; it changes nothing at the service.
package activity

import (
	"context"
	"iter"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/query"
	"paydesk/api/session"
	"paydesk/screens/list"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Journal is read and purged by this screen.
type Journal interface {
	Find(ctx context.Context, f journal.Filter, s journal.Search, from, n int) (journal.Page[ledger.Attempt], error)
	Each(ctx context.Context, f journal.Filter) iter.Seq2[ledger.Attempt, error]
	Choices(ctx context.Context) (journal.Choices, error)
	History(ctx context.Context, id ledger.ID) (ledger.Attempt, []ledger.Event, error)
	PurgePreview(ctx context.Context, before time.Time) (journal.PurgeResult, error)
	Purge(ctx context.Context, before time.Time) (journal.PurgeResult, error)
	Retention() time.Duration
}

// Options of New.
type Options struct {
	Journal Journal
	Off     bool                      // the journal of this profile is off: it is in memory
	Team    bool                      // several people share the journal: each row has the host of its operator
	Here    func() ledger.Destination // where the console is connected
	// Check requests the status of payments once.
	Check func(context.Context, []api.Reference) ([]session.WatchState, error)
	// Pinned reports whether a payment is pinned to Home; nil for none.
	Pinned nav.Pinned
	// Again holds what an attempt sent, without its card, for one that is collected again.
	Again func(ledger.Attempt) api.Initiation
}

// A Model is the screen.
type Model struct {
	*list.Model[ledger.Attempt]
	options   Options
	services  *ui.Facet              // this service under any profile's name, or all: other services are other accounts
	listed    journal.Filter         // by which the rows were read
	days      map[time.Time]dayCount // on which they were sent
	events    []ledger.Event         // of the one in the pane
	checkCall ui.Call[[]session.WatchState]
}

// New is the screen.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{options: o, services: &ui.Facet{Any: "this service", Values: []string{"all services"}}}
	of := list.Of[ledger.Attempt]{
		Title: "Activity", One: "attempt", Many: "attempts", Columns: m.columns,
		ID:   func(a ledger.Attempt) string { return string(a.ID) },
		Read: m.read,
		Problem: func(err error) present.Problem {
			return present.Problem{What: present.FileProblem(err) + " Press r to retry."}
		},
		Language: journal.AttemptLanguage,
		Example:  "such as a whole e-mail, a reference, 4242, or failed day:7d",
		Says:     m.says, Under: m.under, None: m.none,
		Day: func(a ledger.Attempt) time.Time { return a.At }, DayNote: func(day time.Time) string { return m.days[day].String() },
		Report: m.report, More: m.more, Commands: m.commands,
	}
	of.Facets, of.Choices = m.facets()
	m.Model = list.New(t, of)
	return m
}

// facets are the parts of the search, and what reads the values that occur.
func (m *Model) facets() ([]*ui.Facet, list.Background) {
	status, outcome := &ui.Facet{Any: "status", Word: present.Plain}, &ui.Facet{Any: "outcome", Word: present.OutcomeWord}
	currency, operator := &ui.Facet{Any: "currency"}, &ui.Facet{Any: "operator", Word: present.Plain}
	day := &ui.Facet{Any: "day", Values: []string{"today", "yesterday", "7d"}, Word: func(day string) string {
		if day == "7d" {
			return "7 days"
		}
		return day
	}}
	j := m.options.Journal
	return []*ui.Facet{m.services, status, outcome, day, currency, operator}, func(ctx context.Context) (func(), error) {
		c, err := j.Choices(ctx)
		return func() {
			status.Values, outcome.Values, currency.Values, operator.Values = c.Statuses, c.Outcomes, c.Currencies, c.Users
		}, err
	}
}

// everywhere reports whether the attempts of all services are shown.
func (m *Model) everywhere() bool { return m.services.Chosen != "" }

// columns are the table's.
func (m *Model) columns() []report.Column[ledger.Attempt] {
	return report.Attempts(report.AttemptView{Here: m.options.Here(), Everywhere: m.everywhere(), Team: m.options.Team, Now: m.At()})
}

// read reads attempts, and counts those of their days.
func (m *Model) read(w list.Want[ledger.Attempt]) list.Reading[ledger.Attempt] {
	j, f := m.options.Journal, journal.Filter{Query: w.Query}
	if !m.everywhere() {
		f.Service = m.options.Here()
	}
	return func(ctx context.Context) (rows list.Rows[ledger.Attempt], err error) {
		if w.Near != nil {
			newer := f
			newer.From = w.Near.At
			if found, err := j.Find(ctx, newer, journal.Search{}, 0, 0); err == nil {
				w.From = max(found.Count-1-w.N/2, 0)
			}
		}
		rows.Whole = w.Whole
		if rows.Page, err = j.Find(ctx, f, w.Search, w.From, w.N); err == nil && w.Search.IsZero() && !w.Query.Empty() {
			rows.Whole, err = j.Find(ctx, journal.Filter{Service: f.Service}, journal.Search{}, 0, 0)
		}
		if err != nil {
			return rows, err
		}
		days, err := countByDay(ctx, j, f, &rows.Page)
		rows.Keep = func() { m.listed, m.days = f, days }
		return rows, err
	}
}

// more reads the history of an attempt.
func (m *Model) more(a ledger.Attempt) list.Background {
	j := m.options.Journal
	return func(ctx context.Context) (func(), error) {
		_, events, err := j.History(ctx, a.ID)
		return func() { m.events = events }, err
	}
}

func (m *Model) report(a ledger.Attempt, _ int) report.Report {
	return report.Of(m.subject(a, m.events))
}

// subject returns what is known of an attempt with its history.
func (m *Model) subject(a ledger.Attempt, events []ledger.Event) report.Subject {
	return report.OfAttempt(a, events, m.options.Here(), m.Scope.Now())
}

// here reports whether only the attempts of the service that is connected are listed.
func (m *Model) here() bool { return m.listed.Service != ledger.Destination{} }

// says names the services of the attempts.
func (m *Model) says() string {
	if m.here() {
		return " of this service"
	}
	return " of all services"
}

// none says why there are no attempts, and the key that changes that.
func (m *Model) none() (string, key.Binding) {
	words := "Nothing has been sent yet. Payments, links and finalizations are listed here once sent."
	switch q := m.Query(); {
	case q.Asks(""): // text, which may be a name
		return "No attempts match the search. A customer's name is not kept: the whole e-mail finds them, or the whole number, as in phone:02079460000.", ui.ClearSearch
	case !q.Empty():
		return "", key.Binding{}
	case m.here():
		words += " tab reaches the fields, where → shows all services."
	}
	return words, ui.Bind("c", "collect a payment")
}

// under says what a journal that is off has, and whom a search for a customer cannot find.
func (m *Model) under(w int) []string {
	switch {
	case m.options.Off:
		return m.Theme.MutedLines("Journal off: what is listed here ends with this console.", w)
	case slices.ContainsFunc(m.Query().Terms, func(t query.Term) bool { return t.Kind == query.Exact }):
		return m.Theme.MutedLines("Only payments sent with it; very old ones as typed then.", w)
	}
	return nil
}

// Command implements [ui.Commander]: the list with its search.
func (m *Model) Command() []string {
	words := []string{"activity"}
	if m.everywhere() {
		words = append(words, "--all-services")
	}
	return append(words, m.Where()...)
}
