package activity

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/api/query/querytest"
	"paydesk/screens/screentest"
)

// A fakeJournal is a journal in memory that counts requests, and can fail or be slow.
type fakeJournal struct {
	mu       sync.Mutex
	rows     []ledger.Attempt // newest first
	events   []ledger.Event
	err      error
	delay    time.Duration
	requests int  // of rows
	largest  int  // number of rows in one result
	large    bool // all rows are of here: they need not be told apart by service
	team     bool // it is that of several people
	off      bool // it is in memory
}

func (b *fakeJournal) wait(ctx context.Context) error {
	b.mu.Lock()
	b.requests++
	err, takes := b.err, b.delay
	b.mu.Unlock()
	if takes > 0 {
		select {
		case <-time.After(takes):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

func (b *fakeJournal) matching(f journal.Filter) []ledger.Attempt {
	if f.Query.Empty() && f.From.IsZero() && f.Service == here && b.large {
		return b.rows
	}
	var in []ledger.Attempt
	for _, a := range b.rows {
		if a.At.Before(f.From) || !f.To.IsZero() && !a.At.Before(f.To) {
			continue
		}
		if !slices.ContainsFunc(f.Query.Terms, func(t query.Term) bool { return fits(a, t) == t.Not }) &&
			(f.Service == ledger.Destination{} || f.Service.IsSameService(a.Destination)) {
			in = append(in, a)
		}
	}
	return in
}

// fits reads an attempt by a term.
func fits(a ledger.Attempt, t query.Term) bool {
	has := func(texts ...string) bool {
		return slices.ContainsFunc(t.Values, func(v query.Value) bool {
			return slices.ContainsFunc(texts, func(s string) bool { return querytest.Text(v, s) })
		})
	}
	switch t.Field {
	case "":
		return has(string(a.ID), string(a.Reference), string(a.Link), a.Channel, a.Card)
	case "status":
		return has(a.Status.State.String())
	case "outcome":
		return has(string(a.Outcome))
	case "currency":
		return has(a.Amount.Currency.Code())
	case "operator":
		return has(a.By.User)
	case "day":
		return slices.ContainsFunc(t.Days, func(d query.DayRange) bool { return querytest.OnDay(d, query.DayOf(a.At.Local())) })
	}
	panic(t.Field)
}

func (b *fakeJournal) Find(ctx context.Context, f journal.Filter, s journal.Search, from, n int) (p journal.Page[ledger.Attempt], err error) {
	if err := b.wait(ctx); err != nil {
		return p, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n == 0 {
		b.requests--
	}
	in := b.matching(f)
	from = min(from, len(in))
	rows := slices.Clone(in[from:min(from+n, len(in))])
	b.largest = max(b.largest, len(rows))
	return journal.Page[ledger.Attempt]{Rows: rows, From: from, Count: len(in), Complete: true}, nil
}

func (b *fakeJournal) Each(ctx context.Context, f journal.Filter) iter.Seq2[ledger.Attempt, error] {
	return func(yield func(ledger.Attempt, error) bool) {
		for from := 0; ; from += 500 {
			p, err := b.Find(ctx, f, journal.Search{}, from, 500)
			if err != nil {
				yield(ledger.Attempt{}, err)
				return
			}
			for _, a := range p.Rows {
				if !yield(a, nil) {
					return
				}
			}
			if len(p.Rows) < 500 {
				return
			}
		}
	}
}

func (b *fakeJournal) Choices(ctx context.Context) (c journal.Choices, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	add := func(to *[]string, s string) {
		if i, there := slices.BinarySearch(*to, s); s != "" && !there {
			*to = slices.Insert(*to, i, s)
		}
	}
	for _, a := range b.rows {
		add(&c.Outcomes, string(a.Outcome))
		if !a.Status.Text.Empty() {
			add(&c.Statuses, a.Status.State.String())
		}
		add(&c.Currencies, a.Amount.Currency.Code())
		add(&c.Users, a.By.User)
	}
	return c, b.err
}

func (b *fakeJournal) Attempt(ctx context.Context, id ledger.ID) (ledger.Attempt, error) {
	if err := b.wait(ctx); err != nil {
		return ledger.Attempt{}, err
	}
	for _, a := range b.rows {
		if a.ID == id {
			return a, nil
		}
	}
	return ledger.Attempt{}, ledger.ErrNotFound
}

func (b *fakeJournal) Timeline(ctx context.Context, id ledger.ID) ([]ledger.Event, error) {
	return b.events, b.err
}

func (b *fakeJournal) split(before time.Time) (s journal.PurgeResult, stay []ledger.Attempt) {
	for _, a := range b.rows {
		switch old := a.At.Before(before); {
		case old && a.IsUnresolved():
			s.Kept++
			fallthrough
		case !old:
			stay = append(stay, a)
		default:
			s.Attempts++
			if s.Oldest = a.At; s.Newest.IsZero() {
				s.Newest = a.At
			}
		}
	}
	return s, stay
}

func (b *fakeJournal) PurgePreview(ctx context.Context, before time.Time) (journal.PurgeResult, error) {
	if err := b.wait(ctx); err != nil {
		return journal.PurgeResult{}, err
	}
	s, _ := b.split(before)
	return s, nil
}

func (b *fakeJournal) Purge(ctx context.Context, before time.Time) (s journal.PurgeResult, err error) {
	if err := b.wait(ctx); err != nil {
		return s, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s, b.rows = b.split(before)
	return s, nil
}

// asked returns how often rows were requested, and how many an answer had at most.
func (b *fakeJournal) asked() (requests, largest int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.requests, b.largest
}

func (b *fakeJournal) respond(err error, takes time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err, b.delay = err, takes
}

var here = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"}

// row is the i-th attempt, from 0, sent at a time.
func row(i int, at time.Time) ledger.Attempt {
	code := []string{"GBP", "NGN", "JPY", "KWD"}[i%4]
	c, _ := money.ParseCurrency(code)
	a := ledger.Attempt{
		ID: ledger.ID(fmt.Sprintf("k3f9%06d", i)), Kind: ledger.Initiate, At: at, Destination: here,
		By:     ledger.Operator{User: []string{"ada", "eve"}[i%2], Host: "desk1"},
		Amount: money.Amount{Minor: int64(i)*4999 + 50, Currency: c}, Channel: "card", Card: fmt.Sprintf("%04d", 4242+i%7),
		Reference: api.Reference(fmt.Sprintf("ref-%06d", i)), Outcome: ledger.Accepted, AnsweredAt: at.Add(time.Second),
		StatusAt: at.Add(time.Minute), Status: api.ParseStatus([]string{"SUCCESSFUL", "PENDING", "FAILED", "Successfull", "settled?"}[i%5]),
	}
	switch i % 9 {
	case 1:
		a.Channel, a.Card = api.ChannelTransfer, ""
	case 3:
		a.Outcome, a.Reference, a.Status, a.Why = ledger.Unresolved, "", api.Status{}, "no answer came in time"
	case 5:
		a.Kind, a.Card, a.Channel, a.Reference, a.Status, a.Link = ledger.CreateLink, "", "", "", api.Status{}, "oak-chairs"
	case 6:
		a.Kind, a.Card, a.Channel, a.Amount, a.Status = ledger.Finalize, "", "", money.Amount{}, api.Status{}
	case 7:
		a.Outcome, a.Reference, a.Status, a.Why = ledger.Refused, "", api.Status{}, "the card has expired"
	}
	return a
}

// rows is n attempts, the newest a minute ago, one every ten minutes.
func rows(n int) *fakeJournal {
	b := &fakeJournal{events: events()}
	now := time.Now()
	for i := range n {
		b.rows = append(b.rows, row(i, now.Add(-time.Minute-time.Duration(i)*10*time.Minute)))
	}
	return b
}

// events is a timeline over midnight.
func events() []ledger.Event {
	ada := ledger.Operator{User: "ada", Host: "desk1", SSH: "192.0.2.7"}
	at := time.Date(1999, 12, 31, 23, 58, 0, 0, time.UTC)
	return []ledger.Event{
		{At: at, Times: 1, What: "sent", By: ada, Source: "this console"},
		{At: at.Add(time.Second), Times: 1, What: "accepted", Detail: "ref-000000", Source: "initiate"},
		{At: at.Add(2 * time.Second), Until: at.Add(time.Minute), Times: 4, What: "status", Detail: "PENDING", Source: "status"},
		{At: at.Add(3 * time.Minute), Times: 1, What: "finalize sent", By: ada, Source: "this console"},
		{At: at.Add(3*time.Minute + time.Second), Times: 1, What: "finalize accepted", Source: "finalize"},
		{At: at.Add(4 * time.Minute), Until: at.Add(5 * time.Minute), Times: 2, What: "status", Detail: "SUCCESSFUL", Source: "list"},
	}
}

// A screen is the screen on a terminal.
type screen struct {
	*screentest.Console
	*fakeJournal
	folder string
}

// open shows the screen in a window of w×h. The time is 2000-01-01 12:00.
func open(t *testing.T, w, h int, b *fakeJournal, do func(d *screen)) {
	t.Helper()
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		time.Local = time.UTC
		<-time.After(12 * time.Hour) // the bubble's clock; it takes no time
		openAt(t, w, h, b, folder, do)
	})
}

func openAt(t *testing.T, w, h int, b *fakeJournal, folder string, do func(d *screen)) {
	o := Options{Journal: b, Team: b.team, Off: b.off, Here: func() ledger.Destination { return here }, ExportFolder: func() string { return folder },
		Pinned: func(r api.Reference) bool { return r == "ref-000001" }, Again: func(a ledger.Attempt) api.Initiation { return api.Initiation{Channel: a.Channel} }}
	if len(b.rows) > 0 { // made before the bubble's clock: move them into it
		shift := time.Now().Add(-time.Minute).Sub(b.rows[0].At)
		for i := range b.rows {
			a := &b.rows[i]
			a.At, a.AnsweredAt, a.StatusAt = a.At.Add(shift), a.AnsweredAt.Add(shift), a.StatusAt.Add(shift)
		}
	}
	m := New(screentest.Theme, o)
	do(&screen{screentest.Open(t, m, w, h), b, folder})
}

// facetNames are the parts of the search, in the order of tab.
var facetNames = []string{"service", "status", "outcome", "day", "currency", "operator"}

// facet goes to a part of the search, presses keys there, and goes back to the list.
func (d *screen) facet(name string, keys ...string) *screentest.Console {
	return d.Press(slices.Repeat([]string{"tab"}, slices.Index(facetNames, name)+1)...).Press(keys...).Press("enter")
}
