package transactions

import (
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

func TestARowIsPinnedIfItsIDCanBeAReference(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		l := listOf(30)
		pinned := map[api.Reference]bool{"txn_0002": true}
		m := New(screentest.Theme, l, Options{Scans: listing.NewScanner(t.Context(), l), Pinned: func(r api.Reference) bool { return pinned[r] }})
		c := screentest.Open(t, m, 160, 24)
		c.Sees("p pin").Press("p").Went(nav.Pin{Payments: []api.Reference{"txn_0001"}})
		c.Press("down").Wait(time.Second).Sees("p unpin").Press("p").Went(nav.Pin{Payments: []api.Reference{"txn_0002"}, Remove: true})
		c.Press("enter", "p").Went(nav.Pin{Payments: []api.Reference{"txn_0002"}, Remove: true})
	})
	inBubble(t, func(t *testing.T) {
		l := &fakeLister{answer: func(_, per int) (api.Page, error) {
			return api.Page{Rows: []api.Transaction{rowOf("no reference", 100, "GBP", "PENDING")}, HasMeta: true, Meta: api.Meta{Page: 1, PageCount: 1, Total: 1, PerPage: per}}, nil
		}}
		c := screentest.Open(t, New(screentest.Theme, l, Options{Scans: listing.NewScanner(t.Context(), l)}), 160, 24)
		c.WaitsUntilGone("p pin").Press("p").Sees("This ID cannot be a payment reference.").Went()
	})
}
