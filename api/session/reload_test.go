package session_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
)

// A console is one of two that share a journal, in front of a service each.
type console struct {
	*session.Tracker
	is *service
}

// desks are two consoles over one journal, in fake time.
func desks(t *testing.T, test func(t *testing.T, j *journal.Journal, one, two console)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(journal.Options{Operator: ledger.Operator{User: "ada"}})
		defer j.Close()
		one, two := &service{payment: initiated, status: "PENDING"}, &service{payment: initiated, status: "PENDING"}
		test(t, j, console{withJournal(j, one), one}, console{withJournal(j, two), two})
	})
}

// reload reads the journal, and checks that there is one entry.
func (c console) reload(t *testing.T) session.Entry {
	t.Helper()
	noError(t, c.Reload(t.Context()))
	return onlyEntry(t, c.Tracker)
}

// lose sends a payment, a link or a finalize whose answer is lost.
func (c console) lose(send func() error) {
	c.is.err = &api.Unresolved{Kind: api.KindTimeout}
	_ = send()
	c.is.err = nil
}

func TestAPaymentOfAnEarlierRunContinuesWhereItWas(t *testing.T) {
	address, err := api.ParseAddress("https://bank.example/check")
	if err != nil {
		t.Fatal(err)
	}
	at := func(change func(*api.Payment)) api.Payment {
		p := initiated
		change(&p)
		return p
	}
	bank := at(func(p *api.Payment) { p.BankAuth = address })
	for _, c := range []struct {
		name    string
		payment api.Payment
		link    api.Alias
		channel string
		then    func(*testing.T, console)
		next    ledger.Step
	}{
		{"at the bank", bank, "", api.ChannelCard, nil, ledger.ToAuthorise},
		{"at a bank whose URL cannot be used", challenge, "", api.ChannelCard, nil, ledger.ToAuthorise},
		{"at a transfer", at(func(p *api.Payment) { p.Transfer = &api.Transfer{} }), "", api.ChannelTransfer, nil, ledger.ToAuthorise},
		{"asked by its status", initiated, "0-abc", api.ChannelCard, func(t *testing.T, c console) {
			c.is.status = "REQUIRE_BANK_AUTH"
			_, _ = c.Transaction(t.Context(), "ref-1")
		}, ledger.ToAuthorise},
		{"done, through a link", bank, "0-abc", api.ChannelCard, func(t *testing.T, c console) {
			c.CustomerDone("ref-1")
			_, _ = c.Transaction(t.Context(), "ref-1")
		}, ledger.ToFinalize},
		{"finalized", bank, "0-abc", api.ChannelCard, func(t *testing.T, c console) {
			c.CustomerDone("ref-1")
			_, _ = c.Finalize(t.Context(), "ref-1")
		}, ledger.ToVerify},
		{"nothing required", initiated, "", api.ChannelCard, nil, ledger.ToVerify},
	} {
		desks(t, func(t *testing.T, _ *journal.Journal, one, two console) {
			one.is.payment, one.is.status = c.payment, "INITIATED"
			in := initiation(t, c.link)
			in.Channel = c.channel
			_, err := one.Initiate(t.Context(), in)
			noError(t, err)
			if c.then != nil {
				c.then(t, one)
			}
			began := time.Now()
			time.Sleep(time.Hour)
			e := two.reload(t)
			if e.NextStep() != c.next || e.Masked() != "•••• 4242" || !e.At.Equal(began) || e.IsUnresolved() {
				t.Errorf("%s: %+v, next %v", c.name, e, e.NextStep())
			}
			if was := onlyEntry(t, one.Tracker); was.NextStep() != c.next {
				t.Errorf("%s: next was %v", c.name, was.NextStep())
			}
		})
	}
}

