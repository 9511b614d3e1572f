package sandbox

import (
	"encoding/json"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

func TestAnInitiationComesBackAsItWasSent(t *testing.T) {
	s := serve(t, Options{})
	a := s.post(initiatePath, charge("challenge"))
	ref := a.str("value.paymentItem.reference")
	if !regexp.MustCompile(`^[A-Z][A-Z2-9]{9}$`).MatchString(ref) || a.str("value.paymentItem.paymentReference") != ref {
		t.Errorf("the references are wrong: %s", a.text)
	}
	if a.at("value.paymentItem.amount") != json.Number("12.50") || a.at("value.paymentItem.fees") != json.Number("0.19") {
		t.Errorf("amount or fees are wrong: %s", a.text)
	}
	if got := a.str("value.bankAuthURL"); !strings.HasPrefix(got, s.origin+"/bank/"+ref+"?redirect=true&token=") || !strings.Contains(got, "&context=3-D%20Secure%20%26%20co%2B") {
		t.Errorf("the bank address is %s", got)
	}
	status := s.get(statusPath + ref)
	if status.str("value.paymentReference") != ref || status.str("value.amount.currencyCode") != "GBP" || status.at("value.amount.amount") != json.Number("12.50") {
		t.Errorf("the status says %s", status.text)
	}
}

func TestATransferSaysWhereToPay(t *testing.T) {
	s := serve(t, Options{})
	a := s.post(initiatePath, bankTransfer())
	const info = "value.paymentItem.metaData.transfer-info."
	if a.str("value.paymentStatus") != "REQUIRE_USER_OFFLINE_ACTION" || a.str(info+"mode") != "banktransfer" || a.str(info+"expiration") != "2026-05-04T09:00:00+00:00" {
		t.Errorf("the transfer says %s", a.text)
	}
	if got := a.str("value.paymentItem.reference"); !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(got) {
		t.Errorf("the reference is %s, not a UUID", got)
	}
	if got := a.str(info + "account_number"); !regexp.MustCompile(`^\d{10}$`).MatchString(got) {
		t.Errorf("the account is %s, not 10 digits", got)
	}
}

func TestTheMerchantsOwnReferenceIsTheReference(t *testing.T) {
	s := serve(t, Options{})
	for _, body := range []obj{with(charge("approve"), "reference", "Order1"), with(bankTransfer(), "reference", "Order2")} {
		ref := s.pay(body)
		if ref != body["reference"] {
			t.Errorf("the reference is %s, want %s", ref, body["reference"])
		}
		s.is(ref, "PENDING")
		s.post(initiatePath, body).refused(400, "reference was used before")
	}
}

func TestChannelsGoByCurrencyAndName(t *testing.T) {
	s := serve(t, Options{})
	for _, c := range []struct {
		currency string
		names    []string
		valid    bool
		want     string
	}{
		{"NGN", nil, true, "Card PayByTransfer"},
		{"GBP", nil, true, "Card PayByAccount"},
		{"CAD", []string{}, true, "Interac"},
		{"USD", nil, false, ""},
		{"NGN", []string{"PayByTransfer"}, true, "PayByTransfer"},
		{"NGN", []string{"Card", "Interac"}, false, "Card"},
	} {
		a := s.post(validatePath, obj{"amount": obj{"currencyCode": c.currency, "amount": 10}, "channels": c.names})
		var got []string
		for _, v := range a.at("value.channels").([]any) {
			got = append(got, v.(obj)["alias"].(string))
		}
		if a.at("value.isValid") != c.valid || strings.Join(got, " ") != c.want {
			t.Errorf("%s %q: %s", c.currency, c.names, a.text)
		}
	}
}

func TestTheAuthenticationCheckFollowsTheChallenge(t *testing.T) {
	s := serve(t, Options{})
	ref := s.pay(charge("challenge"))
	enabled := func(ref string) bool {
		a := s.get(checkPath + ref)
		on := a.at("value.IsAuthenticationEnabled") == true
		if on != (a.str("value.authenticationhtml") != "") {
			t.Errorf("markup and IsAuthenticationEnabled disagree: %s", a.text)
		}
		return on
	}
	if !enabled(ref) || enabled(s.pay(charge("approve"))) || enabled(s.pay(charge("decline"))) {
		t.Error("a challenge is open for the wrong payments")
	}
	s.Approve(ref)
	if enabled(ref) {
		t.Error("a challenge is open after it was approved")
	}
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestFiveHundredRequestsAtOnce(t *testing.T) {
	s := serve(t, Options{Transactions: 1000})
	alias := s.link(draft("mug"))
	bodies := []string{mustJSON(charge("challenge")), mustJSON(bankTransfer()), mustJSON(with(charge("approve"), "link", obj{"alias": alias}))}
	handle := func(method, path, body string) int {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set(KeyHeader, testKey)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	codes := map[int]int{}
	for i := range 500 {
		all.Go(func() {
			code := 0
			if i%5 == 4 {
				code = handle("GET", listPath+"?perPage=100", "")
			} else {
				code = handle("POST", initiatePath, bodies[i%3])
			}
			mu.Lock()
			defer mu.Unlock()
			codes[code]++
		})
	}
	all.Wait()
	// The one-time link accepts one payment.
	if s.Accepted()+100+codes[400] != 500 || codes[200] != s.Accepted()+100 {
		t.Errorf("answers by status: %v, payments %d", codes, s.Accepted())
	}
	linked := 0
	for _, p := range s.ordered {
		if p.link != nil {
			linked++
		}
	}
	if linked != 1 {
		t.Errorf("a one-time link was paid %d times", linked)
	}
}
