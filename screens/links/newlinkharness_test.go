package links_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"

	"paydesk/api"
	"paydesk/screens/links"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
)

// A network leads to a service that responds as a test sets it up.
type network struct {
	sent   []string // the bodies that reached the service
	status int
	answer string
	cut    bool          // nothing is sent
	broken bool          // the connection breaks after the request was read
	wait   chan struct{} // if set, the response waits for it
}

func (l *network) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.cut {
		return nil, errors.New("dial tcp: connection refused")
	}
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	l.sent = append(l.sent, r.URL.Path+" "+string(body))
	if l.wait != nil {
		select {
		case <-l.wait:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	if l.broken {
		return nil, io.ErrUnexpectedEOF
	}
	return &http.Response{
		StatusCode: l.status, ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(l.answer)),
	}, nil
}

const created = `{"isSuccess":true,"value":{"id":"6c0f7f0e-0000-4000-8000-000000000001","name":"Dues","description":"Yearly",
"alias":"0-abc1234","link":"https://pay.example/0-abc1234","amountInfo":{"currencyCode":"GBP","amount":12.5},
"linkType":"OneTime","status":"New","createdDate":"2026-03-01T12:00:00Z","environment":"Test"}}`

func refusal(failures string) string {
	return `{"isSuccess":false,"type":"ValidationException","title":"no","failures":[` + failures + `]}`
}

type apiKey string

func (k apiKey) Expose() string { return string(k) }

// key must never be shown.
const key = "sk_test_CANARYcanary"

var test = present.Target{Environment: "TEST", Host: "payments.example"}

// A harness drives the screen in front of a network.
type harness struct {
	*screentest.Console
	network *network
}

func openForm(t *testing.T, w, h int, place present.Target, l *network, drive func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if l.status == 0 {
			l.status = 200
		}
		if l.answer == "" {
			l.answer = created
		}
		c, err := api.New(api.Config{BaseURL: "https://payments.example", ListURL: "https://list.example", Key: apiKey(key), Transport: l})
		if err != nil {
			t.Fatal(err)
		}
		p := &harness{screentest.Open(t, links.NewForm(screentest.Theme, c, place), w, h), l}
		drive(p)
		p.NeverShowed(key)
	})
}

// fill fills the form in, with 12.50 GBP, once.
func (p *harness) fill() *harness {
	p.Fill("Name", "Dues").Fill("Description", "Yearly").Choose("Currency", "GBP").Fill("Amount", "12.50")
	return p
}

// sent fails unless exactly this was sent.
func (p *harness) sent(t *testing.T, want ...string) {
	t.Helper()
	if got := strings.Join(p.network.sent, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("sent\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
