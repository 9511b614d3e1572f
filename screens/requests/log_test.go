package requests_test

import (
	"testing"
	"time"

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

func TestTheLastAnswerOfAProfileIsFound(t *testing.T) {
	var l requests.Log
	l.Observer("shop")(api.Exchange{Status: 500, Took: time.Second})
	l.Observer("shop")(api.Exchange{Status: 200, Took: 12 * time.Millisecond})
	l.Observer("shop")(api.Exchange{Took: time.Minute}) // no answer came
	l.Observer("other")(api.Exchange{Status: 200, Took: time.Hour})
	if last, ok := l.Answered("shop"); !ok || last.Took != 12*time.Millisecond {
		t.Errorf("%+v", last)
	}
	if last, ok := l.Answered("none"); ok {
		t.Errorf("%+v", last)
	}
	if _, ok := (*requests.Log)(nil).Answered("shop"); ok {
		t.Error("no log has an answer")
	}
}

func TestTheStatusOfAPaymentNamesItsAttempt(t *testing.T) {
	var l requests.Log
	l.Observer("shop")(api.Exchange{Operation: api.OpInitiate, Reference: "REF1", Attempt: "01ABC"})
	l.Observer("shop")(api.Exchange{Operation: api.OpTransaction, Reference: "REF1"})
	l.Observer("other")(api.Exchange{Operation: api.OpTransaction, Reference: "REF1"})
	l.Observer("shop")(api.Exchange{Operation: api.OpTransactions})
	got := l.Entries()
	if got[2].Attempt != "01ABC" || got[1].Attempt != "" || got[0].Attempt != "" {
		t.Error(got)
	}
}
