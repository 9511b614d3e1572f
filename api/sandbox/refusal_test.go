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
		{"a negative amount", card, "amount", -5, 400, "amount must not be negative"},
		{"three decimals", card, "amount", json.Number("12.345"), 400, "amount must have at most 2 decimals"},
		{"an unknown channel", card, "channel", "Cash", 400, "channel must be one of Card, PayByAccount"},
		{"a card from an account", card, "channel", "PayByAccount", 400, "paymentRequestProps.card must not be there"},
		{"a return URL that is none", with(byAccount(), "paymentRequestProps", nil), "metaData", obj{"return-url": "x"}, 400, "metaData.return-url must be an http"},
		{"half an Interac address", byInterac(), "paymentRequestProps.email", "ada", 400, "paymentRequestProps.email must be an e-mail address"},
		{"a currency in lower case", card, "currency", "gbp", 400, "currency must be one of"},
		{"a long narration", card, "narration", strings.Repeat("é", 101), 400, "narration must have at most 100"},
		{"a blank last name", card, "userInformation.lastName", "  ", 422, "userInformation.lastName is required"},
		{"half an e-mail address", card, "userInformation.emailAddress", "ada@", 400, "userInformation.emailAddress"},
		{"metaData that is not text", card, "metaData", obj{"redirect": true}, 422, "metaData must have strings"},
		{"a script as returnUrl", card, "paymentRequestProps.returnUrl", "javascript:alert(1)", 400, "paymentRequestProps.returnUrl must be an http"},
		{"a transfer with props", transfer, "paymentRequestProps", obj{}, 400, "paymentRequestProps must not be there"},
		{"a number off the list", card, number, "4111111111111111", 400, "card.number is not on the sandbox's list"},
		{"four digits of CVV", card, "paymentRequestProps.card.cvv", "1234", 400, "card.cvv has the wrong number"},
		{"month 13", card, month, 13, 400, "card.expMonth must be from 1 to 12"},
		{"an expired card", with(card, month, 4), year, 2026, 400, "the card has expired"},
		{"a long reference", card, "reference", strings.Repeat("a", 21), 400, "reference must be at most 20"},
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
	got := s.post(initiatePath, obj{}).str("error") // and all that is wrong is named at once
	for _, name := range []string{"amount", "channel", "currency", "userInformation"} {
		if !strings.Contains(got, name+" is required") {
			t.Errorf("%s is not named in %q", name, got)
		}
	}
}

// A problem document says in which call the problem occurred (RFC 9457), and never repeats a card
// number or the key.
func TestARefusalNamesThePathThatWasAsked(t *testing.T) {
	s := serve(t, Options{})
	for path, want := range map[string]string{
		statusPath + "NONE":                              statusPath + "NONE",
		statusPath + "a%2Fb%0A%C3%A9":                    statusPath + "a%2Fb%0A%C3%A9",
		statusPath + "4242424242424242":                  statusPath,
		statusPath + testKey:                             statusPath,
		statusPath + strings.Repeat("A", maxURL):         statusPath,
		checkPath + "NONE":                               "/api/payment/pay/get-auth-3ds",
		controlPath + "webhooks/4242424242424242/resend": "/",
	} {
		if got := s.get(path).str("instance"); got != want {
			t.Errorf("%.50s: the instance is %.50q, want %q", path, got, want)
		}
	}
	s.post(finalizePath, obj{}).refused(422, "paymentReference is required")
	if got := s.post(finalizePath, obj{}).str("instance"); got != finalizePath {
		t.Errorf("the instance is %q", got)
	}
}

func TestALinkIsRefusedForWhatIsWrongWithIt(t *testing.T) {
	s := serve(t, Options{})
	s.link(draft("taken"))
	for _, c := range []struct {
		path   string
		value  any
		status int
		names  string
	}{
		{"name", "taken", 400, "name is the name of another link"},
		{"name", "4242424242424242", 400, "name holds what looks like a card number"},
		{"linkType", 2, 400, "linkType must be from 0 to 1"},
		{"amountInfo.currencyCode", "NGN", 400, "amountInfo.currencyCode must be the same"},
		{"amountInfo.amount", 0, 400, "amountInfo.amount must be at least 1.00"},
	} {
		t.Run(c.names, func(t *testing.T) {
			s := *s
			s.t = t
			s.post(makeLinkPath, with(draft("new"), c.path, c.value)).refused(c.status, c.names)
		})
	}
	s.link(with(draft("static unless said"), "amountType", nil))
	s.post(makeLinkPath, with(with(draft("gift"), "amountType", 1), "amountInfo", nil)).refused(422, "amountInfo is required")
}

func TestTheOtherOperationsRefuseToo(t *testing.T) {
	s := serve(t, Options{})
	good := obj{"amount": obj{"currencyCode": "NGN", "amount": 5}}
	s.post(validatePath, with(good, "amount.amount", 0)).refused(400, "amount.amount must be at least")
	s.post(validatePath, with(good, "channels", "Card")).refused(422, "channels must be an array of strings")
	s.post(validatePath, with(good, "channels", []int{1})).refused(422, "channels must be an array of strings")
	s.get(checkPath).refused(422, "referenceId is required")
	s.get(checkPath+"A&referenceId=B").refused(422, "referenceId is required, once")
	s.get(checkPath+"NONE").refused(404, "no payment")
	s.get(checkPath+s.pay(bankTransfer())).refused(400, "not the reference of a card payment")
	s.finish("NONE").refused(404, "no payment")
	s.get(statusPath+"NONE").refused(404, "no payment")
	s.get(statusPath+"a/b").refused(404, "no payment")
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

func TestAPathAcceptsOnlyItsMethod(t *testing.T) {
	s := serve(t, Options{})
	for _, op := range operations() {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
			if method == op.method {
				continue
			}
			a := s.send(method, strings.ReplaceAll(op.path, "{reference}", "NONE"), "")
			if a.http != 405 || a.header.Get("Allow") != op.method {
				t.Errorf("%s %s: %d, Allow %q", method, op.path, a.http, a.header.Get("Allow"))
			}
		}
	}
	for _, path := range []string{"/", "/api/payment", "/api/payment/transactions/", "/v1/api/transactions/", "/other"} {
		s.get(path).refused(404, "nothing at this path")
	}
	if a := s.post("/api/payment/pay/Initiate", charge("approve")); a.http != 200 {
		t.Errorf("pay/Initiate: %d", a.http)
	}
}

func TestABodyIsReadStrictly(t *testing.T) {
	s := serve(t, Options{})
	for name, body := range map[string]string{
		"nothing":           "",
		"a list":            "[]",
		"cut short":         `{"amount":`,
		"two documents":     `{}{}`,
		"a name twice":      `{"amount":1,"amount":2}`,
		"bad UTF-8":         "{\"channel\":\"\xff\"}",
		"too deep":          `{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "}",
		"a byte-order mark": "\ufeff{}",
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
