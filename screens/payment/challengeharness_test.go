package payment_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/session"
	"paydesk/screens/payment"
	"paydesk/screens/screentest"
)

const (
	bank = "https://bank.example/3ds/authorise?token=a%2Bb%3D%3D&redirect=true&x=1&x=2"
	// canary stands in a page; it must never reach a terminal.
	canary = "CANARY-of-the-page"
)

// A desk has a payment in progress. The console's goroutine reads what a test changes.
type desk struct {
	mu    sync.Mutex
	entry session.Entry
	done  int // how often the customer was noted as done
}

func (p *desk) Find(r api.Reference) (session.Entry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.entry, r == p.entry.Reference
}

func (p *desk) CustomerDone(api.Reference) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.entry.CustomerDone = true
}

// at is a desk with a payment that was accepted.
func at(amount money.Amount, a ledger.Attempt, p api.Payment) *desk {
	a.Amount = amount
	return &desk{entry: screentest.Made(a, p)}
}

// A page is served once.
type page struct {
	done   chan struct{}
	served bool
	closed bool
}

func (p *page) Address() string {
	return "http://127.0.0.1:39000/c/0123456789abcdef0123456789abcdef"
}
func (p *page) Port() int             { return 39000 }
func (p *page) Done() <-chan struct{} { return p.done }
func (p *page) Served() bool          { return p.served }
func (p *page) Close() error {
	if !p.closed {
		p.closed = true
		close(p.done)
	}
	return nil
}

// fetch is a browser fetching the page.
func (p *page) fetch() {
	p.served = true
	p.Close()
}

// A harness is a service, a browser and the payments of a console.
type harness struct {
	*desk
	says    api.Authentication
	refuses error
	asked   int

	here   string // why there is no browser
	opened []string
	deaf   error // of serving
	pages  []*page
	markup []string
	tunnel string
	// unguarded tells who else could fetch a page
	unguarded string
}

func (w *harness) Authenticate(context.Context, api.Reference) (api.Authentication, error) {
	w.asked++
	if w.refuses == nil { // as a session does
		w.entry.Challenged = w.entry.Challenged || w.says.AsksCustomer()
	}
	return w.says, w.refuses
}

func (w *harness) browser() payment.Browser {
	return payment.Browser{
		Unavailable: w.here,
		Unguarded:   w.unguarded,
		Open: func(_ context.Context, address string) error {
			w.opened = append(w.opened, address)
			return nil
		},
		Serve: func(ctx context.Context, m api.Markup) (payment.Page, error) {
			if w.deaf != nil {
				return nil, w.deaf
			}
			p := &page{done: make(chan struct{})}
			w.pages, w.markup = append(w.pages, p), append(w.markup, m.Expose())
			context.AfterFunc(ctx, func() { p.Close() })
			return p, nil
		},
		Tunnel: func(int) string { return w.tunnel },
	}
}

// paying is a card payment with a bank URL, through a link if one is given.
func payingByCard(t *testing.T, address string, link api.Alias) *harness {
	t.Helper()
	p := api.Payment{Reference: "ref-1", Status: api.ParseStatus("INITIATED")}
	if address != "" {
		var err error
		if p.BankAuth, err = api.ParseAddress(address); err != nil {
			p.BankAuthRefused = api.Clean(err.Error())
		}
	}
	return &harness{desk: at(screentest.Money(1250, "GBP"), ledger.Attempt{Channel: api.ChannelCard, Card: "4242", Link: link}, p)}
}

func openCheck(t *testing.T, width, height int, w *harness, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := screentest.Open(t, payment.NewBankCheck(screentest.Theme, w, w, w.browser(), "ref-1"), width, height)
		drive(c)
		c.NeverShowed("CANARY")
	})
}

// handsOver is a response that requires authentication and has a page.
var handsOver = api.Authentication{
	Enabled: true, HasEnabled: true, Recommendation: api.Clean("PROCEED"), Message: api.Clean("Present the page to the customer"),
	Page: api.NewMarkup("<form>" + canary + "</form>"),
}
