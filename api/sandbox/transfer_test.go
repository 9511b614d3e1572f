package sandbox

import (
	"strings"
	"testing"
	"time"
)

func TestTransfersArePaidOnDemandAloneWhenTheSwitchSaysSo(t *testing.T) {
	s := serve(t, Options{})
	before := s.pay(bankTransfer())
	must(t, s.SetSwitch("transfer.paid", "on-demand"))
	after := s.pay(bankTransfer())
	s.Forward(time.Minute)
	s.is(before, "Successfull")
	s.is(after, "PENDING")
	s.Forward(accountValid)
	s.is(after, "FAILED")
}

func TestOnlyMoneyCanBePaidAndOnlyIntoATransfer(t *testing.T) {
	s := serve(t, Options{})
	transfer, card := s.pay(bankTransfer()), s.pay(charge("approve"))
	for _, amount := range []string{"", "0.00", "-1", "1e3", "1.001", ".5", "1,00", "1000000000.01"} {
		if err := s.Pay(transfer, amount); err == nil || !strings.HasPrefix(err.Error(), "the amount ") {
			t.Errorf("%q: %v", amount, err)
		}
	}
	if err := s.Pay(card, "1"); err != ErrNotTransfer {
		t.Errorf("a card: %v", err)
	}
	if err := s.Pay("NONE", "1"); err != ErrNoPayment {
		t.Errorf("nothing: %v", err)
	}
}

func TestTheNewestPaymentsAndLinksAreKept(t *testing.T) {
	s := New(Options{Key: testKey, Transactions: 3})
	oneTime := &link{alias: "0-once", name: "once", currency: "GBP", dynamic: true}
	s.keepLink(oneTime)
	initiateWith(t, s, "FIRST", with(charge("approve"), "link", obj{"alias": "0-once"}))
	for range maxPayments {
		s.mu.Lock()
		s.accept(request{amount: 100, currency: "NGN", channel: channelTransfer}, s.now())
		s.mu.Unlock()
	}
	if a := ask(s, "GET", statusPath+"FIRST", ""); a.Code != 404 {
		t.Errorf("the oldest payment: %d", a.Code)
	}
	if len(s.payments) != maxPayments || len(s.ordered) != maxPayments || s.Accepted() != maxPayments+1 {
		t.Errorf("%d and %d kept, %d taken", len(s.payments), len(s.ordered), s.Accepted())
	}
	if !oneTime.used(s.now()) {
		t.Error("a one-time link can be paid again because its payment was dropped")
	}
	for i := range maxLinks {
		s.keepLink(&link{alias: pick(s.random, base36, 20), name: string(rune(i))})
	}
	if len(s.links) != maxLinks || len(s.orderedLinks) != maxLinks || s.links["0-once"] != nil {
		t.Errorf("%d and %d links kept", len(s.links), len(s.orderedLinks))
	}
}
