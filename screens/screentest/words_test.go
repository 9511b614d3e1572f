package screentest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/present"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

// The service says PENDING also of a transfer before the customer has made it.
func TestAnUnpaidTransferIsTheCustomersTurn(t *testing.T) {
	expired := &api.Transfer{Expiration: api.Timestamp{Time: time.Unix(1, 0), Zoned: true}}
	for _, c := range []struct {
		status string
		when   api.Circumstances
		want   ui.Cell
	}{
		{"PENDING", api.Circumstances{Unpaid: true}, ui.Cell{Text: "CUSTOMER MUST PAY", Tone: ui.ToneAct}},
		{"REQUIRE_USER_OFFLINE_ACTION", api.Circumstances{Unpaid: true}, ui.Cell{Text: "CUSTOMER MUST PAY", Tone: ui.ToneAct}},
		{"PENDING", api.Circumstances{}, ui.Cell{Text: "PENDING", Tone: ui.ToneWait}},
		{"PENDING", api.Circumstances{Unpaid: true, Account: expired, Now: time.Unix(2, 0)}, ui.Cell{Text: "PENDING", Tone: ui.ToneWait}},
		{"SUCCESSFUL", api.Circumstances{Unpaid: true}, ui.Cell{Text: "SUCCESSFUL", Tone: ui.ToneGood}},
	} {
		if got := present.ListCell(api.ParseStatus(c.status), ledger.Mismatch{}, c.when); got != c.want {
			t.Errorf("%s, %+v: %+v", c.status, c.when, got)
		}
	}
}

// The service's own words say why, where it answered a request that may have been carried out.
func TestAConflictIsNoInternalError(t *testing.T) {
	lost := &api.Unresolved{Kind: api.KindService, HTTP: 409, Detail: api.Clean("A payment with this reference exists")}
	if p := present.Error(lost, present.Sending); !p.Unresolved || strings.Contains(p.What, "internal") || !strings.Contains(p.What, "HTTP 409") || p.Detail != "A payment with this reference exists" {
		t.Errorf("%+v", p)
	}
	if words := lost.Cause(); words != "The service answered (HTTP 409): A payment with this reference exists." {
		t.Error(words)
	}
}

func TestOnlyAStatusEventIsGoodNews(t *testing.T) {
	for _, c := range []struct {
		what, detail, want string
		tone               ui.Tone
	}{
		{"status", "SUCCESSFUL", "SUCCESSFUL", ui.ToneGood},
		{"status", "paid\x1b[2J", "UNRECOGNISED", ui.ToneUnknown},
		{"accepted", "SUCCESSFUL", "accepted", ui.ToneNone},
		{"finalize unresolved", "", "finalize UNRESOLVED", ui.ToneUnknown},
		{"SUCCESSFUL\n", "", `SUCCESSFUL\n`, ui.ToneNone},
	} {
		if word, tone := present.Event(ledger.Event{What: c.what, Detail: c.detail}, false); word != c.want || tone != c.tone {
			t.Errorf("%q %q is %q with tone %d", c.what, c.detail, word, tone)
		}
	}
}

func TestInAColumnAnAttemptIsItsStatusElseWhatIsKnownOfIt(t *testing.T) {
	pending, paid := api.ParseStatus("PENDING"), api.ParseStatus("SUCCESSFUL")
	for _, c := range []struct {
		attempt ledger.Attempt
		want    ui.Cell
	}{
		{ledger.Attempt{Kind: ledger.Initiate, Outcome: ledger.Unresolved, Status: pending}, ui.Cell{Text: "UNRESOLVED", Tone: ui.ToneUnknown}},
		{ledger.Attempt{Kind: ledger.Initiate, Outcome: ledger.Accepted, Status: paid}, ui.Cell{Text: "SUCCESSFUL", Tone: ui.ToneGood}},
		{ledger.Attempt{Kind: ledger.Initiate, Outcome: ledger.Accepted}, ui.Cell{Text: "ACCEPTED", Tone: ui.ToneWait}},
		{ledger.Attempt{Kind: ledger.CreateLink, Outcome: ledger.Accepted, Status: paid}, ui.Cell{Text: "CREATED", Tone: ui.ToneDone}},
		{ledger.Attempt{Kind: ledger.Finalize, Outcome: ledger.Accepted, Status: paid}, ui.Cell{Text: "FINALIZED", Tone: ui.ToneDone}},
		{ledger.Attempt{Kind: ledger.Finalize, Outcome: ledger.Refused}, ui.Cell{Text: "REFUSED", Tone: ui.ToneBad}},
		{ledger.Attempt{Kind: ledger.CreateLink, Outcome: ledger.NotSent}, ui.Cell{Text: "NOT SENT", Tone: ui.ToneBad}},
		{ledger.Attempt{Kind: ledger.Initiate, Outcome: ledger.Sent}, ui.Cell{Text: "SENT", Tone: ui.ToneWait}},
		{ledger.Attempt{Outcome: ledger.Unresolved, Decision: ledger.Found}, ui.Cell{Text: "FOUND", Tone: ui.ToneWait}},
		{ledger.Attempt{Outcome: ledger.Unresolved, Decision: ledger.NotFound}, ui.Cell{Text: "NOT FOUND", Tone: ui.ToneDone}},
		{ledger.Attempt{Outcome: ledger.Unresolved, Decision: ledger.GaveUp}, ui.Cell{Text: "GIVEN UP", Tone: ui.ToneUnknown}},
		{ledger.Attempt{Kind: ledger.Initiate, Outcome: ledger.Accepted, Decision: ledger.NotFound}, ui.Cell{Text: "ACCEPTED", Tone: ui.ToneWait}},
	} {
		if got := present.AttemptCell(c.attempt, time.Time{}); got != c.want {
			t.Errorf("%+v is %v, want %v", c.attempt, got, c.want)
		}
	}
	for channel, want := range map[string]string{api.ChannelTransfer: "transfer", "PayByUSSD": "PayByUSSD"} {
		if got := present.Subject(ledger.Attempt{Kind: ledger.Initiate, Channel: channel}); got != want {
			t.Errorf("%s is called %s", channel, got)
		}
	}
}

