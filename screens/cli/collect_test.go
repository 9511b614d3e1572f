package cli_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"paydesk/api/sandbox"
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
