package listing_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/money"
)

// readAt is when the rows of these tests were read.
var readAt = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// madeHere is an accepted payment of an hour ago.
func madeHere(id, ref string, minor int64, code, status string) journal.PaymentRecord {
	c, _ := money.ParseCurrency(code)
	return journal.PaymentRecord{Attempt: ledger.Attempt{
		ID: ledger.ID(id), Kind: ledger.Initiate, At: readAt.Add(-time.Hour), Amount: money.Amount{Minor: minor, Currency: c},
		Reference: api.Reference(ref), Outcome: ledger.Accepted, AnsweredAt: readAt.Add(-time.Hour), Status: api.ParseStatus(status), StatusAt: readAt.Add(-time.Hour),
	}}
}

// lostHere is one whose answer was lost.
func lostHere(id string, minor int64, code string) journal.PaymentRecord {
	p := madeHere(id, "", minor, code, "")
	p.Outcome, p.Status, p.StatusAt = ledger.Unresolved, api.Status{}, time.Time{}
	return p
}

// wholeList is the state of a scan that has read all of a list.
func wholeList(all ...api.Transaction) listing.State {
	rows := listing.Of(all...)
	return listing.State{Phase: listing.Done, Rows: rows, Read: rows.Len(), Began: readAt, Verdict: listing.Verdict{Trusted: true}}
}

// found are the ids of the rows that a query finds.
func found(t *testing.T, r *listing.Rows, typed string) string {
	t.Helper()
	q, problems := listing.Language().Parse(typed)
	var ids []string
	err := r.Each(t.Context(), listing.Search{Query: q}, func(row listing.Listed) error {
		ids = append(ids, row.ID.Line(0))
		return nil
	})
	if err != nil || len(problems) > 0 {
		t.Fatal(typed, problems, err)
	}
	return strings.Join(ids, " ")
}

// ledgerOf puts payments beside the rows of a scan, in pieces, as the journal returns them.
func ledgerOf(t *testing.T, st listing.State, all ...journal.PaymentRecord) {
	t.Helper()
	_, err := st.Rows.KnowLedger(t.Context(), st, func(_ context.Context, f func([]journal.PaymentRecord) error) error {
		for some := range slices.Chunk(all, 2) {
			if err := f(some); err != nil {
				return err
			}
		}
		return nil
	})
	noError(t, err)
}

