package listing_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/listing"
	"paydesk/api/money"
)

// readAt is when the rows of these tests were read.
var readAt = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// madeHere is an accepted payment of an hour ago.
func madeHere(id, ref string, minor int64, code, status string) journal.PaymentRecord {
	c, _ := money.ParseCurrency(code)
	return journal.PaymentRecord{
		ID: journal.ID(id), Kind: journal.Initiate, At: readAt.Add(-time.Hour), Amount: money.Amount{Minor: minor, Currency: c},
		Reference: api.Reference(ref), Outcome: journal.Accepted, AnsweredAt: readAt.Add(-time.Hour), Status: api.ParseStatus(status), StatusAt: readAt.Add(-time.Hour),
	}
}

// lostHere is one whose answer was lost.
func lostHere(id string, minor int64, code string) journal.PaymentRecord {
	p := madeHere(id, "", minor, code, "")
	p.Outcome, p.Status, p.StatusAt = journal.Unresolved, api.Status{}, time.Time{}
	return p
}

// wholeList is the state of a scan that has read all of a list.
func wholeList(all ...api.Row) listing.State {
	rows := listing.Of(all...)
	return listing.State{Phase: listing.Done, Rows: rows, Read: rows.Len(), Began: readAt, Verdict: listing.Verdict{Trusted: true}}
}

func reconciled(st listing.State, payments ...journal.PaymentRecord) *listing.Reconciliation {
	r := listing.NewReconciler(st)
	for _, p := range payments { // in pieces, as the journal returns them
		r.Add([]journal.PaymentRecord{p})
	}
	return r.Result()
}

var standingWords = [...]string{"differs", "found", "absent", "no row", "not seen", "in doubt", "moved", "by amount", "unclear", "behind", "agrees"}

// caseWords are the cases, a line each.
func caseWords(r *listing.Reconciliation) string {
	var all []string
	for _, c := range r.Cases {
		words := string(c.ID) + " " + standingWords[c.Standing]
		if c.Row >= 0 {
			words += fmt.Sprintf(", row %d", c.Row)
		}
		if c.Same > 1 {
			words += fmt.Sprintf(" of %d", c.Same)
		}
		if d := c.Difference.Words(c.Asked()); d != "" {
			words += ": " + d
		}
		if c.Row < 0 {
			words += fmt.Sprintf(", %d could be it", c.Candidates)
			if rows := r.CandidatesOf(context.Background(), c.PaymentRecord, 9); len(rows) > 0 {
				words += fmt.Sprint(" ", rows)
			}
		}
		if c.Sharing > 0 {
			words += fmt.Sprintf(", as for %d others", c.Sharing)
		}
		all = append(all, words)
	}
	return strings.Join(all, "\n")
}

