package collect

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
	"paydesk/screens/screentest"
)

// journaled runs a test with the screen in front of a journal in memory.
func journaled(t *testing.T, drive func(*testing.T, func() *harness, *journal.Journal, *fake)) {
	synctest.Test(t, func(t *testing.T) {
		j, err := journal.Open(t.Context(), journal.Options{Operator: ledger.Operator{User: "ada", Host: "till-3"}})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		f := newFake(t)
		kept := journal.NewRecorder(f, j, here, nil, false)
		drive(t, func() *harness {
			m := New(screentest.Theme, kept, Options{Target: test})
			return &harness{screentest.OpenBare(t, m, 78, 20, 0), t, m, f}
		}, j, f)
	})
}

var here = ledger.Destination{Profile: "shop", Environment: "TEST", Host: "payments.example"}

func TestTheSamePaymentIsSentAgainOnlyAfterTypingTheShortID(t *testing.T) {
	journaled(t, func(t *testing.T, open func() *harness, j *journal.Journal, f *fake) {
		open().toReview().yes()
		first, err := j.Payment(t.Context(), here, "ref-1")
		if err != nil || len(f.sent) != 1 {
			t.Fatalf("sent %d, kept %v (%v)", len(f.sent), first, err)
		}
		time.Sleep(2 * time.Minute)
		c := open()
		c.toReview().yes()
		c.Sees("Nothing was sent", first.ID.Short(), "INITIATED", "ref-1", "ada", "same card, e-mail, phone", "Type "+first.ID.Short()+" to continue")
		c.confirms().Sees("Type " + first.ID.Short() + " exactly as shown")
		if len(f.sent) != 1 {
			t.Fatal("it was sent without the short id")
		}
		f.payment.Reference = "ref-2"
		c.Press("left")
		c.slowly(string(first.ID.Short())).confirms()
		if len(f.sent) != 2 {
			t.Fatalf("sent %d", len(f.sent))
		}
		if !slices.Equal(f.despite, []ledger.ID{first.ID}) {
			t.Errorf("sent despite %v", f.despite)
		}
		c.Went(nav.Replace{To: nav.Payment{Reference: "ref-2"}})
	})
}

// The same customer pays through a console of a profile that is called otherwise, at another address
// with the same key. The question says why it is asked, and how the first was sent.
func TestThePaymentOfARenamedProfileIsADuplicate(t *testing.T) {
	journaled(t, func(t *testing.T, open func() *harness, j *journal.Journal, f *fake) {
		before := ledger.Destination{Profile: "shop-old", Environment: "TEST", Host: "pay.example:8080"}
		f.failed = &api.Unresolved{Kind: api.KindTimeout}
		elsewhere := journal.NewRecorder(f, j, before, apiKey("sk_test_1"), false)
		in := api.Initiation{Amount: gbp(1250), Customer: api.Customer{Email: "ADA+old@example.com", Phone: "020 7946 0000"}}
		_, err := elsewhere.Initiate(t.Context(), in)
		if err == nil {
			t.Fatal("it was not lost")
		}
		for _, c := range []struct {
			place ledger.Destination
			key   string
			want  []string
		}{
			{here, "sk_test_1", []string{"same e-mail, phone", "from profile shop-old, through another address", "(pay.example:8080)", "with the same key"}},
			{before, "sk_test_2", []string{"with another key to the same address"}},
			{ledger.Destination{Profile: "new", Environment: "TEST", Host: "pay.example:8080"}, "sk_test_1", []string{"same e-mail, phone, from profile shop-old"}},
		} {
			kept := journal.NewRecorder(f, j, c.place, apiKey(c.key), false)
			screen := New(screentest.Theme, kept, Options{Target: test})
			m := &harness{screentest.OpenBare(t, screen, 78, 20, 0), t, screen, f}
			m.toReview().yes()
			m.Sees("Nothing was sent: this looks like a duplicate.").Sees(c.want...)
			m.Leave()
		}
		if len(f.sent) != 1 {
			t.Errorf("sent %d times", len(f.sent))
		}
	})
}

func TestAnUnresolvedPaymentIsADuplicateHoweverOldItIs(t *testing.T) {
	journaled(t, func(t *testing.T, open func() *harness, j *journal.Journal, f *fake) {
		f.failed = &api.Unresolved{Kind: api.KindTimeout}
		c := open()
		c.toReview().yes()
		lost, err := j.Unfinished(t.Context(), here)
		if err != nil || len(lost) != 1 || !lost[0].IsUnresolved() {
			t.Fatalf("unresolved are %v (%v)", lost, err)
		}
		c.Went(nav.Replace{To: nav.Attempt{ID: lost[0].ID}})
		time.Sleep(48 * time.Hour)
		c = open()
		c.toReview().yes()
		c.Sees("UNRESOLVED", lost[0].At.UTC().Format("2006-01-02 15:04"), "Type "+lost[0].ID.Short())
		if len(f.sent) != 1 {
			t.Error("it was sent again")
		}
	})
}

func TestNothingIsSentOnceTheJournalIsClosed(t *testing.T) {
	journaled(t, func(t *testing.T, open func() *harness, j *journal.Journal, f *fake) {
		c := open()
		c.toReview()
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		c.yes().Sees("Nothing was sent", "Charge 12.50 GBP")
		if len(f.sent) != 0 {
			t.Error("it was sent")
		}
	})
}
