package requests_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/screens/requests"
)

func TestTheNewestThousandAreKept(t *testing.T) {
	var l requests.Log
	add := l.Observer("shop")
	for i := range 1_003 {
		add(api.Exchange{Reference: fmt.Sprint(i)})
	}
	got := l.Entries()
	if len(got) != requests.Capacity || got[0].N != 1_003 || got[0].Reference != "1002" || got[999].Reference != "3" {
		t.Errorf("%d entries, from %v to %v", len(got), got[0], got[len(got)-1])
	}
}

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

func TestOneLineHasAllThatSupportAsksFor(t *testing.T) {
	var l requests.Log
	at := time.Date(2026, 11, 22, 6, 1, 2, 345e6, time.FixedZone("", 3600))
	l.Observer("shop")(api.Exchange{
		At: at, Took: 90*time.Second + 1, Operation: api.OpInitiate, Method: "POST", Host: "pay.example", Path: "/initiate",
		Attempt: "01ABC", Try: 1, Sent: 612, Outcome: api.OutcomeUnresolved, Why: "No complete response arrived in time.",
	})
	want := "2026-11-22 06:01:02.345 +01:00 | Initiate | POST pay.example/initiate | no response | 90.000 s | " +
		"612 B sent, 0 B received | unresolved | attempt 01ABC | profile shop | No complete response arrived in time."
	if got := l.Entries()[0].String(); got != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
	var file strings.Builder
	if err := requests.Write(&file, l.Entries()); err != nil || file.String() != want+"\n" {
		t.Error(err, file.String())
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

func TestWaitingEndsWithTheNextRequestOrItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l requests.Log
		ended := make(chan error)
		go func() { ended <- l.Wait(t.Context(), 0) }()
		synctest.Wait()
		l.Observer("")(api.Exchange{})
		if err := <-ended; err != nil {
			t.Error(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		go func() { ended <- l.Wait(ctx, 1) }()
		synctest.Wait()
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
