package cli_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// ada is the customer of every payment here.
var ada = []string{"--first-name", "Ada", "--last-name", "Obi", "--email", "ada@shop.example", "--phone", "+4400"}

// byTransfer requests 4,000.00 NGN by transfer; more options follow.
func byTransfer(more ...string) []string {
	return with(with([]string{"collect", "--channel", "transfer", "--currency", "NGN", "--amount", "4000"}, ada...), more...)
}

// byCard charges a card of stdin.
func byCard(more ...string) []string {
	return with(with([]string{"collect", "--channel", "card", "--currency", "NGN", "--amount", "4000", "--card-stdin", "--yes"}, ada...), more...)
}

// The lines of test cards, as --card-stdin reads them.
const (
	approved   = "4242424242424242\n12/34\n123\n"
	challenged = "4508750015741019\n01/39\n100\n"
	declined   = "4000000000000002\n12/34\n123\n"
)

// atOnce is a sandbox in which what can settle has settled.
func atOnce(t *testing.T) *clitest.Host {
	t.Helper()
	return clitest.New(t, clitest.Options{Sandbox: sandbox.Options{Settle: time.Nanosecond}})
}

// schemas are those of the JSON lines that a command printed.
func schemas(t *testing.T, r clitest.Result) (all []string) {
	t.Helper()
	for _, line := range lines(r) {
		var o struct{ Schema string }
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, strings.TrimPrefix(o.Schema, "paydesk."))
	}
	return all
}

func TestTheEventsOfACollectionAreJSONLines(t *testing.T) {
	h := atOnce(t)
	r := h.Run(byTransfer("--yes", "--json")...).Is(command.Done)
	if got := strings.Join(schemas(t, r), " "); got != "collect.initiated/1 status/1 collect.result/1" {
		t.Error(got)
	}
	i := read[output.Initiated](clitest.Result{T: t, Out: lines(r)[0]})
	if i.Fees == nil || i.Fees.Currency != "NGN" || i.Fees.Minor == "0" {
		t.Errorf("the fees are %+v", i.Fees)
	}
	o := read[output.Collected](r)
	if o.Status == nil || !o.Status.Success || o.Reference == "" || o.Attempt == "" || h.Sandbox.Accepted() != 1 {
		t.Errorf("%+v, %d were made", o, h.Sandbox.Accepted())
	}
}

// Nothing is sent without a confirmation.
func TestCollectAsksFirst(t *testing.T) {
	h := clitest.New(t)
	h.Run(byTransfer()...).Is(command.Usage).Says("Nothing was sent", "--yes")
	live := clitest.New(t, clitest.Options{Live: true})
	live.Run(byTransfer("--yes")...).Is(command.Locked).Says("a person at a terminal")
	live.RunWith(approved, byCard()...).Is(command.Locked).Says("--card-stdin is for test", "Nothing was read").Lacks("4242")
	for _, s := range []*clitest.Host{h, live} {
		if n := s.Sandbox.Accepted(); n != 0 {
			t.Errorf("%d payments were made", n)
		}
	}
}

func TestACardIsChargedFromStdin(t *testing.T) {
	h := atOnce(t)
	r := h.RunWith(approved, byCard()...).Is(command.Done).Prints("Card\t•••• 4242\n", "\tSUCCESSFUL\t4000.00\tNGN\t").Lacks("4242424242424242")
	if r.Err != "" && strings.Contains(r.Err, "123") {
		t.Error("the CVV was printed")
	}
	h.RunWith(declined, byCard("--amount", "50")...).Is(command.PaymentFailed).Prints("\tFAILED\t50.00\t")
}

// What is wrong with a card is said without quoting it, and nothing is sent.
func TestAWrongCardIsNotQuoted(t *testing.T) {
	h := clitest.New(t)
	for input, says := range map[string]string{
		"4242424242424241\n12/34\n123\n":  "mistyped digit",
		"4242424242424242\n13/34\n123\n":  "month must be",
		"4242424242424242\n01/20\n123\n":  "expired",
		"4242424242424242\n12/34\n1234\n": "3 digits",
		"4242424242424242\n12/34\n":       "three lines",
		"4242424242424242 12/34 123":      "three lines",
		"":                                "three lines",
	} {
		h.RunWith(input, byCard()...).Is(command.Usage).Says(says, "Nothing was sent").Lacks("4242", "1234")
	}
	h.Run(with([]string{"collect", "--channel", "card", "--currency", "NGN", "--amount", "1", "--yes"}, ada...)...).Is(command.Usage).Says("a terminal", "--card-stdin")
	h.RunWith("4111111111111111\n12/34\n123\n", byCard()...).Is(command.Refused) // it is published, but the sandbox has no such card
	h.RunWith("4929420573595709\n12/34\n123\n", byCard()...).Is(command.Locked).Says("may be a real card", "Nothing was sent").Lacks("4929")
	if n := h.Sandbox.Accepted(); n != 0 {
		t.Errorf("%d payments were made", n)
	}
}

