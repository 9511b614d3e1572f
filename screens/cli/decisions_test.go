package cli_test

import (
	"strings"
	"testing"

	"paydesk/screens/cli"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/shape"
)

// mismatched makes a payment whose status is about another amount, and returns its reference and attempt.
func mismatched(h *clitest.Host) (reference, id string) {
	h.T.Helper()
	reference = made(h, byCardOf(approvedCard, 1250))
	h.Sandbox.Settle(reference)
	turn(h, "units.transaction", "minor")
	h.Run("status", reference).Is(cli.Unresolved)
	turn(h, "units.transaction", "major")
	return reference, read[shape.Attempt](h.Run("activity", "--json", "--limit", "1").Is(cli.Done)).ID
}

// A mismatch is no success, whatever a person has decided about it.
func TestAMismatchIsNeverASuccess(t *testing.T) {
	h := clitest.New(t)
	ref, id := mismatched(h)
	h.Run("activity").Is(cli.Done).Prints("\tMISMATCH\t").Lacks("SUCCESSFUL")
	h.Run("activity", "show", id).Is(cli.Unresolved).Prints("MISMATCH")
	h.Run("resolve", id, "--not-ours", "--yes").Is(cli.Done).Prints("Decision\tnot our payment")
	o := statuses(h.Run("status", ref, "--json").Is(cli.Unresolved))[0]
	if o.Status.Success || o.Mismatch.Decided != "not our payment" {
		t.Errorf("%+v %+v", o.Status, o.Mismatch)
	}
	h.Run("status", ref).Is(cli.Unresolved).Lacks("secured")
	d := read[shape.Decision](h.Run("resolve", id, "--take-back", "--yes", "--json").Is(cli.Done))
	if d.Decision != "undecided again" {
		t.Errorf("%+v", d)
	}
	h.Run("activity", "show", id).Is(cli.Unresolved).Says("paydesk resolve ")
	h.Run("resolve", id, "--answer-right", "--yes").Is(cli.Done)
	o = statuses(h.Run("status", ref, "--json").Is(cli.Unresolved))[0]
	a := read[shape.Attempt](h.Run("activity", "--json").Is(cli.Done))
	if o.Status.Success || a.Status.Success || o.Mismatch.Decided != "answer is right" {
		t.Errorf("%+v %+v %+v", o.Status, a.Status, o.Mismatch)
	}
	h.Run("status", ref).Is(cli.Unresolved).Prints("\tMISMATCH\t").Lacks("secured")
	h.Run("activity", "show", id).Is(cli.Done)
	h.Run("resolve", id, "--as-asked", "--yes").Is(cli.Done).Prints("Decision\tcharged as asked")
	h.Run("status", ref).Is(cli.Unresolved).Prints("\tMISMATCH\t").Lacks("secured")
}

// The reference of another payment is not taken for the lost one without a word about how they differ.
func TestAnAttemptFoundAsAnotherAmountSaysSo(t *testing.T) {
	h := clitest.New(t)
	other := made(h, byCardOf(approvedCard, 1250))
	id, _ := lost(h)
	h.Run("resolve", id, "--found", other).Is(cli.Usage).Says("ANOTHER AMOUNT: 12.50 GBP instead of 4,000.00 NGN.", "Nothing was recorded")
	h.Terminal("resolve", id, "--found", other).Sees("ANOTHER AMOUNT").Sees("[y/N]").Type("\r").Sees("Nothing was recorded").Ends(cli.Failed)
	h.Run("activity", "show", id).Is(cli.Unresolved)
}

// What somebody else decided while this person was asked stands.
func TestADecisionIsNotRecordedOverAnother(t *testing.T) {
	h := clitest.New(t)
	id, ref := lost(h)
	at := h.Terminal("resolve", id, "--give-up").Sees("[y/N]")
	h.Run("resolve", id, "--found", ref, "--yes").Is(cli.Done)
	at.Type("y\r").Sees("Nothing was recorded").Ends(cli.Failed)
	h.Run("activity", "show", id).Is(cli.Done).Prints("Reference\t" + ref).Lacks("gave up")
}

// What is wrong with a query is marked below it.
func TestAWrongQueryIsMarked(t *testing.T) {
	h := clitest.New(t)
	for _, args := range [][]string{{"activity"}, {"link", "list"}, {"transactions"}} {
		r := h.Run(append(args, "--where", "chairs colour:red")...).Is(cli.Usage)
		all := strings.Split(r.Err, "\n")
		for i, l := range all {
			if strings.Contains(l, "^") && strings.Index(l, "^") != strings.Index(all[i-1], "colour") {
				t.Errorf("%q marks\n%s\n%s", args, all[i-1], l)
			}
		}
		r.Says("^")
	}
	h.Run("activity", "--where", "colour:4242424242424242").Is(cli.Usage).Lacks("4242424242424242")
}
