package screens_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/keystore"
	"paydesk/screens/consoletest"
	"paydesk/screens/screentest"
)

// A listed state is one that home lists: what was sent and answered, and how a person ends that it needs attention.
type listed struct {
	name   string
	sent   ledger.Attempt
	result ledger.Result
	after  func(t testing.TB, j *journal.Journal, a ledger.Attempt) // what happened since
	shows  []string                                                 // on the screen that enter opens
	ways   []string                                                 // the keys from there to the question
	asks   string
}

func pounds(minor int64) money.Amount { return screentest.Money(minor, "GBP") }

// listedStates are all groups that the journal reports as unfinished.
func listedStates() []listed {
	here := ledger.Destination{Profile: "demo", Environment: "SANDBOX", Host: "127.0.0.1:8099"}
	card := ledger.Attempt{Kind: ledger.Initiate, Destination: here, Amount: pounds(1250), Channel: api.ChannelCard, Card: "4242"}
	transfer, linked := card, card
	transfer.Channel, transfer.Card = api.ChannelTransfer, ""
	linked.Link = "0-abc1234"
	link := ledger.Attempt{Kind: ledger.CreateLink, Destination: here, Amount: pounds(12000), Draft: api.LinkDraft{Name: "Chairs", Amount: pounds(12000)}}
	finalize := ledger.Attempt{Kind: ledger.Finalize, Destination: here, Reference: "REF1"}
	lost := ledger.Result{Outcome: ledger.Unresolved, Why: "the connection was closed"}
	accepted := func(status string) ledger.Result {
		return ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: "REF1", Status: api.ParseStatus(status)}}
	}
	differing := &api.Link{Alias: "0-abc1234", Name: api.Clean("Chairs"), Differs: []api.LinkDifference{
		{Part: api.Clean("amount"), Asked: api.Clean("120.00 GBP"), Answered: api.Clean("12.00 GBP")},
	}}
	decided := func(v ledger.Decision, r api.Reference) func(testing.TB, *journal.Journal, ledger.Attempt) {
		return func(t testing.TB, j *journal.Journal, a ledger.Attempt) {
			now, err := j.Attempt(t.Context(), a.ID)
			if err == nil {
				err = j.Decide(t.Context(), now, v, r)
			}
			must(t, err)
		}
	}
	follow := []string{"x", "x"}
	return []listed{
		{"an unresolved payment", card, lost, nil, []string{"UNRESOLVED", "12.50 GBP"}, []string{"x"}, "Stop trying"},
		{"an unresolved link", link, lost, nil, []string{"UNRESOLVED", "Chairs"}, []string{"x"}, "Stop trying"},
		{"an unresolved finalization", finalize, lost, nil, []string{"UNRESOLVED", "REF1"}, []string{"x"}, "Stop trying"},
		{"a link to be read", link, ledger.Result{Outcome: ledger.Accepted, Link: differing}, nil, []string{"MISMATCH", "12.00 GBP"}, []string{"enter"}, "Have you read how it differs?"},
		{"a mismatch", card, accepted("PENDING"), func(t testing.TB, j *journal.Journal, a ledger.Attempt) {
			got := api.PaymentStatus{Reference: "REF1", Status: api.ParseStatus("SUCCESSFUL"), Amount: pounds(2000), HasAmount: true}
			must(t, j.RecordTransaction(t.Context(), here, got))
		}, []string{"MISMATCH", "20.00 GBP"}, []string{"d", "down", "down", "enter"}, "not our payment"},
		{"a card at its bank", card, accepted("REQUIRE_BANK_AUTH"), nil, []string{"BANK CHECK NEEDED", "12.50 GBP"}, follow, "Stop following"},
		{"a card that settles", card, accepted("PENDING"), nil, []string{"PENDING", "12.50 GBP"}, follow, "Stop following"},
		{"an unknown word", card, accepted("ON_HOLD"), nil, []string{"ON_HOLD", "12.50 GBP"}, follow, "Stop following"},
		{"a transfer", transfer, accepted("REQUIRE_USER_OFFLINE_ACTION"), nil, []string{"CUSTOMER MUST PAY", "12.50 GBP"}, follow, "Stop following"},
		{"a link's payment", linked, accepted("PENDING"), nil, []string{"PENDING", "press f"}, follow, "Stop following"},
		{"a payment that was found", card, lost, decided(ledger.Found, "REF1"), []string{"REF1", "12.50 GBP"}, follow, "Stop following"},
	}
}

// Whatever home lists leads to a screen that shows how it stands, and has a key that takes it off the list. The service
// knows none of these payments, so that no check ends them.
func TestEverythingThatHomeListsHasAWayOut(t *testing.T) {
	for _, state := range listedStates() {
		t.Run(state.name, func(t *testing.T) {
			consoletest.Run(t, func(c *consoletest.Console) {
				a := recorded(c, state.sent, ledger.Payer{}, state.result)
				if state.after != nil {
					state.after(c.T, c.Journal, a)
				}
				again := c.Again()
				again.Sees(" 1 ").Press("enter").Wait(time.Second).Sees(state.shows...)
				again.Press(state.ways...).Wait(time.Second).Yes(state.asks).Wait(time.Second)
				toMenu(again).WaitsUntilGone("Needs you", "Under way")
				c.Again().Sees("Menu").WaitsUntilGone("Needs you", "Under way")
			})
		})
	}
}

func TestAPaymentThatIsNoLongerFollowedIsTakenBack(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge") // which the customer gives up
		c.Yes("Charge 12.50 GBP to •••• 1019?").Sees("Bank check").Press("esc").Wait(time.Second).Sees("1 in progress")
		decide(c, "stop following").Yes("Stop following this payment?").Wait(time.Second)
		c.Sees("no longer followed", "by", "ada").Golden("home/not-followed")
		c.Press("esc").Wait(time.Second).WaitsUntilGone("Needs you", "Under way").Sees("INITIATED")
		if n := questions(c, time.Hour); n != 0 {
			t.Errorf("%d were asked about what nobody follows", n)
		}
		c.Press("enter").Wait(time.Second).Sees("INITIATED").Press("u").Sees("no longer followed").Press("u").Yes("Follow this payment again?")
		c.Wait(time.Second).Press("esc", "esc").Wait(time.Second).Sees("1 in progress")
	})
}

// Without a journal a lost link or finalization is listed as long as the console runs, and home says that nothing of
// it is kept.
func TestWithoutAJournalHomeSaysThatNothingIsKept(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Wire.Rewrite(func(path string, status int, body []byte) (int, []byte) {
			if strings.HasSuffix(path, "/payment-link") {
				return http.StatusBadGateway, []byte("<html>")
			}
			return status, body
		})
		linked(c)
		c.Wait(time.Second).Sees("UNRESOLVED").Press("esc", "esc", "esc").Wait(time.Second)
		c.Sees("1 unresolved", "UNRESOLVED", "120.00 GBP", "new link", "nothing of this is kept after this run").Golden("home/no-journal")
		c.Press("d").Wait(time.Second).Sees("▸ Decide", "found as…", "give up")
		c.Press("esc").Wait(time.Second).Sees("1 unresolved", "── Menu").WaitsUntilGone("Decide") // where it was opened, not an attempt that nobody has
		c.Press("d").Wait(time.Second).Pick("give up").Press("enter").Yes("Stop trying").Wait(time.Second).Sees("Attempt", "GIVEN UP")
	}, consoletest.As(func(p *keystore.Profile) { p.Journal = "off" }))
}
