package journal_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// chairs is a link to create.
func chairs(t testing.TB) ledger.Attempt {
	d := api.LinkDraft{Name: "Oak chairs", Description: "six of them", Type: api.Reusable, AmountType: api.Static, Amount: pounds(t, 12000)}
	return ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Amount: d.Amount, Draft: d}
}

// madeLink is an accepted creation, which differs when asked is not answered.
func madeLink(alias api.Alias, differs ...api.LinkDifference) ledger.Result {
	l := &api.Link{Alias: alias, Name: api.Clean("Oak chairs"), Differs: differs}
	return ledger.Result{Outcome: ledger.Accepted, Link: l}
}

var hundredfold = api.LinkDifference{Part: api.Clean("amount"), Asked: api.Clean("120.00 GBP"), Answered: api.Clean("12,000.00 GBP")}

// An alias is the same in another letter case. A link stays in its place while a list is read further.
func TestNothingIsCollectedThroughALinkThatNobodyRead(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	mustEnd(t, j, mustBegin(t, j, chairs(t)).ID, madeLink("0-a1b2c3d", hundredfold))
	mustEnd(t, j, mustBegin(t, j, ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Draft: api.LinkDraft{Name: "mug"}}).ID, madeLink("0-mug"))
	var first journal.Page[journal.LinkRecord]
	for !first.Complete {
		first = must(j.FindLinks(t.Context(), shop, containing(""), first.Search, 0, 1))
	}
	pay := initiation(t, 12000)
	pay.Link = "0-A1B2C3D"
	_, err := j.Begin(t.Context(), pay, ledger.Payer{}, nil)
	if why := unavailableText(t, err); !errors.Is(err, api.ErrNotSent) || !strings.Contains(why, "differs from what was asked") {
		t.Error(why)
	}
	noError(t, j.DifferenceRead(t.Context(), shop, "0-a1b2c3d"))
	mustBegin(t, j, pay)
	for from := range 2 {
		then := must(j.FindLinks(t.Context(), shop, containing(""), first.Search, from, 2-from))
		if last, _ := then.Row(1); first.Rows[0].Link != "0-a1b2c3d" || len(then.Rows) != 2-from || last.Link != "0-mug" {
			t.Errorf("%+v, then %+v", first.Rows, then.Rows)
		}
	}
}

func TestALateAnswerReplacesWhatAPersonFound(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, chairs(t))
	mustEnd(t, j, a.ID, ledger.Result{Outcome: ledger.Unresolved})
	noError(t, j.Decide(t.Context(), mustAttempt(t, j, a.ID), ledger.Deciding{Decision: ledger.Found, As: "0-found"}))
	mustEnd(t, j, a.ID, madeLink("0-answered", hundredfold))
	if got := mustAttempt(t, j, a.ID); got.Link != "0-answered" || !got.MustBeRead() {
		t.Errorf("%+v", got)
	}
}

// lookedUp is an answer about a payment of the status endpoint.
func lookedUp(t testing.TB, ref, status string, minor int64) api.PaymentStatus {
	return api.PaymentStatus{Reference: api.Reference(ref), Status: api.ParseStatus(status), Amount: pounds(t, minor), HasAmount: true}
}

// lookups formats what was looked up, with seconds since a time.
func lookups(t testing.TB, j *journal.Journal, d ledger.Destination, since time.Time) (all []string) {
	t.Helper()
	for _, l := range must(madeElsewhere(t, j, d, 10)) {
		all = append(all, fmt.Sprintf("%s %s %s, %v to %v by %s", l.Reference, l.Status.State, l.Amount,
			l.At.Sub(since).Seconds(), l.AnsweredAt.Sub(since).Seconds(), l.By.User))
	}
	return all
}

