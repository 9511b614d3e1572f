package api_test

import (
	"math/rand/v2"
	"net/http/httptest"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/sandbox"
)

// sandboxClient is a client of a sandbox.
func sandboxClient(t *testing.T) (*api.Client, *sandbox.Sandbox) {
	s := sandbox.New(sandbox.Options{Seed: 7, Transactions: 45, Settle: time.Hour})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.SetOrigin(server.URL)
	return client(t, api.Config{BaseURL: server.URL, ListURL: server.URL, Key: key(s.Key())}), s
}

func testCard(t *testing.T, name string) *api.CardEntry {
	for _, c := range sandbox.Cards() {
		if c.Name == name {
			return &api.CardEntry{PAN: must(card.ParsePAN(c.Number)), CVV: must(card.ParseCVV(c.CVV)), Expiry: card.Expiry{Month: c.Month, Year: c.Year}}
		}
	}
	t.Fatalf("no card was given called %s", name)
	return nil
}

// No normal payment is taken for a mismatch, whether the service states its fees and the total, and
// adds them to the amount that it reports later, or not.
func TestNoNormalPaymentIsAMismatch(t *testing.T) {
	c, s := sandboxClient(t)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		extras := []string{"off", "on"}[i%2]
		noError(t, s.SetSwitch("initiate.extras", extras))
		in := cardInitiation()
		in.Link = ""
		in.Amount.Minor, in.Card = 100+random.Int64N(1_000_000), testCard(t, "approve")
		p, err := c.Initiate(t.Context(), in)
		if err != nil || !p.Difference.IsZero() || p.Fees.Minor == 0 || (p.Total.Minor > 0) != (extras == "on") {
			t.Fatalf("%v: %+v: %v", in.Amount, p, err)
		}
		s.Settle(string(p.Reference))
		now, err := c.Transaction(t.Context(), p.Reference)
		noError(t, err)
		asked := api.Asked{Reference: p.Reference, Amount: in.Amount, Fees: p.Fees, Total: p.Total, Status: now.Status}
		if d := now.Compare(asked); !d.IsZero() {
			t.Fatalf("%v: %s", in.Amount, d.Words(asked))
		}
		if d := now.Compare(api.Asked{Reference: p.Reference, Amount: in.Amount}); !d.IsZero() {
			t.Fatalf("%v without stated fees: %s", in.Amount, d.What)
		}
		now.Amount.Minor += p.Fees.Minor
		if d := now.Compare(asked); !d.IsZero() {
			t.Fatalf("%v with fees: %s", in.Amount, d.Words(asked))
		}
		if now.Amount.Minor++; now.Compare(asked).What != api.AmountDiffers {
			t.Fatalf("%v: one minor unit more than the fees is no mismatch", in.Amount)
		}
	}
}
