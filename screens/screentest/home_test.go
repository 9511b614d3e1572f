package screentest_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
	homescreen "paydesk/screens/home"
	"paydesk/screens/screentest"
)

// listedPayments holds those of the console, newest first. Their journal answers once read is closed, where that is set.
type listedPayments struct {
	all  []session.Entry
	one  session.Entry // what is known of any
	pin  api.Reference
	read chan struct{}
	err  error
}

func (p *listedPayments) Reload(context.Context) error {
	if p.read != nil {
		<-p.read
	}
	return p.err
}

func (p *listedPayments) All() []session.Entry                        { return p.all }
func (p *listedPayments) Recall(context.Context, api.Reference) error { return nil }
func (p *listedPayments) Find(api.Reference) (session.Entry, bool)    { return p.one, true }
func (p *listedPayments) IsPinned(r api.Reference) bool               { return r == p.pin }
func (p *listedPayments) KeyRejected() bool                           { return false }
func (p *listedPayments) Answered() bool                              { return true }
func (p *listedPayments) Transactions(context.Context, int, int) (api.Page, error) {
	return api.Page{}, nil
}
func (p *listedPayments) Made(context.Context, time.Time, time.Time) ([]journal.Made, error) {
	return nil, nil
}

// paid is a card payment that was initiated, with a status.
func paid(r api.Reference, status string, by ledger.Operator) session.Entry {
	a := ledger.Attempt{At: time.Now(), By: by, Amount: screentest.Money(1250, "GBP"), Channel: api.ChannelCard, Card: "4242"}
	return screentest.Made(a, api.Payment{Reference: r, Status: api.ParseStatus(status)})
}

// lost is a payment whose answer never came.
func lost(id ledger.ID, by ledger.Operator, to ledger.Destination) session.Entry {
	return screentest.Lost(ledger.Attempt{ID: id, Kind: ledger.Initiate, At: time.Now(), By: by, Amount: screentest.Money(4000, "GBP"), Destination: to})
}

func openHome(t *testing.T, w, h int, o homescreen.Options, list func() *listedPayments, look func(*screentest.Console, *listedPayments)) {
	t.Helper()
	o.Journal = true
	synctest.Test(t, func(t *testing.T) {
		p := list()
		look(screentest.Open(t, homescreen.New(screentest.Theme, p, o), w, h), p)
	})
}

// Beside colleagues a row says whose it is.
func TestEachRowOfATeamNamesItsDesk(t *testing.T) {
	openHome(t, 80, 24, homescreen.Options{Team: true}, func() *listedPayments {
		taken := lost("k7m3qx9w00", ledger.Operator{User: "ada", Host: "desk-14"}, ledger.Destination{})
		settled := paid("ref-4", "SUCCESSFUL", ledger.Operator{})
		settled.At = settled.At.Add(-time.Hour) // in another year
		taken.Lease = ledger.Lease{By: ledger.Operator{User: "eve", Host: "desk-3"}, Since: time.Now()}
		return &listedPayments{all: []session.Entry{
			paid("ref-1", "PENDING", ledger.Operator{User: "ada", Host: "desk-14"}), paid("ref-2", "FAILED", ledger.Operator{User: "support", Host: "bastion-2"}),
			paid("ref-3", "PENDING", ledger.Operator{}), taken, settled,
		}}
	}, func(c *screentest.Console, _ *listedPayments) {
		c.Sees("ada@desk-14", "support@ba…", "with eve@d…", "  here  ", "< 1 min", "31 Dec").Fits()
	})
}

func TestAJournalThatCannotBeReadIsReported(t *testing.T) {
	openHome(t, 80, 24, homescreen.Options{}, func() *listedPayments {
		return &listedPayments{read: make(chan struct{}), err: errors.New("The journal is damaged.\x1b[2J")}
	}, func(c *screentest.Console, p *listedPayments) {
		c.Sees("Loading payments…")
		close(p.read)
		c.Wait(time.Second).Sees("could not be loaded. The journal is damaged.^[[2J", "sent from here are not known").WaitsUntilGone("No payment needs attention").Fits()
	})
}

func TestWhySendingIsDisabledIsShownInFull(t *testing.T) {
	const problem = "Nothing can be sent: The journal cannot be written: the disk is full. Free some space and try again. (/home/ada/.local/state/paydesk/journal.db)"
	openHome(t, 60, 18, homescreen.Options{JournalProblem: func() string { return problem }}, func() *listedPayments {
		return &listedPayments{all: []session.Entry{lost("k7m3qx9w00", ledger.Operator{}, ledger.Destination{})}}
	}, func(c *screentest.Console, _ *listedPayments) {
		c.Sees("Nothing can be sent: ", "journal cannot be written", "journal.db)", "UNRESOLVED").Fits()
	})
}

// A pinned payment may turn out to be that of an attempt. The mark stays on either of its rows, and once it is unpinned on what is known then.
func TestBothRowsOfAPinnedPaymentAreReached(t *testing.T) {
	openHome(t, 60, 18, homescreen.Options{}, func() *listedPayments {
		here := paid("ref-1", "SUCCESSFUL", ledger.Operator{})
		here.ID = "k7m3qx9w00"
		pin := session.Entry{Entry: ledger.Entry{Attempt: ledger.Attempt{Kind: ledger.Known, Reference: "ref-1", At: time.Now()}, PinnedAt: time.Now()}}
		return &listedPayments{all: []session.Entry{here, pin}, pin: "ref-1"}
	}, func(c *screentest.Console, p *listedPayments) {
		c.Sees("Pinned", "not checked yet", "Settled today").Press("down", "r").Wait(time.Second).Sees("▌ ✓ SUCCESSFUL").Press("p")
		p.all, p.one = nil, paid("ref-1", "PENDING", ledger.Operator{})
		c.Press("r").Wait(time.Second).Sees("▌ ◌ PENDING")
	})
}

// What was sent under another name of the service is listed with how it was sent.
func TestAPaymentSentUnderAnotherNameSaysHow(t *testing.T) {
	under := func(profile, host, fingerprint string) ledger.Destination {
		return ledger.Destination{Profile: profile, Environment: "TEST", Host: host, Fingerprint: fingerprint}
	}
	here := homescreen.Options{Here: func() ledger.Destination { return under("shop", "127.0.0.1:8080", "aa") }}
	openHome(t, 80, 24, here, func() *listedPayments {
		ada := ledger.Operator{User: "ada"}
		return &listedPayments{all: []session.Entry{
			lost("aaaa000000", ada, under("shop-old", "pay.example:8080", "aa")), lost("bbbb000000", ada, under("shop", "127.0.0.1:8080", "bb")),
			lost("cccc000000", ada, under("shop", "127.0.0.1:8080", "aa")), lost("dddd000000", ada, under("shop-old", "127.0.0.1:8080", "")),
		}}
	}, func(c *screentest.Console, _ *listedPayments) {
		c.Sees("4 unresolved", "Sent from profile shop-old, through another address")
		c.Fits().Press("down").Wait(time.Second).Sees("Sent with another key to the same address.")
		c.Press("down").Wait(time.Second).Sees("cccc").WaitsUntilGone("Sent from", "Sent with")
		c.Press("down").Wait(time.Second).Sees("Sent from profile shop-old.").WaitsUntilGone("key.")
	})
}
