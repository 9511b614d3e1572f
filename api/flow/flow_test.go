package flow_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api"
	"paydesk/api/flow"
)

var (
	now     = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	withURL = api.Payment{BankAuthRefused: api.Clean("an address came"), Status: api.Status{State: api.Initiated}}
	plain   = api.Payment{Status: api.Status{State: api.Initiated}}
	outside = api.Payment{Status: api.Status{State: api.ActionRequired}}
)

func card() flow.Flow     { return flow.Begin(api.ChannelCard, "") }
func linked() flow.Flow   { return flow.Begin(api.ChannelCard, "0-abcdefg") }
func transfer() flow.Flow { return flow.Begin(api.ChannelTransfer, "") }

func TestEachStepIsAllowedOnlyAfterItsPrerequisites(t *testing.T) {
	const open = ""
	for _, c := range []struct {
		name string
		f    flow.Flow
		step flow.Step
		why  string
	}{
		{"initiate at the beginning", card(), flow.Initiate, open},
		{"initiate twice", card().Initiated(plain), flow.Initiate, "This payment was already initiated; start a new one instead."},
		{"authenticate before initiation", card(), flow.Authenticate, "The payment must be initiated first."},
		{"finalize before initiation", linked(), flow.Finalize, "The payment must be initiated first."},
		{"verify before initiation", card(), flow.Verify, "The payment must be initiated first."},
		{"verify after initiation", card().Initiated(plain), flow.Verify, open},
		{"authenticate a card", card().Initiated(withURL), flow.Authenticate, open},
		{"authenticate a transfer", transfer().Initiated(outside), flow.Authenticate, "Only cards have an authentication check."},
		{"authenticate at a bank without a card", flow.Begin(api.ChannelAccount, "").Initiated(withURL), flow.Authenticate, "Only cards have an authentication check."},
		{"authenticate a payment known by reference only", flow.InitiatedElsewhere(), flow.Authenticate, open},
		{"finalize one made elsewhere before the customer acts", flow.InitiatedElsewhere().Reported(api.ActionRequired), flow.Finalize, "The customer must do their part first."},
		{"finalize before the customer approves", flow.Begin(api.ChannelInterac, "0-abc").Initiated(withURL), flow.Finalize, "The customer must approve the payment first."},
		{"authenticate a failed card", card().Initiated(plain).Reported(api.Failed), flow.Authenticate, "The payment is final; there is nothing to authenticate."},
		{"finalize before the challenge", linked().Initiated(withURL), flow.Finalize, "The customer must complete the bank's check first."},
		{"finalize after the challenge", linked().Initiated(withURL).CustomerDone(), flow.Finalize, open},
		{"finalize once PENDING says the customer authorised", linked().Initiated(withURL).Reported(api.Pending), flow.Finalize, open},
		{"finalize before the transfer", transfer().Initiated(outside), flow.Finalize, "The customer must make the transfer first."},
		{"finalize while PENDING says nothing of the transfer", transfer().Initiated(outside).Reported(api.Pending), flow.Finalize, "The customer must make the transfer first."},
		{"finalize after the customer says they paid", transfer().Initiated(outside).Reported(api.Pending).CustomerDone(), flow.Finalize, open},
		{"finalize without a challenge", linked().Initiated(plain), flow.Finalize, open},
		{"finalize twice", linked().Initiated(plain).Finalized(), flow.Finalize, "The payment was already finalized."},
		{"finalize a rejected charge", linked().Initiated(plain).Reported(api.Failed), flow.Finalize, "The payment failed; there is nothing to finalize."},
		{"finalize a settled payment", card().Initiated(plain).Reported(api.Successful), flow.Finalize, "The funds are already secured; there is nothing to finalize."},
		{"finalize a payment known by reference only", flow.InitiatedElsewhere(), flow.Finalize, open},
		{"finalize after a check that asks for a challenge", linked().Initiated(plain).Authenticated(api.Authentication{Enabled: true}), flow.Finalize, "The customer must complete the bank's check first."},
		{"finalize soon after one without an answer", linked().Initiated(plain).FinalizeUnresolved(now.Add(-59 * time.Second)), flow.Finalize, "The last finalize got no answer; it can be repeated from " + now.Add(time.Second).Local().Format(time.TimeOnly) + " on."},
		{"finalize a minute after one without an answer", linked().Initiated(plain).FinalizeUnresolved(now.Add(-60 * time.Second)), flow.Finalize, open},
		{"authorise when nothing is required", card().Initiated(plain), flow.Authorise, "Nothing is required of the customer."},
		{"authorise when required", card().Initiated(withURL), flow.Authorise, open},
		{"authorise a final payment", card().Initiated(withURL).Reported(api.Failed), flow.Authorise, "The payment is final; the customer has nothing to do."},
		{"authorise again", card().Initiated(withURL).CustomerDone(), flow.Authorise, "The customer has already done their part."},
	} {
		if got := c.f.WhyNot(c.step, now); got != c.why {
			t.Errorf("%s: %q, want %q", c.name, got, c.why)
		}
	}
}

