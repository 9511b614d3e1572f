package sandbox_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	keys "charm.land/bubbles/v2/key"

	"paydesk/api/sandbox"
	screen "paydesk/screens/sandbox"
	"paydesk/screens/screentest"
)

// A world is the screen over a sandbox.
type world struct {
	*screentest.Console
	t      testing.TB
	box    *sandbox.Sandbox
	screen *screen.Model
}

const key = "sk_test_EXAMPLE"

// newBox is a sandbox whose transfers wait for somebody to pay them.
func newBox() *sandbox.Sandbox {
	return sandbox.New(sandbox.Options{Key: key, Seed: 7, Transactions: 40, ManualTransfers: true})
}

// open shows the screen in a bubble, after some payments were made.
func open(t *testing.T, w, h int, made func(*world), tell func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &world{t: t, box: newBox()}
		if made != nil {
			made(s)
		}
		s.screen = screen.New(screentest.Theme, s.box)
		s.Console = screentest.Open(t, s.screen, w, h)
		tell(s)
	})
}

type binding = keys.Binding

type obj = map[string]any

// post asks the sandbox as a merchant's program does, and gives the value of its answer.
func (s *world) post(path string, body any) obj {
	s.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	r := httptest.NewRequest("POST", path, strings.NewReader(string(b)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api", key)
	w := httptest.NewRecorder()
	s.box.ServeHTTP(w, r)
	var answer struct{ Value obj }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
		s.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return answer.Value
}

// charge pays 12.50 GBP with a test card; through a link when one is named.
func (s *world) charge(card, alias string) string {
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

// transfer asks for an account to pay 12.50 NGN into.
func (s *world) transfer(alias string) string {
	s.t.Helper()
	return s.pay("NGN", "PayByTransfer", alias, nil)
}

func (s *world) pay(currency, channel, alias string, props obj) string {
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

// link makes a reusable link of 12.50.
func (s *world) link(currency string) string {
	s.t.Helper()
	alias, _ := s.post("/api/payment/payment-link", obj{
		"name": "mugs " + currency, "description": "a mug", "linkType": 1, "amountType": 0, "currencyCode": currency,
		"amountInfo": obj{"currencyCode": currency, "amount": 12.5},
	})["alias"].(string)
	return alias
}

func (s *world) finalize(reference string) {
	s.t.Helper()
	s.post("/api/payment/pay/finalize", obj{"paymentReference": reference})
}

// is fails the test unless the sandbox holds the payment in a state.
func (s *world) is(reference, state string) *world {
	s.t.Helper()
	if v, _ := s.box.Payment(reference); v.State != state {
		s.t.Fatalf("%s is %s, not %s", reference, v.State, state)
	}
	return s
}

// some is one payment of each sort.
func some(s *world) {
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

// Press presses keys, and goes on in the world.
func (s *world) Press(keys ...string) *world {
	s.t.Helper()
	s.Console.Press(keys...)
	return s
}

// Sees fails the test unless each text is on the screen, and goes on in the world.
func (s *world) Sees(texts ...string) *world {
	s.t.Helper()
	s.Console.Sees(texts...)
	return s
}
