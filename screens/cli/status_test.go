package cli_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api/sandbox/faulttest"
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
		all = append(all, read[output.PaymentStatus](clitest.Result{T: r.T, Out: line}))
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
	for _, answer := range []string{"null", "refusal"} { // a success without a value, and HTTP 404
		turn(h, "error.not-found", answer)
		r := h.Run("status", "UNKNOWN1").Is(command.Refused)
		if got := fields(r)[0]; len(got) != 6 || got[1] != "NOT FOUND" || got[5] != "" {
			t.Errorf("%q", got)
		}
		r = h.Run("status", "UNKNOWN1", "--json").Is(command.Refused)
		if o := statuses(r)[0]; o.Status != nil || o.At != nil || o.Amount != nil || o.MadeHere || o.Problem == nil || o.Exit != 5 || r.Refusal().Code != "not-found" {
			t.Errorf("%s: %+v, %s", answer, o, r.Out)
		}
	}
	arm(h, "transaction", "http-404", 0) // a gateway's, which does not know
	h.Run("status", "UNKNOWN1").Is(command.Failed).Prints("UNKNOWN1\tUNKNOWN\t").Lacks("NOT FOUND", "no record")
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
	if *o.Status != (output.Status{Word: "PENDING", Means: "PENDING"}) || !strings.HasPrefix(o.Means, "Part of the amount was received: 1,500.00 of 4,000.00 NGN.") {
		t.Errorf("%+v: %s", o.Status, o.Means)
	}
	h.Run("case", r).Is(command.Done).Prints("Part of the amount was received") // which the journal has
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
	if o := statuses(h.Run("status", r, "--json").Is(command.Done))[0]; !o.AmountStated || strings.Contains(o.Means, "readable") {
		t.Errorf("stated: %+v", o)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"isSuccess":true,"value":{"paymentStatus":"Successfull","paymentReference":"`+r+`"}}`)
	}))
	defer s.Close()
	h.Configure(strings.ReplaceAll(keystoretest.Read(t, h.ConfigFolder()), h.Origin, s.URL))
	h.Run("status", r).Is(command.Done).Prints(r + "\tSUCCESSFUL\t12.50\tGBP\tFunds have been secured. The service states no readable amount: compare it")
	o := statuses(h.Run("status", r, "--json").Is(command.Done))[0]
	if o.AmountStated || !o.MadeHere || !strings.Contains(o.Means, "The service states no readable amount") {
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
	h.Run("case", r).Is(command.Unresolved).Prints("**MISMATCH: `Requested 4,000.00 NGN, but").Says("paydesk resolve ")
	h.Run("finalize", r, "--yes").Is(command.Unresolved).Says("paydesk resolve", "Nothing was sent")
	arm(h, "transaction", "html-200", 0) // an answer that is none, and is not asked for again
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

func TestReferencesAreReadFromStdin(t *testing.T) {
	h := clitest.New(t)
	a, b := made(h, byCardOf(approved, 1250)), made(h, aTransfer())
	r := h.RunWith(a+"\n\n  "+b+" \r\n"+a, "status", "-").Is(command.NotFinal)
	if got := fields(r); len(got) != 2 || got[0][0] != a || got[1][0] != b {
		t.Errorf("%q", got)
	}
	h.RunWith("\n", "status", "-").Is(command.Usage).Says("stdin has no reference")
	h.RunWith(a, "status", "-", b).Is(command.Usage).Says("- reads the references from stdin")
	h.RunWith(a+"\nWRONG REFERENCE\n", "status", "-").Is(command.Usage).Says("line 2 of stdin").Lacks("WRONG", a)
	h.RunWith(a+"\n4242 4242 4242 4242\n", "status", "-").Is(command.Usage).Says("line 2 of stdin looks like a card number").Lacks("4242")
	h.RunWith("sk_live_WRONG00000000\n", "status", "-").Is(command.Usage).Says("line 1 of stdin").Lacks("WRONG")
	h.RunWith(strings.Repeat("x", 70_000), "status", "-").Is(command.Usage).Says("line 1 of stdin")
	h.RunWith(strings.Repeat("A1\n", 1_001), "status", "-").Is(command.Usage).Says("more than 1,000 lines")
	h.RunWith("A1\n"+strings.Repeat(" ", 1<<20), "status", "-").Is(command.Usage).Says("stdin is too long")
}

