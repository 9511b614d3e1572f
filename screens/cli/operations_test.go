package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

func TestFinalizeIsSentOnceAndOnlyWhenItCanBe(t *testing.T) {
	h := clitest.New(t)
	r := made(h, byCardOf(challenged, 800))
	h.Run("finalize", r, "--yes").Is(command.Failed).Says("complete the bank's check first", "Nothing was sent")
	h.Sandbox.Approve(r)
	h.Run("finalize", r).Is(command.Usage).Says("Nothing was sent", "--yes")
	o := read[output.Finalization](h.Run("finalize", r, "--yes", "--json").Is(command.Done))
	if !o.Accepted || o.Reference != r || o.Word != "completed" {
		t.Errorf("%+v", o)
	}
	for _, settled := range []bool{false, true} { // one thing has one code
		if settled {
			h.Sandbox.Settle(r)
		}
		o := h.Run("finalize", r, "--yes", "--json").Is(command.Duplicate).Says("Nothing was sent").Refusal()
		if o.Code != "finalized" || o.Sent != "not sent" || o.Command != "paydesk status "+r+" --until final" {
			t.Errorf("settled %t: %+v", settled, o)
		}
	}
	bad := made(h, byCardOf(declined, 999))
	h.Run("finalize", bad, "--yes").Is(command.PaymentFailed).Says("nothing to finalize")
	h.Run("finalize", "UNKNOWN1", "--yes").Is(command.Refused).Says("no record of it", "Nothing was sent")
}

// A finalize whose answer was lost is not known to have happened, and is not repeated at once.
func TestALostFinalizeIsUnresolved(t *testing.T) {
	h := clitest.New(t, clitest.Options{Sandbox: sandbox.Options{Settle: time.Hour}})
	r := made(h, byCardOf(approved, 1250))
	arm(h, "finalize", "lost-answer", 1)
	h.Run("finalize", r, "--yes").Is(command.Unresolved).Says("paydesk status " + r)
	h.Run("finalize", r, "--yes").Is(command.Duplicate).Says("Nothing was sent")
	h.Run("status", r).Is(command.Unresolved).Prints("FINALIZE UNKNOWN")
}

func TestALiveFinalizeIsTyped(t *testing.T) {
	h := clitest.New(t, clitest.Options{Live: true})
	h.Terminal(byTransfer("--no-wait")...).Sees("profile's name").Type("shop\r").Sees("to send it:").Type("4,000.00\r").Sees("Account").Ends(command.Done)
	r := h.Sandbox.Payments()[0].Reference
	h.Run("finalize", r, "--yes", "--customer-done").Is(command.Locked).Says("needs a person at a terminal", "Nothing was sent")
	h.Terminal("finalize", r, "--yes", "--customer-done").Sees("--yes is for test").Ends(command.Usage)
	h.Terminal("finalize", r, "--customer-done").Sees("4,000.00 NGN by ").Sees("Type the profile's name, shop").Type("shop\r").
		Sees("Type 4,000.00").Type("40,00.00\r").Sees("Nothing was sent").Ends(command.Failed)
	h.Terminal("finalize", r, "--customer-done").Sees("profile's name").Type("shop\r").Sees("Type 4,000.00").Type("4000.00\r").Sees("accepted").Ends(command.Done)
}

func TestAuthenticateSaysWhetherTheBankIsNeeded(t *testing.T) {
	h := clitest.New(t)
	r := made(h, byCardOf(challenged, 800))
	h.Run("authenticate", r).Is(command.Done).Prints("Needed\tthe customer must authenticate at their bank\n", "Address\t"+h.Origin+"/bank/").Says("--open serves it once")
	o := read[output.Authentication](h.Run("authenticate", r, "--json").Is(command.Done))
	if o.Status != "AUTHENTICATION_REQUIRED" || o.ResponseCode != "00" || !o.AsksCustomer || o.PageBytes == 0 || !strings.HasPrefix(o.URL, h.Origin) {
		t.Errorf("%+v", o)
	}
	h.Run("authenticate", made(h, aTransfer())).Is(command.Failed).Says("Only cards", "Nothing was requested")
	h.Run("authenticate", "UNKNOWN1").Is(command.Refused)
	turn(h, "units.transaction", "minor") // it reports a hundred times the amount
	h.Run("status", r).Is(command.Unresolved)
	h.Run("authenticate", r, "--open").Is(command.Unresolved).Says("should authorise nothing now", "paydesk case "+r, "paydesk resolve ").Lacks("/bank/")
}

func TestChannelsAreValidated(t *testing.T) {
	h := clitest.New(t)
	h.Run("validate", "--currency", "GBP", "--amount", "12").Is(command.Done).Prints("Card\tCard\t")
	o := read[output.Validation](h.Run("validate", "--currency", "GBP", "--amount", "12", "--json").Is(command.Done))
	if !o.Valid || o.Amount.Minor != "1200" || len(o.Channels) == 0 || o.Channels[0].Alias != "Card" {
		t.Errorf("%+v", o)
	}
	h.Run("validate", "Card", "Nonsense", "--currency", "GBP", "--amount", "12").Is(command.Refused).Prints("Card\t").Says("A channel that was named cannot be used for 12.00 GBP")
	h.Run("validate", "card", "--currency", "GBP", "--amount", "12").Is(command.Done).Prints("Card\t")
	h.Run("validate", "bogus", "--currency", "GBP", "--amount", "12").Is(command.Refused).Says("A channel that was named cannot be used for 12.00 GBP").Lacks("bogus")
	for says, args := range map[string][]string{
		"--currency is missing": {"--amount", "12"}, "--amount: ": {"--currency", "GBP", "--amount", "WRONG"}, "above 0": {"--currency", "GBP", "--amount", "0"},
	} {
		h.Run(append([]string{"validate"}, args...)...).Is(command.Usage).Says(says).Lacks("WRONG")
	}
	h = clitest.New(t, clitest.Options{Live: true}) // they are asked of whoever may send
	h.Run("validate", "--currency", "GBP", "--amount", "12").Is(command.Locked).Says("terminal")
	h.Terminal("validate", "--currency", "GBP", "--amount", "12").Sees("Type the profile's name").Type("shop\r").Sees("Card").Ends(command.Done)
}

// A payment that was made elsewhere has a case as well: what the service says now, then what was looked up.
func TestACaseOfAPaymentMadeElsewhere(t *testing.T) {
	h := clitest.New(t)
	ref := made(h, byCardOf(approved, 700))
	there := []string{"--state-dir", filepath.Join(t.TempDir(), "state")}
	h.Run(with(there, "case", ref)...).Is(command.Done).Prints(ref, "`7.00 GBP`", "`PENDING`").Lacks("Attempt: `")
	h.Run(with(there, "case", ref)...).Is(command.Done).Prints(ref, "`7.00 GBP`").Says("the service was not asked")
	turn(h, "units.transaction", "minor") // it reports a hundred times the amount
	if o := h.Run(with(there, "status", ref, "--json")...).Is(command.Unresolved).Refusal(); !strings.HasSuffix(o.Command, " case "+ref) || o.Next == "" {
		t.Errorf("%+v", o)
	}
	arm(h, "all", "not-reached", 0)
	h.Run(with(there, "case", ref)...).Is(command.Unresolved).Says("the service was not asked", "An earlier answer was for 7.00 GBP").Lacks("paydesk resolve")
}
