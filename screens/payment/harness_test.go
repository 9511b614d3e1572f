package payment

import (
	"context"
	"sync"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/session"
	"paydesk/screens/screentest"
)

const reference = api.Reference("K7Q2M9XA")

var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // the start of a synctest bubble

// A script is a service with scripted responses.
type script struct {
	mu     sync.Mutex
	answer func(n int) (api.PaymentStatus, error) // n counts the requests from 1
	asked  []time.Time
	open   int
	most   int           // the most requests in flight at one time
	takes  time.Duration // the time of a response
	jitter func(time.Duration) time.Duration
}

func (s *script) Transaction(ctx context.Context, r api.Reference) (api.PaymentStatus, error) {
	s.mu.Lock()
	s.asked = append(s.asked, time.Now())
	n := len(s.asked)
	s.open++
	s.most = max(s.most, s.open)
	answer, takes := s.answer, s.takes
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.open--; s.mu.Unlock() }()
	if takes > 0 {
		select {
		case <-time.After(takes):
		case <-ctx.Done():
			return api.PaymentStatus{}, ctx.Err()
		}
	}
	return answer(n)
}

// at is the time of the i-th request, from 0.
func (s *script) at(i int) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[i]
}

func (s *script) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// says reports status words in turn, and the last one forever.
func says(words ...string) func(int) (api.PaymentStatus, error) {
	return func(n int) (api.PaymentStatus, error) {
		return transaction(words[min(n, len(words))-1], "12.50"), nil
	}
}

func transaction(word, amount string) api.PaymentStatus {
	return api.PaymentStatus{Reference: reference, Status: api.ParseStatus(word), Amount: pounds(amount), HasAmount: true}
}

func pounds(major string) money.Amount { return amount(major, "GBP") }

func amount(major, code string) money.Amount {
	a, err := money.Parse(major, screentest.Money(0, code).Currency)
	if err != nil {
		panic(err)
	}
	return a
}

// payments has at most one entry.
type payments struct {
	mu       sync.Mutex
	entry    *session.Entry
	events   []ledger.Event
	kept     []session.KeptAnswer
	cardLike []api.Reference
	pinned   int
	spelled  api.Reference // how the journal spells the reference
}

func (p *payments) CardLike(context.Context) ([]api.Reference, error) { return p.cardLike, nil }

func (p *payments) Pinned() []session.Entry { return make([]session.Entry, p.pinned) }

func (p *payments) IsPinned(api.Reference) bool { return false }

func (p *payments) Respelled(context.Context, api.Reference) (api.Reference, error) {
	return p.spelled, nil
}

func (p *payments) Find(r api.Reference) (session.Entry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entry == nil || p.entry.Reference != r {
		return session.Entry{History: p.events}, false
	}
	e := *p.entry
	e.History = p.events
	return e, true
}

func (p *payments) Said(api.Reference) (api.Text, api.Operation) { return api.Text{}, "" }

func (p *payments) Kept(session.Subject) []session.KeptAnswer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept
}

func (p *payments) Reload(context.Context) error { return nil }

func (p *payments) Recall(context.Context, api.Reference) error { return nil }

func (p *payments) WatchSubject(r api.Reference) session.WatchSubject {
	e, _ := p.Find(r)
	return e.WatchSubject()
}

func (p *payments) change(f func(*session.Entry)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(p.entry)
}

// made is a payment that was accepted a second before the bubble's time.
func made(a ledger.Attempt, p api.Payment) *session.Entry {
	a.At = start.Add(-time.Second)
	e := screentest.Made(a, p)
	return &e
}

// card is an entry of a card payment, made a second before the bubble's time.
func card(link api.Alias) *payments {
	paid := api.Payment{Reference: reference, Status: api.ParseStatus("INITIATED"), Amount: pounds("12.50"), HasAmount: true}
	return &payments{events: initiated(paid), entry: made(ledger.Attempt{
		ID: "k7m3qx9wtd", Amount: pounds("12.50"), Channel: api.ChannelCard, Link: link, Card: "4242",
	}, paid)}
}

// initiated are the events of an initiation a second before the bubble's time.
func initiated(p api.Payment) []ledger.Event {
	at := start.Add(-time.Second)
	return []ledger.Event{
		{At: at, What: string(ledger.Sent), Source: ledger.FromConsole},
		ledger.StatusEvent(p.Status, ledger.FromInitiation, at),
	}
}

// transfer is an entry of a transfer whose account expires after d.
func transfer(d time.Duration) *payments {
	paid := api.Payment{
		Reference: reference, Status: api.ParseStatus("REQUIRE_USER_OFFLINE_ACTION"), Amount: pounds("12.50"), HasAmount: true,
		Transfer: &api.Transfer{Expiration: api.Timestamp{Time: start.Add(d), Zoned: true}},
	}
	return &payments{events: initiated(paid), entry: made(ledger.Attempt{Amount: pounds("12.50"), Channel: api.ChannelTransfer}, paid)}
}

// recorded is a service whose answers are kept as events.
type recorded struct {
	*script
	*payments
}

func (r recorded) Transaction(ctx context.Context, ref api.Reference) (api.PaymentStatus, error) {
	got, err := r.script.Transaction(ctx, ref)
	if err == nil && got.OtherReference.Empty() {
		r.payments.mu.Lock()
		defer r.payments.mu.Unlock()
		r.events = append(r.events, ledger.StatusEvent(got.Status, ledger.FromCheck, time.Now()))
	}
	return got, err
}

// A console is the screen on a terminal.
type console struct {
	*screentest.Console
	screen *Model
}

// watchOn opens the screen in a body of w×h; jitter is always the longest.
func watchOn(t *testing.T, s *script, p *payments, r api.Reference, w, h int) *console {
	t.Helper()
	jitter := s.jitter
	if jitter == nil {
		jitter = func(d time.Duration) time.Duration { return d - 1 }
	}
	scheduler := session.NewScheduler(t.Context(), recorded{s, p}, jitter)
	m := New(screentest.Theme, scheduler, p, screentest.Theme.NewAlerts(), r)
	return &console{screentest.OpenBare(t, m, w, h, 2), m}
}

func watch80(t *testing.T, s *script, p *payments) *console {
	t.Helper()
	return watchOn(t, s, p, reference, 78, 20)
}