// A terminal shows what is typed: a card is not read from stdin there, but asked for.
func TestACardIsNotReadFromATerminalThatShowsIt(t *testing.T) {
	h := clitest.New(t)
	at := h.Terminal(byCard()...).Sees("would be shown").Sees("Nothing was read or sent").Ends(command.Usage)
	if n := h.Sandbox.Accepted(); n != 0 {
		t.Errorf("%d payments were made: %s", n, at.Shown())
	}
}

// A payment that is not waited for is asked about once all the same: a decline is not reported as something to pay.
func TestACollectionThatIsNotWaitedForEndsAsItStands(t *testing.T) {
	h := clitest.New(t)
	h.RunWith(declined, byCard("--no-wait")...).Is(command.PaymentFailed).Prints("\tFAILED\t")
	h.Run(byTransfer("--yes", "--no-wait")...).Is(command.Done).Prints("Reference\t", "Amount\t4,000.00 NGN\n", "Account\t99", "Bank\tSandbox Bank\n", "Expires\t20", "\tPENDING\t").Says("The customer pays into this account")
	h.Sandbox.SetStatusWord("FAILED")
	h.Run(byTransfer("--yes", "--no-wait", "--amount", "4001")...).Is(command.PaymentFailed).Prints("\tFAILED\t")
	word := regexp.MustCompile(`"paymentStatus":"[^"]*"`)
	claiming := clitest.New(t)
	between(claiming, func(answer string) string { return word.ReplaceAllString(answer, `"paymentStatus":"FAILED"`) })
	claiming.Run(byTransfer("--yes", "--no-wait")...).Is(command.NotFinal).Prints("\tPENDING\t").Lacks("Account\t", "The customer pays into")
	h.Sandbox.SetStatusWord("CURIOUS")
	h.Run(byTransfer("--yes", "--no-wait", "--amount", "4002")...).Is(command.Failed).Prints("UNRECOGNISED").Lacks("The customer pays into").Says("paydesk status ")
	h.Sandbox.SetStatusWord("")
	arm(h, "transaction", "F50", 0)
	h.Run(byTransfer("--yes", "--no-wait", "--amount", "4003")...).Is(command.Unresolved).Prints("\tUNKNOWN\t")
}

// What looks like a card number is masked as one, also where it is the reference of a transfer. Its attempt is found by its ID.
func TestAReferenceThatLooksLikeACardNumberIsMasked(t *testing.T) {
	h := clitest.New(t)
	const like = "4111111111111111"
	reference := regexp.MustCompile(`"reference":"[^"]*"`)
	between(h, func(answer string) string { return reference.ReplaceAllString(answer, `"reference":"`+like+`"`) })
	h.Run(byTransfer("--yes", "--no-wait")...).Is(command.Unresolved).Prints("<pan …1111>").Lacks(like)
	h.Run(byTransfer("--yes", "--no-wait", "--amount", "4001", "--json")...).Is(command.Unresolved).Says("<pan …1111>, which attempt ").Lacks(like)
	a := read[output.Attempt](h.Run("activity", "--json").Is(command.Done).Lacks(like)) // the oldest
	h.Run("activity", "show", a.ID).Is(command.Done).Prints("<pan …1111>").Lacks(like)
	h.Run("activity").Is(command.Done).Prints("<pan …1111>").Lacks(like)
	h.Run("activity", "--csv").Is(command.Done).Prints("<pan …1111>").Lacks(like)
}

// The exit code of each fault in the answer to what was sent, where it is not [command.Unresolved]. Faults that nothing but
// time ends are those of the signals' test.
var faultCodes = map[string]command.Code{
	"F25": command.Done, "F35": command.Done, "F37": command.Done, "F38": command.Done, // tolerated
	"F50": command.Refused, "F51": command.Refused, "F52": command.Refused, "F54": command.Refused, "F55": command.Refused, "F56": command.Refused,
}

