package cli_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// between puts a server between paydesk and the sandbox that changes the answers to initiations. It returns how many
// there were.
func between(t *testing.T, h *clitest.Host, change func([]byte) []byte) *atomic.Int64 {
	t.Helper()
	var sent atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/pay/initiate") {
			h.Sandbox.ServeHTTP(w, r)
			return
		}
		sent.Add(1)
		answer := httptest.NewRecorder()
		h.Sandbox.ServeHTTP(answer, r)
		w.Header().Set("Content-Type", "application/json")
		w.Write(change(answer.Body.Bytes()))
	}))
	t.Cleanup(s.Close)
	configure(h, s.URL)
	return &sent
}

// configure makes a server that is between paydesk and the sandbox the service of the profile.
func configure(h *clitest.Host, url string) {
	h.Configure(fmt.Sprintf("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = %q\nlist_url = %q\nkey = \"env\"\nallow_env_key = true\n", url, url))
}

// What looks like a card number is masked as one, also where it is the reference of a transfer. Its attempt is found by its ID.
func TestAReferenceThatLooksLikeACardNumberIsMasked(t *testing.T) {
	h := clitest.New(t)
	const like = "4111111111111111"
	reference := regexp.MustCompile(`"reference":"[^"]*"`)
	between(t, h, func(answer []byte) []byte { return reference.ReplaceAll(answer, []byte(`"reference":"`+like+`"`)) })
	h.Run(byTransfer("--yes", "--no-wait")...).Is(command.Unresolved).Prints("<pan …1111>").Lacks(like)
	h.Run(byTransfer("--yes", "--no-wait", "--amount", "4001", "--json")...).Is(command.Unresolved).Says("<pan …1111>, which attempt ").Lacks(like)
	a := read[output.Attempt](h.Run("activity", "--json").Is(command.Done).Lacks(like)) // the oldest
	h.Run("activity", "show", a.ID).Is(command.Done).Prints("<pan …1111>").Lacks(like)
	h.Run("activity").Is(command.Done).Prints("<pan …1111>").Lacks(like)
	h.Run("activity", "--csv").Is(command.Done).Prints("<pan …1111>").Lacks(like)
}

// The exit code of each fault in the answer to an initiation, where it is not [command.Unresolved]. Faults that nothing but
// time ends are those of the signals' test.
var faultCodes = map[string]command.Code{
	"F25": command.Done, "F35": command.Done, "F37": command.Done, "F38": command.Done, // tolerated
	"F44": command.Unresolved, "F50": command.Refused, "F51": command.Refused, "F52": command.Refused, "F54": command.Refused, "F55": command.Refused, "F56": command.Refused,
}

// A fault of each class once in the answer to an initiation: it is sent once, whatever comes back, and the exit code says whether
// it is known what became of it.
func TestEachFaultEndsACollectionWithItsExitCode(t *testing.T) {
	t.Parallel()
	const tooLong = " F10 F13 F17 "
	for _, f := range faulttest.Classes() {
		if strings.Contains(tooLong, " "+f.Name+" ") {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel() // it waits before it asks again
			h := atOnce(t)
			arm(h, "initiate", f.Name, 0)
			want, known := faultCodes[f.Name]
			if !known {
				want = command.Unresolved
			}
			r := h.Run(byTransfer("--yes")...).Is(want)
			if n := h.Sandbox.Armed()[0].Struck; n != 1 {
				t.Errorf("it was sent %d times", n)
			}
			switch want {
			case command.Unresolved:
				r.Says("Do not send it again", "paydesk resolve ")
			case command.Refused:
				r.Says("Nothing was done.")
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
	}
}

// A fault of each class once in the answer about channels, which decides nothing: no payment is made.
func TestEachFaultOfTheChannelsSendsNothing(t *testing.T) {
	t.Parallel()
	const tooLong = " F10 F13 F17 F55 "
	tolerated := map[string]bool{"F25": true, "F35": true, "F37": true, "F38": true}
	for _, f := range faulttest.Classes() {
		if strings.Contains(tooLong, " "+f.Name+" ") || tolerated[f.Name] {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel() // it waits before it asks again
			h := clitest.New(t)
			arm(h, "validate", f.Name, 0)
			r := h.Run(byTransfer("--yes")...)
			if r.Code != command.Failed && r.Code != command.Refused {
				t.Errorf("it ended with %d: %s", r.Code, r.Err)
			}
			r.Says("Nothing was sent")
			if n := len(h.Sandbox.Payments()); n != 0 {
				t.Errorf("%d payments were made", n)
			}
		})
	}
}

// A status that cannot be read for a moment is asked for again: the payment is not.
func TestAFaultOfTheStatusIsGotOver(t *testing.T) {
	h := atOnce(t)
	if err := h.Sandbox.Arm("transaction", "F20", 1); err != nil {
		t.Fatal(err)
	}
	h.Run(byTransfer("--yes")...).Is(command.Done).Prints("\tSUCCESSFUL\t")
	if n := len(h.Sandbox.Payments()); n != 1 {
		t.Errorf("%d payments were made", n)
	}
}

// ctrl+c while a payment is sent waits for the answer, and says so. The payment is then known, and the command ends.
func TestCtrlCWhileAPaymentIsSentWaitsForTheAnswer(t *testing.T) {
	h := atOnce(t)
	arrived, answer := make(chan struct{}), make(chan struct{})
	sent := between(t, h, func(body []byte) []byte {
		close(arrived)
		<-answer
		return body
	})
	at := h.Terminal(byTransfer("--yes")...)
	<-arrived
	at.Type("\x03").Sees("Waiting for the answer to what was sent: it may have arrived already.")
	close(answer)
	at.Sees("Reference").Ends(command.Code(130))
	if n := sent.Load(); n != 1 {
		t.Errorf("it was sent %d times", n)
	}
	if all := h.Sandbox.Payments(); len(all) != 1 || !strings.Contains(at.Shown(), all[0].Reference) {
		t.Errorf("%+v in\n%s", all, at.Shown())
	}
}

// The second one stops waiting: it is not known then what became of the payment, and the command says how to resolve it.
func TestASecondCtrlCLeavesAPaymentUnresolved(t *testing.T) {
	h := clitest.New(t, clitest.Options{Sandbox: sandbox.Options{Settle: time.Nanosecond}})
	arrived, over := make(chan struct{}), make(chan struct{})
	sent := between(t, h, func(body []byte) []byte {
		close(arrived)
		<-over
		return body
	})
	defer close(over)
	at := h.Terminal(byTransfer("--yes")...)
	<-arrived
	at.Type("\x03").Sees("Press ctrl+c again to stop waiting").Type("\x03").Sees("paydesk resolve ").Ends(command.Unresolved)
	if n := sent.Load(); n != 1 {
		t.Errorf("it was sent %d times", n)
	}
}

// Without a journal nothing can be resolved here, so what was sent is said.
func TestALostAnswerWithoutAJournalSaysWhatWasSent(t *testing.T) {
	h := clitest.New(t, clitest.Options{Profile: "journal = \"off\"\nsend_reference = true\n"})
	if err := h.Sandbox.Arm("initiate", "F12", 1); err != nil {
		t.Fatal(err)
	}
	h.Run(byTransfer("--yes")...).Is(command.Unresolved).Says("UNRESOLVED: 4,000.00 NGN by PayByTransfer, for Ada Obi, ada@shop.example", "Our reference: ", "nothing was recorded here")
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