func TestAPaymentThatWasLookedUpStaysKnown(t *testing.T) {
	t.Parallel()
	dir, c := newDir(t), newClock()
	start := c.at
	j := mustOpen(t, dir, c)
	look := func(d ledger.Destination, got api.PaymentStatus) {
		t.Helper()
		c.advance(time.Second)
		noError(t, j.RecordTransaction(t.Context(), d, got))
	}
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("OURS", "PENDING"))
	look(shop, lookedUp(t, "OURS", "PENDING", 1250))
	look(shop, lookedUp(t, "THEIRS", "PENDING", 900))
	look(shop, lookedUp(t, "OTHER", "FAILED", 700))
	look(shop, lookedUp(t, "THEIRS", "SUCCESSFUL", 900))
	look(shop, lookedUp(t, "THEIRS", "PENDING", 900)) // a final status stays
	look(shop, lookedUp(t, typedPAN, "PENDING", 900)) // it may be a card number
	look(ledger.Destination{Environment: "TEST", Host: "elsewhere.example"}, lookedUp(t, "ELSEWHERE", "PENDING", 900))
	j.Close()
	j = mustOpen(t, dir, c)
	want := []string{"THEIRS SUCCESSFUL 9.00 GBP, 2 to 5 by ada", "OTHER FAILED 7.00 GBP, 3 to 3 by ada"}
	if diff := cmp.Diff(want, lookups(t, j, shop, start)); diff != "" {
		t.Error(diff)
	}
	if found, err := madeElsewhere(t, j, shop, 1); err != nil || len(found) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

// The answer to an initiation may arrive after a person looked the payment up, whose final status stays; of one that was
// received in part the mismatch does too.
func TestAFinalStatusThatWasLookedUpBeforeTheAnswerStays(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	sent, lost, part := mustBegin(t, j, initiation(t, 1250)), mustBegin(t, j, initiation(t, 900)), mustBegin(t, j, initiation(t, 800))
	short := lookedUp(t, "PART", "SUCCESSFUL", 800)
	short.Received = pounds(t, 500)
	noError(t, j.RecordTransaction(t.Context(), shop, short))
	mustEnd(t, j, part.ID, accepted("PART", "PENDING"))
	if got := mustAttempt(t, j, part.ID); got.Status.State != api.Successful || got.Mismatch.IsZero() {
		t.Errorf("%+v", got)
	}
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "OURS", "SUCCESSFUL", 1250)))
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "LOST", "PENDING", 900)))
	noError(t, j.RecordTransaction(t.Context(), shop, api.PaymentStatus{Reference: "LOST", Status: api.ParseStatus("SUCCESSFUL")}))
	mustEnd(t, j, sent.ID, accepted("OURS", "PENDING"))
	mustEnd(t, j, lost.ID, ledger.Result{Outcome: ledger.Unresolved})
	noError(t, j.Decide(t.Context(), mustAttempt(t, j, lost.ID), ledger.Deciding{Decision: ledger.Found, As: "LOST"}))
	for _, a := range []ledger.Attempt{sent, lost} {
		if got := mustAttempt(t, j, a.ID); got.Status.State != api.Successful || !got.Mismatch.IsZero() || got.AmountUnstated != (a.ID == lost.ID) {
			t.Errorf("%+v", got)
		}
	}
}

// madeElsewhere are the payments that were made elsewhere, of those that are recent.
func madeElsewhere(t testing.TB, j *journal.Journal, d ledger.Destination, n int) ([]ledger.Entry, error) {
	all, err := j.Recent(t.Context(), d, n)
	return slices.DeleteFunc(all, func(e ledger.Entry) bool { return e.Kind != ledger.Known }), err
}

// The payments about which an answer differed are named, made here or looked up, at this service alone; also after a person
// decided.
func TestAllPaymentsAboutWhichAnAnswerDifferedAreNamed(t *testing.T) {
	t.Parallel()
	j := mustOpen(t, "", newClock())
	a := mustBegin(t, j, initiation(t, 1250))
	mustEnd(t, j, a.ID, accepted("OURS", "PENDING"))
	b := mustBegin(t, j, initiation(t, 990))
	mustEnd(t, j, b.ID, accepted("RIGHT", "PENDING"))
	elsewhere := ledger.Destination{Environment: "TEST", Host: "elsewhere.example"}
	for _, got := range []struct {
		at    ledger.Destination
		ref   string
		minor int64
	}{
		{shop, "OURS", 125000}, {shop, "RIGHT", 990}, {shop, "THEIRS", 900}, {shop, "THEIRS", 901}, {shop, "STEADY", 900}, {shop, "STEADY", 900},
		{elsewhere, "THERE", 1}, {elsewhere, "THERE", 2},
	} {
		noError(t, j.RecordTransaction(t.Context(), got.at, lookedUp(t, got.ref, "PENDING", got.minor)))
	}
	want := []api.Reference{"OURS", "THEIRS"}
	for range 2 {
		got, err := j.Differing(t.Context(), shop)
		if err != nil || !slices.Equal(slices.Sorted(maps.Keys(got)), want) || got["OURS"].What != api.AmountDiffers {
			t.Fatalf("%v, %v", got, err)
		}
		decide(t, j, a.ID, ledger.AnswerRight, "")
	}
}