func TestTheNextStepFollowsTheTwoFlows(t *testing.T) {
	for _, c := range []struct {
		name string
		f    flow.Flow
		next flow.Step
	}{
		{"nothing sent", card(), flow.Initiate},
		{"direct card without a challenge", card().Initiated(plain), flow.Verify},
		{"direct card with a challenge", card().Initiated(withURL), flow.Authorise},
		{"direct card after the challenge", card().Initiated(withURL).CustomerDone(), flow.Verify},
		{"link card after the challenge", linked().Initiated(withURL).CustomerDone(), flow.Finalize},
		{"link card finalized", linked().Initiated(plain).Finalized(), flow.Verify},
		{"link card settled without us", linked().Initiated(plain).Reported(api.Successful), flow.Verify},
		{"transfer", transfer().Initiated(outside), flow.Authorise},
		{"transfer that failed", transfer().Initiated(outside).Reported(api.Failed), flow.Verify},
	} {
		if got := c.f.Next(); got != c.next {
			t.Errorf("%s: %v, want %v", c.name, got, c.next)
		}
	}
}

// What a person reports is not yet what the service shows.
func TestTheCustomersPartIsConfirmedByTheServiceAlone(t *testing.T) {
	for _, c := range []struct {
		name string
		f    flow.Flow
		want bool
	}{
		{"nothing required", card().Initiated(plain).Reported(api.Pending), false},
		{"open", card().Initiated(withURL), false},
		{"a person is done", card().Initiated(withURL).CustomerDone(), false},
		{"abandoned", card().Initiated(withURL).CustomerDone().Reported(api.Initiated), false},
		{"rejected", card().Initiated(withURL).CustomerDone().Reported(api.Failed), false},
		{"rejected without a word", card().Initiated(withURL).Reported(api.Failed), false},
		{"approved", card().Initiated(withURL).CustomerDone().Reported(api.Pending), true},
		{"approved and settled", card().Initiated(withURL).Reported(api.Successful), true},
		{"finalized", linked().Initiated(withURL).CustomerDone().Finalized(), true},
		{"finalized, then failed", linked().Initiated(withURL).CustomerDone().Finalized().Reported(api.Failed), false},
		{"a transfer that may not be paid", transfer().Initiated(outside).CustomerDone().Reported(api.Pending), false},
		{"a transfer that was paid", transfer().Initiated(outside).Reported(api.Successful), true},
	} {
		if got := c.f.CustomerConfirmed(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestAFinalStateNeverChanges(t *testing.T) {
	for _, final := range []api.State{api.Successful, api.Failed} {
		for s := api.Unrecognised; s <= api.Failed; s++ {
			if got := card().Initiated(plain).Reported(final).Reported(s).State(); got != final {
				t.Errorf("%v became %v", final, got)
			}
		}
	}
}

// No sequence of events allows finalize before initiation, with the customer's part open, or on a
// final payment.
func TestNothingReachesFinalizeBeforeItsPreconditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom([]flow.Flow{card(), linked(), transfer(), {}}).Draw(t, "begin")
		var initiated, required, acted, final, finalized bool
		transfer := f.IsTransfer()
		for range rapid.IntRange(0, 12).Draw(t, "events") {
			switch rapid.IntRange(0, 5).Draw(t, "event") {
			case 0:
				if f.WhyNot(flow.Initiate, now) != "" {
					continue
				}
				p := rapid.SampledFrom([]api.Payment{withURL, plain, outside}).Draw(t, "answer")
				f, initiated = f.Initiated(p), true
				required = required || !p.BankAuthRefused.Empty() || transfer || p.Status.State == api.ActionRequired
			case 1:
				f = f.Authenticated(api.Authentication{Enabled: true})
				required = true
			case 2:
				f = f.CustomerDone()
				acted = acted || initiated && required
			case 3:
				s := api.State(rapid.IntRange(0, int(api.Failed)).Draw(t, "state"))
				f = f.Reported(s)
				if !final {
					final = s.Final()
					required = required || s == api.ActionRequired || s == api.BankAuthRequired
					acted = acted || s == api.Pending && required && !transfer
				}
			case 4:
				if f.WhyNot(flow.Finalize, now) == "" {
					if !initiated || final || finalized || required && !acted {
						t.Fatalf("finalize was allowed: initiated %v required %v acted %v final %v finalized %v", initiated, required, acted, final, finalized)
					}
					f, finalized = f.Finalized(), true
				}
			case 5:
				f = f.FinalizeUnresolved(now)
				if f.WhyNot(flow.Finalize, now) == "" {
					t.Fatal("finalize was open right after one without an answer")
				}
			}
		}
	})
}
