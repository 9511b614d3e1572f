package listing_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/money"
	"paydesk/api/query"
	"paydesk/api/query/querytest"
)

// drawn is a row of any kind that a service was seen to send, and of some that none was.
func drawn(t *rapid.T) api.Transaction {
	id := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string { return uuid(rapid.IntRange(0, 40).Draw(t, "n")) }),
		rapid.Custom(func(t *rapid.T) string { return strings.ToUpper(uuid(rapid.IntRange(0, 40).Draw(t, "n"))) }),
		rapid.SampledFrom([]string{"", "txn_0001", "XHCQVX9BB5", "SIXTEENCHARACTER", "a reference that is longer than sixteen", "Ähre 5", "x\u202ey"}),
	).Draw(t, "id")
	r := rowOf(id, rapid.OneOf(rapid.Int64Range(-300, 300_000), rapid.Int64()).Draw(t, "minor"),
		rapid.SampledFrom([]string{"GBP", "JPY", "KWD", "NGN", "gbp", "XXQ", "", "€"}).Draw(t, "currency"),
		rapid.SampledFrom([]string{"SUCCESSFUL", "Successfull", "FAILED", "failed", "PENDING", "REFUNDED", "", "REQUIRE_BANK_AUTH"}).Draw(t, "status"))
	if raw := rapid.SampledFrom([]string{"", "", "", "12.5", "many", "100.0"}).Draw(t, "raw"); raw != "" {
		r.Raw = api.Clean(raw)
		if raw != "100.0" {
			r.Amount, r.Known = money.Amount{}, false
		}
	}
	return r
}

// asRow is a row as the naive evaluator of queries sees it.
func asRow(r api.Transaction) querytest.Row {
	c, _ := money.ParseCurrency(r.Currency.Line(0))
	row := querytest.Row{
		Names: map[string]string{listing.FieldMade: "not-here", listing.FieldStatus: r.Status.State.String(), listing.FieldCurrency: c.Code()},
		Sent:  map[string]string{listing.FieldStatus: r.Status.Text.Line(0), listing.FieldCurrency: r.Currency.Line(0)},
		Texts: map[string]string{listing.FieldID: r.ID.Line(0)},
	}
	texts := []string{r.ID.Line(0), r.Status.Text.Line(0), r.Status.State.String(), r.Currency.Line(0), c.Code(), r.Raw.Line(0)}
	if r.Status.State == api.BankAuthRequired {
		texts = append(texts, "BANK CHECK")
	}
	if a := r.Amount; r.Known {
		row.Amount = querytest.Major(a.Minor, a.Currency.Exponent())
		texts = append(texts, a.Major(), a.Grouped(), a.Major()+" "+a.Currency.Code(), a.String(), a.MinorText())
	}
	row.Anywhere = slices.DeleteFunc(texts, func(s string) bool { return s == "" })
	return row
}

// before orders two rows, without any haste.
func before(o listing.Order, a, b api.Transaction) int {
	last := func(a, b bool) int {
		if a == b {
			return 0
		} else if a {
			return 1
		}
		return -1
	}
	code := func(r api.Transaction) (string, bool) {
		c, err := money.ParseCurrency(r.Currency.Line(0))
		if err != nil {
			return r.Currency.Line(0), true
		}
		return c.Code(), false
	}
	switch o {
	case listing.ByHighest, listing.ByLowest:
		if !a.Known || !b.Known {
			return last(!a.Known, !b.Known)
		}
		if o == listing.ByHighest {
			a.Amount.Minor, b.Amount.Minor = b.Amount.Minor, a.Amount.Minor
		}
		return cmp.Or(strings.Compare(a.Amount.Currency.Code(), b.Amount.Currency.Code()), cmp.Compare(a.Amount.Minor, b.Amount.Minor))
	case listing.ByStatus:
		x, y := a.Status, b.Status
		if x.State == api.Unrecognised || y.State == api.Unrecognised {
			return cmp.Or(last(x.State == api.Unrecognised, y.State == api.Unrecognised), strings.Compare(x.Text.Line(0), y.Text.Line(0)))
		}
		return cmp.Compare(x.State, y.State)
	case listing.ByCurrency:
		x, xUnknown := code(a)
		y, yUnknown := code(b)
		return cmp.Or(last(xUnknown, yUnknown), strings.Compare(x, y))
	}
	return 0
}