// What a request carries as the amount of a link whose customer chooses it is none.
func TestAnOpenAmountIsNeverANumber(t *testing.T) {
	asked := api.LinkDraft{Name: "Gift", AmountType: api.Dynamic, Amount: screentest.Money(0, "GBP")}
	for name, a := range map[string]ledger.Attempt{
		"lost":    {Kind: ledger.CreateLink, Outcome: ledger.Unresolved, Draft: asked, Amount: asked.Amount},
		"created": {Kind: ledger.CreateLink, Draft: asked, Amount: asked.Amount, CreatedLink: &api.Link{Amount: screentest.Money(100, "GBP"), HasAmount: true}},
	} {
		if got := present.Amount(a); got != "chosen by the customer, in GBP" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := present.Amount(ledger.Attempt{Kind: ledger.CreateLink, Amount: screentest.Money(100, "GBP"), Draft: api.LinkDraft{Name: "Gift"}}); got != "1.00 GBP" {
		t.Errorf("a fixed amount is %q", got)
	}
}

func TestOnlyAListThatWasSeenToChangeIsSaidToHaveChanged(t *testing.T) {
	for want, all := range map[string][]listing.Verdict{
		", no change seen while it was read": {{Trusted: true, Counted: true, Before: 9, After: 9, Unique: 9}},
		", but the list changed while it was read": {
			{Counted: true, Before: 9, After: 10, Unique: 9}, {Counted: true, Before: 9, After: 9, Unique: 9, FirstDiffers: true},
			{Counted: true, Before: 9, After: 9, Unique: 8, Repeated: 1}, {Before: 9, After: 9, Unique: 9, Differing: 1},
		},
		", which may not be all": {
			{}, {Unique: 9}, {Before: 0, After: 9}, {Counted: true, Before: 9, After: 9, Unique: 8},
			{Counted: true, Before: 9, After: 9, Unique: 8, Nameless: 1}, {Odd: []listing.Oddity{{What: listing.EmptyPage, Page: 2, Pages: 1}}},
		},
	} {
		for _, v := range all {
			if got := present.Verdict(v); got != want {
				t.Errorf("%+v: %q, want %q", v, got, want)
			}
		}
	}
}

func TestWhatBecameOfAScanIsSaidTruly(t *testing.T) {
	for _, c := range []struct {
		sum  listing.Summary
		want string
	}{
		{listing.Summary{Scan: listing.Scan{Rows: 153, Trusted: true}}, "Saved. Nothing changed since the scan before."},
		{listing.Summary{Scan: listing.Scan{Rows: 153, Trusted: true}, New: 3, Gone: 1}, "Saved. 3 new, 1 gone since the scan before."},
		{listing.Summary{Scan: listing.Scan{Rows: 100}, Missing: 53}, "Saved. Nothing changed among the 100 rows read. " +
			"53 rows that were saved before were not read in this scan, which does not prove them gone."},
		{listing.Summary{Scan: listing.Scan{Rows: 100}, Moved: 2, Missing: 1}, "Saved. 2 changed since the scan before. " +
			"1 row that was saved before was not read in this scan, which does not prove it gone."},
		{listing.Summary{Scan: listing.Scan{Rows: 100}, Doubled: 1}, "Saved. Nothing changed among the 100 rows read. " +
			"1 ID came with different values, which is not recorded as a change."},
	} {
		if _, got := present.Kept(listing.Progress{Step: listing.Kept, Summary: c.sum}); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

func TestEveryStateHasAWordAMeaningAndAnAction(t *testing.T) {
	seen := map[string]bool{}
	for s := api.Unrecognised; s <= api.Failed; s++ {
		means, action := s.Meaning(api.Circumstances{})
		word, tone := present.Word(api.Status{State: s}), present.Tone(api.Status{State: s})
		if means == "" || action == "" || word == "" || seen[word] || seen[means] {
			t.Errorf("%v: %q %q %q", s, word, means, action)
		}
		seen[word], seen[means] = true, true
		if good := strings.Contains(ui.NewTheme(false).Mark(tone, word), "✓"); good != (s == api.Successful) {
			t.Errorf("%v painted good: %v", s, good)
		}
	}
	if _, action := api.Pending.Meaning(api.Circumstances{}); !strings.Contains(action, "Do not charge again") {
		t.Errorf("PENDING says %q", action)
	}
}

func TestAnUnknownStatusIsQuotedAndNeverTakenForAnother(t *testing.T) {
	for word, want := range map[string]string{
		"InProgress":               "unrecognised: InProgress",
		"":                         "NO STATUS",
		"SUCCESSFUL\x1b[2K":        "unrecognised: SUCCESSFUL^[[2K",
		"ЅUCCESSFUL":               "unrecognised: <U+0405>UCCESSFUL",
		strings.Repeat("LONG", 20): "unrecognised: LONGLONGLONGLONGLONGLON…",
	} {
		if got := present.Word(api.ParseStatus(word)); got != want {
			t.Errorf("%q is shown as %q, want %q", word, got, want)
		}
	}
}

var unresolved = &api.Unresolved{Kind: api.KindTimeout, Detail: api.Clean("context deadline exceeded")}

// Errors of a write, and what is said of whether it was done.
var ends = []struct {
	name string
	err  error
	done string
}{
	{"a refusal", &api.Refusal{Kind: api.KindService, HTTP: 200, Text: api.Clean("no")}, "Nothing was done."},
	{"a gateway's refusal", &api.Refusal{Kind: api.KindHTTP, HTTP: 404}, "Nothing was done."},
	{"a bad key", &api.Refusal{Kind: api.KindService, HTTP: 401}, "Nothing was done."},
	{"too many requests", &api.Refusal{Kind: api.KindService, HTTP: 429, RetryAfter: 7 * time.Second}, "Nothing was done."},
	{"never sent", &api.Failure{Kind: api.KindConnect}, "Nothing was sent."},
	{"rejected before sending", &api.Failure{Detail: api.Clean("the currency is not known")}, "Nothing was sent."},
	{"a possible duplicate", &ledger.Duplicate{Attempts: []ledger.Attempt{{ID: "k3f9m2x7qa"}}}, "Nothing was sent."},
	{"a journal that cannot be written", fmt.Errorf("keeping: %w", &ledger.Unavailable{Why: "The disk is full."}), "Nothing was sent."},
	{"unresolved, and the journal failed after it", errors.Join(&ledger.Unavailable{Why: "The disk is full."}, unresolved), "It is not known whether this went through."},
	{"unresolved behind a refusal", errors.Join(&api.Refusal{HTTP: 500}, api.ErrUnresolved), "It is not known whether this went through."},
	{"unresolved", unresolved, "It is not known whether this went through."},
	{"unresolved, wrapped", fmt.Errorf("while creating: %w", unresolved), "It is not known whether this went through."},
	{"a panic of the console", fmt.Errorf("%w (string)", ui.ErrPanicked), "It is not known whether this went through."},
	{"an unknown error", context.DeadlineExceeded, "It is not known whether this went through."},
}

// A read says nothing of sending.
func TestAWriteAlwaysSaysWhetherItWasDone(t *testing.T) {
	for _, e := range ends {
		got := present.Error(e.err, present.Sending)
		if got.Done != e.done || got.What == "" || got.Next == "" {
			t.Errorf("%s: %+v", e.name, got)
		}
		if lost := e.done == "It is not known whether this went through."; lost != got.Unresolved {
			t.Errorf("%s: lost is %v", e.name, !lost)
		} else if lost != strings.Contains(got.Next, "Do not send it again") {
			t.Errorf("%s: next is %q", e.name, got.Next)
		}
		if got := present.Error(e.err, present.Reading); got.Done != "" || got.What == "" || strings.Contains(got.Next, "send") {
			t.Errorf("%s: %+v", e.name, got)
		}
	}
}

func TestARefusalShowsAllReasonsAndWhatToDo(t *testing.T) {
	for no, want := range map[*api.Refusal]present.Problem{
		{HTTP: 400, Text: api.Clean("a"), Failures: []api.Text{api.Clean("a is required"), api.Clean("b is too long")}, Code: api.Clean("91")}: {
			What: "The service rejected the request.", Next: "Correct it and try again.", Detail: "a is required b is too long (code 91)",
		},
		{HTTP: 401, Code: api.Clean("401")}: {
			What: "The service rejected the key.", Next: "Check the secret key: it may have been replaced, or belong to the other environment.", Detail: "(code 401)",
		},
		{HTTP: 404, Text: api.Clean("unknown")}: {What: "The service has no record of it.", Next: "Check the request and the environment.", Detail: "unknown"},
		{Kind: api.KindHTTP, HTTP: 404}: {
			What: "The request was rejected with HTTP 404, by a gateway or by the service without its usual answer.",
			Next: "Check the request and the addresses of the profile, then try again.",
		},
		{HTTP: 429, RetryAfter: 90 * time.Second}: {What: "The service received too many requests.", Next: "Wait 1 min 30 s, then try again."},
		{HTTP: 429, RetryAfter: 24 * time.Hour}:   {What: "The service received too many requests.", Next: "Wait 1 d or longer, then try again."},
	} {
		if diff := cmp.Diff(want, present.Error(no, present.Reading)); diff != "" {
			t.Errorf("HTTP %d (-want +got):\n%s", no.HTTP, diff)
		}
	}
}

func TestOutsideTextIsCleanedAndStandsBehindABar(t *testing.T) {
	problem := present.Error(errors.New("boom\x1b[2J\nSUCCESSFUL"), present.Reading)
	for _, w := range []int{-1, 0, 1, 20, 58} {
		for _, l := range problem.Lines(ui.NewTheme(false), w) {
			if strings.Contains(l, "\x1b[2J") || strings.Contains(l, "\n") {
				t.Errorf("at %d cells: %q", w, l)
			}
			if strings.Contains(l, "SUCCESSFUL") && !strings.Contains(l, "│") {
				t.Errorf("at %d cells a spoofed line: %q", w, l)
			}
		}
	}
	if !(present.Problem{}).IsZero() || len(present.Problem{}.Lines(ui.NewTheme(false), 40)) != 0 {
		t.Error("no problem has lines")
	}
}

func TestWhatIsLeftIsSaidInOneLineEach(t *testing.T) {
	amount := screentest.Money(1250, "GBP")
	shop := ledger.Destination{Profile: "shop\x1b[2J\nx", Environment: "LIVE", Host: "pay.example"}
	for want, a := range map[string]ledger.Attempt{
		`UNRESOLVED 3f7k, 12.50 GBP, LIVE shop^[[2J\nx: It is not known whether this payment was made. Do not send it again: home lists it and says how to find out.`:                 {ID: "3f7k", Kind: ledger.Initiate, Amount: amount, Destination: shop},
		`UNRESOLVED 3f7k, REF1, LIVE shop^[[2J\nx: It is not known whether it was finalized. Do not send it again: home lists it and says how to find out.`:                           {ID: "3f7k", Kind: ledger.Finalize, Reference: "REF1", Destination: shop},
		`UNRESOLVED 3f7k, LIVE shop^[[2J\nx: It is not known whether this link was created. Do not send it again: home lists it and says how to find out.`:                            {ID: "3f7k", Kind: ledger.CreateLink, Destination: shop},
		`UNRESOLVED, 12.50 GBP, TEST a: It is not known whether this payment was made. Do not send it again: the journal is off, so look for it in the transactions.`:                 {Kind: ledger.Initiate, Amount: amount, Destination: ledger.Destination{Profile: "a", Environment: "TEST"}},
		`UNRESOLVED 3f7k, 12.50 GBP, SANDBOX demo: It is not known whether this payment was made. It was practice, and ended with the sandbox.`:                                       {ID: "3f7k", Kind: ledger.Initiate, Amount: amount, Destination: ledger.Destination{Profile: "demo", Environment: "SANDBOX"}},
		`MISMATCH 3f7k, 12.50 GBP, REF1, LIVE shop^[[2J\nx: The service's answer differs from what was asked for. Do not charge until you have decided what it means: home lists it.`: {ID: "3f7k", Kind: ledger.Initiate, Amount: amount, Reference: "REF1", Destination: shop, Mismatch: ledger.Mismatch{Difference: api.Difference{What: api.AmountDiffers}}},
	} {
		if got := present.Left([]ledger.Attempt{a}); len(got) != 1 || got[0] != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
	if got := present.Left(nil); got != nil {
		t.Error(got)
	}
	if got := present.Left(make([]ledger.Attempt, 5)); len(got) != 5 || strings.Contains(got[4], "more") {
		t.Error(got)
	}
	if got := present.Left(make([]ledger.Attempt, 12)); len(got) != 6 || got[5] != "7 more. Home lists them all." {
		t.Error(got)
	}
}
