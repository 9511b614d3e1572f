package cli_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

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

// The payment was sent before its finalize: what is said of one that is not sent, or not accepted, says so.
func TestAFinalizeThatIsNotSentLeavesAPaymentThatIsMade(t *testing.T) {
	declined := func(at *clitest.Terminal) *clitest.Terminal {
		at.Sees("Request 4,000.00 NGN by transfer? [y/N]").Type("y\r").Sees("CUSTOMER MUST PAY").Type("\r")
		return at.Sees("Finalize ").Sees("[y/N]").Type("4000\r").Sees("The payment is made; its finalization was not sent.")
	}
	h := atOnce(t)
	at := declined(h.Terminal(with([]string{"collect", "--channel", "transfer", "--link", linkOf(t, h)}, ada...)...))
	ref := h.Sandbox.Payments()[0].Reference
	at.Sees("Send it later: paydesk finalize " + ref).Ends(command.Failed)
	h.Run("finalize", ref, "--yes").Is(command.Done)

	h = atOnce(t)
	answers := []string{"collect", "transfer", "", linkOf(t, h), "Ada", "Obi", "ada@shop.example", "+4400", ""}
	at = declined(h.Terminal("--plain").Sees("Which?").Type(strings.Join(answers, "\r") + "\r"))
	ref = h.Sandbox.Payments()[0].Reference
	at.Sees("Send it later: paydesk finalize " + ref).Sees("Which?").Type("paydesk finalize " + ref + "\r\r").Sees("[y/N]").Type("y\r").Sees("Done.").Type("q\r").Ends(command.Done)
	if strings.Contains(at.Shown(), "Nothing was sent") {
		t.Error(at.Shown())
	}

	h = atOnce(t)
	arm(h, "finalize", "unauthorized", 1)
	card := with([]string{"collect", "--channel", "card", "--link", linkOf(t, h), "--card-stdin", "--yes"}, ada...)
	h.RunWith(approved, card...).Is(command.NotFinal).Says("The payment is made; it is not finalized.", "Check the secret key").Lacks("Nothing was")
}

// A script sends again after some codes: none of them ends a collection whose payment was made.
func TestAPaymentWhoseStatusIsRefusedIsNotSentAgain(t *testing.T) {
	h := clitest.New(t)
	for i, fault := range []string{"unauthorized", "http-404"} {
		h.Sandbox.ClearFaults()
		arm(h, "transaction", fault, 0)
		r := h.Run(byTransfer("--yes", "--json", "--timeout", "300ms", "--amount", strconv.Itoa(4000+i))...)
		if o := r.Refusal(); r.Code != command.Unresolved && r.Code != command.NotFinal || o.Sent != "accepted" {
			t.Errorf("%s: ended with %d: %+v", fault, r.Code, o)
		}
	}
}

func TestWithoutATerminalATransferOfALinkIsFinalizedByACommand(t *testing.T) {
	h := atOnce(t)
	paying := func(within string) []string {
		return with([]string{"collect", "--channel", "transfer", "--link", linkOf(t, h), "--yes", "--json", "--timeout", within}, ada...)
	}
	r := h.Run(paying("300ms")...).Is(command.NotFinal).Says("paydesk finalize ", "--customer-done")
	ref := r.Refusal().Reference
	h.Run("finalize", ref, "--yes").Is(command.Failed).Says("must make the transfer first")
	h.Run("finalize", ref, "--yes", "--customer-done").Is(command.Done)
	h.Run("status", ref, "--until", "final").Is(command.Done).Prints("\tSUCCESSFUL\t")

	h = atOnce(t) // what was decided not to be ours is not finalized
	turn(h, "units.transaction", "minor")
	code, talk := collecting(t, h, "", func(line string) {
		if strings.Contains(line, `"mismatch"`) {
			h.Run("resolve", read[output.Attempt](h.Run("activity", "--json", "--limit", "1")).ID, "--not-ours", "--yes")
		}
	}, paying("2s")...)
	if code != command.Unresolved || strings.Contains(talk, "paydesk finalize") {
		t.Errorf("ended with %d: %s", code, talk)
	}
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
	hasMade(h, 0)
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
	hasMade(h, 1)
	h.Run(byTransfer("--yes", "--allow-duplicate", first)...).Is(command.Done)
	hasMade(h, 2)
}