// untilFinal waits for a final status. The time is real, and long enough for a check on a busy machine.
var untilFinal = []string{"status", "--json", "--until", "final", "--timeout", "2s"}

// Waiting ends at its time, and what is known is printed: each object has the code of its payment, and the command that of the
// one which is furthest from a success.
func TestAWaitThatIsOverSaysWhatIsKnown(t *testing.T) {
	h := clitest.New(t)
	open, bad := made(h, byCardOf(challenged, 800)), made(h, byCardOf(declined, 999))
	r := h.Run(with(untilFinal, open, bad)...).Is(command.PaymentFailed).Says("Timed out; not final")
	if all := statuses(r); all[0].Exit != int(command.PaymentFailed) || all[1].Exit != int(command.NotFinal) {
		t.Errorf("%+v", all)
	}
	arm(h, "transaction", "not-reached", 0)
	if o := statuses(h.Run(with(untilFinal, open)...).Is(command.Failed))[0]; o.Status != nil || o.Problem == nil || o.Exit != int(command.Failed) {
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
	const tooLong = " silent no-answer drip rate-limited " // no answer until the time of a request is over, or one that asks to wait
	codes := map[string]command.Code{
		"not-reached": command.Failed, "plain-text": command.Failed, "not-utf-8": command.Failed, "strings-as-numbers": command.Unresolved, // its reference is another
		"unauthorized": command.Refused, "http-403": command.Refused, "http-404": command.Failed, "refused": command.Refused, "error-500": command.Failed,
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
	arm(h, "transaction", "unauthorized", 0)
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
	h.Sandbox.ClearFaults()
	arm(h, "transaction", "no-answer", 0) // no answer at all
	at := h.Terminal(append(soon, "status", ref)...).Sees("UNKNOWN").Sees("No answer now; last known status: SUCCESSFUL, ")
	if strings.Contains(at.Shown(), "00:00:00") {
		t.Errorf("a payment without an answer has the time of none:\n%s", at.Shown())
	}
	h.Sandbox.ClearFaults()
	all := []string{"status", ref}
	for i := range int64(5) { // with it more than are asked about at once
		ref := made(h, byCardOf(approved, 1251+i))
		h.Sandbox.Settle(ref)
		all = append(all, ref)
	}
	h.Run(all...).Is(command.Done)
	arm(h, "transaction", "unauthorized", 0)
	for _, o := range statuses(h.Run(with(all, "--json")...).Is(command.Refused).Lacks("success")) {
		if o.Status != nil || o.Problem == nil || o.Remembered == nil {
			t.Errorf("the key is rejected: %+v", o)
		}
	}
	h.Run(with(all, "--watch")...).Is(command.Refused)
}

var (
	aClock = regexp.MustCompile(`\d\d:\d\d:\d\d`)
	aTime  = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)`)
)

// What status prints at a terminal and in a pipe, with the references and times replaced by others of their width.
func TestAStatusIsPrintedForPeopleAndForPrograms(t *testing.T) {
	h := clitest.New(t)
	good, open, bad := made(h, byCardOf(approved, 1250)), made(h, aTransfer()), made(h, byCardOf(declined, 99900))
	h.Sandbox.Settle(good)
	named := strings.NewReplacer(good, "GOOD000000", open, "OPEN0000-0000-0000-0000-000000000000", bad, "BAD0000000")
	r := h.Run("status", good, open, bad).Is(command.PaymentFailed)
	const piped = `GOOD000000	SUCCESSFUL	12.50	GBP	Funds have been secured. Provide the goods or service.	TIME
OPEN0000-0000-0000-0000-000000000000	PENDING	4000.00	NGN	` + `The full amount has not been confirmed; the customer may not have paid yet. ` +
		`Provide nothing yet. Do not ask for a second transfer if they say they have paid.	TIME
BAD0000000	FAILED	999.00	GBP	The charge was rejected. Ask the customer for another payment method.	TIME
`
	if got := aTime.ReplaceAllString(named.Replace(r.Out), "TIME"); got != piped {
		t.Errorf("in a pipe:\n%s", got)
	}
	const shown = `
Time      Reference                             Status                    Amount
00:00:00  GOOD000000                            SUCCESSFUL             12.50 GBP
          Funds have been secured. Provide the goods or service.
00:00:00  OPEN0000-0000-0000-0000-000000000000  CUSTOMER MUST PAY   4,000.00 NGN
          The full amount has not been confirmed; the customer may not have paid
          yet. Provide nothing yet. Do not ask for a second transfer if they say
          they have paid.
00:00:00  BAD0000000                            FAILED                999.00 GBP
          The charge was rejected. Ask the customer for another payment method.
`
	at := h.Terminal("status", good, open, bad).Ends(command.PaymentFailed)
	text := strings.ReplaceAll(named.Replace(ansi.Strip(at.Shown())), "\r\n", "\n")
	if got := aClock.ReplaceAllString(text, "00:00:00"); got != shown[1:] {
		t.Errorf("at a terminal:\n%s", got)
	}
}

// Where the journal cannot be read, nothing is compared with what was asked: no status is a success then.
func TestAStatusWithoutTheJournalIsNoSuccess(t *testing.T) {
	h := clitest.New(t)
	ref := made(h, byCardOf(approved, 1250))
	h.Sandbox.Settle(ref)
	h.Run("status", ref).Is(command.Done)
	spoilt(h, func(t testing.TB, file string) { must(t, os.Mkdir(file, 0o700)) })
	h.Run("status", ref).Is(command.Failed).Says("The journal cannot be read").Lacks("secured")
	o := statuses(h.Run("status", ref, "--json").Is(command.Failed))[0]
	if o.Status.Success || o.Problem == nil || o.Exit != int(command.Failed) {
		t.Errorf("%+v %+v", o.Status, o.Problem)
	}
	h.Run("status", ref, "--until", "final").Is(command.Failed)
	if o := h.Run("finalize", ref, "--yes", "--json").Is(command.Failed).Says("Nothing was sent").Refusal(); o.Code != "journal" {
		t.Errorf("%+v", o)
	}
}

var onLoopback = regexp.MustCompile(`http://127\.0\.0\.1:\S+`)

// overSSH is the environment of a person at another machine: no browser is opened on this one, of whatever system it is.
var overSSH = map[string]string{"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}

// The page of a bank is served once to a browser, and never printed.
func TestThePageOfTheBankIsServedOnceAndNeverPrinted(t *testing.T) {
	h := clitest.New(t)
	h.Env = overSSH
	ref := made(h, byCardOf(challenged, 800))
	h.Run("authenticate", ref).Is(command.Done).Lacks("<form", "<html")
	h.Run("authenticate", ref, "--json").Is(command.Done).Lacks("form", "html")
	cmd := h.Program("authenticate", ref, "--open")
	var out strings.Builder
	cmd.Stdout = &out
	talk, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	var said strings.Builder
	for s := bufio.NewScanner(talk); s.Scan(); {
		said.WriteString(s.Text() + "\n")
		if address := onLoopback.FindString(s.Text()); address != "" && strings.Contains(s.Text(), "Open this address once") {
			answer, err := http.Get(address)
			must(t, err)
			page, err := io.ReadAll(answer.Body)
			must(t, err)
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK || !strings.Contains(string(page), "form") {
				t.Errorf("%s: %s", answer.Status, page)
			}
		}
	}
	must(t, cmd.Wait())
	h.Printed(cmd, out.String(), said.String()).Is(command.Done).Says("Open this address once").Lacks("<form", "<html")
}
