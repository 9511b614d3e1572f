package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func (s *harness) arm(name, fault string, calls int) {
	s.t.Helper()
	must(s.t, s.Arm(name, fault, calls))
}

func TestAFaultStrikesTheCallsItIsArmedFor(t *testing.T) {
	s := serve(t, Options{})
	s.arm("transactions", "error-500", 1)
	s.arm("POST", "refused", 1)
	s.arm("all", "unauthorized", 2)
	codes := func(want ...int) {
		t.Helper()
		var got []int
		for range want {
			got = append(got, s.get(listPath).http)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	s.send("GET", listPath, "", func(r *http.Request) { r.Header.Del(KeyHeader) })
	s.send("POST", initiatePath, "not JSON").refused(400, "cannot be read")
	want := []ArmedFault{{"transactions", "error-500", 1, 0, 0}, {"POST", "refused", 1, 0, 0}, {"all", "unauthorized", 2, 0, 0}}
	if diff := cmp.Diff(want, s.Armed()); diff != "" {
		t.Error("a request that did not reach an operation counts:", diff)
	}
	codes(500, 401)
	s.post(validatePath, obj{}).refused(422, "The payload is not valid.")
	if diff := cmp.Diff([]ArmedFault{{"all", "unauthorized", 1, 1, 0}}, s.Armed()); diff != "" {
		t.Error(diff)
	}
	codes(401, 200)
	s.arm("GET", "Error-500", 0)
	codes(500, 500, 500)
	if diff := cmp.Diff([]ArmedFault{{"GET", "error-500", 0, 3, 0}}, s.Armed()); diff != "" {
		t.Error(diff)
	}
	s.ClearFaults()
	codes(200)
}

// What a program meets whose tester arms a fault for its second payment.
func TestEachFaultIsWhatItsLineSays(t *testing.T) {
	for fault, is := range map[string]func(a reply, before string) bool{
		"unauthorized":        func(a reply, _ string) bool { return a.http == 401 },
		"rate-limited":        func(a reply, _ string) bool { return a.http == 429 && a.header.Get("Retry-After") == "7" },
		"refused":             func(a reply, _ string) bool { return a.http == 422 && strings.Contains(a.text, "not valid") },
		"error-500":           func(a reply, _ string) bool { return a.http == 500 && strings.Contains(a.text, `"isSuccess":false`) },
		"unavailable":         func(a reply, _ string) bool { return a.http == 503 },
		"html-502":            func(a reply, _ string) bool { return a.http == 502 && strings.Contains(a.text, "<h1>") },
		"declined":            func(a reply, _ string) bool { return strings.Contains(a.text, `"FAILED","message":"The card`) },
		"wrong-amount":        func(a reply, _ string) bool { return strings.Contains(a.text, `"amount":13.50`) },
		"wrong-reference":     func(a reply, before string) bool { return a.http == 200 && !strings.Contains(a.text, before) },
		"duplicate-reference": func(a reply, before string) bool { return strings.Contains(a.text, `"`+before+`"`) },
		"drifted":             func(a reply, _ string) bool { return strings.Contains(a.text, `"paymentStatus":"Initiated"`) },
	} {
		s := serve(t, Options{})
		before := s.pay(charge("approve"))
		s.arm("initiate", fault, 1)
		as := "approve"
		if fault == "declined" { // also before a bank's check
			as = "challenge"
		}
		a := s.post(initiatePath, charge(as))
		if !is(a, before) {
			t.Errorf("%s: %d %s", fault, a.http, a.text)
		}
		after := s.post(initiatePath, charge("approve"))
		if after.http != 200 || !json.Valid([]byte(after.text)) {
			t.Errorf("after %s: %d %s", fault, after.http, after.text)
		}
		if p := s.Payments()[1]; fault == "declined" && p.State != "FAILED" {
			t.Errorf("the payment is %+v", p)
		}
	}
}

func TestASlowAnswerIsTheTrueOneTenSecondsLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Key: testKey})
		s.Arm("validate", "slow", 1)
		began := time.Now()
		w := ask(s, "POST", validatePath, `{"amount":{"currencyCode":"GBP","amount":5}}`)
		if took := time.Since(began); took != 10*time.Second || w.Code != 200 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%d after %v: %s", w.Code, took, w.Body)
		}
	})
}

func TestAConnectionIsClosedBeforeOrAfterThePaymentIsMade(t *testing.T) {
	for fault, made := range map[string]int{"not-reached": 0, "lost-answer": 1} {
		s := New(Options{Key: testKey})
		s.Arm("all", fault, 1)
		if !aborts(func() { ask(s, "POST", initiatePath, mustJSON(charge("approve"))) }) || len(s.Payments()) != made {
			t.Errorf("%s: %d payments were made", fault, len(s.Payments()))
		}
	}
}

