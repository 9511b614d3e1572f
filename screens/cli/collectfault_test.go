package cli_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"paydesk/api/sandbox/faulttest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

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
