package screentest_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/session"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

func TestANewPaymentIsCheckedUntilTheServiceKnowsIt(t *testing.T) {
	p := card()
	p.answer = func(n int) (api.PaymentStatus, error) {
		if n < 3 {
			return api.PaymentStatus{}, &api.Refusal{Kind: api.KindService, HTTP: 404}
		}
		return says("PENDING", "PENDING", "PENDING", "SUCCESSFUL")(n - 2)
	}
	watch(t, p, reference, func(c *screentest.Console) {
		c.Sees("may not be available yet", "INITIATED").Press("b").Sees("bell is off")
		c.Wait(6 * time.Second).Sees("PENDING").WaitsUntilGone("may not be available yet")
		if c.Wait(time.Minute).Sees("✓ SUCCESSFUL"); c.Bells() != 0 {
			t.Errorf("the bell rang %d times", c.Bells())
		}
	})
}

// A payment of ours and that of a stranger are a success only for what the answer says that it brought.
func TestASuccessIsShownForWhatTheAnswerSaysOfIt(t *testing.T) {
	const funds = "Funds have been secured"
	for name, a := range map[string]struct {
		change      func(*api.PaymentStatus)
		sees, lacks []string
	}{
		"other-reference": {func(s *api.PaymentStatus) { s.OtherReference = api.Clean("OTHER1") }, []string{"≠ MISMATCH", "≠ OTHER1", "Next check"}, []string{"✓ S", "Provide the goods"}},
		"less":            {func(s *api.PaymentStatus) { s.Received = pounds(500) }, []string{"≠ MISMATCH", "Provide nothing"}, []string{"✓ S", "Provide the goods", funds}},
		"another currency": {func(s *api.PaymentStatus) {
			s.Received.Currency, s.Received.Minor = screentest.Money(0, "USD").Currency, 1250
		}, []string{"≠ MISMATCH", "Provide nothing"}, []string{"✓ S", funds}},
		"more":      {func(s *api.PaymentStatus) { s.Received = pounds(1500) }, []string{"✓ SUCCESSFUL", "15.00 of 12.50 GBP: 2.50 GBP more than asked"}, nil},
		"no-amount": {func(s *api.PaymentStatus) { s.Amount, s.HasAmount = money.Amount{}, false }, []string{"✓ SUCCESSFUL", "The service states no readable amount: compare it"}, nil},
	} {
		for whose, p := range map[string]*payments{"ours": card(), "a stranger's": {}} {
			p.answer = func(n int) (api.PaymentStatus, error) {
				s, _ := says("SUCCESSFUL")(n)
				a.change(&s)
				return s, nil
			}
			watch(t, p, reference, func(c *screentest.Console) {
				c.Sees(a.sees...).WaitsUntilGone(a.lacks...)
				if whose == "a stranger's" && name == "other-reference" || whose == "ours" && name == "no-amount" {
					c.Golden("payment/"+name).Resize(60, 22).Sees(map[string]string{"other-reference": "service's (l).", "no-amount": "✓ SUCCESSFUL"}[name])
				}
			})
		}
	}
}

// What the journal has as a reference may be pinned though it looks like a card number.
func TestWhatIsPastedAtOnceIsSortedOut(t *testing.T) {
	watch(t, &payments{known: "4242424242424242"}, "", func(c *screentest.Console) {
		c.Paste(" REF-1,\r\n\"REF-2\"\n\n6f1c2b1e-8a57-4f6c-9c5e-0d6a1c2b3e4f\nREF-1\n5555 5555 5555 4444\n4242424242424242\n" +
			"no reference\nsk_test_abcdef0123456789\n../etc\nREF-3\tpaid\n4000\n0566\n5566\n5556\n1234\nREF-4\n\x1b[2Jevil\n")
		c.Sees("6 references to pin", "5 lines with card numbers were removed.", "A line with a secret key was removed.", "4 lines are not references", "A line repeats another.")
		c.Sees("REF-1", "REF-2", "6f1c2b1e-8a57-4f6c-9c5e-0d6a1c2b3e4f", "<pan …4242>", "1234", "REF-4").WaitsUntilGone("424242", "5555 5555", "abcdef")
		c.Press("enter").Went(nav.Pin{Leave: true, Payments: []api.Reference{"REF-1", "REF-2", "6f1c2b1e-8a57-4f6c-9c5e-0d6a1c2b3e4f", "4242424242424242", "1234", "REF-4"}})
	})
}

// A card number is copied in the groups that are printed on it, or as a narrow column has broken it.
func TestGroupsOfACardNumberAreNoReferences(t *testing.T) {
	for paste, c := range map[string]struct{ sees, lacks []string }{
		"3782\n822463\n10005\nREF-1":  {[]string{"1 reference to pin", "3 lines with card numbers were removed."}, []string{"3782", "822463", "10005"}},
		"REF-1\n4000 0566\n5566 5556": {[]string{"1 reference to pin", "2 lines with card numbers were removed."}, []string{"4000", "5556"}},
		"4000056655\n665556\nREF-2":   {[]string{"1 reference to pin", "2 lines with card numbers were removed."}, []string{"4000", "5556"}},
		"40000566\n55665557":          {[]string{"2 references to pin", "40000566", "55665557"}, []string{"card number"}}, // the check digit says that it is none
	} {
		watch(t, &payments{}, "", func(s *screentest.Console) { s.Paste(paste).Sees(c.sees...).WaitsUntilGone(c.lacks...) })
	}
}

const reference = api.Reference("K7Q2M9XA")

// payments has at most one entry, and is the service that answers about it.
type payments struct {
	mu     sync.Mutex
	entry  *session.Entry
	events []ledger.Event
	asked  int
	answer func(n int) (api.PaymentStatus, error) // n counts the requests from 1
	known  api.Reference                          // looks like a card number; "" for none
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

func (p *payments) CardLike(context.Context) ([]api.Reference, error) {
	return slices.DeleteFunc([]api.Reference{p.known}, func(r api.Reference) bool { return r == "" }), nil
}

func (p *payments) Pinned() []session.Entry                                         { return nil }
func (p *payments) IsPinned(api.Reference) bool                                     { return false }
func (p *payments) Said(api.Reference) (api.Text, api.Operation)                    { return api.Text{}, "" }
func (p *payments) Kept(session.Subject) []session.KeptAnswer                       { return nil }
func (p *payments) Reload(context.Context) error                                    { return nil }
func (p *payments) Recall(context.Context, api.Reference) error                     { return nil }
func (p *payments) Respelled(context.Context, api.Reference) (api.Reference, error) { return "", nil }

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

// watch opens the screen of a payment, or where its reference is asked for.
func watch(t *testing.T, p *payments, r api.Reference, drive func(*screentest.Console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		watches := session.NewScheduler(t.Context(), p, func(d time.Duration) time.Duration { return d - 1 })
		var s ui.Screen = payment.New(screentest.Theme, watches, p, screentest.Theme.NewAlerts(), ledger.Destination{}, r)
		if r == "" {
			s = payment.NewPrompt(screentest.Theme, p, nav.Payment{})
		}
		drive(screentest.OpenBare(t, s, 78, 20, 2))
	})
}