// A fault of each class once in the answer to an initiation, and to the creation of a link: it is sent once, whatever comes back, the
// exit code says whether it is known what became of it, and only a link that is known to be as it was asked for is printed.
func TestEachFaultEndsWhatIsSentWithItsExitCode(t *testing.T) {
	t.Parallel()
	const tooLong = " F10 F13 F17 "
	for operation, args := range map[string][]string{"initiate": byTransfer("--yes", "--json"), "link": with(chairs, "--yes", "--json")} {
		t.Run(operation, func(t *testing.T) {
			h := atOnce(t)
			for i, f := range faulttest.Classes() {
				if strings.Contains(tooLong, " "+f.Name+" ") {
					continue
				}
				another := []string{"--amount", strconv.Itoa(4000 + i)}
				if operation == "link" {
					another = append(another, "--name", f.Name)
				}
				h.Sandbox.ClearFaults()
				arm(h, operation, f.Name, 0)
				want, known := faultCodes[f.Name]
				if !known {
					want = command.Unresolved
				}
				r := h.Run(with(args, another...)...).Is(want)
				if n := h.Sandbox.Armed()[0].Struck; n != 1 {
					t.Errorf("%s: it was sent %d times", f.Name, n)
				}
				if ready := strings.Contains(r.Out, `"state":"ready"`); ready != (want == command.Done && operation == "link") {
					t.Errorf("%s: it prints %q", f.Name, r.Out)
				}
				switch o := r.Refusal(); want {
				case command.Unresolved:
					r.Says("Do not send it again", "paydesk resolve "+o.Attempt)
					if o.Attempt == "" || o.Code != "unresolved" || o.Sent != "unresolved" {
						t.Errorf("%s: %+v", f.Name, o)
					}
				case command.Refused:
					r.Says("Nothing was done.")
				}
			}
		})
	}
}

// Where no connection is made (F2, F4 and F7 of the list), nothing was sent, and the channels could not be asked for either.
func TestAServiceThatCannotBeReachedIsAFailure(t *testing.T) {
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer untrusted.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	for origin, says := range map[string]string{
		clitest.Unreachable: "could not be reached", untrusted.URL: "certificate could not be verified", strings.Replace(plain.URL, "http:", "https:", 1): "Nothing was sent",
	} {
		h := clitest.New(t, clitest.Options{Origin: origin})
		h.Run(byTransfer("--yes")...).Is(command.Failed).Says(says, "Nothing was sent")
		r := h.Run(byTransfer("--yes", "--unchecked", "--json")...).Is(command.Failed).Says("The channel is not checked", says, "Nothing was sent")
		if o := r.Refusal(); o.Code != "no-answer" || o.Sent != "not sent" || o.Reference != "" {
			t.Errorf("%+v", o)
		}
		h.Run(with(chairs, "--yes")...).Is(command.Failed).Says(says, "Nothing was sent").Lacks("State")
	}
}

// An answer about channels that cannot be used decides nothing: no payment is made.
func TestEachFaultOfTheChannelsSendsNothing(t *testing.T) {
	for _, fault := range []string{"F8", "F21", "F54"} {
		h := clitest.New(t)
		arm(h, "validate", fault, 0)
		r := h.Run(byTransfer("--yes")...).Says("Nothing was sent")
		if n := len(h.Sandbox.Payments()); n != 0 || r.Code != command.Failed && r.Code != command.Refused {
			t.Errorf("%s: it ended with %d, and %d payments were made", fault, r.Code, n)
		}
	}
}

// Whatever text the service sends, the events are those of the payment, and nothing in it acts on a terminal: clitest
// looks for control characters in all that is printed.
func TestHostileTextIsNoEventOfACollection(t *testing.T) {
	h := atOnce(t)
	arm(h, "all", "hostile-identified", 0)
	if all := lines(h.Run(byTransfer("--yes")...).Is(command.Done)); len(all) > 14 {
		t.Errorf("%d lines", len(all))
	}
	r := h.Run(byTransfer("--yes", "--json", "--amount", "3")...).Is(command.Done)
	if got := strings.Join(schemas(t, r), " "); got != "collect.initiated/1 status/1 collect.result/1" {
		t.Error(got)
	}
}

