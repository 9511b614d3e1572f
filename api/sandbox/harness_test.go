package sandbox

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydesk/api/timely"
)

const testKey = "sk_test_EXAMPLE"

// A harness is a sandbox behind a real socket, whose clock stands still until Forward moves it.
type harness struct {
	t testing.TB
	*Sandbox
	origin string
	client *http.Client
}

func serve(t testing.TB, o Options) *harness {
	t.Helper()
	o.Key, o.Now = testKey, func() time.Time { return time.Date(2026, 5, 4, 9, 30, 0, 0, time.FixedZone("", 3600)) }
	s := New(o)
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	s.SetOrigin(web.URL)
	client := web.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &harness{t, s, web.URL, client}
}

// A reply is a parsed response.
type reply struct {
	t      testing.TB
	http   int
	header http.Header
	text   string
	body   map[string]any
}

func (s *harness) send(method, path, body string, change ...func(*http.Request)) reply {
	s.t.Helper()
	r, err := http.NewRequest(method, s.origin+path, strings.NewReader(body))
	must(s.t, err)
	r.Header.Set(KeyHeader, testKey)
	if method == "POST" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, f := range change {
		f(r)
	}
	w, err := s.client.Do(r)
	must(s.t, err)
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	must(s.t, err)
	a := reply{s.t, w.StatusCode, w.Header, string(text), nil}
	if strings.HasPrefix(w.Header.Get("Content-Type"), "application/json") {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&a.body); err != nil {
			s.t.Fatalf("%s %s: not JSON: %q", method, path, text)
		}
	}
	return a
}

func (s *harness) get(path string) reply { s.t.Helper(); return s.send("GET", path, "") }
func (s *harness) post(path string, body any) reply {
	s.t.Helper()
	b, err := json.Marshal(body)
	must(s.t, err)
	return s.send("POST", path, string(b))
}

// at finds a field: "value.paymentItem.reference".
func (a reply) at(path string) any {
	a.t.Helper()
	var v any = a.body
	for name := range strings.SplitSeq(path, ".") {
		m, is := v.(map[string]any)
		if !is {
			a.t.Fatalf("no %s in %s", path, a.text)
		}
		if v, is = m[name]; !is {
			a.t.Fatalf("no %s in %s", path, a.text)
		}
	}
	return v
}

func (a reply) str(path string) string {
	a.t.Helper()
	v, is := a.at(path).(string)
	if !is {
		a.t.Fatalf("%s is not a string in %s", path, a.text)
	}
	return v
}

// refused checks that the request was rejected with a reason.
func (a reply) refused(status int, names string) {
	a.t.Helper()
	if a.http != status || a.at("isSuccess") != false || !strings.Contains(a.str("error"), names) {
		a.t.Errorf("want HTTP %d, isSuccess false, error about %q; got %d %s", status, names, a.http, a.text)
	}
	for _, f := range []string{"error", "message", "type", "title", "detail", "instance"} {
		if a.str(f) == "" {
			a.t.Errorf("%s is empty in %s", f, a.text)
		}
	}
	if got := a.at("status"); got != json.Number(strconv.Itoa(status)) {
		a.t.Errorf("status is %v, want %d", got, status)
	}
	if _, is := a.body["value"]; is {
		a.t.Errorf("a refusal has a value: %s", a.text)
	}
}

// obj is a JSON object in a test.
type obj = map[string]any

// with copies an object and sets fields; nil removes one.
func with(o obj, path string, v any) obj {
	o = maps.Clone(o)
	name, rest, deeper := strings.Cut(path, ".")
	switch {
	case deeper:
		o[name] = with(o[name].(obj), rest, v)
	case v == nil:
		delete(o, name)
	default:
		o[name] = v
	}
	return o
}

func card(name string) TestCard {
	for _, c := range Cards() {
		if c.Name == name {
			return c
		}
	}
	panic("no such test card")
}

// charge is a valid card payment in GBP.
func charge(name string) obj {
	c := card(name)
	return obj{
		"amount": json.Number("12.50"), "channel": "Card", "currency": "GBP", "narration": "an order",
		"userInformation": obj{"firstName": "Ada", "lastName": "Obi", "emailAddress": "ada@shop.example", "phone": "+440000"},
		"paymentRequestProps": obj{
			"card":      obj{"number": c.Number, "cvv": c.CVV, "expMonth": c.Month, "expYear": c.Year},
			"returnUrl": "https://shop.example/back?order=1",
		},
		"metaData": obj{"order": "1"},
	}
}

// bankTransfer is a valid transfer in NGN.
func bankTransfer() obj {
	o := with(charge("approve"), "paymentRequestProps", nil)
	return with(with(o, "channel", "PayByTransfer"), "currency", "NGN")
}

func draft(name string) obj {
	return obj{
		"name": name, "description": "a mug", "linkType": 0, "amountType": 0, "currencyCode": "GBP",
		"amountInfo": obj{"currencyCode": "GBP", "amount": json.Number("12.50")},
	}
}

const (
	initiatePath = "/api/payment/pay/initiate"
	makeLinkPath = "/api/payment/payment-link"
	validatePath = "/api/payment/pay/validate"
	finalizePath = "/api/payment/pay/finalize"
	statusPath   = "/api/payment/transactions/"
	checkPath    = "/api/payment/pay/get-auth-3ds?referenceId="
	listPath     = "/v1/api/transactions"
)

