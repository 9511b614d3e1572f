package requests_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/screens/requests"
	"paydesk/screens/screentest"
)

func open(t *testing.T, w, h int, tell func(*screentest.Console, *requests.Log)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		log := &requests.Log{}
		tell(screentest.Open(t, requests.New(screentest.Theme, requests.Options{Log: log, Version: "test"}), w, h), log)
	})
}

func exchange(outcome api.Outcome) api.Exchange {
	return api.Exchange{
		At: time.Date(2026, 11, 22, 6, 1, 2, 0, time.UTC), Took: 90 * time.Second, Operation: api.OpInitiate, Method: "POST",
		Host: "payments.example", Path: "/" + strings.Repeat("long/", 40), Try: 1, Outcome: outcome,
		Why: strings.Repeat("No complete response arrived in time. ", 8),
	}
}

// Polls have one line for all of them between two others, wherever those of another payment came in between.
func TestReadsThatWereAnsweredTheSameHaveOneLine(t *testing.T) {
	poll := func(reference string, at int64, status int) api.Exchange {
		return api.Exchange{
			At: time.Unix(at, 0), Operation: api.OpTransaction, Method: "GET", Host: "payments.example", Try: 1,
			Path: "/api/payment/transactions/" + reference, Status: status, Outcome: api.OutcomeAnswered,
		}
	}
	open(t, 120, 40, func(c *screentest.Console, log *requests.Log) {
		see := log.Observer("shop")
		for i := range int64(3) {
			see(poll("ONE", 10*i, 200))
			see(poll("TWO", 10*i+1, 200))
		}
		see(exchange(api.OutcomeUnresolved))
		for i := range int64(2) {
			see(poll("ONE", 100+i, 200))
		}
		see(poll("TWO", 102, 500))
		c.Wait(time.Second).Sees("10 requests", "HTTP 500", "HTTP 200 ×2", "HTTP 200 ×3").Press("down").Wait(time.Second)
		c.Sees("2 times since 00:01:40", "00:01:41").Press("end").Wait(time.Second).Sees("3 times since 00:00:00")
		c.Press("enter").Sees("3 times since 00:00:00").Fits()
	})
}