func TestWhatIsFoundIsWhatTheQueryMeans(t *testing.T) {
	words := []string{
		"failed", "gbp", "-gbp", ">100", "1..12", "1.5", "12.50,0.1", "-3.00", "1,200", "-..5", "0.50..,-2", "-amount:>100", "amount:0.50..12", "amount:=1,=2", "amount:<0", "status:failed,pending", "-status:successful",
		"currency:gbp,jpy", "id:0000*", "-id:*", "id:*7", "id:*4000*", `id:"txn_0001"`, `"1."`, `"2,"`, `"12.5"`, "quoted", `"xxq"`, `"bank c"`, "reference",
		`status:"refunded"`, `"gbp"*`, `*"00"`, "5", "-5", `"5 gbp"`, `"é"`, `"ähre"`, "status:unknown", "x*", "*",
	}
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(drawn), 0, 60).Draw(t, "rows")
		rows, kept := listing.Of(all...), all
		some := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 3).Draw(t, "terms"), " ")
		})
		typed := rapid.OneOf(some, querytest.Typed(listing.Language())).Draw(t, "query")
		q, _ := listing.Language().Parse(typed)
		o := rapid.SampledFrom([]listing.Order{"", listing.ByHighest, listing.ByLowest, listing.ByStatus, listing.ByCurrency}).Draw(t, "order")
		var want []int32
		for i, r := range kept {
			if querytest.Match(q, asRow(r)) {
				want = append(want, int32(i))
			}
		}
		slices.SortStableFunc(want, func(a, b int32) int { return before(o, kept[a], kept[b]) })
		found := listing.Search{Query: q, Order: o}
		if rapid.Bool().Draw(t, "in part") {
			found.From = rapid.IntRange(0, len(all)).Draw(t, "from")
			found.To = rapid.IntRange(max(found.From, 1), len(all)+1).Draw(t, "to")
			want = slices.DeleteFunc(want, func(at int32) bool { return int(at) < found.From || int(at) >= found.To })
		}
		got, err := rows.Find(context.Background(), found)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s, %+v: found %v, want %v: %v", typed, o, got, want, err)
		}
		var each []int32
		for r, err := range rows.Each(context.Background(), found) {
			if each = append(each, int32(r.Place)); err != nil || r.Transaction != kept[r.Place] {
				t.Fatalf("%+v became %+v: %v", kept[r.Place], r, err)
			}
		}
		if !slices.Equal(each, want) {
			t.Fatalf("%s, %+v: each is %v, want %v", typed, o, each, want)
		}
	})
}

// Of one list that comes in any pages every row is there as it was, once: one that comes again word for word is left out.
func TestRowsAreKeptAsTheyCame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(drawn), 0, 60).Draw(t, "rows")
		var want []api.Transaction
		var came []int
		first := map[string]int{}
		for i, r := range all {
			id := r.ID.Line(0)
			if _, is := first[id]; !is && id != "" {
				first[id] = len(want)
			}
			if id == "" || !slices.Contains(want, r) {
				want, came = append(want, r), append(came, i+1)
			}
		}
		rows := listing.InPages(all, rapid.IntRange(1, 30).Draw(t, "per page"))
		if rows.Len() != len(want) || rows.Unique() != len(first) {
			t.Fatalf("%d rows and %d ids, want %d and %d", rows.Len(), rows.Unique(), len(want), len(first))
		}
		places := make([]int32, len(want))
		for i := range places {
			places[i] = int32(i)
		}
		got, err := rows.At(context.Background(), listing.Search{First: 1}, places...)
		if err != nil || !slices.EqualFunc(got, want, func(l listing.Listed, row api.Transaction) bool { return l.Transaction == row }) {
			t.Fatalf("%+v became %+v: %v", want, got, err)
		}
		for i, row := range got {
			if row.Position != came[i] {
				t.Fatalf("row %d came as number %d, and not %d", i, came[i], row.Position)
			}
		}
		with, err := rows.With(context.Background(), append(slices.Collect(maps.Keys(first)), "nobody's")...)
		if err != nil || len(with) != len(first) {
			t.Fatalf("%v are %v: %v", first, with, err)
		}
		for id, at := range first {
			if with[id][0] != want[at] {
				t.Fatalf("%q is %+v, want %+v", id, with[id][0], want[at])
			}
		}
	})
}

