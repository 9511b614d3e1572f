package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// fields are the columns of each line that a command printed in a pipe.
func fields(r clitest.Result) (all [][]string) {
	for _, line := range lines(r) {
		all = append(all, strings.Split(line, "\t"))
	}
	return all
}

// statuses are the objects that a command printed.
func statuses(r clitest.Result) (all []output.PaymentStatus) {
	r.T.Helper()
	for _, line := range objects(r) {
		var o output.PaymentStatus
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&o); err != nil || o.Schema != output.StatusSchema {
			r.T.Fatalf("%v in %s", err, line)
		}
		all = append(all, o)
	}
	return all
}

func arm(h *clitest.Host, operation, fault string, calls int) {
	h.T.Helper()
	must(h.T, h.Sandbox.Arm(operation, fault, calls))
}

func turn(h *clitest.Host, name, value string) {
	h.T.Helper()
	must(h.T, h.Sandbox.SetSwitch(name, value))
}

func TestTheStatusOfAnUnknownPaymentIsRefused(t *testing.T) {
	h := clitest.New(t)
	r := h.Run("status", "UNKNOWN1").Is(command.Refused)
	if got := fields(r)[0]; len(got) != 6 || got[1] != "NOT FOUND" || got[5] != "" {
		t.Errorf("%q", got)
	}
	o := statuses(h.Run("status", "UNKNOWN1", "--json").Is(command.Refused))[0]
	if o.Status != nil || o.At != nil || o.Amount != nil || o.MadeHere || o.Problem == nil || o.Exit != 5 {
		t.Errorf("%+v", o)
	}
}

// 0 is SUCCESSFUL alone: a script that ships on it must not ship what is not final.
func TestTheExitCodeIsThatOfThePaymentWhichIsFurthestFromASuccess(t *testing.T) {
	h := clitest.New(t)
	good, open, bad := made(h, byCardOf(approved, 1250)), made(h, byCardOf(challenged, 800)), made(h, byCardOf(declined, 999))
	h.Run("status", open).Is(command.NotFinal)
	h.Sandbox.Settle(good)
	if all := fields(h.Run("status", good, open, bad, good).Is(command.PaymentFailed)); len(all) != 3 { // each once
		t.Errorf("%q", all)
	}
	h.Run("status", good).Is(command.Done).Prints("Funds have been secured.")
	h.Run("status", bad).Is(command.PaymentFailed)
}

func TestTheStatusAsJSON(t *testing.T) {
	h := clitest.New(t)
	turn(h, "transaction.extras", "on")
	r := made(h, aTransfer())
	must(t, h.Sandbox.Pay(r, "1500.00"))
	o := statuses(h.Run("status", r, "--json").Is(command.NotFinal))[0]
	if !o.MadeHere || o.Exit != int(command.NotFinal) || o.Amount.Amount != "4000.00" || o.Amount.Minor != "400000" || o.Received.Amount != "1500.00" || o.At == nil {
		t.Errorf("%+v", o)
	}
	if *o.Status != (output.Status{Word: "PENDING", Means: "PENDING"}) || !strings.HasPrefix(o.Means, "A part was received: 1,500.00 of 4,000.00 NGN.") {
		t.Errorf("%+v: %s", o.Status, o.Means)
	}
	settled := made(h, byCardOf(approved, 1250))
	h.Sandbox.Settle(settled)
	o = statuses(h.Run("status", settled, "--json", "--until", "final").Is(command.Done))[0]
	if *o.Status != (output.Status{Word: "Successfull", Means: "SUCCESSFUL", Final: true, Success: true}) || o.Mismatch != nil {
		t.Errorf("%+v %+v", o.Status, o.Mismatch)
	}
}

// The amount of a payment that was made here is ours. A success that does not state it says so.
func TestASuccessWithoutAnAmountSaysThatItWasNotStated(t *testing.T) {
	h := clitest.New(t)
	r := made(h, byCardOf(approved, 1250))
	h.Sandbox.Settle(r)
	if o := statuses(h.Run("status", r, "--json").Is(command.Done))[0]; !o.AmountStated || strings.Contains(o.Means, "stated") {
		t.Errorf("stated: %+v", o)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"isSuccess":true,"value":{"paymentStatus":"Successfull","paymentReference":"`+r+`"}}`)
	}))
	defer s.Close()
	h.Configure(strings.ReplaceAll(keystoretest.Read(t, h.ConfigFolder()), h.Origin, s.URL))
	h.Run("status", r).Is(command.Done).Prints(r + "\tSUCCESSFUL\t12.50\tGBP\tFunds have been secured. Amount not stated by the service: compare it")
	o := statuses(h.Run("status", r, "--json").Is(command.Done))[0]
	if o.AmountStated || !o.MadeHere || !strings.Contains(o.Means, "Amount not stated by the service") {
		t.Errorf("not stated: %+v", o)
	}
}

// What the service answers is compared with what was asked from here, in whichever run that was.
func TestAMismatchIsNoSuccess(t *testing.T) {
	h := clitest.New(t)
	r := made(h, aTransfer())
	must(t, h.Sandbox.Pay(r, "1500.00"))
	h.Sandbox.SetStatusWord("Successfull")
	turn(h, "units.transaction", "minor") // it reports a hundred times the amount
	h.Run("status", r).Is(command.Unresolved).Prints(r+"\tMISMATCH\t4000.00\tNGN\tRequested 4,000.00 NGN, but").Lacks("SUCCESSFUL", "secured")
	o := statuses(h.Run("status", r, "--json").Is(command.Unresolved))[0]
	if o.Status.Success || len(o.Mismatch.Differs) == 0 || o.Mismatch.Differs[0] != "amount" || o.Exit != 6 {
		t.Errorf("%+v %+v", o.Status, o.Mismatch)
	}
	h.Run("status", r, "--until", "final", "--timeout", "5s").Is(command.Unresolved).Prints("MISMATCH")
	turn(h, "units.transaction", "major")
	h.Run("status", r).Is(command.Unresolved).Prints("MISMATCH") // until a person decides
	h.Run("case", r).Is(command.Unresolved).Prints("**MISMATCH:").Says("paydesk resolve ")
	h.Run("finalize", r, "--yes").Is(command.Unresolved).Says("paydesk resolve", "Nothing was sent")
	arm(h, "transaction", "F21", 0) // an answer that is none, and is not asked for again
	o = statuses(h.Run("status", r, "--json").Is(command.Unresolved))[0]
	if o.Status != nil || o.At != nil || o.Remembered == nil || o.Remembered.Means != "SUCCESSFUL" || o.Problem == nil || o.Mismatch == nil {
		t.Errorf("without an answer: %+v", o)
	}
}

func TestAStatusThatIsNotInTheSpecificationIsNeverFinal(t *testing.T) {
	h := clitest.New(t)
	r := made(h, byCardOf(approved, 1250))
	h.Sandbox.SetStatusWord("SUCCESS\x1b[2J")
	h.Run("status", r).Is(command.NotFinal).Prints("UNRECOGNISED").Lacks("secured")
	h.Run("status", r, "--until", "final", "--timeout", "1ms").Is(command.NotFinal)
}
