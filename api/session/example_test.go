package session_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/money"
)

// A wire takes requests to a service in this process, so that the waits of the watches take no time.
type wire struct{ http.Handler }

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{})
	answer := httptest.NewRecorder()
	if r.RequestURI = r.URL.RequestURI(); r.Body == nil {
		r.Body = http.NoBody
	}
	w.ServeHTTP(answer, r)
	return answer.Result(), nil
}

// A key is a secret key.
type key string

func (k key) Expose() string { return string(k) }

func payment() api.Initiation {
	return api.Initiation{
		Amount: must(money.Parse("12.50", must(money.ParseCurrency("GBP")))), Channel: api.ChannelCard,
		Customer:  api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@example.org", Phone: "+442079460000"},
		Card:      &api.CardEntry{PAN: must(card.ParsePAN("4242424242424242")), CVV: must(card.ParseCVV("123")), Expiry: card.Expiry{Month: 12, Year: 2034}},
		ReturnURL: "https://shop.example/done",
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
