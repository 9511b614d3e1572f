package collect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
)

// duplicate is a payment that was sent some time ago.
func duplicate(id ledger.ID, ago time.Duration, change func(*ledger.Attempt)) ledger.Attempt {
	a := ledger.Attempt{
		ID: id, Kind: ledger.Initiate, At: time.Now().Add(-ago), By: ledger.Operator{User: "grace", Host: "till-1"},
		Amount: gbp(1250), Channel: api.ChannelCard, Card: "4242",
		Outcome: ledger.Accepted, Reference: "ref-0", Status: api.ParseStatus("PENDING"),
	}
	if change != nil {
		change(&a)
	}
	return a
}

// guard stops a payment unless all duplicates are acknowledged, as the journal does.
func guard(sent ...ledger.Attempt) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, a := range sent {
			if !slices.Contains(ledger.AllowedDuplicates(ctx), a.ID) {
				return &ledger.Duplicate{Attempts: sent}
			}
		}
		return nil
	}
}

// slowly types at the speed of a hand.
func (c *harness) slowly(text string) *harness {
	c.Wait(time.Second)
	for _, r := range text {
		c.Type(string(r)).Wait(200 * time.Millisecond)
	}
	return c
}

func (c *harness) confirms() *harness {
	c.Press("right").Wait(200 * time.Millisecond).Press("enter").Wait(time.Second)
	return c
}

// In live the amount is typed first. All duplicates are shown before one is allowed, also one that was sent meanwhile.
func TestEveryDuplicateIsShownBeforeItIsAllowed(t *testing.T) {
	f := newFake(t)
	link := &api.Link{Alias: "0-abcdefg", HasAmount: true, Amount: gbp(1250)}
	withScreen(t, 58, 14, Options{Link: link, Target: live}, f, func(c *harness) {
		var sent []ledger.Attempt
		for i := range 6 {
			sent = append(sent, duplicate(ledger.ID(fmt.Sprintf("%d%d%d%d000000", i, i, i, i)), time.Duration(i+1)*time.Minute, nil))
		}
		f.guard = guard(sent...)
		c.Press("enter", "enter")
		c.customer().fill(visa, "123", "1234", "https://shop.example/done", "Order 7", "order=7").slowly("12.50").confirms()
		for _, a := range sent {
			c.Sees(a.ID.Short())
		}
		f.guard = guard(append(sent, duplicate("bbbb000000", time.Second, nil))...)
		c.slowly("12.50").confirms().Sees("Type 0000 exactly as shown")
		c.Wait(time.Second).Press("ctrl+u")
		if c.slowly("0000").confirms().Sees("Type bbbb"); f.asks != 2 || len(f.sent) != 0 {
			t.Fatalf("asked for %d times, sent %d", f.asks, len(f.sent))
		}
		c.slowly("bbbb").confirms()
		c.sentOnce()
	})
}

func TestAJournalThatCannotBeWrittenSendsNothingAndSaysWhy(t *testing.T) {
	f := newFake(t)
	withScreen(t, 78, 20, Options{}, f, func(c *harness) {
		f.guard = func(context.Context) error {
			return &ledger.Unavailable{Why: "The disk of /home is full; make room on it."}
		}
		c.toReview().yes()
		c.Sees("The disk of /home is full; make room on it. Nothing was sent.", "Fix that and try again", "Charge 12.50 GBP").Golden("blocked")
		if len(f.sent) != 0 {
			t.Fatal("it was sent")
		}
		f.guard = nil
		c.yes()
		c.sentOnce()
	})
}

func TestAnUnresolvedPaymentOpensItsAttempt(t *testing.T) {
	for name, err := range map[string]error{
		"an unknown error":  fmt.Errorf("while sending: %w", &journal.UnresolvedAttempt{ID: "a9z8y7x6w5", Err: errors.New("odd")}),
		"a refusal inside":  &journal.UnresolvedAttempt{ID: "a9z8y7x6w5", Err: &api.Refusal{HTTP: 200}},
		"a failure to keep": errors.Join(&journal.UnresolvedAttempt{ID: "a9z8y7x6w5"}, &ledger.Unavailable{Why: "The disk is full."}),
	} {
		f := newFake(t)
		f.failed = err
		withScreen(t, 78, 20, Options{}, f, func(c *harness) {
			c.toReview().yes()
			c.sentOnce()
			c.hasNoSecret()
			t.Log(name)
			c.Went(nav.Replace{To: nav.Attempt{ID: "a9z8y7x6w5"}})
		})
	}
}
