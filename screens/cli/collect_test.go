package cli_test

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
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

// schemas returns those of the JSON lines that a command printed.
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
	if o.Status == nil || !o.Status.Success || o.Reference == "" || o.Attempt == "" || len(h.Sandbox.Payments()) != 1 {
		t.Errorf("%+v, %d were made", o, len(h.Sandbox.Payments()))
	}
}

// Nothing is sent without a confirmation.
func TestCollectAsksFirst(t *testing.T) {
	h := clitest.New(t)
	h.Run(byTransfer()...).Is(command.Usage).Says("Nothing was sent", "--yes")
	live := clitest.New(t, clitest.Options{Live: true})
	live.Run(byTransfer("--yes")...).Is(command.Locked).Says("a person at a terminal")
	live.RunWith(approved, byCard()...).Is(command.Locked).Says("--card-stdin is for test", "Nothing was read").Lacks("4242")
	hasMade(h, 0)
	hasMade(live, 0)
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
	h.Terminal(byCard()...).Sees("would be shown").Sees("Nothing was read or sent").Ends(command.Usage) // a card is asked for there
	hasMade(h, 0)
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
	arm(h, "transaction", "unauthorized", 0)
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
	"byte-order-mark": command.Done, "half-surrogate": command.Done, "exponents": command.Done, "numbers-as-strings": command.Done, // tolerated
	"unauthorized": command.Refused, "http-403": command.Refused, "http-404": command.Refused, "refused": command.Refused, "rate-limited": command.Refused, "http-429": command.Refused,
}

// A fault of each class once in the answer to an initiation, and to the creation of a link: it is sent once, whatever comes back, the
// exit code says whether it is known what became of it, and only a link that is known to be as it was asked for is printed.
func TestEachFaultEndsWhatIsSentWithItsExitCode(t *testing.T) {
	t.Parallel()
	const tooLong = " silent no-answer drip "
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

// Where no connection is made, nothing was sent, and the channels could not be asked for either.
func TestAServiceThatCannotBeReachedIsAFailure(t *testing.T) {
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer untrusted.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	for origin, says := range map[string]string{
		clitest.Unreachable: "could not be reached", untrusted.URL: "self-signed", strings.Replace(plain.URL, "http:", "https:", 1): "does not speak TLS",
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
	for fault, says := range map[string]string{"not-reached": "--unchecked", "html-200": "--unchecked", "refused": "", "unauthorized": "Check the secret key"} {
		h := clitest.New(t)
		arm(h, "validate", fault, 0)
		r := h.Run(byTransfer("--yes")...).Says("Nothing was sent", says)
		if n := len(h.Sandbox.Payments()); n != 0 || r.Code != command.Failed && r.Code != command.Refused {
			t.Errorf("%s: it ended with %d, and %d payments were made", fault, r.Code, n)
		}
	}
}

// A request that the service calls invalid is not followed by a payment, though it lists the channel.
func TestAnInvalidRequestOfChannelsSendsNothing(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"isSuccess":true,"message":"Not for you.","value":{"isValid":false,"channels":[{"alias":"PayByTransfer"}]}}`)
	}))
	defer s.Close()
	clitest.New(t, clitest.Options{Origin: s.URL}).Run(byTransfer("--yes")...).Is(command.Refused).Says("reports the request as invalid", "Not for you.", "Nothing was sent", "Choose another amount or channel.")
	clitest.New(t, clitest.Options{Origin: s.URL}).Run(byTransfer("--yes", "--channel", "interac")...).Is(command.Refused).Says("Not for you.", "Choose another amount or channel.").Lacks("These channels can")
}

// Whatever text the service sends, the events are those of the payment, and nothing in it acts on a terminal: clitest
// looks for control characters in all that is printed. A time that RFC 3339 has no form for is left out.
func TestHostileTextIsNoEventOfACollection(t *testing.T) {
	h := atOnce(t)
	arm(h, "all", "hostile-identified", 0)
	if all := lines(h.Run(byTransfer("--yes")...).Is(command.Done)); len(all) > 14 {
		t.Errorf("%d lines", len(all))
	}
	if at := output.Time(time.Date(10_001, 1, 1, 0, 0, 0, 0, time.UTC)); at != nil {
		t.Errorf("it is %s", at)
	}
	r := h.Run(byTransfer("--yes", "--json", "--amount", "3")...).Is(command.Done)
	if got := strings.Join(schemas(t, r), " "); got != "collect.initiated/1 status/1 collect.result/1" {
		t.Error(got)
	}
}
