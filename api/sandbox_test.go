package api_test

import (
	"fmt"
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

func TestAPaymentOfALinkRunsToItsEndInTheSandbox(t *testing.T) {
	c, s := sandboxClient(t)
	ctx := t.Context()
	l, err := c.CreateLink(ctx, linkDraft())
	if err != nil || l.Amount != pounds("12.50") || l.Page.IsZero() {
		t.Fatalf("%+v: %v", l, err)
	}
	channels, err := c.ValidateChannels(ctx, pounds("12.50"))
	if err != nil || !channels.Valid || len(channels.Channels) == 0 || channels.Channels[0].Alias == "" {
		t.Fatalf("%+v: %v", channels, err)
	}
	in := cardInitiation()
	in.Link, in.Card = l.Alias, testCard(t, "challenge")
	p, err := c.Initiate(ctx, in)
	if err != nil || p.Status.State != api.Initiated || p.BankAuth.IsZero() || !p.Difference.IsZero() || p.Amount != in.Amount {
		t.Fatalf("%+v: %v", p, err)
	}
	a, err := c.Authenticate(ctx, p.Reference)
	if err != nil || !a.HasEnabled || !a.Enabled || a.Page.IsZero() {
		t.Fatalf("%+v: %v", a, err)
	}
	if _, err := c.Finalize(ctx, p.Reference); outcomeOf(err) != "refusal" {
		t.Errorf("finalize before authorization: %v", err)
	}
	if !s.Approve(string(p.Reference)) {
		t.Fatal("the bank could not approve")
	}
	if f, err := c.Finalize(ctx, p.Reference); err != nil || f.Code.String() != "00" {
		t.Fatalf("%+v: %v", f, err)
	}
	s.Settle(string(p.Reference))
	now, err := c.Transaction(ctx, p.Reference)
	if err != nil || now.Status.State != api.Successful || now.Amount != in.Amount || !now.OtherReference.Empty() {
		t.Errorf("%+v: %v", now, err)
	}
	if s.Accepted() != 1 {
		t.Errorf("%d payments were accepted", s.Accepted())
	}
}

// No normal payment is taken for a mismatch, whether the service states its fees and the total, and
// adds them to the amount that it reports later, or not.
func TestNoNormalPaymentIsAMismatch(t *testing.T) {
	c, s := sandboxClient(t)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		extras := []string{"off", "on"}[i%2]
		if err := s.SetSwitch("initiate.extras", extras); err != nil {
			t.Fatal(err)
		}
		in := cardInitiation()
		in.Link = ""
		in.Amount.Minor, in.Card = 100+random.Int64N(1_000_000), testCard(t, "approve")
		p, err := c.Initiate(t.Context(), in)
		if err != nil || !p.Difference.IsZero() || p.Fees.Minor == 0 || (p.Total.Minor > 0) != (extras == "on") {
			t.Fatalf("%v: %+v: %v", in.Amount, p, err)
		}
		s.Settle(string(p.Reference))
		now, err := c.Transaction(t.Context(), p.Reference)
		if err != nil {
			t.Fatal(err)
		}
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

func TestATransferRunsToItsEndInTheSandbox(t *testing.T) {
	c, s := sandboxClient(t)
	p, err := c.Initiate(t.Context(), transferInitiation())
	if err != nil || p.Transfer == nil || p.Transfer.AccountNumber.Empty() || !p.Transfer.Expiration.Zoned || p.Status.State != api.ActionRequired {
		t.Fatalf("%+v: %v", p, err)
	}
	s.Settle(string(p.Reference))
	if now, err := c.Transaction(t.Context(), p.Reference); err != nil || now.Status.State != api.Successful {
		t.Errorf("%+v: %v", now, err)
	}
}

func TestALostResponseIsUnresolvedAndTheSandboxAcceptedItOnce(t *testing.T) {
	c, s := sandboxClient(t)
	in := cardInitiation()
	in.Link, in.Card = "", testCard(t, "approve")
	s.Arm("POST", "lost-answer", 1)
	if _, err := c.Initiate(t.Context(), in); outcomeOf(err) != "unresolved" || s.Accepted() != 1 {
		t.Errorf("%d payments were accepted: %v", s.Accepted(), err)
	}
}

func TestTheListOfTheSandboxIsReadToItsLastPage(t *testing.T) {
	c, _ := sandboxClient(t)
	seen := map[string]bool{}
	for page := 1; page <= 3; page++ {
		p, err := c.Transactions(t.Context(), page, 20)
		if err != nil || !p.HasMeta || p.Meta.PageCount != 3 || p.Meta.Total != 45 || len(p.Notices) != 0 {
			t.Fatalf("page %d: %+v %v: %v", page, p.Meta, p.Notices, err)
		}
		for _, r := range p.Rows {
			if !r.Known || r.Amount.MinorText() != fmt.Sprint(r.Raw) {
				t.Errorf("row %v is %v", r.Raw, r.Amount)
			}
			seen[r.ID.String()] = true
		}
	}
	if len(seen) != 45 {
		t.Errorf("%d rows, want 45", len(seen))
	}
}
