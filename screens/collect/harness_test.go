package collect

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
)

const (
	visa  = "4242424242424242"
	verve = "5060666666666666666" // 19 digits
)

// A fake responds as a test sets it up and records the requests. The JSON is the client's own.
type fake struct {
	mu        sync.Mutex
	asked     []money.Amount
	about     [][]string // the channels of each of these requests
	sent      []api.Initiation
	pans      []string         // of what was sent, at the time
	shown     []*api.CardEntry // the cards the JSON was built from
	channels  api.Channels
	refused   error // by the request for channels
	payment   api.Payment
	attempt   ledger.ID // that is recorded for it
	failed    error     // by the initiation
	breaks    bool
	answering chan struct{} // if set, an initiation waits for it

	guard func(context.Context) error // the journal's check before sending
	asks  int                         // how often Initiate was called
}

func newFake() *fake {
	return &fake{channels: usable(api.ChannelCard, api.ChannelTransfer), payment: initiated}
}

func usable(aliases ...string) api.Channels {
	c := api.Channels{Valid: true}
	for _, a := range aliases {
		c.Channels = append(c.Channels, api.Channel{Name: api.Clean("The " + a), Alias: api.ChannelAlias(a)})
	}
	return c
}

var initiated = api.Payment{Reference: "ref-1", Status: api.ParseStatus("INITIATED")}

func (f *fake) ValidateChannels(_ context.Context, a money.Amount, names ...string) (api.Channels, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked, f.about = append(f.asked, a), append(f.about, names)
	return f.channels, f.refused
}

func (f *fake) Initiate(ctx context.Context, in api.Initiation) (api.Payment, error) {
	f.mu.Lock()
	if f.asks++; f.guard != nil {
		if err := f.guard(ctx); err != nil {
			f.mu.Unlock()
			return api.Payment{}, err
		}
	}
	ledger.NoteID(ctx, f.attempt)
	f.sent = append(f.sent, in)
	pan := ""
	if in.Card != nil {
		pan = in.Card.PAN.Expose() + " " + in.Card.CVV.Expose()
	}
	f.pans = append(f.pans, pan)
	f.mu.Unlock()
	if f.answering != nil {
		<-f.answering
	}
	if f.breaks {
		panic("broken")
	}
	return f.payment, f.failed
}

func (f *fake) preview(in api.Initiation) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if in.Card != nil {
		f.shown = append(f.shown, in.Card)
	}
	return in.Preview()
}

// A harness drives the screen as a person does.
type harness struct {
	*screentest.Console
	t *testing.T
	m *Model
	f *fake
}

var test = present.Target{Environment: "TEST", Host: "payments.example"}

// withScreen runs a test with the screen open in a body of w×h.
func withScreen(t *testing.T, w, h int, o Options, f *fake, drive func(*harness)) {
	synctest.Test(t, func(t *testing.T) {
		if f == nil {
			f = newFake()
		}
		drive(open(t, w, h, o, f))
	})
}

func open(t *testing.T, w, h int, o Options, f *fake) *harness {
	if o.Target == (present.Target{}) {
		o.Target = test
	}
	o.Preview = f.preview
	m := New(screentest.Theme, f, o)
	return &harness{screentest.OpenBare(t, m, w, h, 0), t, m, f}
}

// fill types into the fields of a form in order and skips empty values.
func (c *harness) fill(values ...string) *harness {
	for _, v := range values {
		c.Type(v).Press("enter")
	}
	return c
}

func (c *harness) amount(currency, amount string) *harness {
	c.Type(currency).Press("enter")
	return c.fill(amount)
}

func (c *harness) customer() *harness {
	return c.fill("Ada", "Okafor", "ada@example.com", "+44 20 7946 0000")
}

func (c *harness) card(pan, cvv string) *harness {
	return c.fill(pan, cvv, "1234", "https://shop.example/done", "Order 7", "order=7, desk=2", "")
}

// toReview fills in a card payment.
func (c *harness) toReview() *harness {
	c.amount("g", "12.50").Press("enter")
	return c.customer().card(visa, "123")
}

// yes answers the question on the screen, as a person does.
func (c *harness) yes() *harness {
	c.Wait(time.Second).Press("right").Wait(time.Second).Press("enter").Wait(time.Second)
	return c
}

// sentOnce fails unless exactly one payment was sent, which it returns.
func (c *harness) sentOnce() api.Initiation {
	c.t.Helper()
	if len(c.f.sent) != 1 {
		c.t.Fatalf("%d payments were sent", len(c.f.sent))
	}
	return c.f.sent[0]
}

// hasNoSecret fails if the screen still holds a secret.
func (c *harness) hasNoSecret() {
	c.t.Helper()
	m := c.m
	if d := m.details; !d.pan.Empty() || !d.cvv.Empty() || !d.expiry.Empty() {
		c.t.Error("the form holds a card")
	}
	if m.review.in.Card != nil {
		c.t.Error("the review holds a card")
	}
	copies := c.f.shown
	for _, in := range c.f.sent {
		if in.Card != nil {
			copies = append(copies, in.Card)
		}
	}
	for _, card := range copies {
		if !card.PAN.IsZero() || !card.CVV.IsZero() {
			c.t.Error("a copy that was shown or sent still holds a card")
		}
	}
}
