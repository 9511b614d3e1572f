package cli_test

import (
	"net/http"
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// answerLinks puts a server between paydesk and the sandbox that replaces texts in the answers.
func answerLinks(t *testing.T, h *clitest.Host, pairs ...string) {
	t.Helper()
	through(h, func(w http.ResponseWriter, r *http.Request) {
		rewritten(h, w, r, strings.NewReplacer(pairs...).Replace)
	})
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
	h.Terminal("link", "show", alias).Sees("Have you read how it differs?").Type("\x03").Ends(130)
	h.Run("link", "show", alias).Is(command.Unresolved).Lacks("/pay/")
	h.Terminal("link", "show", alias).Sees("Have you read how it differs?").Type("y\r").Sees("/pay/" + alias).Ends(command.Done)
	h.Run("link", "show", alias).Is(command.Done).Prints("/pay/" + alias)
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
