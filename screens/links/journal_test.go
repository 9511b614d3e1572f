package links_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/links"
	"paydesk/screens/screentest"
)

// A shop is the journal at one destination.
type shop struct {
	*journal.Journal
	ledger.Destination
}

func (s shop) OpenLinks(ctx context.Context, f journal.LinkFilter) ([]journal.LinkRecord, error) {
	return s.Journal.OpenLinks(ctx, s.Destination, f)
}

func (s shop) FindLinks(ctx context.Context, f journal.LinkFilter, from journal.Search, first, n int) (journal.Page[journal.LinkRecord], error) {
	return s.Journal.FindLinks(ctx, s.Destination, f, from, first, n)
}

func TestTheLinksOfARealJournalAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, err := journal.Open(t.Context(), journal.Options{Operator: ledger.Operator{User: "ada"}})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		here := ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"}
		try := func(a ledger.Attempt, answer ledger.Result) {
			t.Helper()
			a.Destination = here
			a, err := j.Begin(t.Context(), a, ledger.Payer{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := j.End(t.Context(), a.ID, answer); err != nil {
				t.Fatal(err)
			}
		}
		made := record("0-abc1234", "Dues", 0).CreatedLink
		try(ledger.Attempt{Kind: ledger.CreateLink, Amount: of(1250, "GBP")}, ledger.Result{Outcome: ledger.Accepted, Link: made})
		time.Sleep(time.Minute)
		try(ledger.Attempt{Kind: ledger.CreateLink, Amount: of(99, "GBP")}, ledger.Result{Outcome: ledger.Unresolved, Why: "No response in time."})
		try(ledger.Attempt{Kind: ledger.Initiate, Amount: of(1250, "GBP"), Channel: api.ChannelCard, Link: "0-abc1234"},
			ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: "ref-1", Status: api.ParseStatus("SUCCESSFUL")}})
		c := screentest.Open(t, links.New(screentest.Theme, shop{j, here}), 80, 24)
		c.Sees("2 links", "UNRESOLVED", "0.99 GBP", "1/1").Press("down").Wait(time.Second).
			Sees("12.50 GBP · 1 of 1 payments from here SUCCESSFUL", "https://pay.example/collect/0-abc1234", "many times")
		c.Leave()
	})
}