// linkOf creates a link over 4,000.00 NGN.
func linkOf(t *testing.T, h *clitest.Host) string {
	t.Helper()
	return read[output.Link](h.Run("link", "create", "--name", "Chairs", "--description", "oak", "--currency", "NGN", "--amount", "4000",
		"--reusable", "--yes", "--json").Is(command.Done)).Alias
}

// collecting runs collect as a process, with an input, and calls step with each line that it prints. It returns how it
// ended, and what it said.
func collecting(t *testing.T, h *clitest.Host, input string, step func(line string), args ...string) (command.Code, string) {
	t.Helper()
	cmd := h.Program(args...)
	cmd.Stdin = strings.NewReader(input)
	var talk strings.Builder
	cmd.Stderr = &talk
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	must(t, err)
	var printed strings.Builder
	for s := bufio.NewScanner(out); s.Scan(); {
		printed.WriteString(s.Text() + "\n")
		step(s.Text())
	}
	var exited *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	r := h.Printed(cmd, printed.String(), talk.String())
	return r.Code, r.Err
}

// A payment of a link by card: the customer authenticates at the printed address, it is finalized, and it settles.
func TestAPaymentOfALinkIsFinalizedAfterTheBank(t *testing.T) {
	h := atOnce(t)
	alias := linkOf(t, h)
	var seen []string
	approve := func(line string) {
		var o struct{ Schema, Reference, URL string }
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		seen = append(seen, strings.TrimPrefix(o.Schema, "paydesk."))
		if strings.Contains(o.Schema, "challenge") {
			if !strings.HasPrefix(o.URL, h.Origin) {
				t.Errorf("the address is %q", o.URL)
			}
			h.Sandbox.Approve(o.Reference)
		}
	}
	args := with([]string{"collect", "--channel", "card", "--link", alias, "--card-stdin", "--yes", "--json"}, ada...)
	if code, talk := collecting(t, h, challenged, approve, args...); code != command.Done {
		t.Errorf("ended with %d: %s", code, talk)
	}
	if got := strings.Join(seen, " "); !strings.HasPrefix(got, "collect.initiated/1 collect.challenge/1 status/1") || !strings.HasSuffix(got, "status/1 collect.result/1") {
		t.Error(got)
	}
}

// At a terminal a person says that the customer has paid, which nothing else tells before a payment of a link is finalized.
func TestATransferOfALinkIsFinalizedOnceTheCustomerHasPaid(t *testing.T) {
	h := atOnce(t)
	at := h.Terminal(with([]string{"collect", "--channel", "transfer", "--link", linkOf(t, h)}, ada...)...)
	at.Sees("4,000.00 NGN").Sees("Request 4,000.00 NGN by transfer? [y/N]").Type("y\r")
	at.Sees("Account").Sees("Sandbox Bank").Sees("Press enter once").Sees("CUSTOMER MUST PAY").Type("\r")
	at.Sees("Finalize ").Sees("[y/N]").Type("y\r").Sees("accepted the finalize").Sees("SUCCESSFUL").Ends(command.Done)
}

func TestWithoutATerminalATransferOfALinkIsFinalizedByACommand(t *testing.T) {
	h := atOnce(t)
	args := with([]string{"collect", "--channel", "transfer", "--link", linkOf(t, h), "--yes", "--json", "--timeout", "300ms"}, ada...)
	r := h.Run(args...).Is(command.NotFinal).Says("paydesk finalize ", "--customer-done")
	ref := r.Refusal().Reference
	h.Run("finalize", ref, "--yes").Is(command.Failed).Says("must make the transfer first")
	h.Run("finalize", ref, "--yes", "--customer-done").Is(command.Done)
	h.Run("status", ref, "--until", "final").Is(command.Done).Prints("\tSUCCESSFUL\t")
}

func TestTheAmountOfALinkIsTheLinks(t *testing.T) {
	h := clitest.New(t)
	alias := linkOf(t, h)
	h.Run(byTransfer("--link", alias, "--amount", "50", "--yes")...).Is(command.Usage).Says("The link fixes the amount")
	h.Run(byTransfer("--link", "ELSEWHERE", "--yes")...).Is(command.Refused) // of which the service decides
	foreign := append([]string{"collect", "--channel", "transfer", "--link", "ELSEWHERE", "--yes"}, ada...)
	for _, known := range [][]string{nil, {"--currency", "NGN"}, {"--amount", "40"}} {
		h.Run(append(foreign[:len(foreign):len(foreign)], known...)...).Is(command.Usage).Says("not created here", "add --currency and --amount", "Nothing was sent").Lacks("unknown currency")
	}
	if n := h.Sandbox.Accepted(); n != 0 {
		t.Errorf("%d payments were made", n)
	}
}

