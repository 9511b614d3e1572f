package attempt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/attempt"
	"paydesk/screens/screentest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // times are shown in the zone of the person looking
	os.Exit(m.Run())
}

const id ledger.ID = "k3f9m2x7qa"

var (
	ada  = ledger.Operator{User: "ada", Host: "till-3", SSH: "192.0.2.7"}
	shop = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"}
)

func gbp(minor int64) money.Amount { return screentest.Money(minor, "GBP") }

// lost is a card payment that was sent some time ago, and whose response never arrived.
func lost(ago time.Duration) ledger.Attempt {
	at := time.Now().Add(-ago)
	return ledger.Attempt{
		ID: id, Kind: ledger.Initiate, At: at, By: ada, Destination: shop,
		Amount: gbp(1250), Channel: api.ChannelCard, Card: "4242", Link: "0-abcdefg", OwnReference: "OWN4567890ABCDEFGHIJ",
		Outcome: ledger.Unresolved, AnsweredAt: at.Add(90 * time.Second), Why: "The request timed out.",
	}
}

// A fakeJournal is a journal with one attempt in it.
type fakeJournal struct {
	mu        sync.Mutex
	attempt   ledger.Attempt
	events    []ledger.Event
	readErr   error // of reading
	decideErr error // of deciding
	writing   chan struct{}
	decided   []string
}

func (b *fakeJournal) Attempt(_ context.Context, asked ledger.ID) (ledger.Attempt, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if asked != b.attempt.ID && b.readErr == nil {
		return ledger.Attempt{}, fmt.Errorf("asked for %s", asked)
	}
	return b.attempt, b.readErr
}

func (b *fakeJournal) Timeline(context.Context, ledger.ID) ([]ledger.Event, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.events), b.readErr
}

func (b *fakeJournal) Shared() string                             { return "" }
func (b *fakeJournal) Take(context.Context, ledger.Attempt) error { return nil }
func (b *fakeJournal) Release(context.Context, ledger.ID) error   { return nil }
func (b *fakeJournal) FoundLink(context.Context, ledger.Attempt, api.Alias, api.Address) error {
	return nil
}

func (b *fakeJournal) Decide(ctx context.Context, decided ledger.Attempt, v ledger.Decision, r api.Reference) error {
	if b.writing != nil {
		select {
		case <-b.writing:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if decided.ID != b.attempt.ID {
		return errors.New("another attempt")
	}
	if b.decideErr != nil {
		return b.decideErr
	}
	b.decided = append(b.decided, fmt.Sprint(v, " ", r))
	b.attempt.Decision, b.attempt.Reference = v, r
	b.attempt.DecidedBy, b.attempt.DecidedAt = ledger.Operator{User: "grace", Host: "till-1"}, time.Now()
	return nil
}

// A fakeService returns what a test sets and records its requests.
type fakeService struct {
	mu          sync.Mutex
	transaction api.PaymentStatus
	statusErr   error // of a status request
	list        []api.Page
	statusDelay time.Duration
	requests    []string
}

func (s *fakeService) Transaction(ctx context.Context, r api.Reference) (api.PaymentStatus, error) {
	select {
	case <-time.After(s.statusDelay):
	case <-ctx.Done():
		return api.PaymentStatus{}, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, string(r))
	t := s.transaction
	t.Reference = r
	return t, s.statusErr
}

func (s *fakeService) IsPinned(api.Reference) bool { return false }

func (s *fakeService) Again(a ledger.Attempt) api.Initiation {
	return api.Initiation{Amount: a.Amount}
}

func (s *fakeService) Transactions(_ context.Context, page, perPage int) (api.Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, fmt.Sprintf("%d/%d", page, perPage))
	if page > len(s.list) {
		return api.Page{HasMeta: true, Meta: api.Meta{Page: page, PageCount: len(s.list)}}, nil
	}
	return s.list[page-1], nil
}

func (s *fakeService) received() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// listed is a list of n pages with a row of each amount on each.
func listed(n int, minor ...int64) []api.Page {
	var pages []api.Page
	for i := range n {
		p := api.Page{HasMeta: true, Meta: api.Meta{Page: i + 1, PageCount: n, Total: n * len(minor), PerPage: 100}}
		for _, amount := range minor {
			p.Rows = append(p.Rows, row(fmt.Sprintf("txn_%d_%d", i+1, amount), amount, "PENDING"))
		}
		pages = append(pages, p)
	}
	return pages
}

func row(id string, minor int64, word string) api.Transaction {
	return api.Transaction{
		ID: api.Clean(id), Amount: gbp(minor), Known: true, Raw: api.Clean(fmt.Sprint(minor)), Currency: api.Clean("GBP"),
		Status: api.ParseStatus(word), Object: api.Clean(fmt.Sprintf(`{"id": %q}`, id)),
	}
}

// A fixture is the screen with its journal and its service.
type fixture struct {
	*screentest.Console
	t       *testing.T
	journal *fakeJournal
	service *fakeService
}

// open runs a test with the screen of an attempt that was sent some time ago and changed, in a
// window of w×h.
func open(t *testing.T, ago time.Duration, w, h int, change func(*fakeJournal, *fakeService), test func(*fixture)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b, s := &fakeJournal{attempt: lost(ago)}, &fakeService{}
		at := b.attempt.At
		b.events = []ledger.Event{
			{At: at, What: "sent", By: ada, Times: 1, Source: "this console"},
			{At: at.Add(90 * time.Second), What: "unresolved", Detail: "The request timed out.", Times: 1, Source: "initiate"},
		}
		if change != nil {
			change(b, s)
		}
		c := screentest.Open(t, attempt.New(screentest.Theme, b, s, shop, id, false), w, h)
		test(&fixture{c, t, b, s})
	})
}

// decide takes a decision from the list of those that are possible.
func decide(c *screentest.Console, label string) *screentest.Console {
	return c.Press("d").Sees("── Decide").Pick(label).Press("enter")
}

func (w *fixture) decided(want ...string) {
	w.t.Helper()
	w.journal.mu.Lock()
	defer w.journal.mu.Unlock()
	if !slices.Equal(w.journal.decided, want) {
		w.t.Errorf("the journal has the decisions %q, not %q", w.journal.decided, want)
	}
}

// requested fails unless the service received exactly these requests.
func (w *fixture) requested(want ...string) {
	w.t.Helper()
	if got := w.service.received(); !slices.Equal(got, want) {
		w.t.Errorf("the service received %q, not %q", got, want)
	}
}
