// Package inbox shows the webhooks that arrived, the last delivered first, and beside what each says what the status
// endpoint answered.
//
// A webhook has no signature, so that nothing it says is drawn as more than a claim: only the service's answer has the
// colour of success. The list is a [list.Model]; view.go shows an event, and replay.go passes it on again. The
// store, the service and the targets are reached by calls alone.
package inbox

import (
	"context"
	"errors"
	"strconv"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/query"
	"paydesk/api/webhook"
	"paydesk/screens/list"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A Store has the events: a [webhook.Store].
type Store interface {
	Find(context.Context, webhook.Search) (webhook.Found, error)
	Get(ctx context.Context, profile string, id int64) (webhook.Detail, error)
	Wait(ctx context.Context, version uint64) (uint64, error)
	// CheckNow has the service asked about a payment as soon as that is possible. The answer is stored.
	CheckNow(ctx context.Context, profile string, r api.Reference) error
}

// A Receiver tells where webhooks are received.
type Receiver struct {
	URL string // with the secret path; "" while nothing is received here
	Why string // why nothing is, a sentence; "" otherwise
	// Elsewhere tells who receives them for this inbox, a sentence; "" where no other program does.
	Elsewhere string
}

// Options of New. Without a store only Off and Receiver are needed.
type Options struct {
	Store   Store
	Off     string // why there is no inbox, a sentence; "" where there is one
	Profile string
	Query   string // to begin with
	// Receiver tells where webhooks are received now. It is called when that is drawn: it does no I/O.
	Receiver func() Receiver
	// Wired reports that the service sends its webhooks here already: the demo's does.
	Wired bool
	// Made returns the attempt that made a payment, or [ledger.ErrNotFound].
	Made func(context.Context, api.Reference) (ledger.Attempt, error)
	// Targets lists the targets that the profile names.
	Targets []string
	// Replay sends events to a target, one after the other until ctx ends, and stores and reports what becomes of each.
	Replay func(ctx context.Context, ids []int64, target string, report func(webhook.Forward)) error
	// Seen is called when events are on the screen; nil for nothing.
	Seen func()
}

// A Model is the screen.
type Model struct {
	*list.Model[webhook.Record]
	options  Options
	found    webhook.Found // the counts of the last reading, without its records
	version  uint64        // of the store, when it was last waited for
	event    event         // that was read last: the one in the pane, or the open one
	target   string        // of the last replay
	checking ui.Call[struct{}]
	seeking  ui.Call[ledger.Attempt]
}

// New returns the screen.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{options: o}
	of := list.Of[webhook.Record]{
		Title: "Inbox", One: "event", Many: "events",
		Columns:  func() []report.Column[webhook.Record] { return report.Events(nil, m.Scope.Now()) },
		ID:       func(r webhook.Record) string { return strconv.FormatInt(r.ID, 10) },
		Read:     m.read,
		Language: webhook.Language, Example: "such as verdict:disagrees >100 gbp day:7d, or text in the body", Query: o.Query,
		Under: m.receiverLines, Says: m.says, None: m.none,
		Day:    func(r webhook.Record) time.Time { return r.Last },
		Report: m.report, More: m.more, Commands: m.commands, Below: func() int { return 4 }, // its columns do not say what an event claims
	}
	if !m.off() {
		of.Wait = m.wait
	}
	m.Model = list.New(t, of)
	return m
}

// off reports whether there is no inbox: the screen then only says why.
func (m *Model) off() bool { return m.options.Store == nil }

// search is a search for events, a part of which is read at a time.
func (m *Model) search(q query.Query) webhook.Search {
	return webhook.Search{Profile: m.options.Profile, Query: q, Limit: 200}
}

// read reads events. How many a query finds is known once its last is reached.
func (m *Model) read(w list.Want[webhook.Record]) list.Reading[webhook.Record] {
	store, q := m.options.Store, m.search(w.Query)
	q.Skip, q.Limit = w.From, w.N
	return func(ctx context.Context) (rows list.Rows[webhook.Record], err error) {
		if store == nil {
			return list.All[webhook.Record](nil), nil
		}
		f, err := store.Find(ctx, q)
		rows.Rows, rows.From, rows.Count, rows.Complete = f.Records, w.From, w.From+len(f.Records), !f.More
		rows.Whole.Count, rows.Whole.Complete = f.Total, true
		if w.Query.Empty() {
			rows.Count, rows.Complete = f.Total, true
		}
		rows.Keep = func() {
			m.found, m.found.Records = f, nil
			if len(f.Records) > 0 && m.options.Seen != nil && !m.Covered() {
				m.options.Seen()
			}
		}
		return rows, err
	}
}

// wait waits until anything is stored or answered, or nothing can be stored any more.
func (m *Model) wait() list.Background {
	store, version := m.options.Store, m.version
	return func(ctx context.Context) (func(), error) {
		now, err := store.Wait(ctx, version)
		return func() { m.version = now }, err
	}
}

// errorText words an error of the store.
func errorText(err error) string {
	if errors.Is(err, webhook.ErrNotFound) {
		return "This event is no longer in the inbox: the oldest are dropped when it is full."
	}
	return present.Sentence(err.Error())
}