// A payment like an earlier one is held back: the earlier ones are listed, and it is sent for whoever names the newest.
func TestAPaymentLikeAnotherIsHeldBack(t *testing.T) {
	h := atOnce(t)
	first := read[output.Collected](h.Run(byTransfer("--yes", "--json")...).Is(command.Done)).Attempt
	held := h.Run(byTransfer("--yes", "--json")...).Is(command.Duplicate).Says(first[:4], "4,000.00 NGN", "same e-mail, phone", "--allow-duplicate "+first[:4]).Lacks("UNRESOLVED")
	if o := held.Refusal(); o.Code != "duplicate" || o.Attempt != first || o.Sent != "not sent" || o.Reference != "" || o.Command != "paydesk activity show "+first {
		t.Errorf("%+v", o)
	}
	at := h.Terminal(byTransfer("--yes", "--no-wait")...).Sees("Type " + first[:4] + " to send another:").Type("no\r")
	at.Sees("Nothing was sent").Ends(command.Duplicate)
	if n := len(h.Sandbox.Payments()); n != 1 {
		t.Errorf("%d payments were made", n)
	}
	h.Run(byTransfer("--yes", "--allow-duplicate", first)...).Is(command.Done)
	if n := len(h.Sandbox.Payments()); n != 2 {
		t.Errorf("%d payments were made", n)
	}
}

// An answer about another amount is a mismatch: its account is not printed, and nobody waits for it.
func TestAnAnswerAboutAnotherAmountIsAMismatch(t *testing.T) {
	h := atOnce(t)
	between(h, func(body string) string { return strings.ReplaceAll(body, "4000.00", "40.00") })
	r := h.Run(byTransfer("--yes", "--json")...).Is(command.Unresolved).Says("MISMATCH", "paydesk resolve ").Lacks(`"account"`, `"success":true`)
	if got := strings.Join(schemas(t, r), " "); got != "collect.initiated/1 refusal/1" || r.Refusal().Code != "mismatch" || r.Refusal().Sent != "accepted" {
		t.Error(got)
	}
}

func TestWrongValuesOfAPaymentAreSaidAtTheirOption(t *testing.T) {
	h := clitest.New(t)
	for says, args := range map[string][]string{
		"--email: Enter one e-mail address": {"--email", "WRONG"},
		"--phone: Enter a phone number":     {"--phone", "WRONG"},
		"--return-url: Enter a full URL":    {"--return-url", "WRONG"},
		"--meta: Enter key=value pairs":     {"--meta", "WRONG"},
		"paydesk_attempt is paydesk's own":  {"--meta", "paydesk_attempt="},
		"--link: Enter up to 64 letters":    {"--link", "WRO NG"},
		"--amount: ":                        {"--amount", "WRONG"},
		"--first-name is missing":           {"--first-name", ""},
		"--timeout: must be a duration":     {"--timeout", "-1s"},
		"--card-stdin belongs to":           {"--card-stdin"},
		"--narration: it is too long":       {"--narration", strings.Repeat("WRONG", 30)},
		"GBP card payment needs a return":   {"--channel", "card", "--card-stdin", "--currency", "GBP"},
	} {
		h.Run(byTransfer(with(args, "--yes")...)...).Is(command.Usage).Says(says).Lacks("WRONG")
	}
	h.Run(byTransfer("--yes", "--channel", "interac")...).Is(command.Refused).Says("Interac cannot be used for 4,000.00 NGN", "These channels can: ")
	h.Run(byTransfer("--yes", "--channel", "WRONG")...).Is(command.Refused).Says("This channel cannot be used").Lacks("WRONG")
}

// A card is typed without being shown, and asked about where it may be a real one.
func TestACardIsTypedAtATerminalWithoutBeingShown(t *testing.T) {
	h := atOnce(t)
	typed := func(number string) *clitest.Terminal {
		at := h.Terminal(with([]string{"collect", "--channel", "card", "--currency", "NGN", "--amount", "4000"}, ada...)...)
		return at.Sees("Card number, not shown:").Type(number + "\r").Sees("Expiry").Type("12/34\r").Sees("CVV").Type("123\r")
	}
	at := typed("4242424242424242").Sees("Charge 4,000.00 NGN to •••• 4242? [y/N]").Type("y\r").Sees("SUCCESSFUL").Ends(command.Done)
	if n := strings.Count(at.Shown(), ", not shown: \r\n"); n != 3 {
		t.Errorf("%d of 3 answers were not shown: %q", n, at.Shown())
	}
	typed("4929420573595709").Sees("[y/N]").Type("y\r").Sees("may be a real card").Type("no\r").Sees("Nothing was sent").Ends(command.Failed)
}

