//go:build browser

package sandbox_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	challenge "paydesk/api/browser"
	"paydesk/api/sandbox"
)

// A browserTest is a sandbox, a shop to return to, and a browser.
type browserTest struct {
	*browser
	sandbox *sandbox.Sandbox
	origin  string
	shop    string // where customers are sent back to
}

const roadKey = "sk_test_EXAMPLE"

func newBrowserTest(t *testing.T, d driver) *browserTest {
	t.Helper()
	s := sandbox.New(sandbox.Options{Key: roadKey, ManualTransfers: true})
	server, err := s.Listen(t.Context(), "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { server.Close() })
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>Welcome back</h1>`)
	}))
	t.Cleanup(shop.Close)
	return &browserTest{d.open(t), s, server.Origin(), shop.URL + "/back?order=1&x=%2F"}
}

// send makes a request as a merchant does.
func (r *browserTest) send(method, path string, body any) (value map[string]any) {
	r.t.Helper()
	encoded, err := json.Marshal(body)
	must(r.t, err)
	q, err := http.NewRequest(method, r.origin+path, strings.NewReader(string(encoded)))
	must(r.t, err)
	q.Header.Set("X-Api", roadKey)
	q.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(q)
	must(r.t, err)
	defer a.Body.Close()
	var answer struct{ Value map[string]any }
	if err := json.NewDecoder(a.Body).Decode(&answer); err != nil || a.StatusCode != 200 {
		r.t.Fatal(a.StatusCode, err)
	}
	return answer.Value
}

// link creates a payment link and returns the URL of its page.
func (r *browserTest) link(name, currency string, amountType int, amount float64) string {
	r.t.Helper()
	return r.send("POST", "/api/payment/payment-link", map[string]any{
		"name": name, "description": "Blue, 30 cl, dishwasher safe.", "linkType": 0, "amountType": amountType, "currencyCode": currency,
		"amountInfo": map[string]any{"currencyCode": currency, "amount": amount},
	})["link"].(string)
}

// challenge makes a direct card payment and returns its reference and bank URL.
func (r *browserTest) challenge() (reference, bank string) {
	r.t.Helper()
	card := sandbox.Cards()[1]
	v := r.send("POST", "/api/payment/pay/initiate", map[string]any{
		"amount": 12.5, "channel": "Card", "currency": "GBP",
		"userInformation":     map[string]any{"firstName": "Ada", "lastName": "Obi", "emailAddress": "ada@shop.example"},
		"paymentRequestProps": map[string]any{"returnUrl": r.shop, "card": map[string]any{"number": card.Number, "cvv": card.CVV, "expMonth": card.Month, "expYear": card.Year}},
	})
	return v["paymentItem"].(map[string]any)["reference"].(string), v["bankAuthURL"].(string)
}

// newestIs checks the number of payments and the state of the newest.
func (r *browserTest) newestIs(state string, count int) {
	r.t.Helper()
	all := r.sandbox.Payments()
	if len(all) != count || count > 0 && all[0].State != state {
		r.t.Errorf("%d payments, the newest %+v; want %d and %s", len(all), all[:min(1, len(all))], count, state)
	}
}

func (r *browserTest) returnedToShop() {
	r.t.Helper()
	r.eventually("coming back to the shop", func() bool { return r.at() == r.shop })
	r.says("Welcome back")
}

// checkPage checks what every page must have: accessibility and no errors in the console.
func (r *browserTest) checkPage() {
	r.t.Helper()
	var wrong []string
	r.run(`const wrong = [], seen = new Set();
for (const e of document.querySelectorAll('[id]')) { if (seen.has(e.id)) wrong.push('twice: #' + e.id); seen.add(e.id); }
for (const e of document.querySelectorAll('input:not([type=hidden])')) if (!e.labels.length) wrong.push('no label: #' + e.id);
for (const e of document.querySelectorAll('[aria-describedby],[aria-labelledby]'))
	for (const id of (e.getAttribute('aria-describedby') || e.getAttribute('aria-labelledby')).split(' ')) if (!seen.has(id)) wrong.push('names no element: ' + id);
for (const e of document.querySelectorAll('fieldset')) if (!e.querySelector('legend')) wrong.push('a fieldset without a legend');
if (document.querySelectorAll('h1').length != 1) wrong.push('not one h1');
if (document.documentElement.lang != 'en' || !document.title.trim()) wrong.push('no language or no title');
if (document.documentElement.scrollWidth > innerWidth) wrong.push('wider than the window: ' + document.documentElement.scrollWidth);
if (getComputedStyle(document.querySelector('main')).maxWidth == 'none') wrong.push('the style does not apply');
return wrong;`, &wrong)
	for _, w := range wrong {
		r.t.Errorf("%s: %s", r.at(), w)
	}
}

func TestInABrowser(t *testing.T) {
	d := startDriver(t)
	for name, walk := range map[string]func(*browserTest){
		"a static link is paid by card with a challenge, and the customer comes back": payStatic,
		"the bank's window closes itself, and tells the shop":                         closeTheBank,
		"the markup of the authentication check leads to the bank":                    presentMarkup,
	} {
		t.Run(name, func(t *testing.T) { walk(newBrowserTest(t, d)) })
	}
}

func payStatic(r *browserTest) {
	page := r.link("A mug", "GBP", 0, 12.5)
	r.visit(page + "?return=" + url.QueryEscape(r.shop))
	r.says("A mug", "12.50 GBP", "Blue, 30 cl, dishwasher safe.", "can be paid once", "sandbox")
	r.fill("#first-name", "Ada", "#last-name", "Obi", "#email", "ada@shop.example")
	r.press("#card-challenge")
	r.press("#pay")
	r.says("Do you approve this payment?", "12.50 GBP", "ending in 1019")
	r.checkPage()
	r.press("button[value=leave]")
	r.says("Your bank is waiting for your answer")
	r.pressLink("Continue to your bank")
	r.newestIs("INITIATED", 1)
	r.press("button[value=approve]")
	r.returnedToShop()
	r.newestIs("PENDING", 1)
	r.sandbox.Forward(5 * time.Second)
	r.newestIs("SUCCESSFUL", 1)
	r.visit(page)
	r.says("This link has been used. It can be paid only once.", "The payment of 12.50 GBP is complete.")
}

func closeTheBank(r *browserTest) {
	reference, bank := r.challenge()
	bank = strings.Replace(bank, "redirect=true", "redirect=false", 1)
	r.visit(r.shop)
	// The shop keeps what windows tell it.
	r.run(`window.told = []; addEventListener('message', m => told.push([m.origin, m.data])); return null`, nil)
	r.run(`window.open(`+"`"+bank+"`"+`); return null`, nil)
	windows := func() (all []string) { r.call("GET", r.address+"/window/handles", nil, &all); return all }
	r.eventually("a second window", func() bool { return len(windows()) == 2 })
	both := windows()
	r.call("POST", r.address+"/window", map[string]string{"handle": both[1]}, nil)
	r.eventually("the question", func() bool { return strings.Contains(r.text(), "Do you approve") })
	r.press("button[value=approve]")
	r.eventually("the window closing", func() bool { return len(windows()) == 1 })
	r.call("POST", r.address+"/window", map[string]string{"handle": both[0]}, nil)
	r.told(reference, "approved")
	r.newestIs("PENDING", 1)
	r.visit(bank)
	r.says("You approved the payment", "You can close this window.")
	r.excused = "Scripts may close only the windows that were opened by them."
}

// told checks that the shop was told of an answer, by the sandbox and once.
func (r *browserTest) told(reference, answer string) {
	r.t.Helper()
	var told []json.RawMessage
	r.eventually("telling the shop", func() bool { r.run(`return window.told`, &told); return len(told) > 0 })
	want := `["` + r.origin + `",{"answer":"` + answer + `","reference":"` + reference + `","source":"paydesk-sandbox"}]`
	var got any
	json.Unmarshal(told[0], &got)
	if b, _ := json.Marshal(got); len(told) != 1 || string(b) != want {
		r.t.Errorf("the shop was told %s, want once %s", told, want)
	}
}

func presentMarkup(r *browserTest) {
	reference, _ := r.challenge()
	v := r.send("GET", "/api/payment/pay/get-auth-3ds?referenceId="+reference, nil)
	page, err := challenge.Serve(r.t.Context(), api.NewMarkup(v["authenticationhtml"].(string)))
	must(r.t, err)
	r.t.Cleanup(func() { page.Close() })
	r.visit(page.Address())
	r.eventually("the bank's question", func() bool { return strings.Contains(r.text(), "Do you approve") })
	r.press("button[value=approve]")
	r.returnedToShop()
	r.newestIs("PENDING", 1)
}
