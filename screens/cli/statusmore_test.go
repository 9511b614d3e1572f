package cli_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api/sandbox/faulttest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

func TestReferencesAreReadFromStdin(t *testing.T) {
	h := clitest.New(t)
	a, b := made(h, byCardOf(approved, 1250)), made(h, aTransfer())
	r := h.RunWith(a+"\n\n  "+b+" \r\n"+a, "status", "-").Is(command.NotFinal)
	if got := fields(r); len(got) != 2 || got[0][0] != a || got[1][0] != b {
		t.Errorf("%q", got)
	}
	h.RunWith("\n", "status", "-").Is(command.Usage).Says("stdin has no reference")
	h.RunWith(a+"\nWRONG REFERENCE\n", "status", "-").Is(command.Usage).Says("line 2 of stdin").Lacks("WRONG", a)
	h.RunWith(a+"\n4242 4242 4242 4242\n", "status", "-").Is(command.Usage).Says("line 2 of stdin looks like a card number").Lacks("4242")
	h.RunWith("sk_live_WRONG00000000\n", "status", "-").Is(command.Usage).Says("line 1 of stdin").Lacks("WRONG")
	h.RunWith(strings.Repeat("x", 70_000), "status", "-").Is(command.Usage).Says("too long")
	h.RunWith(strings.Repeat("A1\n", 1_001), "status", "-").Is(command.Usage).Says("more than 1,000 lines")
}

// Waiting ends at its time, and what is known is printed: each object has the code of its payment, and the command that of the
// one which is furthest from a success. The time is real, and long enough for a check on a busy machine.
func TestAWaitThatIsOverSaysWhatIsKnown(t *testing.T) {
	h := clitest.New(t)
	open, bad := made(h, byCardOf(challenged, 800)), made(h, byCardOf(declined, 999))
	wait := []string{"status", "--json", "--until", "final", "--timeout", "2s", open}
	r := h.Run(append(wait, bad)...).Is(command.PaymentFailed).Says("Timed out; not final")
	if all := statuses(r); all[0].Exit != int(command.PaymentFailed) || all[1].Exit != int(command.NotFinal) {
		t.Errorf("%+v", all)
	}
	arm(h, "transaction", "F8", 0)
	if o := statuses(h.Run(wait...).Is(command.Failed))[0]; o.Status != nil || o.Problem == nil || o.Exit != int(command.Failed) {
		t.Errorf("no check is answered: %+v", o)
	}
}

func TestAWatchPrintsALineForEachChange(t *testing.T) {
	h := clitest.New(t)
	r := made(h, aTransfer()) // its reference is a long one
	at := h.Terminal("status", r, "--watch")
	at.Sees("Reference").Sees("4,000.00 NGN")
	h.Sandbox.Settle(r)
	at.Sees("SUCCESSFUL").Sees("Funds have been secured.").Ends(command.Done)
	for line := range strings.SplitSeq(ansi.Strip(at.Shown()), "\r\n") {
		if len(line) > 80 {
			t.Errorf("a line is wider than the terminal: %q", line)
		}
	}
	if n := strings.Count(at.Shown(), r); n != 2 {
		t.Errorf("%d lines:\n%s", n, at.Shown())
	}
}

// A fault of each class once: what passes is tried again, and the rest ends with its code. None of them is an answer that was
// not given.
func TestEachFaultEndsAStatusWithItsExitCode(t *testing.T) {
	const tooLong = " F10 F13 F17 F55 " // no answer until the time of a request is over, or one that asks to wait
	codes := map[string]command.Code{
		"F8": command.Failed, "F22": command.Failed, "F34": command.Failed, "F39": command.Unresolved, // its reference is another
		"F50": command.Refused, "F51": command.Refused, "F52": command.Refused, "F54": command.Refused, "F57": command.Failed,
	}
	h := clitest.New(t)
	for i, f := range faulttest.Classes() {
		if strings.Contains(tooLong, " "+f.Name+" ") {
			continue
		}
		h.Sandbox.ClearFaults()
		ref := made(h, byCardOf(approved, 1250+int64(i)))
		h.Sandbox.Settle(ref)
		arm(h, "transaction", f.Name, 0)
		r := h.Run("status", ref, "--json")
		o := statuses(r)[0]
		if int(r.Code) != o.Exit || (o.Status != nil && o.Status.Success) != (r.Code == command.Done) || (o.Problem == nil) != (r.Code == command.Done || o.Mismatch != nil) {
			t.Errorf("%s: ended with %d: %s", f.Name, r.Code, r.Out)
		}
		if want, is := codes[f.Name]; is {
			r.Is(want)
		}
	}
}

// A status that was reported before is no answer now: whoever reads the second column must not take it for one.
func TestWhatIsRememberedIsNoStatus(t *testing.T) {
	soon := []string{"--until", "final", "--timeout", "300ms"}
	h := clitest.New(t)
	ref := made(h, byCardOf(approved, 1250))
	h.Sandbox.Settle(ref)
	h.Run("status", ref).Is(command.Done)
	arm(h, "transaction", "F50", 0)
	r := h.Run(append(soon, "status", ref)...).Lacks("secured")
	if got := fields(r)[0]; r.Code == command.Done || len(got) != 8 || got[1] != "UNKNOWN" || got[5] != "" || got[6] != "SUCCESSFUL" || !strings.Contains(got[7], "T") {
		t.Errorf("ended with %d: %q", r.Code, got)
	}
	for _, more := range [][]string{nil, soon} {
		o := statuses(h.Run(append(more, "status", ref, "--json")...).Lacks("success"))[0]
		if o.Status != nil || o.At != nil || o.Means != "" || o.Problem == nil || o.Remembered.Means != "SUCCESSFUL" || o.Remembered.At == nil {
			t.Errorf("%+v %+v", o, o.Remembered)
		}
	}
	h.Terminal(append(soon, "status", ref)...).Sees("UNKNOWN").Sees("Remembered, not answered now: SUCCESSFUL, ")
}
