package cli_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/api/money"
	"paydesk/api/session"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/nav"
)

// Published test cards, by what becomes of a payment.
const (
	approvedCard   = "4242424242424242"
	challengedCard = "4508750015741019"
	declinedCard   = "4000000000000002"
)

// inSession calls do with a session of an earlier run, whose journal later commands read.
func inSession(h *clitest.Host, do func(context.Context, *session.Session)) {
	h.T.Helper()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	c, err := keystore.Folder(h.ConfigFolder()).Load()
	must(h.T, err)
	profile, err := c.Select("")
	must(h.T, err)
	text := clitest.Key
	if profile.Environment == keystore.Live {
		text = clitest.LiveKey
	}
	key, err := keystore.ParseKey(text)
	must(h.T, err)
	held := keystore.NewKeyHolder(key)
	client, err := api.New(api.Config{BaseURL: profile.BaseURL, ListURL: profile.ListURL, Key: held})
	must(h.T, err)
	journals := &screens.Journals{State: h.StateDir(), Operator: journal.CurrentOperator(func(string) string { return "" }), Keep: 24 * time.Hour}
	defer journals.Close()
	deps := screens.Deps{
		Journal: journals.ForProfile, Mirror: journals.Mirror, Confirmed: keystore.OpenConfirmed(h.StateDir()),
		Dial: func(keystore.Profile, *keystore.KeyHolder) (api.Service, error) { return client, nil },
	}
	s, err := deps.OpenSession(ctx, nav.Connect{Profile: profile, Key: key, Source: "env"}, held)
	must(h.T, err)
	s.Gate.Unlock() // where it is live: a person typed it then
	do(ctx, s)
}

// byCardOf is a payment in GBP with a published test card. Two of one amount look like duplicates.
func byCardOf(number string, minor int64) api.Initiation {
	in := payment("GBP", minor)
	in.Channel, in.ReturnURL = api.ChannelCard, "https://shop.example/back"
	pan, err := card.ParsePAN(number)
	if err != nil {
		panic(err)
	}
	cvv, err := card.ParseCVV("123")
	if err != nil {
		panic(err)
	}
	until, err := card.ParseExpiry("12/39")
	if err != nil {
		panic(err)
	}
	in.Card = &api.CardEntry{PAN: pan, CVV: cvv, Expiry: until}
	return in
}

// aTransfer is a transfer of 4,000.00 NGN.
func aTransfer() api.Initiation {
	in := payment("NGN", 400000)
	in.Channel = api.ChannelTransfer
	return in
}

func payment(currency string, minor int64) api.Initiation {
	c, err := money.ParseCurrency(currency)
	if err != nil {
		panic(err)
	}
	return api.Initiation{
		Amount:   money.Amount{Minor: minor, Currency: c},
		Customer: api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@shop.example", Phone: "+447700900123"},
	}
}

// made initiates a payment in an earlier run, and returns its reference.
func made(h *clitest.Host, in api.Initiation) (r string) {
	h.T.Helper()
	inSession(h, func(ctx context.Context, s *session.Session) {
		p, err := s.Initiate(ctx, in)
		must(h.T, err)
		r = string(p.Reference)
	})
	return r
}

// through makes a server that is between paydesk and the sandbox the service of the profile.
func through(h *clitest.Host, serve http.HandlerFunc) {
	h.T.Helper()
	s := httptest.NewServer(serve)
	h.T.Cleanup(s.Close)
	h.Configure(fmt.Sprintf("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = %q\nlist_url = %q\nkey = \"env\"\nallow_env_key = true\n", s.URL, s.URL))
}

// rewritten answers as the sandbox does, with another text.
func rewritten(h *clitest.Host, w http.ResponseWriter, r *http.Request, change func(string) string) {
	answer := httptest.NewRecorder()
	h.Sandbox.ServeHTTP(answer, r)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(answer.Code)
	io.WriteString(w, change(answer.Body.String()))
}

// between changes the answers to initiations, which are asked for also where nobody waits for them any more. It returns how many there were.
func between(h *clitest.Host, change func(string) string) *atomic.Int64 {
	h.T.Helper()
	var sent atomic.Int64
	through(h, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/pay/initiate") {
			h.Sandbox.ServeHTTP(w, r)
			return
		}
		sent.Add(1)
		rewritten(h, w, r, change)
	})
	return &sent
}