// A finalize stands for a payment that was not made from here.
func TestEachPaymentThatMayHaveBeenMadeFromHereIsReadOnce(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	refused, lost := ledger.Result{Outcome: ledger.Refused, Why: "no"}, ledger.Result{Outcome: ledger.Unresolved, Why: "cut off"}
	end := func(a ledger.Attempt, r ledger.Result) {
		t.Helper()
		mustEnd(t, j, mustBegin(t, j, a).ID, r)
		c.advance(time.Hour)
	}
	finalize := func(ref api.Reference, r ledger.Result) {
		end(ledger.Attempt{Kind: ledger.Finalize, Destination: shop, Reference: ref}, r)
	}
	elsewhere := initiation(t, 105)
	elsewhere.Host = "other.example"
	end(initiation(t, 100), accepted("REF-1", "PENDING"))
	end(initiation(t, 101), refused)
	end(initiation(t, 103), lost)
	end(ledger.Attempt{Kind: ledger.CreateLink, Destination: shop, Draft: api.LinkDraft{Name: "mug"}}, lost)
	end(elsewhere, accepted("REF-2", "PENDING"))
	finalize("REF-1", ledger.Result{Outcome: ledger.Accepted}) // of a payment made from here
	finalize("LINK-1", lost)
	finalize("LINK-1", ledger.Result{Outcome: ledger.Accepted})
	finalize("LINK-3", refused)
	finalize("REF-2", ledger.Result{Outcome: ledger.Accepted}) // at another service that was a payment from here
	var got []string
	noError(t, j.EachPayment(t.Context(), shop, func(some []journal.PaymentRecord) error {
		for _, a := range some {
			got = append(got, fmt.Sprint(a.Kind, " ", a.Outcome, " ", a.Reference, " ", a.Amount.Minor))
		}
		return nil
	}))
	want := []string{"finalize accepted REF-2 0", "finalize accepted LINK-1 0", "initiate unresolved  103", "initiate accepted REF-1 100"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// in is an initiation of an amount of another currency.
func in(t testing.TB, code string, minor int64) ledger.Attempt {
	t.Helper()
	c, err := money.ParseCurrency(code)
	noError(t, err)
	a := initiation(t, 0)
	a.Amount = money.Amount{Minor: minor, Currency: c}
	return a
}

// madeText formats what was made in a day, each currency on a line.
func madeText(t testing.TB, j *journal.Journal, from time.Time) (all []string) {
	t.Helper()
	for _, m := range must(j.Made(t.Context(), shop, from, from.AddDate(0, 0, 1))) {
		line := fmt.Sprintf("%s %d made", m.Currency.Code(), m.Payments())
		for _, s := range []struct {
			name string
			journal.Sum
		}{{"secured", m.Secured}, {"failed", m.Failed}, {"pending", m.Pending}, {"open", m.Open}, {"mismatched", m.Mismatched}, {"unresolved", m.Unresolved}} {
			if s.Payments > 0 {
				line += fmt.Sprintf(", %d %s %s", s.Payments, s.name, money.Amount{Minor: s.Minor, Currency: m.Currency})
			}
		}
		all = append(all, line)
	}
	return all
}

func TestWhatWasMadeInADayIsCountedByCurrencyAndByHowItStands(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	today := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	n := 0
	make := func(a ledger.Attempt, status string) api.Reference {
		t.Helper()
		n++
		ref := fmt.Sprintf("REF%d", n)
		a = mustBegin(t, j, a)
		mustEnd(t, j, a.ID, accepted(ref, "PENDING"))
		noError(t, j.RecordTransaction(t.Context(), a.Destination, api.PaymentStatus{Reference: api.Reference(ref), Status: api.ParseStatus(status)}))
		c.advance(time.Second)
		return api.Reference(ref)
	}
	c.at = today.Add(-time.Second)
	make(initiation(t, 1), "SUCCESSFUL") // yesterday
	c.at = today
	make(initiation(t, 1250), "SUCCESSFUL")
	make(initiation(t, 119200), "Successfull")
	make(initiation(t, 7525), "FAILED")
	make(initiation(t, 31000), "PENDING")
	make(initiation(t, 31001), "SUCCESSFULLY") // a word of its own
	make(in(t, "NGN", 250000), "SUCCESSFUL")
	make(in(t, "KWD", 13235), "SUCCESSFUL")

	differs := make(initiation(t, 2000), "PENDING")
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, string(differs), "SUCCESSFUL", 200000)))
	lost := mustBegin(t, j, initiation(t, 4000))
	mustEnd(t, j, lost.ID, ledger.Result{Outcome: ledger.Unresolved, Why: "cut off"})
	mustBegin(t, j, initiation(t, 4100)) // not answered yet
	for i, end := range []ledger.Outcome{ledger.Refused, ledger.NotSent} {
		a := mustBegin(t, j, initiation(t, 6000+int64(i)))
		mustEnd(t, j, a.ID, ledger.Result{Outcome: end, Why: "no"})
	}
	want := []string{
		"GBP 8 made, 2 secured 1,204.50 GBP, 1 failed 75.25 GBP, 1 pending 310.00 GBP, 1 open 310.01 GBP, 1 mismatched 20.00 GBP, 2 unresolved 81.00 GBP",
		"KWD 1 made, 1 secured 13.235 KWD", "NGN 1 made, 1 secured 2,500.00 NGN",
	}
	if diff := cmp.Diff(want, madeText(t, j, today)); diff != "" {
		t.Error(diff)
	}

	c.advance(time.Hour)
	noError(t, j.Decide(t.Context(), mustAttempt(t, j, lost.ID), ledger.Deciding{Decision: ledger.NotFound}))
	noError(t, j.Decide(t.Context(), must(j.Payment(t.Context(), shop, differs)), ledger.Deciding{Decision: ledger.AnswerRight}))
	if got := madeText(t, j, today)[0]; got != "GBP 7 made, 2 secured 1,204.50 GBP, 1 failed 75.25 GBP, 1 pending 310.00 GBP, 1 open 310.01 GBP, 1 mismatched 20.00 GBP, 1 unresolved 41.00 GBP" {
		t.Errorf("an answer that was found right is counted as %s", got)
	}
}

