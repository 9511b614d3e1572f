package journal

import (
	"context"
	"fmt"
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// Fill makes a journal of n attempts in a folder, in few transactions.
func Fill(dir string, n int, now time.Time) error {
	ctx := context.Background()
	c := now
	j, err := Open(ctx, Options{Dir: dir, Now: func() time.Time { return c }, Keep: 1000 * 24 * time.Hour})
	if err != nil {
		return err
	}
	defer j.Close()
	step := 400 * 24 * time.Hour / time.Duration(n)
	for i := 0; i < n; i += 1000 {
		err := j.write(ctx, func(t *change) error {
			for k := i; k < min(i+1000, n); k++ {
				if err := t.fill(k, now.Add(-time.Duration(n-k)*step)); err != nil {
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

// fill writes the k-th attempt: every hundredth a link, every twentieth lost and decided
// about, ten of all unknown, twenty under way.
func (t *change) fill(k int, at time.Time) error {
	codes := []string{"GBP", "NGN", "USD"}
	t.j.o.Operator = Operator{User: []string{"ada", "ben", "chi", "dan"}[k%4], Host: "till", SSH: "192.0.2.7"}
	currency, _ := money.ParseCurrency(codes[k%3])
	a := Attempt{
		ID: newID(), Kind: Initiate, At: at, By: t.j.o.Operator, Place: Place{"shop", "TEST", "pay.example.com"},
		Amount: money.Amount{Minor: int64(k%500 + 100), Currency: currency}, Channel: api.ChannelCard, Card: fmt.Sprintf("%04d", k%10000),
		Link: api.Alias(fmt.Sprint("alias-", k%50)),
	}
	if k%100 == 0 {
		a.Kind, a.Channel, a.Card, a.Link = CreateLink, "", "", ""
	}
	r := rowOf(a)
	r.machine, r.pid, r.started = "elsewhere", 1, 1
	t.now = at
	if err := t.add(r); err != nil {
		return err
	}
	if err := t.happened(r, eventRow{what: string(Sent), source: here}); err != nil {
		return err
	}
	at = at.Add(time.Second)
	switch {
	case k%100 == 0:
		alias := api.Alias(fmt.Sprint("alias-", k/100%50, "-", k))
		return t.end(a.ID, Answer{Outcome: Accepted, Link: &api.Link{Alias: alias, Name: api.Clean(fmt.Sprint("Links ", k))}}, at)
	case k%10000 == 1:
		return t.end(a.ID, Answer{Outcome: Unresolved, Why: "the answer was cut short"}, at)
	case k%20 == 1:
		return t.end(a.ID, Answer{Outcome: Refused, Why: "insufficient funds"}, at)
	}
	status := "SUCCESSFUL"
	if k%5000 == 2 {
		status = "PENDING"
	}
	return t.end(a.ID, Answer{Outcome: Accepted, Payment: &api.Payment{Reference: api.Reference(fmt.Sprint("REF", k)), Status: api.ParseStatus(status)}}, at)
}
