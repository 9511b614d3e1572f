package ledger

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/money"
)

var (
	noon    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	withURL = api.Payment{BankAuthRefused: api.Clean("an address came")}
	plain   = api.Payment{}
	outside = api.Payment{Status: status("REQUIRE_USER_OFFLINE_ACTION")}
)

func status(word string) api.Status { return api.ParseStatus(word) }

func accepted(p api.Payment) Answered {
	if p.Reference = "ref-1"; p.Status == (api.Status{}) {
		p.Status = status("INITIATED")
	}
	return Answered{Result{Outcome: Accepted, Payment: &p}, FromConsole}
}

func reported(word string) Checked {
	return Checked{api.PaymentStatus{Reference: "ref-1", Status: status(word)}}
}

// A path is what happened to one payment.
type path struct{ Entry }

// then is the path after more has happened.
func (p path) then(all ...Happening) path {
	for _, what := range all {
		p.Add(nil, Fact{Of: "a", At: noon, What: what, Times: 1})
	}
	return p
}

func (p path) finalized() path {
	p.Finalized = true
	return p
}

func (p path) lost(at time.Time) path {
	p.FinalizeUnresolvedAt = at
	return p
}

func sending(channel string, link api.Alias) path {
	return path{}.then(Sending{Attempt: Attempt{Kind: Initiate, Destination: service, Channel: channel, Link: link, Amount: money.Amount{Minor: 1250}}})
}

func card() path      { return sending(api.ChannelCard, "") }
func linked() path    { return sending(api.ChannelCard, "0-abcdefg") }
func transfer() path  { return sending(api.ChannelTransfer, "") }
func elsewhere() path { return path{}.then(Noticed{service, "ref-1"}) }

func TestEachStepIsAllowedOnlyAfterItsPrerequisites(t *testing.T) {
	const open = ""
	for _, c := range []struct {
		name string
		f    path
		step Step
		why  string
	}{
		{"authenticate before initiation", card(), ToAuthenticate, "The payment must be initiated first."},
		{"finalize before initiation", linked(), ToFinalize, "The payment must be initiated first."},
		{"verify before initiation", card(), ToVerify, "The payment must be initiated first."},
		{"authenticate a card", card().then(accepted(withURL)), ToAuthenticate, open},
		{"authenticate a transfer", transfer().then(accepted(outside)), ToAuthenticate, "Only cards have an authentication check."},
		{"finalize one made elsewhere before the customer acts", elsewhere().then(reported("REQUIRE_USER_OFFLINE_ACTION")), ToFinalize, "The customer must do their part first."},
		{"finalize before the customer approves", sending(api.ChannelInterac, "0-abc").then(accepted(withURL)), ToFinalize, "The customer must approve the payment first."},
		{"authenticate a failed card", card().then(accepted(plain)).then(reported("FAILED")), ToAuthenticate, "The payment is final; there is nothing to authenticate."},
		{"finalize before the challenge", linked().then(accepted(withURL)), ToFinalize, "The customer must complete the bank's check first."},
		{"finalize after the challenge", linked().then(accepted(withURL)).then(CustomerDone{}), ToFinalize, open},
		{"finalize once PENDING says the customer authorised", linked().then(accepted(withURL)).then(reported("PENDING")), ToFinalize, open},
		{"finalize while PENDING says nothing of the transfer", transfer().then(accepted(outside)).then(reported("PENDING")), ToFinalize, "The customer must make the transfer first."},
		{"finalize twice", linked().then(accepted(plain)).finalized(), ToFinalize, "The payment was already finalized."},
		{"finalize a rejected charge", linked().then(accepted(plain)).then(reported("FAILED")), ToFinalize, "The payment failed; there is nothing to finalize."},
		{"finalize a settled payment", card().then(accepted(plain)).then(reported("SUCCESSFUL")), ToFinalize, "The funds are already secured; there is nothing to finalize."},
		{"finalize after a check that asks for a challenge", linked().then(accepted(plain)).then(Challenged{}), ToFinalize, "The customer must complete the bank's check first."},
		{"finalize after a challenge that came after PENDING", linked().then(accepted(plain), reported("PENDING"), Challenged{}), ToFinalize, "The customer must complete the bank's check first."},
		{"finalize once PENDING answers that challenge", linked().then(accepted(plain), reported("PENDING"), Challenged{}, reported("PENDING")), ToFinalize, open},
		{"finalize soon after one without an answer", linked().then(accepted(plain)).lost(noon.Add(-59 * time.Second)), ToFinalize, "The last finalize got no answer; it can be repeated from " + noon.Add(time.Second).Local().Format(time.TimeOnly) + " on."},
		{"finalize a minute after one without an answer", linked().then(accepted(plain)).lost(noon.Add(-60 * time.Second)), ToFinalize, open},
		{"authorise when nothing is required", card().then(accepted(plain)), ToAuthorise, "Nothing is required of the customer."},
		{"authorise a final payment", card().then(accepted(withURL)).then(reported("FAILED")), ToAuthorise, "The payment is final; the customer has nothing to do."},
		{"authorise again", card().then(accepted(withURL)).then(CustomerDone{}), ToAuthorise, "The customer has already done their part."},
	} {
		if got := c.f.WhyNot(c.step, noon); got != c.why {
			t.Errorf("%s: %q, want %q", c.name, got, c.why)
		}
	}
}

// No sequence of events allows finalize before initiation, with the customer's part open, or on a
// final payment.
func TestNothingReachesFinalizeBeforeItsPreconditions(t *testing.T) {
	words := []string{"INITIATED", "PENDING", "REQUIRE_USER_OFFLINE_ACTION", "REQUIRED_BANK_AUTH", "SUCCESSFUL", "FAILED", "a new word"}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]path{card(), linked(), transfer()}).Draw(t, "begin")
		var initiated, required, acted, final, finalized bool
		for range rapid.IntRange(0, 12).Draw(t, "events") {
			event := rapid.IntRange(0, 5).Draw(t, "event")
			switch {
			case event == 0 && !initiated:
				answer := rapid.SampledFrom([]api.Payment{withURL, plain, outside}).Draw(t, "answer")
				p, initiated = p.then(accepted(answer)), true
				required = !answer.BankAuthRefused.Empty() || p.IsTransfer() || answer.Status.State == api.ActionRequired
			case event == 1 && initiated:
				p, required = p.then(Challenged{}), true
			case event == 2 && initiated && required:
				p, acted = p.then(CustomerDone{}), true
			case event == 3 && initiated && !final:
				word := rapid.SampledFrom(words).Draw(t, "word")
				s := status(word).State
				p, final = p.then(reported(word)), s.Final()
				required = required || s == api.ActionRequired || s == api.BankAuthRequired
				acted = acted || s == api.Pending && required && !p.IsTransfer()
			case event == 4 && p.WhyNot(ToFinalize, noon) == "":
				if !initiated || final || finalized || required && !acted {
					t.Fatalf("finalize was allowed: initiated %v required %v acted %v final %v finalized %v", initiated, required, acted, final, finalized)
				}
				p, finalized = p.finalized(), true
			case event == 5:
				if p = p.lost(noon); p.WhyNot(ToFinalize, noon) == "" {
					t.Fatal("finalize was open right after one without an answer")
				}
			}
		}
	})
}
