package journal

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// VerifyInBackground makes every journal be verified in the background, as a large one is.
func VerifyInBackground() (restore func()) {
	was := smallFile
	smallFile = 0
	return func() { smallFile = was }
}

func (j *Journal) WaitForIntegrityCheck() {
	if j.integrity != nil {
		<-j.integrity.done
	}
}

// NewOnNetwork returns a journal that takes its disk for a network disk.
func NewOnNetwork(o Options) *Journal {
	j := New(o)
	j.isLocal = func(string) bool { return false }
	return j
}

// Fill creates a journal of n attempts, in few transactions.
func Fill(dir string, n int, now time.Time) error {
	ctx := context.Background()
	c := now
	j, err := Open(ctx, Options{Dir: dir, Now: func() time.Time { return c }, Retention: 1000 * 24 * time.Hour})
	if err != nil {
		return err
	}
	defer j.Close()
	step := 400 * 24 * time.Hour / time.Duration(n)
	for i := 0; i < n; i += 10000 {
		err := j.write(ctx, func(t *writeTx) error {
			attempts, err := t.tx.PrepareContext(ctx, insertAttempt)
			if err != nil {
				return err
			}
			defer attempts.Close()
			events, err := t.tx.PrepareContext(ctx, insertEvent)
			if err != nil {
				return err
			}
			defer events.Close()
			for k := i; k < min(i+10000, n); k++ {
				if err := t.fill(attempts, events, k, now.Add(-time.Duration(n-k)*step)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fill writes the k-th attempt in its final state: every hundredth a link, every twentieth
// refused, ten unresolved, twenty under way.
func (t *writeTx) fill(attempts, events *sql.Stmt, k int, at time.Time) error {
	codes := []string{"GBP", "NGN", "USD"}
	currency, _ := money.ParseCurrency(codes[k%3])
	a := Attempt{
		ID: newID(), Kind: Initiate, At: at, By: Operator{User: []string{"ada", "ben", "chi", "dan"}[k%4], Host: "till", SSH: "192.0.2.7"},
		Destination: Destination{"shop", "TEST", "pay.example.com"}, Amount: money.Amount{Minor: int64(k%500 + 100), Currency: currency},
		Channel: api.ChannelCard, Card: fmt.Sprintf("%04d", k%10000), Link: api.Alias(fmt.Sprint("alias-", k%100000/100*100)),
	}
	if k%100 == 0 {
		a.Kind, a.Channel, a.Card, a.Link = CreateLink, "", "", ""
	}
	r := rowOf(a)
	r.machine, r.pid, r.started = "elsewhere", 1, 1
	answered := unixNano(at.Add(time.Second))
	r.answered = answered
	status := "SUCCESSFUL"
	if k%5000 == 2 {
		status = "PENDING"
	}
	switch {
	case k%100 == 0:
		r.outcome = string(Accepted)
		r.setLink(&api.Link{Alias: api.Alias(fmt.Sprint("alias-", k)), Name: api.Clean(fmt.Sprint("Links ", k))})
	case k%10000 == 1:
		r.outcome, r.why = string(Unresolved), "the answer was cut short"
	case k%20 == 1:
		r.outcome, r.why = string(Refused), "insufficient funds"
	default:
		r.outcome = string(Accepted)
		r.setPayment(&api.Payment{Reference: api.Reference(fmt.Sprint("REF", k))})
		r.setStatus(api.ParseStatus(status), answered)
	}
	r.setSearchText()
	done, err := attempts.Exec(values(r.columns())...)
	if err != nil {
		return err
	}
	n, err := done.LastInsertId()
	if err != nil {
		return err
	}
	for _, e := range []eventRow{
		{at: unixNano(at), what: string(Sent), source: thisConsole},
		{at: answered, what: r.outcome, detail: r.why, source: thisConsole},
		{at: answered, until: answered, what: "status", detail: r.statusText, source: string(Initiate)},
	} {
		e.attempt, e.times = n, 1
		if _, err := events.Exec(values(e.columns())...); err != nil {
			return err
		}
	}
	return nil
}