func TestPaymentsMadeFromHereAreComparedWithTheList(t *testing.T) {
	r1 := rowOf("R1", 1250, "GBP", "SUCCESSFUL")
	here := madeHere("a", "R1", 1250, "GBP", "SUCCESSFUL")
	with := func(p journal.PaymentRecord, change func(*journal.PaymentRecord)) journal.PaymentRecord {
		change(&p)
		return p
	}
	other, otherRow := madeHere("z", "R9", 700, "JPY", "FAILED"), rowOf("R9", 700, "JPY", "FAILED")
	right := with(here, func(p *journal.PaymentRecord) {
		p.Mismatch.What, p.Mismatch.Decision = api.AmountDiffers, ledger.AnswerRight
		p.Mismatch.Answered = money.Amount{Minor: 1300, Currency: p.Amount.Currency}
	})
	own := with(lostHere("a", 1250, "GBP"), func(p *journal.PaymentRecord) { p.OwnReference = "ORDER1" })
	named := with(lostHere("b", 1250, "GBP"), func(p *journal.PaymentRecord) { p.Named = "R1" })
	type payments []journal.PaymentRecord
	for name, test := range map[string]struct {
		payments payments
		rows     []api.Transaction
		want     string
	}{
		"the same":                         {payments{here}, []api.Transaction{r1, otherRow}, "here R1; not-here R9"},
		"an ID in another case is another": {payments{here, other}, []api.Transaction{rowOf("r1", 1250, "GBP", "SUCCESSFUL"), otherRow}, "here R9; not-here r1; absent R1"},
		"another amount":                   {payments{here}, []api.Transaction{rowOf("R1", 1251, "GBP", "SUCCESSFUL")}, "here R1; differs R1"},
		"an amount that cannot be read":    {payments{here}, []api.Transaction{rowOf("R1", 1250, "XYZ", "SUCCESSFUL")}, "here R1; differs R1"},
		"another final status":             {payments{here}, []api.Transaction{rowOf("R1", 1250, "GBP", "FAILED")}, "here R1; differs R1"},
		"final here since": {payments{with(here, func(p *journal.PaymentRecord) { p.StatusAt = readAt.Add(time.Minute) })},
			[]api.Transaction{rowOf("R1", 1250, "GBP", "PENDING")}, "here R1"},
		"with the stated fees":                   {payments{with(here, func(p *journal.PaymentRecord) { p.Fees = 19 })}, []api.Transaction{rowOf("R1", 1269, "GBP", "SUCCESSFUL")}, "here R1"},
		"decided to be right":                    {payments{right}, []api.Transaction{rowOf("R1", 1300, "GBP", "SUCCESSFUL")}, "here R1"},
		"another than was decided":               {payments{right}, []api.Transaction{rowOf("R1", 1400, "GBP", "SUCCESSFUL")}, "here R1; differs R1"},
		"an answer that differed":                {payments{with(here, func(p *journal.PaymentRecord) { p.Mismatch.What = api.AmountDiffers })}, []api.Transaction{r1}, "here R1; differs R1"},
		"decided not to be ours":                 {payments{with(here, func(p *journal.PaymentRecord) { p.Mismatch.Decision = ledger.NotOurs })}, []api.Transaction{rowOf("R1", 1400, "GBP", "SUCCESSFUL")}, "not-here R1"},
		"not in a list whose IDs are references": {payments{here, other}, []api.Transaction{otherRow}, "here R9; absent R1"},
		"not in a list whose IDs are not":        {payments{here}, []api.Transaction{otherRow}, "not-here R9"},
		"lost, with our own reference":           {payments{own}, []api.Transaction{rowOf("ORDER1", 99, "GBP", "FAILED")}, "here ORDER1; found ORDER1"},
		"lost, with what the answer named":       {payments{named}, []api.Transaction{r1}, "here R1; found R1"},
		"lost, with what is another's":           {payments{named, here}, []api.Transaction{r1}, "here R1"},
		"recorded as never made, and there":      {payments{with(own, func(p *journal.PaymentRecord) { p.Decision = ledger.NotFound })}, []api.Transaction{rowOf("ORDER1", 1250, "GBP", "FAILED")}, "here ORDER1; found ORDER1"},
		"made after reading began":               {payments{with(here, func(p *journal.PaymentRecord) { p.At, p.AnsweredAt = readAt.Add(1), readAt.Add(1) }), other}, []api.Transaction{otherRow}, "here R9"},
		"still being sent":                       {payments{with(here, func(p *journal.PaymentRecord) { p.Outcome, p.Reference = ledger.Sent, "" })}, []api.Transaction{r1}, "not-here R1"},
	} {
		t.Run(name, func(t *testing.T) {
			st := wholeList(test.rows...)
			for range 2 { // what is known is replaced, not added to
				ledgerOf(t, st, test.payments...)
			}
			var all []string
			for _, word := range []string{"here", "not-here", "differs", "found", "absent"} {
				if ids := found(t, st.Rows, word); ids != "" {
					all = append(all, word+" "+ids)
				}
			}
			if got := strings.Join(all, "; "); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// Absence is said only of a list that was read whole and stood still.
func TestNothingIsAbsentFromAListThatWasNotReadWhole(t *testing.T) {
	row := rowOf("R2", 99, "GBP", "PENDING")
	moved, paused := wholeList(row), wholeList(row)
	moved.Verdict.Trusted, paused.Phase = false, listing.Paused
	for want, st := range map[string]listing.State{"R1": wholeList(row), "": moved, " ": paused} {
		ledgerOf(t, st, madeHere("a", "R1", 1250, "GBP", "PENDING"), madeHere("b", "R2", 99, "GBP", "PENDING"), lostHere("c", 1, "GBP"))
		if got := found(t, st.Rows, "absent"); got != strings.TrimSpace(want) {
			t.Errorf("%q is absent, want %q", got, want)
		}
	}
}

// What an earlier scan had is put beside the rows; what is gone is listed only where that is asked for.
func TestWhatChangedSinceAScanIsFound(t *testing.T) {
	r := listing.Of(rowOf("a", 1, "GBP", "FAILED"), rowOf("b", 1, "GBP", "PENDING"), rowOf("c", 2, "GBP", "PENDING"))
	gone := rowOf("d", 3, "JPY", "PENDING")
	if err := r.Know(t.Context(), "last", []listing.Known{
		{ID: "a", How: listing.Moved, Was: "PENDING"}, {ID: "b", How: listing.New}, {ID: "d", How: listing.Gone, Was: "PENDING"},
	}, []api.Transaction{gone}); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"": "a b c", "since:last": "a b", "-since:last": "c", "since:last failed": "a", "gone:last": "d", "gone:last jpy": "d", "-gone:last": "a b c", "-differs": "a b c", "since:2026-01-01": "", "jpy": "",
	} {
		if got := found(t, r, typed); got != want {
			t.Errorf("%s finds %q, want %q", typed, got, want)
		}
	}
	known, err := r.At(t.Context(), listing.Search{Since: "last"}, 2, 0)
	if err != nil || known[0].Since != (listing.Known{}) || known[1].Since.Was != "PENDING" {
		t.Error(known, err)
	}
	q, _ := listing.Language().Parse("gone:last")
	if all, _, err := r.Totals(t.Context(), listing.Search{Query: q}, nil); all.Rows != 1 || err != nil {
		t.Errorf("%+v, %v", all, err)
	}
}