func TestAnUnansweredFinalizeIsKnownAfterARestart(t *testing.T) {
	desks(t, func(t *testing.T, _ *journal.Journal, one, two console) {
		_, err := one.Initiate(t.Context(), initiation(t, "0-abc"))
		noError(t, err)
		one.lose(func() error { _, err := one.Finalize(t.Context(), "ref-1"); return err })
		lost := time.Now()
		if e := two.reload(t); e.Kind != ledger.Initiate || e.WhyNot(ledger.ToFinalize, lost.Add(time.Second)) == "" || e.WhyNot(ledger.ToFinalize, lost.Add(time.Minute)) != "" {
			t.Errorf("%+v", e)
		}
	})
	// For a payment that was made elsewhere, the finalize itself is listed.
	desks(t, func(t *testing.T, _ *journal.Journal, one, two console) {
		one.lose(func() error { _, err := one.Finalize(t.Context(), "ref-9"); return err })
		if e := two.reload(t); !e.IsUnresolved() || e.Kind != ledger.Finalize || e.Reference != "ref-9" {
			t.Errorf("%+v", e)
		}
	})
}

func TestWhatIsReloadedTwiceIsListedOnce(t *testing.T) {
	desks(t, func(t *testing.T, _ *journal.Journal, one, two console) {
		for i, r := range []api.Reference{"ref-2", "", "ref-1"} {
			at := one
			if i == 2 {
				at = two
				noError(t, two.Reload(t.Context()))
			}
			in := initiation(t, "")
			in.Amount.Minor += int64(i)
			at.is.payment.Reference = r
			send := func() error { _, err := at.Initiate(t.Context(), in); return err }
			if r == "" {
				at.lose(send)
			} else {
				noError(t, send())
			}
			time.Sleep(time.Minute)
		}
		for range 2 {
			noError(t, two.Reload(t.Context()))
		}
		var got []string
		for _, e := range two.All() {
			got = append(got, string(e.Reference))
		}
		if want := []string{"ref-1", "", "ref-2"}; !slices.Equal(got, want) {
			t.Errorf("listed are %q, want %q", got, want)
		}
	})
}

// Whatever a person decided about a lost payment, the latest decision is what is listed.
func TestTheListFollowsTheLatestDecision(t *testing.T) {
	desks(t, func(t *testing.T, j *journal.Journal, one, two console) {
		one.lose(func() error { _, err := one.Initiate(t.Context(), initiation(t, "")); return err })
		e := two.reload(t)
		for _, c := range []struct {
			decision ledger.Decision
			found    api.Reference
			listed   bool
		}{
			{ledger.Found, "ref-7", true}, {ledger.Found, "ref-8", true}, {ledger.Undecided, "", true}, {ledger.Found, "ref-7", true},
			{ledger.GaveUp, "", false},
		} {
			time.Sleep(20 * time.Minute)
			seen, err := j.Attempt(t.Context(), e.ID)
			noError(t, err)
			noError(t, j.Decide(t.Context(), seen, c.decision, c.found))
			noError(t, two.Reload(t.Context()))
			if all := two.All(); (len(all) == 1) != c.listed || c.listed && (all[0].IsUnresolved() != (c.found == "") || all[0].Reference != c.found) {
				t.Errorf("%+v, want %+v", all, c)
			}
		}
	})
}

func TestWhatBecameFinalInAnotherConsoleIsFinalHere(t *testing.T) {
	desks(t, func(t *testing.T, _ *journal.Journal, one, two console) {
		_, err := one.Initiate(t.Context(), initiation(t, ""))
		noError(t, err)
		two.reload(t)
		one.is.status = "SUCCESSFUL"
		_, err = one.Transaction(t.Context(), "ref-1")
		noError(t, err)
		if e := two.reload(t); e.Open() || e.Status.State != api.Successful {
			t.Errorf("%+v", e)
		}
	})
}

func TestAFinalizeOfAnotherConsoleIsKnownHere(t *testing.T) {
	desks(t, func(t *testing.T, j *journal.Journal, one, two console) {
		_, err := one.Initiate(t.Context(), initiation(t, "0-abc"))
		noError(t, err)
		one.lose(func() error { _, err := one.Finalize(t.Context(), "ref-1"); return err })
		left, err := j.Unfinished(t.Context(), desk)
		noError(t, err)
		lost := left[slices.IndexFunc(left, func(a ledger.Attempt) bool { return a.Kind == ledger.Finalize })]
		for _, finalized := range []bool{true, false, true} { // a person took it back, and decided so again
			decision := ledger.Undecided
			if finalized {
				decision = ledger.Found
			}
			lost, err = j.Attempt(t.Context(), lost.ID)
			noError(t, err)
			noError(t, j.Decide(t.Context(), lost, decision, ""))
			if e := two.reload(t); e.Finalized != finalized || e.Status.State != api.Initiated {
				t.Errorf("finalized %v: %+v", finalized, e)
			}
		}
	})
}