func TestAnEventIsLostOrSentTwice(t *testing.T) {
	for fault, times := range map[string]int{"webhook-lost": 0, "webhook-twice": 2} {
		synctest.Test(t, func(t *testing.T) {
			s, e := onStreet(t, "shop")
			s.Arm("webhook", fault, 1)
			decline(t, s, "A1", "A2")
			synctest.Wait()
			e.hears(t, "shop", append(slices.Repeat([]string{"A1"}, times), "A2")...)
		})
	}
}

// aborts reports whether do panics as a handler that drops its response does.
func aborts(do func()) (yes bool) {
	defer func() {
		v := recover()
		if yes = v == http.ErrAbortHandler; v != nil && !yes {
			panic(v)
		}
	}()
	do()
	return false
}

// A disconnectingClient reads 16 KiB and disconnects.
type disconnectingClient struct {
	*httptest.ResponseRecorder
}

func (l disconnectingClient) Write(b []byte) (int, error) {
	if l.Body.Len() > 16<<10 {
		return 0, errors.New("the client has left")
	}
	return l.ResponseRecorder.Write(b)
}

func (l disconnectingClient) Unwrap() http.ResponseWriter { return l.ResponseRecorder }

// With any switch, fault and request, the response is well-formed or the armed fault; the
// sandbox itself never fails.
func FuzzAnyRequestInAnyConditionIsAnswered(f *testing.F) {
	s := New(Options{})
	for i, k := range s.Faults() {
		op := operations()[i%7]
		f.Add(op.method, strings.Replace(op.path, "{reference}", "A1", 1), mustJSON(charge("approve")), k.Name, uint8(i), uint8(i/3))
	}
	for i, w := range switchTable() {
		for v := range max(len(w.Values), 2) {
			for _, op := range operations() {
				path := strings.Replace(op.path, "{reference}", "A1", 1) + "?referenceId=A1"
				f.Add(op.method, path, mustJSON(bankTransfer()), "", uint8(i), uint8(v))
			}
		}
	}
	f.Add("GET", "/bank/A1?redirect=true&token=&context=", "", "", uint8(0), uint8(0))
	f.Add("GET", "/pay/0-a", "", "", uint8(0), uint8(0))
	for _, k := range controlCalls() {
		_, example, _ := strings.Cut(k.Example, "-d '")
		body, _, _ := strings.Cut(example, "'")
		f.Add(k.Method, strings.NewReplacer("{reference}", "A1", "{id}", "D1").Replace(k.Path), body, "", uint8(0), uint8(0))
	}
	f.Fuzz(func(t *testing.T, method, target, body, fault string, turned, value uint8) {
		if method == "" || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			t.Skip()
		}
		s := New(Options{Key: testKey, Transactions: 3})
		ask(s, "POST", initiatePath, mustJSON(with(charge("challenge"), "reference", "A1")))
		w := switchTable()[int(turned)%len(switchTable())]
		word := "Odd Word"
		if len(w.Values) > 0 {
			word = w.Values[int(value)%len(w.Values)]
		}
		s.SetSwitch(w.Name, word)
		s.Arm("all", fault, 0)
		ctx, leave := context.WithCancel(t.Context())
		leave() // ends a silent fault
		r := httptest.NewRequestWithContext(ctx, method, "/", strings.NewReader(body))
		r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
		r.RemoteAddr, r.Host = "127.0.0.1:1", "localhost" // of who has control
		control := strings.HasPrefix(r.URL.Path, controlPath)
		if control && strings.Contains(body, "http") {
			t.Skip() // a webhook would be sent
		}
		r.Header.Set(s.switches.of("key.header"), testKey)
		r.Header.Set("Content-Type", "application/json")
		out := disconnectingClient{httptest.NewRecorder()}
		aborted := aborts(func() { s.ServeHTTP(out, r) })
		if bytes.Contains(out.Body.Bytes(), []byte("Internal sandbox error")) || aborted && len(s.Armed()) == 0 {
			t.Fatalf("%s %q with %s %s = %s: aborted %v, %s", method, target, fault, w.Name, word, aborted, out.Body)
		}
		plain := len(s.Armed()) == 0 && !strings.HasPrefix(r.URL.Path, bankPath) && !strings.HasPrefix(r.URL.Path, linkPath)
		if plain && (!json.Valid(out.Body.Bytes()) || !utf8.Valid(out.Body.Bytes())) {
			t.Fatalf("%s %q with %s = %s: no JSON in %q", method, target, w.Name, word, out.Body)
		}
		if plain && !control && word == w.Default {
			var v map[string]any
			json.Unmarshal(out.Body.Bytes(), &v)
			_, list := v["status"].(bool)
			if _, said := v["isSuccess"].(bool); said == list || (out.Code == 200) != (v["isSuccess"] == true || v["status"] == true) {
				t.Fatalf("%s %q: %d and no envelope that agrees in %s", method, target, out.Code, out.Body)
			}
		}
	})
}

