package links_test

import (
	"cmp"
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/links"
	"paydesk/screens/screentest"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // times are shown in the zone of the person looking
	os.Exit(m.Run())
}

// A shelf has the links of one service. It cannot be read while it has an error.
type shelf struct {
	*journal.Journal
	err error
}

var here = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"}

func (b *shelf) OpenLinks(ctx context.Context, f journal.LinkFilter) ([]journal.LinkRecord, error) {
	all, err := b.Journal.OpenLinks(ctx, here, f)
	return all, errors.Join(b.err, err)
}

func (b *shelf) FindLinks(ctx context.Context, f journal.LinkFilter, s journal.Search, from, n int) (journal.Page[journal.LinkRecord], error) {
	return b.Journal.FindLinks(ctx, here, f, s, from, n)
}

func TestAnUnsafeURLIsNotCopiedAndAJournalThatCannotBeReadIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, err := journal.Open(t.Context(), journal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		b := &shelf{Journal: j}
		c := screentest.Open(t, links.New(screentest.Theme, b), 80, 24)
		c.Sees("No links have been created here yet").Press("enter").Sees("No link is selected").Press("c", "y", "down", "end").Went().Fits()

		made := &api.Link{Alias: "0-odd", Name: api.Clean("Odd\x1b[2J"), Amount: screentest.Money(1250, "GBP"), HasAmount: true}
		a, err := j.Begin(t.Context(), ledger.Attempt{Kind: ledger.CreateLink, Destination: here, Amount: made.Amount, Draft: api.LinkDraft{Name: "Odd"}}, ledger.Payer{}, nil)
		if err := cmp.Or(err, j.End(t.Context(), a.ID, ledger.Result{Outcome: ledger.Accepted, Link: made})); err != nil {
			t.Fatal(err)
		}
		c.Press("r").Wait(time.Second).Sees("1 link", "none that is safe to open").WaitsUntilGone("y copy").Press("y").Sees("no URL that is safe to copy").Fits()
		if c.Copied() != "" {
			t.Errorf("copied %q", c.Copied())
		}
		b.err = errors.New("the file is\x1b[2J gone")
		c.Press("r").Sees("could not be read", "the file is^[[2J gone", "0-odd").Fits()
		c.Leave()
	})
}