func TestTheJournalRecordsTheCustomerBeforeTheNextRequest(t *testing.T) {
	desks(t, func(t *testing.T, j *journal.Journal, one, _ console) {
		one.is.payment = challenge
		_, err := one.Initiate(t.Context(), initiation(t, "0-abc"))
		noError(t, err)
		one.CustomerDone("ref-1")
		done := func() bool {
			a, err := j.Payment(t.Context(), desk, "ref-1")
			noError(t, err)
			return a.CustomerDone
		}
		if done() || onlyEntry(t, one.Tracker).CustomerMustAct() {
			t.Error("it was written at once, or is not known here")
		}
		for range 2 {
			_, err = one.Transaction(t.Context(), "ref-1")
			noError(t, err)
		}
		said := 0
		paid, _ := one.Find("ref-1")
		for _, e := range paid.History {
			if e.What == "customer done" {
				said += e.Times
			}
		}
		if !done() || said != 1 {
			t.Errorf("recorded %v, said %d times", done(), said)
		}
	})
}

// What cannot be written down is known in this run all the same, whatever is read of the journal afterwards.
func TestWhatTheJournalCannotTakeIsKnownInThisRun(t *testing.T) {
	desks(t, func(t *testing.T, j *journal.Journal, one, _ console) {
		_, err := one.Initiate(t.Context(), initiation(t, "0-abc"))
		noError(t, err)
		_, err = one.Transaction(t.Context(), "ref-1")
		noError(t, err)
		noError(t, one.Pin(t.Context(), "THEIRS"))
		time.Sleep(time.Second)
		j.Close()
		one.is.status = "REQUIRE_BANK_AUTH"
		for _, r := range []api.Reference{"ref-1", "THEIRS"} {
			_, err = one.Transaction(t.Context(), r)
			noError(t, err)
			if e, _ := one.Find(r); e.Status.State != api.BankAuthRequired || !e.StatusAt.Equal(time.Now()) || len(e.History) == 0 {
				t.Errorf("%s: %+v", r, e)
			}
		}
		if err := one.Pin(t.Context(), "MORE"); err == nil || len(one.Pinned()) != 1 {
			t.Error("pinned without the journal")
		}
		if err := one.Reload(t.Context()); err == nil {
			t.Error("a journal that cannot be read is not reported")
		}
		if all, err := one.Recent(t.Context()); err == nil {
			t.Error(all)
		}
	})
}

func TestTheLatestPaymentsAreThoseMadeFoundAndLookedUp(t *testing.T) {
	desks(t, func(t *testing.T, _ *journal.Journal, one, two console) {
		_, err := one.Initiate(t.Context(), initiation(t, ""))
		noError(t, err)
		one.is.status = "SUCCESSFUL"
		_, err = one.Transaction(t.Context(), "ref-1")
		noError(t, err)
		time.Sleep(time.Hour)
		one.is.status = "PENDING"
		_, err = one.Transaction(t.Context(), "ref-2")
		noError(t, err)
		all, err := two.Recent(t.Context())
		if err != nil || len(all) != 2 {
			t.Fatal(all, err)
		}
		if e := all[0]; e.Reference != "ref-1" || e.Open() || e.Asks() || e.IsElsewhere() {
			t.Errorf("%+v", e)
		}
		if e := all[1]; e.Reference != "ref-2" || !e.IsElsewhere() || e.Open() || !e.Asks() || !e.StatusAt.Equal(time.Now()) {
			t.Errorf("%+v", e)
		}
		if ours, _ := one.Find("ref-1"); all[0].Is(all[1]) || !all[0].Is(ours) {
			t.Error("entries are taken for others")
		}
	})
}

func TestAnUnreadableJournalIsReported(t *testing.T) {
	broken := errors.New("no disk")
	if err := withJournal(journal.NewUnavailable(broken), &service{}).Reload(t.Context()); !errors.Is(err, broken) {
		t.Error(err)
	}
}