func TestAnInitiationIsRefusedForWhatIsWrongWithIt(t *testing.T) {
	s := serve(t, Options{})
	card, transfer := charge("approve"), bankTransfer()
	const number = "paymentRequestProps.card.number"
	const month, year = "paymentRequestProps.card.expMonth", "paymentRequestProps.card.expYear"
	for _, c := range []struct {
		body   obj
		path   string
		value  any // nil leaves the field out
		status int
		names  string
	}{
		{card, "amount", json.Number("0.99"), 400, "amount must be at least 1.00"},
		{card, "amount", json.Number("12.345"), 400, "amount must have at most 2 decimals"},
		{card, "channel", "Cash", 400, "channel must be one of Card, PayByAccount"},
		{with(byAccount(), "paymentRequestProps", nil), "metaData", obj{"return-url": "x"}, 400, "metaData.return-url must be an http"},
		{card, "userInformation.lastName", "  ", 422, "userInformation.lastName is required"},
		{card, "metaData", obj{"redirect": true}, 422, "metaData must have strings"},
		{card, "paymentRequestProps.returnUrl", "javascript:alert(1)", 400, "paymentRequestProps.returnUrl must be an http"},
		{transfer, "paymentRequestProps", obj{}, 400, "paymentRequestProps must not be there"},
		{card, number, "4111111111111111", 400, "card.number is not on the sandbox's list"},
		{with(card, month, 4), year, 2026, 400, "the card has expired"},
		{card, "reference", "4242424242424242", 400, "reference looks like a card number"},
		{with(card, "paymentRequestProps.returnURL", "x"), "paymentRequestProps.returnUrl", nil, 422, "paymentRequestProps.returnUrl is spelled"},
	} {
		s.post(initiatePath, with(c.body, c.path, c.value)).refused(c.status, c.names)
	}
	if len(s.Payments()) != 0 {
		t.Errorf("%d refused payments were taken", len(s.Payments()))
	}
}

// A refusal names the required field that is missing, and the one whose value is of another kind.
func TestEachFieldIsThereAndOfItsKind(t *testing.T) {
	s := serve(t, Options{})
	for _, c := range []struct {
		url                                      string
		body                                     obj
		required, text, object, integer, decimal string
	}{
		{initiatePath, charge("approve"), "amount channel currency userInformation userInformation.firstName userInformation.emailAddress paymentRequestProps " +
			"paymentRequestProps.returnUrl paymentRequestProps.card paymentRequestProps.card.number paymentRequestProps.card.cvv paymentRequestProps.card.expYear",
			"channel narration userInformation.phone paymentRequestProps.card.number", "userInformation metaData link", "paymentRequestProps.card.expMonth", "amount"},
		{makeLinkPath, draft("mug"), "name linkType currencyCode amountInfo amountInfo.amount", "description", "amountInfo", "linkType amountType", "amountInfo.amount"},
		{validatePath, obj{"amount": obj{"currencyCode": "NGN", "amount": 5}}, "amount amount.currencyCode", "amount.currencyCode", "amount", "", "amount.amount"},
		{finalizePath, obj{"paymentReference": "A1"}, "paymentReference", "paymentReference", "", "", ""},
	} {
		for _, kind := range []struct {
			paths string
			value any // nil leaves the field out
			says  string
		}{
			{c.required, nil, " is required"}, {c.text, 7, " must be a string"}, {c.object, "x", " must be an object"},
			{c.integer, "1", " must be an integer"}, {c.decimal, "12.50", " must be a number"},
		} {
			for path := range strings.FieldsSeq(kind.paths) {
				s.post(c.url, with(c.body, path, kind.value)).refused(422, path+kind.says)
			}
		}
	}
}

func TestOnlyTheRightKeyIsAccepted(t *testing.T) {
	s := serve(t, Options{})
	for _, op := range operations() {
		path := strings.ReplaceAll(op.path, "{reference}", "NONE")
		for _, keys := range [][]string{nil, {""}, {"sk_test_OTHER"}, {"Bearer " + testKey}, {testKey + " x"}, {testKey, testKey}} {
			a := s.send(op.method, path, "{}", func(r *http.Request) { r.Header[KeyHeader] = keys })
			if a.http != 401 {
				t.Errorf("%s with %q: %d", path, keys, a.http)
			}
			if strings.Contains(a.text, testKey) {
				t.Errorf("the key is in %s", a.text)
			}
			if !op.list {
				a.refused(401, "X-Api")
			} else if a.at("status") != false || a.str("message") == "" {
				t.Errorf("the list says %s", a.text)
			}
		}
	}
	if a, b := New(Options{}).Key(), New(Options{}).Key(); a == b || !strings.HasPrefix(a, "sk_test_") {
		t.Error("a key that is made up must be a test key, and another one each time")
	}
}

func TestABodyIsReadStrictly(t *testing.T) {
	s := serve(t, Options{})
	deep := `{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "}"
	for _, body := range []string{"", `{"amount":`, `{}{}`, `{"amount":1,"amount":2}`, deep} {
		s.send("POST", initiatePath, body).refused(400, "cannot be read")
	}
	s.send("POST", initiatePath, `{"channel":"`+strings.Repeat("x", maxBody)+`"}`).refused(413, "256 KiB")
	s.send("POST", initiatePath, "a=b", func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }).refused(415, "Content-Type")
}
