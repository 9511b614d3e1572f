package journal_test

import (
	"os"
	"testing"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/sandbox"
)

// These tests make payments over a real socket: journal, client, service.

type key string

func (k key) Expose() string { return string(k) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// ngn is a payment of so many kobo; another amount is not a duplicate.
func ngn(minor int64) api.Initiation {
	c := sandbox.Cards()[0]
	return api.Initiation{
		Amount: money.Amount{Minor: minor, Currency: must(money.ParseCurrency("NGN"))}, Channel: api.ChannelCard,
		Customer: api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@shop.example", Phone: "+2340000"},
		Card:     &api.CardEntry{PAN: must(card.ParsePAN(c.Number)), CVV: must(card.ParseCVV(c.CVV)), Expiry: must(card.ParseExpiry("12/2034"))},
	}
}

var thisConsole = ledger.Destination{Profile: "test", Environment: "TEST", Host: "127.0.0.1"}

func dial(origin, k string) (*api.Client, error) {
	return api.New(api.Config{BaseURL: origin, ListURL: origin, Key: key(k), Retries: -1})
}

func client(t testing.TB, origin, k string) *api.Client {
	t.Helper()
	c := must(dial(origin, k))
	t.Cleanup(c.Close)
	return c
}

// repeats is how often a test repeats something: few times, many with PAYDESK_LONG.
func repeats(few, many int) int {
	if os.Getenv("PAYDESK_LONG") != "" {
		return many
	}
	return few
}

// onlyLong skips a test that is only worth its time with PAYDESK_LONG.
func onlyLong(t *testing.T) {
	t.Helper()
	if os.Getenv("PAYDESK_LONG") == "" {
		t.Skip("only with PAYDESK_LONG")
	}
}

// oneAtATime skips a long test of one goroutine where the tests look for races: it has none.
func oneAtATime(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine at a time")
	}
}
