package payment

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/session"
	"paydesk/screens/screentest"
)

const reference = api.Reference("K7Q2M9XA")

// payments has at most one entry, and is the service that answers about it.
type payments struct {
	mu     sync.Mutex
	entry  *session.Entry
	events []ledger.Event
	asked  int
	answer func(n int) (api.PaymentStatus, error) // n counts the requests from 1
}

// Transaction keeps what it answers as an event.
func (p *payments) Transaction(context.Context, api.Reference) (api.PaymentStatus, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	got, err := p.answer(p.asked)
	if err == nil && got.OtherReference.Empty() {
		p.events = append(p.events, ledger.StatusEvent(got.Status, ledger.FromCheck, time.Now()))
	}
	return got, err
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

func (p *payments) WatchSubject(r api.Reference) session.WatchSubject {
	e, _ := p.Find(r)
	return e.WatchSubject()
}

func (p *payments) CardLike(context.Context) ([]api.Reference, error) { return nil, nil }
func (p *payments) Pinned() []session.Entry                           { return nil }
func (p *payments) IsPinned(api.Reference) bool                       { return false }
func (p *payments) Said(api.Reference) (api.Text, api.Operation)      { return api.Text{}, "" }
func (p *payments) Kept(session.Subject) []session.KeptAnswer         { return nil }
func (p *payments) Reload(context.Context) error                      { return nil }
func (p *payments) Recall(context.Context, api.Reference) error       { return nil }
func (p *payments) Respelled(context.Context, api.Reference) (api.Reference, error) {
	return "", nil
}

// says reports status words in turn, and the last one forever.
func says(words ...string) func(int) (api.PaymentStatus, error) {
	return func(n int) (api.PaymentStatus, error) {
		return api.PaymentStatus{Reference: reference, Status: api.ParseStatus(words[min(n, len(words))-1]), Amount: pounds(1250), HasAmount: true}, nil
	}
}

func pounds(minor int64) money.Amount { return screentest.Money(minor, "GBP") }

// card is a card payment that was accepted a second before the bubble's time.
func card() *payments {
	at := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(-time.Second)
	paid := api.Payment{Reference: reference, Status: api.ParseStatus("INITIATED"), Amount: pounds(1250), HasAmount: true}
	e := screentest.Made(ledger.Attempt{ID: "k7m3qx9wtd", At: at, Amount: paid.Amount, Channel: api.ChannelCard, Card: "4242"}, paid)
	return &payments{entry: &e, events: []ledger.Event{
		{At: at, What: string(ledger.Sent), Source: ledger.FromConsole}, ledger.StatusEvent(paid.Status, ledger.FromInitiation, at),
	}}
}

// A console is the screen on a terminal.
type console struct {
	*screentest.Console
	screen *Model
}

// watch opens the screen of a payment, or where its reference is asked for.
func watch(t *testing.T, p *payments, r api.Reference, drive func(*console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m := New(screentest.Theme, session.NewScheduler(t.Context(), p, func(d time.Duration) time.Duration { return d - 1 }), p, screentest.Theme.NewAlerts(), r)
		drive(&console{screentest.OpenBare(t, m, 78, 20, 2), m})
	})
}
