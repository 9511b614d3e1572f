package session_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/gate"
	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/api/session"
	"paydesk/api/watch"
)

// follow prints a line for each change of each payment, and returns once none of them is polled any
// more. A status command does this.
func follow(ctx context.Context, out io.Writer, s *session.Session, references ...api.Reference) error {
	watches, printed := map[api.Reference]*watch.Watch{}, map[api.Reference]int{}
	for _, r := range references {
		watches[r] = s.Watches.Watch(r)
		defer watches[r].Close()
	}
	for version := uint64(0); len(watches) > 0; {
		var err error
		if version, err = s.Watches.Next(ctx, version); err != nil {
			return err
		}
		for r, w := range watches {
			state := w.State()
			for _, c := range state.History.Since(printed[r]) {
				fmt.Fprintln(out, r, word(c))
			}
			printed[r] = state.History.Count
			if state.Phase == watch.Polling || state.Checking {
				continue
			}
			delete(watches, r)
			if why := ending(state); why != "" {
				fmt.Fprintln(out, r, why)
			}
		}
	}
	return nil
}

func word(c watch.Change) string {
	switch {
	case c.Source == watch.FromFinalize:
		return "finalized"
	case c.Status.State == api.Unrecognised:
		return "unrecognised: " + c.Status.Text.Line(40)
	case c.Wrong:
		return c.Status.State.String() + ", after a final status"
	}
	return c.Status.State.String()
}

// ending is why polling ended, when that is not a final status.
func ending(s watch.State) string {
	switch s.Phase {
	case watch.KeyRejected:
		return "the service rejects the key"
	case watch.NotFound:
		return "the service has no such payment"
	case watch.Expired:
		return "still not final"
	}
	return ""
}

// A skippingClock skips every wait at once, for the watches and the sandbox.
type skippingClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *skippingClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *skippingClock) AfterFunc(d time.Duration, f func()) watch.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return time.AfterFunc(0, f)
}

// Example_watcher opens a session on a sandbox, pays by card, and follows that payment and one that
// does not exist.
func Example_watcher() {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	clock := &skippingClock{now: time.Now()}
	service := sandbox.New(sandbox.Options{Now: clock.Now, Seed: 7})
	server := must(service.Listen(ctx, "127.0.0.1:0"))
	defer server.Close()
	client := must(api.New(api.Config{BaseURL: server.Origin(), ListURL: server.Origin(), Key: key(service.Key())}))
	s := session.Open(ctx, session.Options{
		Client: client, Clock: clock,
		Gate: gate.Options{Evidence: []gate.Evidence{gate.Word(gate.ByProfile, "sandbox")}},
	})
	paid := must(s.Initiate(ctx, payment()))
	var out strings.Builder
	err := follow(ctx, &out, s, paid.Reference)
	io.WriteString(os.Stdout, strings.ReplaceAll(out.String(), string(paid.Reference), "payment:"))
	fmt.Println("error:", err)
	fmt.Println(follow(ctx, os.Stdout, s, "UNKNOWN"))
	// Output:
	// payment: INITIATED
	// payment: PENDING
	// payment: SUCCESSFUL
	// error: <nil>
	// UNKNOWN the service has no such payment
	// <nil>
}

// A key is a secret key.
type key string

func (k key) Expose() string { return string(k) }

func payment() api.Initiation {
	return api.Initiation{
		Amount: must(money.Parse("12.50", must(money.ParseCurrency("GBP")))), Channel: api.ChannelCard,
		Customer:  api.Customer{FirstName: "Ada", LastName: "Obi", Email: "ada@example.org", Phone: "+442079460000"},
		Card:      &api.CardEntry{PAN: must(card.ParsePAN("4242424242424242")), CVV: must(card.ParseCVV("123")), Expiry: card.Expiry{Month: 12, Year: 2034}},
		ReturnURL: "https://shop.example/done",
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
