package sandbox

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestAnInitiationIsRefusedForWhatIsWrongWithIt(t *testing.T) {
	s := serve(t, Options{})
	card, transfer := charge("approve"), bankTransfer()
	const number = "paymentRequestProps.card.number"
	const month, year = "paymentRequestProps.card.expMonth", "paymentRequestProps.card.expYear"
	for _, c := range []struct {
		name   string
		body   obj
		path   string
		value  any // nil leaves the field out
		status int
		names  string
	}{
		{"less than one", card, "amount", json.Number("0.99"), 400, "amount must be at least 1.00"},
		{"three decimals", card, "amount", json.Number("12.345"), 400, "amount must have at most 2 decimals"},
		{"an unknown channel", card, "channel", "Cash", 400, "channel must be one of Card, PayByAccount"},
		{"a return URL that is none", with(byAccount(), "paymentRequestProps", nil), "metaData", obj{"return-url": "x"}, 400, "metaData.return-url must be an http"},
		{"a blank last name", card, "userInformation.lastName", "  ", 422, "userInformation.lastName is required"},
		{"metaData that is not text", card, "metaData", obj{"redirect": true}, 422, "metaData must have strings"},
		{"a script as returnUrl", card, "paymentRequestProps.returnUrl", "javascript:alert(1)", 400, "paymentRequestProps.returnUrl must be an http"},
		{"a transfer with props", transfer, "paymentRequestProps", obj{}, 400, "paymentRequestProps must not be there"},
		{"a number off the list", card, number, "4111111111111111", 400, "card.number is not on the sandbox's list"},
		{"an expired card", with(card, month, 4), year, 2026, 400, "the card has expired"},
		{"a card number as reference", card, "reference", "4242424242424242", 400, "reference looks like a card number"},
		{"a slip of capitals", with(card, "paymentRequestProps.returnURL", "x"), "paymentRequestProps.returnUrl", nil, 422, "paymentRequestProps.returnUrl is spelled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := *s
			s.t = t
			s.post(initiatePath, with(c.body, c.path, c.value)).refused(c.status, c.names)
		})
	}
	if s.Accepted() != 0 {
		t.Errorf("%d refused payments were taken", s.Accepted())
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
	for name, body := range map[string]string{
		"nothing":       "",
		"cut short":     `{"amount":`,
		"two documents": `{}{}`,
		"a name twice":  `{"amount":1,"amount":2}`,
		"too deep":      `{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			s := *s
			s.t = t
			s.send("POST", initiatePath, body).refused(400, "cannot be read")
		})
	}
	s.send("POST", initiatePath, `{"channel":"`+strings.Repeat("x", maxBody)+`"}`).refused(413, "256 KiB")
	s.send("POST", initiatePath, "a=b", func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }).refused(415, "Content-Type")
}
