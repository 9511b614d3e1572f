package cli_test

import (
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// mismatched makes a payment whose status is about another amount, and returns its reference and attempt.
func mismatched(h *clitest.Host) (reference, id string) {
	h.T.Helper()
	reference = made(h, byCardOf(approved, 1250))
	h.Sandbox.Settle(reference)
	turn(h, "units.transaction", "minor")
	h.Run("status", reference).Is(command.Unresolved)
	turn(h, "units.transaction", "major")
	return reference, read[output.Attempt](h.Run("activity", "--json", "--limit", "1").Is(command.Done)).ID
}

// A mismatch is no success, whatever a person has decided about it.
func TestAMismatchIsNeverASuccess(t *testing.T) {
	h := clitest.New(t)
	ref, id := mismatched(h)
	h.Run("activity").Is(command.Done).Prints("\tMISMATCH\t").Lacks("SUCCESSFUL")
	h.Run("activity", "show", id).Is(command.Unresolved).Prints("MISMATCH")
	h.Run("resolve", id, "--not-ours", "--yes").Is(command.Done).Prints("Decision\tnot our payment")
	o := statuses(h.Run("status", ref, "--json").Is(command.Unresolved))[0]
	if o.Status.Success || o.Mismatch.Decided != "not our payment" {
		t.Errorf("%+v %+v", o.Status, o.Mismatch)
	}
	h.Run("status", ref).Is(command.Unresolved).Lacks("secured")
	d := read[output.Decision](h.Run("resolve", id, "--take-back", "--yes", "--json").Is(command.Done))
	if d.Decision != "undecided again" {
		t.Errorf("%+v", d)
	}
	h.Run("activity", "show", id).Is(command.Unresolved).Says("paydesk resolve ")
	h.Run("resolve", id, "--answer-right", "--yes").Is(command.Done)
	o = statuses(h.Run("status", ref, "--json").Is(command.Unresolved))[0]
	a := read[output.Attempt](h.Run("activity", "--json").Is(command.Done))
	if o.Status.Success || a.Status.Success || o.Mismatch.Decided != "answer is right" {
		t.Errorf("%+v %+v %+v", o.Status, a.Status, o.Mismatch)
	}
	h.Run("status", ref).Is(command.Unresolved).Prints("\tMISMATCH\t").Lacks("secured")
	h.Run("activity", "show", id).Is(command.Done)
	h.Run("resolve", id, "--as-asked", "--yes").Is(command.Done).Prints("Decision\tcharged as asked")
	h.Run("status", ref).Is(command.Unresolved).Prints("\tMISMATCH\t").Lacks("secured")
}

// The reference of another payment is not taken for the lost one without a word about how they differ.
func TestAnAttemptFoundAsAnotherAmountSaysSo(t *testing.T) {
	h := clitest.New(t)
	other := made(h, byCardOf(approved, 1250))
	id, _ := lost(h)
	h.Run("resolve", id, "--found", other).Is(command.Locked).Says("ANOTHER AMOUNT: 12.50 GBP instead of 4,000.00 NGN.", "Nothing was recorded")
	h.Run("resolve", id, "--found", other, "--yes").Is(command.Locked).Says("ANOTHER AMOUNT", "Nothing was recorded", "at a terminal").Lacks("Add --yes")
	h.Terminal("resolve", id, "--found", other, "--yes").Sees("ANOTHER AMOUNT").Sees("[y/N]").Type("\r").Sees("Nothing was recorded").Ends(command.Failed)
	h.Run("activity", "show", id).Is(command.Unresolved)
}

// What somebody else decided while this person was asked stands.
func TestADecisionIsNotRecordedOverAnother(t *testing.T) {
	h := clitest.New(t)
	id, ref := lost(h)
	at := h.Terminal("resolve", id, "--give-up").Sees("[y/N]")
	h.Run("resolve", id, "--found", ref, "--yes").Is(command.Done)
	at.Type("y\r").Sees("Nothing was recorded").Ends(command.Failed)
	h.Run("activity", "show", id).Is(command.Done).Prints("Reference\t" + ref).Lacks("gave up")
}
