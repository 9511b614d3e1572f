package session_test

import (
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
)

// What cannot be written down is known in this run all the same, whatever is read of the journal afterwards.
func TestWhatTheJournalCannotTakeIsKnownInThisRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.New(journal.Options{})
		is := &service{payment: initiated, status: "PENDING"}
		one := withJournal(j, is)
		_, err := one.Initiate(t.Context(), initiation(t, "0-abc"))
		noError(t, err)
		_, err = one.Transaction(t.Context(), "ref-1")
		noError(t, err)
		noError(t, one.Pin(t.Context(), "THEIRS"))
		time.Sleep(time.Second)
		j.Close()
		is.status = "REQUIRE_BANK_AUTH"
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

func TestTheJournalRecordsTheCustomerBeforeTheNextRequest(t *testing.T) {
	j := journal.New(journal.Options{})
	defer j.Close()
	d := withJournal(j, &service{payment: challenge, status: "PENDING"})
	_, err := d.Initiate(t.Context(), initiation(t, "0-abc"))
	noError(t, err)
	d.CustomerDone("ref-1")
	for n := range 3 {
		a, err := j.Payment(t.Context(), desk, "ref-1")
		noError(t, err)
		if a.CustomerDone != (n > 0) || onlyEntry(t, d).CustomerMustAct() {
			t.Errorf("after %d requests: %+v", n, a)
		}
		_, err = d.Transaction(t.Context(), "ref-1")
		noError(t, err)
	}
}
