package requests_test

import (
	"testing"

	"paydesk/api"
	"paydesk/screens/requests"
)

// A scan of a large list makes more requests than are kept.
func TestAScanLeavesWhatAPersonDidInTheLog(t *testing.T) {
	var l requests.Log
	add := l.Observer("shop")
	add(api.Exchange{Operation: api.OpInitiate, Reference: "mine"})
	for i := range 5_000 {
		add(api.Exchange{Operation: api.OpTransactions, Bulk: true, Sent: int64(i)})
		if i%1000 == 0 {
			add(api.Exchange{Operation: api.OpTransaction, Reference: "watched"})
		}
	}
	got := l.Entries()
	if len(got) != 26 || got[25].Reference != "mine" || got[0].Sent != 4_999 || got[0].N != 5_006 {
		t.Errorf("%d entries, from %v to %v", len(got), got[0], got[len(got)-1])
	}
	for range requests.Capacity {
		add(api.Exchange{})
	}
	for range 30 {
		add(api.Exchange{Bulk: true})
	}
	if got = l.Entries(); len(got) != requests.Capacity || !got[19].Bulk || got[20].Bulk {
		t.Errorf("%d entries", len(got))
	}
}