func TestPaymentsMadeFromHereAreComparedWithTheList(t *testing.T) {
	r1 := rowOf("R1", 1250, "GBP", "SUCCESSFUL")
	here := madeHere("a", "R1", 1250, "GBP", "SUCCESSFUL")
	with := func(p journal.PaymentRecord, change func(*journal.PaymentRecord)) journal.PaymentRecord {
		change(&p)
		return p
	}
	other := madeHere("z", "R9", 700, "JPY", "FAILED")
	otherRow := rowOf("R9", 700, "JPY", "FAILED")
	finalize := madeHere("f", "R5", 0, "", "")
	finalize.Kind, finalize.Status = journal.Finalize, api.Status{}
	for name, test := range map[string]struct {
		payments []journal.PaymentRecord
		rows     []api.Row
		want     string
	}{
		"the same":                     {[]journal.PaymentRecord{here}, []api.Row{r1}, ""},
		"another spelling of a status": {[]journal.PaymentRecord{here}, []api.Row{rowOf("R1", 1250, "GBP", "Successfull")}, ""},
		"an ID in another case is another": {[]journal.PaymentRecord{here, other}, []api.Row{rowOf("r1", 1250, "GBP", "SUCCESSFUL"), otherRow},
			"a absent, 1 could be it [0]"},
		"another amount": {[]journal.PaymentRecord{here}, []api.Row{rowOf("R1", 1251, "GBP", "SUCCESSFUL")},
			"a differs, row 0: requested 12.50 GBP, but the service reports 12.51 GBP"},
		"another currency": {[]journal.PaymentRecord{here}, []api.Row{rowOf("R1", 1250, "NGN", "SUCCESSFUL")},
			"a differs, row 0: requested 12.50 GBP, but the service reports 12.50 NGN: a different currency"},
		"an amount that cannot be read": {[]journal.PaymentRecord{here}, []api.Row{rowOf("R1", 1250, "XYZ", "SUCCESSFUL")},
			"a differs, row 0: requested 12.50 GBP, but the amount that the service reports cannot be read: 1250 minor units of XYZ"},
		"another final status": {[]journal.PaymentRecord{here}, []api.Row{rowOf("R1", 1250, "GBP", "FAILED")},
			"a differs, row 0: the final status SUCCESSFUL was followed by FAILED"},
		"open after it was final": {[]journal.PaymentRecord{here}, []api.Row{rowOf("R1", 1250, "GBP", "PENDING")},
			"a differs, row 0: the final status SUCCESSFUL was followed by PENDING"},
		"final since the row was read": {[]journal.PaymentRecord{with(here, func(p *journal.PaymentRecord) { p.StatusAt = readAt.Add(time.Second) })},
			[]api.Row{rowOf("R1", 1250, "GBP", "PENDING")}, "a behind, row 0"},
		"another final one since": {[]journal.PaymentRecord{with(here, func(p *journal.PaymentRecord) { p.StatusAt = readAt.Add(time.Second) })},
			[]api.Row{rowOf("R1", 1250, "GBP", "FAILED")}, "a differs, row 0: the final status SUCCESSFUL was followed by FAILED"},
		"final in the list alone": {[]journal.PaymentRecord{madeHere("a", "R1", 1250, "GBP", "PENDING")}, []api.Row{r1}, "a moved, row 0"},
		"claimed, then final": {[]journal.PaymentRecord{with(here, func(p *journal.PaymentRecord) { p.Status = api.ParseClaim("SUCCESSFUL") })},
			[]api.Row{rowOf("R1", 1250, "GBP", "FAILED")}, "a moved, row 0"},
		"with the stated fees": {[]journal.PaymentRecord{with(here, func(p *journal.PaymentRecord) { p.Fees = 19 })},
			[]api.Row{rowOf("R1", 1269, "GBP", "SUCCESSFUL")}, ""},
		"an answer that was decided to be right": {[]journal.PaymentRecord{with(here, func(p *journal.PaymentRecord) {
			p.Differed, p.MismatchDecision = api.AmountDiffers, journal.AnswerRight
			p.Answered = money.Amount{Minor: 1300, Currency: p.Amount.Currency}
		})}, []api.Row{rowOf("R1", 1300, "GBP", "SUCCESSFUL")}, ""},
		"another than was decided to be right": {[]journal.PaymentRecord{with(here, func(p *journal.PaymentRecord) {
			p.Differed, p.MismatchDecision = api.AmountDiffers, journal.AnswerRight
			p.Answered = money.Amount{Minor: 1300, Currency: p.Amount.Currency}
		})}, []api.Row{rowOf("R1", 1400, "GBP", "SUCCESSFUL")}, "a differs, row 0: requested 12.50 GBP, but the service reports 14.00 GBP"},
		"decided not to be ours": {[]journal.PaymentRecord{with(here, func(p *journal.PaymentRecord) { p.MismatchDecision = journal.NotOurs })},
			[]api.Row{rowOf("R1", 1400, "GBP", "SUCCESSFUL")}, ""},
		"two rows with the ID, of which one differs": {[]journal.PaymentRecord{here}, []api.Row{r1, rowOf("R1", 1, "GBP", "SUCCESSFUL")},
			"a differs, row 1 of 2: requested 12.50 GBP, but the service reports 0.01 GBP"},
		"not in a list whose IDs are references": {[]journal.PaymentRecord{here, other}, []api.Row{otherRow}, "a absent, 0 could be it"},
		"not in it, and rows of its amount": {[]journal.PaymentRecord{here, other},
			[]api.Row{otherRow, rowOf("X", 1250, "GBP", "SUCCESSFUL"), rowOf("Y", 1250, "GBP", "FAILED"), rowOf("Z", 1250, "NGN", "SUCCESSFUL")},
			"a absent, 1 could be it [1]"},
		"not in a list whose IDs are something else": {[]journal.PaymentRecord{here}, []api.Row{rowOf("X", 700, "JPY", "FAILED")}, "a no row, 0 could be it"},
		"by amount where IDs are something else":     {[]journal.PaymentRecord{here}, []api.Row{rowOf("X", 1250, "GBP", "SUCCESSFUL")}, "a by amount, 1 could be it [0]"},
		"a row that is another's is no candidate": {[]journal.PaymentRecord{here, madeHere("b", "R2", 1250, "GBP", "SUCCESSFUL")}, []api.Row{r1},
			"b absent, 0 could be it"},
		"two payments of an amount and one row": {[]journal.PaymentRecord{here, madeHere("b", "R2", 1250, "GBP", "SUCCESSFUL")},
			[]api.Row{rowOf("X", 1250, "GBP", "SUCCESSFUL")},
			"a by amount, 1 could be it [0], as for 1 others\nb by amount, 1 could be it [0], as for 1 others"},
		"lost, with one row of the amount":   {[]journal.PaymentRecord{lostHere("a", 1250, "GBP")}, []api.Row{r1}, "a in doubt, 1 could be it [0]"},
		"lost, with a row that is another's": {[]journal.PaymentRecord{lostHere("b", 1250, "GBP"), here}, []api.Row{r1}, "b in doubt, 0 could be it"},
		"lost, with our own reference in the list": {[]journal.PaymentRecord{with(lostHere("a", 1250, "GBP"), func(p *journal.PaymentRecord) { p.OwnReference = "ORDER1" })},
			[]api.Row{rowOf("ORDER1", 1250, "GBP", "FAILED")}, "a found, row 0"},
		"lost, with our own reference and another amount": {[]journal.PaymentRecord{with(lostHere("a", 1250, "GBP"), func(p *journal.PaymentRecord) { p.OwnReference = "ORDER1" })},
			[]api.Row{rowOf("ORDER1", 99, "GBP", "FAILED")}, "a found, row 0: requested 12.50 GBP, but the service reports 0.99 GBP"},
		"lost, with what the answer named": {[]journal.PaymentRecord{with(lostHere("a", 1250, "GBP"), func(p *journal.PaymentRecord) { p.Named = "R1" })}, []api.Row{r1}, "a found, row 0"},
		"lost, with what the answer named being another's": {[]journal.PaymentRecord{with(lostHere("b", 1250, "GBP"), func(p *journal.PaymentRecord) { p.Named = "R1" }), here},
			[]api.Row{r1}, "b in doubt, 0 could be it"},
		"recorded as never made, and there by our own reference": {[]journal.PaymentRecord{with(lostHere("a", 1250, "GBP"), func(p *journal.PaymentRecord) {
			p.OwnReference, p.Decision = "ORDER1", journal.NotFound
		})}, []api.Row{rowOf("ORDER1", 1250, "GBP", "FAILED")}, "a found, row 0"},
		"recorded as never made": {[]journal.PaymentRecord{with(lostHere("a", 1250, "GBP"), func(p *journal.PaymentRecord) { p.Decision = journal.NotFound })}, []api.Row{r1}, ""},
		"accepted, and in the list by our own reference": {[]journal.PaymentRecord{with(madeHere("a", "S1", 1250, "GBP", "FAILED"), func(p *journal.PaymentRecord) { p.OwnReference = "ORDER1" })},
			[]api.Row{rowOf("ORDER1", 1250, "GBP", "FAILED")}, ""},
		"made after reading began": {[]journal.PaymentRecord{with(here, func(p *journal.PaymentRecord) { p.At, p.AnsweredAt = readAt.Add(time.Second), readAt.Add(time.Second) }), other}, []api.Row{otherRow}, ""},
		"made after reading began, and there": {[]journal.PaymentRecord{with(here, func(p *journal.PaymentRecord) { p.At = readAt.Add(time.Second) })},
			[]api.Row{rowOf("R1", 99, "GBP", "SUCCESSFUL")}, "a differs, row 0: requested 12.50 GBP, but the service reports 0.99 GBP"},
		"still being sent":                     {[]journal.PaymentRecord{with(here, func(p *journal.PaymentRecord) { p.Outcome, p.Reference = journal.Sent, "" })}, []api.Row{r1}, ""},
		"finalized here, and there":            {[]journal.PaymentRecord{finalize}, []api.Row{rowOf("R5", 1250, "GBP", "SUCCESSFUL")}, "f moved, row 0"},
		"finalized here, of an unknown amount": {[]journal.PaymentRecord{finalize}, []api.Row{r1}, "f unclear, 0 could be it"},
		"finalized here, and absent":           {[]journal.PaymentRecord{finalize, here}, []api.Row{r1}, "f absent, 0 could be it"},
		"no rows":                              {[]journal.PaymentRecord{here, lostHere("b", 1250, "GBP")}, nil, "a no row, 0 could be it, as for 1 others\nb in doubt, 0 could be it, as for 1 others"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, caseWords(reconciled(wholeList(test.rows...), test.payments...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Absence is said only of a list that was read whole and stood still.
func TestNothingIsAbsentFromAListThatWasNotReadWhole(t *testing.T) {
	payments := []journal.PaymentRecord{madeHere("a", "R1", 1250, "GBP", "PENDING"), madeHere("b", "R2", 99, "GBP", "PENDING"), lostHere("c", 1, "GBP")}
	row := rowOf("R2", 99, "GBP", "PENDING")
	moved := wholeList(row)
	moved.Verdict.Trusted = false
	paused := wholeList(row)
	paused.Phase = listing.Paused
	for name, test := range map[string]struct {
		st   listing.State
		want string
	}{
		"whole":  {wholeList(row), "a absent, 0 could be it\nc in doubt, 0 could be it"},
		"moved":  {moved, "a not seen, 0 could be it\nc in doubt, 0 could be it"},
		"paused": {paused, "a not seen, 0 could be it\nc in doubt, 0 could be it"},
	} {
		if diff := cmp.Diff(test.want, caseWords(reconciled(test.st, payments...))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		test.st.Rows, test.st.Read = listing.Of(), 0
		want := "a not seen, 0 could be it\nb not seen, 0 could be it\nc in doubt, 0 could be it"
		if name == "whole" {
			want = "a no row, 0 could be it\nb no row, 0 could be it\nc in doubt, 0 could be it"
		}
		if diff := cmp.Diff(want, caseWords(reconciled(test.st, payments...))); diff != "" {
			t.Errorf("%s, without rows: %s", name, diff)
		}
	}
}

func TestWhatIsNotComparedIsCounted(t *testing.T) {
	later, sending, never, strange := madeHere("a", "R1", 1, "GBP", "PENDING"), lostHere("b", 1, "GBP"), lostHere("c", 1, "GBP"), madeHere("d", "R4", 1, "GBP", "PENDING")
	later.AnsweredAt, sending.Outcome, never.Decision, strange.MismatchDecision = readAt, journal.Sent, journal.NotFound, journal.NotOurs
	r := reconciled(wholeList(rowOf("R4", 1, "GBP", "PENDING"), rowOf("R5", 2, "GBP", "PENDING"), rowOf("", 3, "???", "")),
		later, sending, never, strange, madeHere("e", "R5", 2, "GBP", "PENDING"), madeHere("f", "R6", 2, "GBP", "PENDING"), lostHere("g", 9, "GBP"))
	if r.Later != 1 || r.Sending != 1 || r.Never != 1 || r.NotOurs != 1 || r.Payments != 3 || r.References != 2 || r.Joined != 1 ||
		r.Rows != 3 || r.Claimed != 1 || r.Unreadable != 1 || r.Count(listing.Agrees) != 1 || r.Left != 0 {
		t.Errorf("%+v", r)
	}
	if are, known := r.AreReferences(); !are || !known {
		t.Error("the IDs of the list are not taken for references")
	}
	if _, known := reconciled(wholeList(), lostHere("g", 9, "GBP")).AreReferences(); known {
		t.Error("without a reference it is known whether IDs are references")
	}
}

// A journal may have very many payments that are not in the list: those kept are the newest.
func TestOfVeryManyPaymentsWithoutARowTheNewestAreKept(t *testing.T) {
	r := listing.NewReconciler(wholeList())
	for i := range 45_000 {
		p := madeHere(fmt.Sprintf("a%05d", i), fmt.Sprint("R", i), int64(i), "GBP", "PENDING")
		p.At = readAt.Add(time.Duration(i-50_000) * time.Second)
		r.Add([]journal.PaymentRecord{p})
	}
	got := r.Result()
	if n := len(got.Cases); n != 10_000 || got.Cases[0].ID != "a44999" || got.Cases[n-1].ID != "a35000" || got.Left != 35_000 || got.Payments != 45_000 {
		t.Errorf("%d cases from %s to %s, %d left out of %d", n, got.Cases[0].ID, got.Cases[n-1].ID, got.Left, got.Payments)
	}
}

// naive compares by the rules as they are written, each payment with each row.
func naive(st listing.State, payments []journal.PaymentRecord) string {
	with := func(id string) (all []int) {
		for i := range st.Read {
			if id != "" && st.Rows.At(i).ID.Line(0) == id {
				all = append(all, i)
			}
		}
		return all
	}
	claimed, references := map[int]bool{}, false
	var counted []journal.PaymentRecord
	for _, p := range payments {
		if p.MismatchDecision == journal.NotOurs || p.Outcome == journal.Sent {
			continue
		}
		own := with(string(p.Reference))
		references = references || len(own) > 0
		if len(own) == 0 {
			own = with(p.OwnReference)
		}
		for _, i := range own {
			claimed[i] = true
		}
		// When the service made it at the latest: it accepted the payment then, or 100 s after it was sent no request is under way.
		made := p.AnsweredAt
		if p.Outcome == journal.Unresolved {
			made = p.At.Add(100 * time.Second)
		}
		if len(own) > 0 || p.Decision != journal.NotFound && !p.OtherKey && made.Before(st.Began) {
			counted = append(counted, p)
		}
	}
	hasRow := func(p journal.PaymentRecord) bool {
		return len(with(string(p.Reference)))+len(with(p.OwnReference)) > 0
	}
	could := func(p journal.PaymentRecord) (all []int) {
		for i := range st.Read {
			row, final := st.Rows.At(i), p.Status.State.Final()
			late := !row.Status.State.Final() && !p.StatusAt.Before(st.Began)
			if row.Known && row.Amount == p.Amount && !claimed[i] && (!final || row.Status.State == p.Status.State || late) {
				all = append(all, i)
			}
		}
		return all
	}
	var lines []string
	for _, p := range counted {
		if hasRow(p) {
			continue
		}
		others := 0
		for _, o := range counted {
			if o.ID != p.ID && !hasRow(o) && o.Amount == p.Amount {
				others++
			}
		}
		rows := could(p)
		is := "by amount"
		switch {
		case p.Reference == "":
			is = "in doubt"
		case references && st.Verdict.Trusted:
			is = "absent"
		case references, len(rows) == 0 && !st.Verdict.Trusted:
			is = "not seen"
		case len(rows) == 0:
			is = "no row"
		}
		lines = append(lines, fmt.Sprintf("%s %s %v %d", p.ID, is, rows, others))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestReconcilingFindsWhatComparingEachWithEachFinds(t *testing.T) {
	codes, statuses := []string{"GBP", "JPY", "XYZ"}, []string{"SUCCESSFUL", "FAILED", "PENDING", "INITIATED", "ODD", ""}
	rapid.Check(t, func(t *rapid.T) {
		id := func(prefix string) string { return fmt.Sprint(prefix, rapid.IntRange(0, 9).Draw(t, "number")) }
		word := func(all []string) string { return rapid.SampledFrom(all).Draw(t, "word") }
		var rows []api.Row
		for range rapid.IntRange(0, 12).Draw(t, "rows") {
			rows = append(rows, rowOf(id(word([]string{"R", "O", "X", ""})), int64(rapid.IntRange(1, 3).Draw(t, "minor")), word(codes), word(statuses)))
		}
		st := wholeList(rows...)
		st.Verdict.Trusted = rapid.Bool().Draw(t, "trusted")
		var payments []journal.PaymentRecord
		taken := map[string]bool{}
		for i := range rapid.IntRange(0, 12).Draw(t, "payments") {
			p := lostHere(fmt.Sprintf("p%02d", i), int64(rapid.IntRange(1, 3).Draw(t, "minor")), word(codes[:2]))
			if ref := id("R"); rapid.Bool().Draw(t, "accepted") && !taken[ref] {
				taken[ref] = true
				p = madeHere(string(p.ID), ref, p.Amount.Minor, p.Amount.Currency.Code(), word(statuses))
				p.StatusAt = readAt.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "seen")) * time.Minute)
			} else if rapid.Bool().Draw(t, "denied") {
				p.Decision = journal.NotFound
			}
			if rapid.IntRange(0, 3).Draw(t, "own") == 0 {
				p.OwnReference = id("O")
			}
			p.At = readAt.Add(time.Duration(rapid.IntRange(-5, 1).Draw(t, "at")) * time.Minute)
			p.AnsweredAt = p.At.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "took")) * time.Second)
			p.OtherKey = rapid.IntRange(0, 4).Draw(t, "key") == 0
			payments = append(payments, p)
		}
		r := reconciled(st, payments...)
		var lines []string
		for _, c := range r.Cases {
			if c.Row >= 0 {
				if s, _ := listing.Judge(c.PaymentRecord, st.Rows.At(c.Row), readAt); s != c.Standing && c.Standing != listing.Found {
					t.Fatalf("%s is %s, but its row is %s", c.ID, standingWords[c.Standing], standingWords[s])
				}
				continue
			}
			could := r.CandidatesOf(t.Context(), c.PaymentRecord, 1000)
			if len(could) != c.Candidates {
				t.Fatalf("%s: %d counted, %d listed", c.ID, c.Candidates, len(could))
			}
			lines = append(lines, fmt.Sprintf("%s %s %v %d", c.ID, standingWords[c.Standing], could, c.Sharing))
		}
		slices.Sort(lines)
		if diff := cmp.Diff(naive(st, payments), strings.Join(lines, "\n")); diff != "" {
			t.Fatal(diff)
		}
		n := 0
		for s := range listing.Standings {
			n += r.Count(s)
		}
		if n != r.Payments || len(payments) != r.Payments+r.Later+r.OtherKey+r.Never+r.Sending+r.NotOurs {
			t.Fatalf("%d of %d payments counted, of %d in all", n, r.Payments, len(payments))
		}
	})
}

func BenchmarkReconcile(b *testing.B) {
	var all []api.Row
	for i := range 100_000 {
		all = append(all, rowOf(uuid(i), int64(100+i%5000), []string{"GBP", "NGN", "JPY"}[i%3], "SUCCESSFUL"))
	}
	st := wholeList(all...)
	for name, offset := range map[string]int{"references": 0, "own IDs": 1_000_000} {
		var payments []journal.PaymentRecord
		for i := range 10_000 {
			payments = append(payments, madeHere(fmt.Sprint("a", i), uuid(i*11+offset), int64(100+i*11%5000), []string{"GBP", "NGN", "JPY"}[i*11%3], "SUCCESSFUL"))
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := listing.NewReconciler(st)
				r.Add(payments)
				if r.Result().Payments != 10_000 {
					b.Fatal("some are missing")
				}
			}
		})
	}
}