// pay makes a payment and returns its reference.
func (s *harness) pay(body obj) string {
	s.t.Helper()
	a := s.post(initiatePath, body)
	if a.http != 200 || a.at("isSuccess") != true {
		s.t.Fatalf("initiation: %d %s", a.http, a.text)
	}
	return a.str("value.paymentItem.reference")
}

func (s *harness) link(body obj) string {
	s.t.Helper()
	a := s.post(makeLinkPath, body)
	if a.http != 200 {
		s.t.Fatalf("link: %d %s", a.http, a.text)
	}
	return a.str("value.alias")
}

func (s *harness) finish(reference string) reply {
	s.t.Helper()
	return s.post(finalizePath, obj{"paymentReference": reference})
}

// is checks the status word of a payment.
func (s *harness) is(reference, word string) {
	s.t.Helper()
	a := s.get(statusPath + reference)
	if got := a.str("value.paymentStatus"); got != word {
		s.t.Errorf("the status is %s, want %s", got, word)
	}
}

// stoppedClock is a clock that stands still.
func stoppedClock() time.Time { return time.Date(2026, 5, 4, 9, 30, 0, 0, time.UTC) }

var must = timely.Must

func read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	must(t, err)
	return string(b)
}

// Every test card does what its line in the table says.
func TestEachTestCardDoesWhatItSays(t *testing.T) {
	const settles = " PENDING 4.999s PENDING 1ms Successfull"
	for _, c := range []struct{ card, then string }{ // what happens, and the status that is seen
		{"approve", settles},
		{"amex", settles},
		{"challenge", "INITIATED 1h INITIATED approve" + settles},
		{"verve", "INITIATED 1h INITIATED approve" + settles},
		{"challenge", "INITIATED reject FAILED 1h FAILED"},
		{"challenge-decline", "INITIATED approve FAILED 1h FAILED"},
		{"challenge-decline", "INITIATED reject FAILED"},
		{"decline", "FAILED 1h FAILED"},
		{"pending-long", "PENDING 9m59.999s PENDING 1ms Successfull"},
	} {
		t.Run(c.card, func(t *testing.T) {
			s := serve(t, Options{})
			a := s.post(initiatePath, charge(c.card))
			ref := a.str("value.paymentItem.reference")
			word, fee := "INITIATED", json.Number("0.19") // which is charged for what is collected
			if strings.HasPrefix(c.then, "FAILED") {
				word, fee = "FAILED", "0.00"
			}
			if a.at("value.paymentStatus") != word || a.at("value.paymentItem.fees") != fee {
				t.Errorf("want %s and a fee of %s: %s", word, fee, a.text)
			}
			challenge := strings.HasPrefix(c.then, "INITIATED")
			if has := a.at("value.bankAuthURL") != nil; has != challenge {
				t.Errorf("bankAuthURL is there: %v, want %v", has, challenge)
			}
			check := s.get(checkPath + ref)
			if open := check.at("value.IsAuthenticationEnabled") == true; open != challenge || open == (check.str("value.authenticationhtml") == "") {
				t.Errorf("the authentication check says %s", check.text)
			}
			for step := range strings.FieldsSeq(c.then) {
				switch d, err := time.ParseDuration(step); {
				case err == nil:
					s.Forward(d)
				case step == "approve" && !s.Approve(ref), step == "reject" && !s.Reject(ref):
					t.Errorf("there is nothing to %s", step)
				case strings.ToLower(step) != step:
					s.is(ref, step)
				}
			}
		})
	}
}

func TestAPaymentOfALinkWaitsForFinalize(t *testing.T) {
	s := serve(t, Options{})
	alias := s.link(draft("mug"))
	ref := s.pay(with(charge("challenge"), "link", obj{"alias": alias}))
	s.finish(ref).refused(400, "paymentReference belongs to a payment that the customer has not authorized")
	s.Approve(ref)
	s.Forward(time.Hour)
	s.is(ref, "PENDING")
	if s.Settle(ref) {
		t.Error("a payment that waits for finalize was settled")
	}
	first := s.finish(ref)
	if first.str("value.status") != "completed" || first.str("responseCode") != "00" {
		t.Errorf("finalize: %s", first.text)
	}
	s.is(ref, "PENDING")
	s.Forward(3 * time.Second)
	if again := s.finish(ref); again.text != first.text {
		t.Errorf("the second finalize returned %s, the first %s", again.text, first.text)
	}
	s.Forward(2 * time.Second)
	s.is(ref, "Successfull")
	s.finish(ref)
	s.is(ref, "Successfull")
}

func TestALinkAcceptsWhatItSays(t *testing.T) {
	s := serve(t, Options{})
	static, dynamic := s.link(with(draft("static"), "linkType", 1)), s.link(with(with(draft("dynamic"), "amountType", 1), "amountInfo.amount", 0))
	pay := func(alias string) obj { return with(charge("approve"), "link", obj{"alias": alias}) }
	s.post(initiatePath, with(pay(static), "amount", 12.51)).refused(400, "amount must be the amount of the link")
	s.post(initiatePath, with(pay(static), "currency", "NGN")).refused(400, "currency must be the currency of the link")
	s.post(initiatePath, with(pay(dynamic), "currency", "NGN")).refused(400, "currency must be the currency of the link")
	s.post(initiatePath, pay("0-unknown")).refused(400, "link.alias is not the alias of a link")
	s.post(initiatePath, with(pay(static), "link", obj{})).refused(422, "link.alias is required")
	s.pay(with(pay(dynamic), "amount", 99.99))
	if len(s.Payments()) != 1 {
		t.Error("a refused payment was taken")
	}
}