// What looks like a card number is found and shown as it came, and is in no file.
func TestAnIDThatLooksLikeACardNumberIsInNoFile(t *testing.T) {
	odd := []api.Transaction{rowOf("x", 1, "GBP", "FAILED"), rowOf("4111111111111111", 5, "GBP", "FAILED"), rowOf("y", 1, "GBP", "4111111111111111")}
	read := listing.Of(odd...)
	q, _ := listing.Language().Parse("4111")
	if found, err := read.Find(t.Context(), listing.Search{Query: q}); !slices.Equal(found, []int32{1}) || err != nil {
		t.Error(found, err)
	}
	if got, err := read.At(t.Context(), listing.Search{}, 1); err != nil || got[0].Transaction != odd[1] {
		t.Errorf("%+v, %v", got, err)
	}
	if n, err := listing.InFile(read, "4111111111111111"); n != 0 || err != nil {
		t.Errorf("%d rows of the file have it: %v", n, err)
	}
}

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

// found are the ids of the rows that a query finds, which are those that are added up.
func found(t *testing.T, r *listing.Rows, typed string) string {
	t.Helper()
	q, problems := listing.Language().Parse(typed)
	if len(problems) > 0 {
		t.Fatal(typed, problems)
	}
	var ids []string
	for row, err := range r.Each(t.Context(), listing.Search{Query: q}) {
		noError(t, err)
		ids = append(ids, row.ID.Line(0))
	}
	if all, err := r.Totals(t.Context(), listing.Search{Query: q}); err != nil || all.Rows != len(ids) {
		t.Errorf("%s finds %q, and %d are added up: %v", typed, ids, all.Rows, err)
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
		"lost, and sent again":                   {payments{madeHere("z", "ORDER1", 1250, "GBP", "PENDING"), own}, []api.Transaction{rowOf("ORDER1", 1250, "GBP", "PENDING")}, "here ORDER1"},
		"lost, and sent again with a difference": {payments{own, madeHere("z", "ORDER1", 1250, "GBP", "PENDING"), own}, []api.Transaction{rowOf("ORDER1", 99, "GBP", "PENDING")}, "here ORDER1; differs ORDER1"},
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
	absent := rowOf("e", 4, "GBP", "PENDING")
	noError(t, r.Know(t.Context(), "ledger", []listing.Known{{ID: "b", How: listing.Found}, {ID: "d", How: listing.Absent}, {ID: "e", How: listing.Absent}}, []api.Transaction{gone, absent}))
	for typed, want := range map[string]string{
		"found,absent": "b d e", "gone:last absent": "d", "": "a b c", "since:last": "a b", "-since:last": "c", "since:last failed": "a", "gone:last": "d", "gone:last jpy": "d", "-gone:last": "a b c", "-differs": "a b c", "since:2026-01-01": "", "jpy": "",
	} {
		if got := found(t, r, typed); got != want {
			t.Errorf("%s finds %q, want %q", typed, got, want)
		}
	}
	q, _ := listing.Language().Parse("since:last")
	known, err := r.At(t.Context(), listing.Search{Query: q}, 2, 0)
	if err != nil || known[0].Since != (listing.Known{}) || known[1].Since.Was != "PENDING" {
		t.Error(known, err)
	}
}

func TestTheWordsOfStatusesAreThoseOfTheService(t *testing.T) {
	var words []string
	for _, w := range query.Statuses() {
		words = append(words, w.Name)
	}
	known := slices.DeleteFunc(api.StateWords(), func(s string) bool { return s == api.Claimed.String() })
	slices.Sort(words)
	if slices.Sort(known); !slices.Equal(words, known) {
		t.Errorf("%q, want %q", words, known)
	}
}