// No float and no overflow: a sum that does not fit is no sum.
func TestASumOfWhatWasMadeIsExactOrNone(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	sum := func() ([]journal.Made, error) {
		return j.Made(t.Context(), shop, c.at.Add(-time.Hour), c.at.Add(time.Hour))
	}
	make := func(ref string, minor int64) {
		a := mustBegin(t, j, initiation(t, minor))
		mustEnd(t, j, a.ID, accepted(ref, "PENDING"))
	}
	make("A", 1<<53+1)
	make("B", math.MaxInt64-1<<53-1)
	if got := must(sum()); got[0].Pending.Minor != math.MaxInt64 {
		t.Errorf("%+v", got)
	}
	make("C", 1)
	if got, err := sum(); !errors.Is(err, money.ErrTooLarge) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAPinGoesWithTheLastThatIsKnownOfItsPayment(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := mustOpen(t, "", c)
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "OLD", "PENDING", 900)))
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "ASKED", "PENDING", 900)))
	noError(t, j.Pin(t.Context(), shop, "OLD", "ASKED", "NOTHING-KNOWN"))
	c.advance(48 * time.Hour)
	noError(t, j.Pin(t.Context(), shop, "NEW"))
	noError(t, j.Pin(t.Context(), ledger.Destination{Environment: "TEST", Host: "elsewhere.example"}, "THERE"))
	noError(t, j.RecordTransaction(t.Context(), shop, lookedUp(t, "ASKED", "PENDING", 900)))
	must(j.Purge(t.Context(), c.at.Add(-24*time.Hour)))
	got, err := j.View(t.Context(), shop, nil)
	if err != nil || len(got) != 2 || got[0].Reference != "ASKED" || got[1].Reference != "NEW" {
		t.Errorf("%+v, %v", got, err)
	}
}
