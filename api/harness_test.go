package api_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/money"
	"paydesk/api/servicetest"
	"paydesk/api/timely"
)

const (
	pan = "4242424242424242"
	cvv = "123"
)

type key = servicetest.Key

const secret = key("sk_test_EXAMPLE0KEY")

// A recordingServer counts requests and keeps their heads.
type recordingServer struct {
	*httptest.Server
	mu   sync.Mutex
	seen []*http.Request
}

func (p *recordingServer) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.seen)
}

// counting reads the whole request first, as a service does: a server that answers and closes
// before it has read the body resets the connection.
func (p *recordingServer) counting(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		p.mu.Lock()
		p.seen = append(p.seen, r)
		p.mu.Unlock()
		h.ServeHTTP(w, r)
	})
}

// newServer serves h on a loopback port.
func newServer(t testing.TB, h http.Handler) *recordingServer {
	p := &recordingServer{}
	p.Server = httptest.NewServer(p.counting(h))
	t.Cleanup(func() {
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

// newClient is a client of h, which it reaches under a base path, and which never retries.
func newClient(t testing.TB, h http.Handler) (*api.Client, *recordingServer) {
	p := newServer(t, http.StripPrefix("/some/base", h))
	return client(t, api.Config{BaseURL: p.URL + "/some/base", ListURL: p.URL + "/some/base/", Retries: -1}), p
}

func client(t testing.TB, c api.Config) *api.Client {
	if c.Key == nil {
		c.Key = secret
	}
	created, err := api.New(c)
	noError(t, err)
	t.Cleanup(created.Close)
	return created
}

func must[T any](v T, err error) T {
	if err != nil {
		panic("the test's own value is wrong")
	}
	return v
}

func amount(s, code string) money.Amount {
	return must(money.Parse(s, must(money.ParseCurrency(code))))
}

func pounds(s string) money.Amount { return amount(s, "GBP") }

func cardInitiation() api.Initiation {
	return api.Initiation{
		Amount: pounds("12.50"), Channel: api.ChannelCard, Narration: "Order 7", Link: "0-a1b2c3d",
		Customer:  api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348000000000"},
		Card:      &api.CardEntry{PAN: must(card.ParsePAN(pan)), CVV: must(card.ParseCVV(cvv)), Expiry: must(card.ParseExpiry("12/2039"))},
		ReturnURL: "https://shop.example/back?a=1&b=2",
		MetaData:  []api.Pair{{Key: "order", Value: "7"}, {Key: "desk", Value: "<1>"}},
	}
}

func transferInitiation() api.Initiation {
	return api.Initiation{
		Amount: amount("1500", "NGN"), Channel: api.ChannelTransfer,
		Customer: api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Phone: "+2348000000000"},
	}
}

func linkDraft() api.LinkDraft {
	return api.LinkDraft{Name: "Mug", Description: "A mug", Type: api.OneTime, AmountType: api.Static, Amount: pounds("12.50")}
}

var noError = timely.Must
