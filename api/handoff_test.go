package api_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"paydesk/api"
)

// handoff returns the URLs that a client of origin accepts when the service returns this address,
// for the bank's check and for a link.
func handoff(t *testing.T, origin, address string) (bank, page api.Address) {
	t.Helper()
	network := &script{lines: []reply{
		{code: 200, body: strings.NewReader(fmt.Sprintf(
			`{"isSuccess":true,"value":{"paymentStatus":"INITIATED","bankAuthURL":%q,"paymentItem":{"reference":"A1"}}}`, address))},
		{code: 200, body: strings.NewReader(fmt.Sprintf(`{"isSuccess":true,"value":{"alias":"0-a1b2c3d","link":%q}}`, address))},
	}}
	c := client(t, api.Config{BaseURL: origin, ListURL: origin, Transport: network})
	p, err := c.Initiate(t.Context(), cardInitiation())
	if err != nil || p.BankAuth.IsZero() == p.BankAuthRefused.Empty() {
		t.Errorf("%s: %q, refused because %q: %v", address, p.BankAuth, p.BankAuthRefused, err)
	}
	l, err := c.CreateLink(t.Context(), linkDraft())
	if err != nil || l.PageText.String() != address {
		t.Errorf("%s: %+v, %v", address, l, err)
	}
	return p.BankAuth, l.Page
}

func TestHandoffURLsAreHTTPSWithNamedHosts(t *testing.T) {
	for _, address := range []string{
		"http://127.0.0.1:1/pay", "http://localhost/pay", "https://127.0.0.1/pay", "https://localhost:8443/pay", "https://app.localhost./pay",
		"https://192.0.2.7/pay", "https://169.254.169.254/latest", "https://[::1]/pay", "https://[fe80::1]/pay", "https://10.1/pay",
		"https://2130706433/pay", "https://0x7f000001/pay", "https://127.0x1/pay", "https://0x/pay", "https://192.0.2.7./pay",
	} {
		if bank, page := handoff(t, "https://payments.example", address); !bank.IsZero() || !page.IsZero() {
			t.Errorf("%s was accepted", address)
		}
	}
	for origin, address := range map[string]string{
		"https://payments.example": "https://bank.example/pay",
		"https://pay.example":      "https://127.0.0.1.bank.example/pay",
		"https://192.0.2.1":        "https://192.0.2.1/pay", // where the service is by its own configuration
		"http://127.0.0.1:8099":    "http://127.0.0.1:8099/pay",
		"http://localhost:8099":    "http://127.0.0.1:1/pay",
		"https://localhost:8443":   "https://127.0.0.1:8443/pay",
	} {
		if bank, page := handoff(t, origin, address); bank.IsZero() || page.IsZero() {
			t.Errorf("%s: %s was not accepted", origin, address)
		}
	}
}

func TestWordsThatDecideSpellOutNonASCII(t *testing.T) {
	const live = "l\u0456ve" // with a Cyrillic letter
	l := answeredLink(t, linkDraft(), `"environment":"`+live+`","status":"`+live+`","linkType":"`+live+`"`)
	for _, reported := range []api.Text{l.Environment, l.Status, l.Type} {
		if reported.String() != "l<U+0456>ve" {
			t.Errorf("it is %q", reported)
		}
	}
	body := `{"isSuccess":true,"value":{"status":"` + live + `","Recommendation":"` + live + `"}}`
	c, _ := scripted(t, 0, reply{code: 200, body: strings.NewReader(body)}, reply{code: 200, body: strings.NewReader(body)})
	if _, err := c.Finalize(t.Context(), "A1"); !errors.Is(err, api.ErrUnresolved) || !strings.Contains(err.Error(), "l<U+0456>ve") {
		t.Errorf("finalize: %v", err)
	}
	a, err := c.Authenticate(t.Context(), "A1")
	if err != nil || a.Recommendation.String() != "l<U+0456>ve" {
		t.Errorf("authenticate: %+v, %v", a, err)
	}
}
