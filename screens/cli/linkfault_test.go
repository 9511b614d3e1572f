package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"paydesk/api/sandbox/faulttest"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// A fault of each class once in the answer to the creation of a link: it is sent once, whatever comes back, and only a link that is
// known to be as it was asked for is printed. The codes are those of a collection.
func TestEachFaultEndsTheCreationOfALinkWithItsExitCode(t *testing.T) {
	t.Parallel()
	const tooLong = " F10 F13 F17 " // nothing but time ends them
	for _, f := range faulttest.Classes() {
		if strings.Contains(tooLong, " "+f.Name+" ") {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel() // it waits before it asks again
			h := clitest.New(t)
			arm(h, "link", f.Name, 0)
			want, known := faultCodes[f.Name]
			if !known {
				want = command.Unresolved
			}
			r := h.Run("link", "create", "--name", "Chairs "+f.Name, "--description", "oak", "--currency", "GBP", "--amount", "120", "--yes").Is(want)
			if n := h.Sandbox.Armed()[0].Struck; n != 1 {
				t.Errorf("it was sent %d times", n)
			}
			if ready := strings.Contains(r.Out, "State\tCREATED"); ready != (want == command.Done) || r.Out == "" == ready {
				t.Errorf("it prints %q", r.Out)
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

// answerLinks puts a server between paydesk and the sandbox that replaces texts in the answers.
func answerLinks(t *testing.T, h *clitest.Host, pairs ...string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		h.Sandbox.ServeHTTP(answer, r)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(answer.Code)
		io.WriteString(w, strings.NewReplacer(pairs...).Replace(answer.Body.String()))
	}))
	t.Cleanup(s.Close)
	h.Configure(fmt.Sprintf("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = %q\nlist_url = %q\nkey = \"env\"\nallow_env_key = true\n", s.URL, s.URL))
}

// A link that is not as it was asked for is not printed as ready, and has no URL until a person has read how it differs.
func TestALinkThatDiffersIsNotReady(t *testing.T) {
	h := clitest.New(t)
	answerLinks(t, h, `"amount":120.00}`, `"amount":12000.00}`)
	r := h.Run(with(chairs, "--yes", "--qr")...).Is(command.Unresolved).Says("MISMATCH", "Do not pass it on").
		Prints("State\tMISMATCH", "asked 120.00 GBP, answered 12,000.00 GBP").Lacks("/pay/", "▀")
	_, rest, _ := strings.Cut(r.Out, "Alias\t")
	alias, _, _ := strings.Cut(rest, "\n")
	h.Run("link", "list").Is(command.Done).Prints("MISMATCH\t").Lacks("/pay/")
	h.Run("link", "show", alias, "--json").Is(command.Unresolved).Prints(`"state":"differs"`).Lacks("/pay/")
	h.Run("link", "show", alias, "--qr").Is(command.Unresolved).Lacks("/pay/", "▀")
	h.Terminal("link", "show", alias).Sees("asked 120.00 GBP").Sees("Have you read how it differs?").Type("n\r").Ends(command.Unresolved)
	h.Terminal("link", "show", alias).Sees("Have you read how it differs?").Type("y\r").Sees("/pay/" + alias).Ends(command.Done)
	h.Run("link", "show", alias).Is(command.Done).Prints("/pay/" + alias)
}

// A program reads what the answer does not say, and that its URL is none to pass on.
func TestWhatALinkLacksIsInItsObject(t *testing.T) {
	h := clitest.New(t)
	answerLinks(t, h, `"amount":120.00}`, `"other":120.00}`, `"link":"http`, `"link":"ftp`)
	made := h.Run(with(chairs, "--yes", "--json")...).Is(command.Done).Says("does not name the amount").Lacks("ftp:")
	for _, o := range []output.Link{read[output.Link](made), read[output.Link](h.Run("link", "list", "--json").Is(command.Done))} {
		if !slices.Equal(o.Lacks, []string{"amount"}) || !o.Unsafe || o.URL != "" {
			t.Errorf("%+v", o)
		}
	}
}

func TestALinkInAnotherEnvironmentIsNotPrinted(t *testing.T) {
	h := clitest.New(t)
	answerLinks(t, h, `"environment":"Test"`, `"environment":"Live"`)
	for _, format := range [][]string{{"--yes"}, {"--yes", "--json", "--name", "Tables"}} {
		r := h.Run(with(chairs, format...)...).Is(command.Unresolved).Says("ENVIRONMENT MISMATCH", "Do not pass it on").Lacks("/pay/")
		if r.Out != "" && r.Refusal().Code != "mismatch" {
			t.Errorf("it prints %q", r.Out)
		}
	}
}

// Where no connection is made, nothing was sent.
func TestALinkIsNotCreatedAtAServiceThatCannotBeReached(t *testing.T) {
	h := clitest.New(t, clitest.Options{Origin: clitest.Unreachable})
	h.Run(with(chairs, "--yes")...).Is(command.Failed).Says("could not be reached", "Nothing was sent").Lacks("State")
}