// An answer about another amount is a mismatch: its account is not printed, and collect does not wait for it.
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
		"--email: Enter one e-mail address": {"--email", "WRONG@b.exampleada@b.example"},
		"--phone: Enter one phone number":   {"--phone", "+442079460000442079460000"},
		"--phone: Enter a phone number":     {"--phone", "WRONG"},
		"--return-url: Enter a full URL":    {"--return-url", "WRONG"},
		"--meta: Enter key=value pairs":     {"--meta", "WRONG"},
		"paydesk_attempt is paydesk's own":  {"--meta", "paydesk_attempt="},
		"--link: Enter up to 64 letters":    {"--link", "WRO NG"},
		"--amount: ":                        {"--amount", "WRONG"},
		"--first-name: its value is empty":  {"--first-name", " "},
		"--link: its value is empty":        {"--link", ""},
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
		Sees("Request 4,000.00 NGN by transfer? Type 4,000.00 to send it:").Type("yes\r").Sees("Nothing was sent").Ends(command.Failed)
	h.Terminal(byTransfer("--yes")...).Sees("--yes is for test").Ends(command.Usage)
	h.Terminal(with([]string{"collect", "--channel", "card", "--currency", "NGN", "--amount", "1"}, ada...)...).
		Sees("Live card charges are not allowed here").Sees("payment link").Ends(command.Locked)
	hasMade(h, 0)
	h.Terminal(byTransfer()...).Sees("Type the profile's name, shop").Type("shop\r").Sees("to send it:").Type("4000.00\r").Sees("SUCCESSFUL").Ends(command.Done)
}

// mismatched makes a payment whose status has another amount, and returns its reference and attempt.
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

// What a script needs of a failure is in one object: why, what was sent, about which payment, and what to run next.
func TestAFailureSaysWhyWhatWasSentAndWhatComesNext(t *testing.T) {
	h := clitest.New(t)
	ref := made(h, byCardOf(challenged, 800))
	live := clitest.New(t, clitest.Options{Live: true})
	arm(h, "transactions", "unauthorized", 0)
	for _, c := range []struct {
		at                  *clitest.Host
		args                string
		code, sent, command string
	}{
		{h, "status " + ref, "not-final", "not sent", "paydesk status " + ref + " --until final"},
		{h, "--profile shop status " + ref, "not-final", "not sent", "paydesk --profile shop status " + ref + " --until final"},
		{h, "link create --name x --description x --currency GBP --amount 1", "unconfirmed", "not sent", ""},
		{h, "status " + ref + " --until final --timeout 0", "usage", "not sent", "paydesk status --help"},
		{h, "transactions --where amount:x", "query", "not sent", "paydesk help query"},
		{h, "activity --config " + h.Home + "/none", "no-configuration", "not sent", "paydesk --config " + h.Home + "/none profile add NAME --base-url URL"},
		{h, "activity show zzzz", "not-found", "not sent", "paydesk activity"},
		{h, "link show NONE", "not-found", "not sent", "paydesk link list"},
		{h, "webhook show 7", "not-found", "not sent", "paydesk webhook list"},
		{h, "finalize UNKNOWN1 --yes", "not-found", "not sent", ""},
		{h, "authenticate " + made(h, aTransfer()), "recorded", "not sent", "paydesk activity"},
		{h, "config check --config " + h.ConfigFolder() + "/default", "configuration", "not sent", ""}, // which is a file
		{h, "profile add shop --base-url https://payments.example", "failed", "not sent", ""},
		{h, "journal key import " + h.Home + "/none", "file", "not sent", ""}, {h, "journal key export " + h.Home + "/none/key", "file", "not sent", ""},
		{h, "listen --insecure-any-address --listen 192.0.2.1:1", "failed", "not sent", ""},
		{h, "profile use none", "no-profile", "not sent", "paydesk profile list"},
		{h, "transactions", "key-rejected", "not sent", "paydesk key show"},
		{live, "link create --name x --description x --currency GBP --amount 1 --yes", "locked", "not sent", "paydesk"},
	} {
		r := c.at.Run(append(strings.Fields(c.args), "--json")...)
		o := r.Refusal()
		if o.Code != c.code || o.Sent != c.sent || o.Command != c.command || o.What == "" || o.Next == "" || r.Err == "" {
			t.Errorf("paydesk %s: %+v", c.args, o)
		}
	}
	through(h, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "360")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	for _, args := range []string{"status R1", "transactions", "transactions --all"} { // none waits for it
		if o := h.Run(append(strings.Fields(args), "--json")...).Is(command.Refused).Refusal(); o.Code != "too-many-requests" || o.Next != "Wait 6 min, then try again." {
			t.Errorf("of a busy service paydesk %s says %+v", args, o)
		}
	}
	h.Run("status", "R1", "--json").Is(command.Refused).Prints(`"next":"Wait 6 min, then try again."},"exit":5`)
}