// In live a person types the profile's name and the amount.
func TestALivePaymentNeedsTheNameAndTheAmount(t *testing.T) {
	h := clitest.New(t, clitest.Options{Live: true, Sandbox: sandbox.Options{Settle: time.Nanosecond}})
	h.Terminal(byTransfer()...).Sees("Type the profile's name, shop").Type("shop\r").
		Sees("Request 4,000.00 NGN by transfer? Type 4000.00 to send it:").Type("yes\r").Sees("Nothing was sent").Ends(command.Failed)
	h.Terminal(byTransfer("--yes")...).Sees("--yes is for test").Ends(command.Usage)
	h.Terminal(with([]string{"collect", "--channel", "card", "--currency", "NGN", "--amount", "1"}, ada...)...).
		Sees("Live card charges are not allowed here").Sees("payment link").Ends(command.Locked)
	if n := len(h.Sandbox.Payments()); n != 0 {
		t.Errorf("%d payments were made", n)
	}
	h.Terminal(byTransfer()...).Sees("Type the profile's name, shop").Type("shop\r").Sees("to send it:").Type("4000.00\r").Sees("SUCCESSFUL").Ends(command.Done)
}

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

// What a script needs of a failure is in one object: why, what was sent, about which payment, and what to run next.
func TestAFailureSaysWhyWhatWasSentAndWhatComesNext(t *testing.T) {
	h := clitest.New(t)
	ref := made(h, byCardOf(challenged, 800))
	live := clitest.New(t, clitest.Options{Live: true})
	for _, c := range []struct {
		at                  *clitest.Host
		args                string
		code, sent, command string
	}{
		{h, "status " + ref, "not-final", "not sent", "paydesk status " + ref + " --until final"},
		{h, "--profile shop status " + ref, "not-final", "not sent", "paydesk --profile shop status " + ref + " --until final"},
		{h, "link create --name x --description x --currency GBP --amount 1", "unconfirmed", "not sent", ""},
		{h, "key delete", "unconfirmed", "not sent", ""},
		{h, "status " + ref + " --until final --timeout 0", "usage", "not sent", "paydesk status --help"},
		{h, "transactions --where amount:x", "query", "not sent", "paydesk help query"},
		{h, "activity --config " + h.Home + "/none", "no-configuration", "not sent", "paydesk --config " + h.Home + "/none profile add NAME --base-url URL"},
		{h, "status --wrong", "usage", "not sent", "paydesk status --help"},
		{live, "link create --name x --description x --currency GBP --amount 1 --yes", "locked", "not sent", "paydesk"},
	} {
		r := c.at.Run(append(strings.Fields(c.args), "--json")...)
		o := r.Refusal()
		if o.Code != c.code || o.Sent != c.sent || o.Command != c.command || o.What == "" || r.Err == "" {
			t.Errorf("paydesk %s: %+v", c.args, o)
		}
	}
	arm(h, "transactions", "F50", 0)
	if o := h.Run("transactions", "--json").Is(command.Refused).Refusal(); o.Code != "key-rejected" || o.Next == "" {
		t.Errorf("%+v", o)
	}
}

// Where what became of a request cannot be printed, stderr says that it was sent, and which command has it: whoever reads only
// that printing failed would send it again.
func TestWhatWasSentAndCannotBePrintedIsNamed(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no device that is always full: ", err)
	}
	defer full.Close()
	h := atOnce(t)
	for _, more := range []string{"--no-wait", "--json"} {
		cmd := h.Program(byTransfer("--yes", "--no-wait", more)...)
		var talk strings.Builder
		cmd.Stdout, cmd.Stderr = full, &talk
		if err := cmd.Run(); err == nil {
			t.Error("it succeeded")
		}
		if said := talk.String(); !strings.Contains(said, "It was sent (accepted)") || !strings.Contains(said, "Do not send it again: paydesk activity show ") {
			t.Errorf("%s: it said %q", more, said)
		}
		h = atOnce(t)
	}
}
