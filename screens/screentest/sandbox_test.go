package screentest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api/sandbox"
	"paydesk/api/timely"
	sandboxscreen "paydesk/screens/sandbox"
	"paydesk/screens/screentest"
)

// A sandboxHarness is the screen with a sandbox.
type sandboxHarness struct {
	*screentest.Console
	t       testing.TB
	sandbox *sandbox.Sandbox
	screen  *sandboxscreen.Model
	away    *away
}

// An away is the way to a sandbox that may not answer.
type away struct {
	http.RoundTripper
	is   atomic.Bool
	late atomic.Int64 // nanoseconds of its answers
}

func (a *away) RoundTrip(r *http.Request) (*http.Response, error) {
	if a.is.Load() {
		return nil, sandbox.ErrNoSandbox
	}
	defer time.Sleep(time.Duration(a.late.Load()))
	return a.RoundTripper.RoundTrip(r)
}

const sandboxKey = "sk_test_EXAMPLE"

// openSandbox opens the screen in a bubble, after payments were made, and runs tell. Transfers are not paid by themselves.
func openSandbox(t *testing.T, w, h int, made func(*sandboxHarness), tell func(*sandboxHarness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &sandboxHarness{t: t, sandbox: sandbox.New(sandbox.Options{Key: sandboxKey, Seed: 7, Transactions: 40, ManualTransfers: true})}
		box := s.sandbox.Controller()
		s.away = &away{RoundTripper: box.Client.Transport}
		box.Client.Transport = s.away
		if made != nil {
			made(s)
		}
		s.screen = sandboxscreen.New(screentest.Theme, box)
		s.Console = screentest.Open(t, s.screen, w, h)
		tell(s)
	})
}

type obj = map[string]any

var must = timely.Must

// post makes a merchant's request and returns the value of the response.
func (s *sandboxHarness) post(path string, body any) obj {
	s.t.Helper()
	b, err := json.Marshal(body)
	must(s.t, err)
	r := httptest.NewRequest("POST", path, strings.NewReader(string(b)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api", sandboxKey)
	w := httptest.NewRecorder()
	s.sandbox.ServeHTTP(w, r)
	var answer struct{ Value obj }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
		s.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return answer.Value
}

// charge pays 12.50 GBP with a test card, through a link if alias is set.
func (s *sandboxHarness) charge(card, alias string) string {
	s.t.Helper()
	for _, c := range sandbox.Cards() {
		if c.Name == card {
			return s.pay("GBP", "Card", alias, obj{
				"card":      obj{"number": c.Number, "cvv": c.CVV, "expMonth": c.Month, "expYear": c.Year},
				"returnUrl": "https://shop.example/back",
			})
		}
	}
	s.t.Fatalf("there is no test card %s", card)
	return ""
}

// transfer starts a transfer of 12.50 NGN.
func (s *sandboxHarness) transfer(alias string) string {
	s.t.Helper()
	return s.pay("NGN", "PayByTransfer", alias, nil)
}

// pay pays 12.50.
func (s *sandboxHarness) pay(currency, channel, alias string, props obj) string {
	s.t.Helper()
	body := obj{
		"amount": 12.5, "channel": channel, "currency": currency, "narration": "an order",
		"userInformation": obj{"firstName": "Ada", "lastName": "Obi", "emailAddress": "ada@shop.example", "phone": "+440000"},
	}
	if props != nil {
		body["paymentRequestProps"] = props
	}
	if alias != "" {
		body["link"] = obj{"alias": alias}
	}
	item, _ := s.post("/api/payment/pay/initiate", body)["paymentItem"].(obj)
	reference, _ := item["reference"].(string)
	return reference
}

// link creates a reusable link for 12.50.
func (s *sandboxHarness) link(currency string) string {
	s.t.Helper()
	alias, _ := s.post("/api/payment/payment-link", obj{
		"name": "mugs " + currency, "description": "a mug", "linkType": 1, "amountType": 0, "currencyCode": currency,
		"amountInfo": obj{"currencyCode": currency, "amount": 12.5},
	})["alias"].(string)
	return alias
}

func (s *sandboxHarness) finalize(reference string) {
	s.t.Helper()
	s.post("/api/payment/pay/finalize", obj{"paymentReference": reference})
}

// makePayments makes one payment of each kind.
func makePayments(s *sandboxHarness) {
	s.charge("challenge", "")
	time.Sleep(time.Second)
	s.charge("decline", "")
	s.charge("approve", "")
	time.Sleep(6 * time.Second)
	s.charge("pending-long", "")
	s.charge("approve", s.link("GBP"))
	s.transfer("")
	time.Sleep(time.Second)
	s.charge("challenge", "")
}
