package cli_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

var chairs = []string{"link", "create", "--name", "Chairs", "--description", "six oak chairs", "--currency", "GBP", "--amount", "120"}

// The options of more take the place of the same ones before them.
func with(args []string, more ...string) []string {
	args = slices.Clone(args)
	for _, option := range more {
		if at := slices.Index(args, option); at >= 0 && strings.HasPrefix(option, "--") && args[at] != "--meta" {
			end := at + 1
			for end < len(args) && !strings.HasPrefix(args[end], "--") {
				end++
			}
			args = slices.Delete(args, at, end)
		}
	}
	return append(args, more...)
}

func TestALinkIsCreatedAndListed(t *testing.T) {
	h := clitest.New(t)
	h.Run(chairs...).Is(command.Usage).Says("Nothing was sent", "--yes")
	made := h.Run(with(chairs, "--yes", "--json")...).Is(command.Done)
	var o struct{ Schema, State, Alias, URL, Attempt string }
	if err := json.Unmarshal([]byte(made.Out), &o); err != nil || o.Schema != "paydesk.link/1" || o.State != "ready" || o.Attempt == "" {
		t.Fatal(made.Out, err)
	}
	h.Run("link", "list").Is(command.Done).Prints(o.Alias+"\t120.00\tGBP\t0\t0\t", "\tChairs\t"+o.URL+"\n")
	h.Run("link", "list", "--where", "tables").Is(command.Done).Lacks("Chairs")
	h.Run("link", "show", o.Alias).Is(command.Done).Prints("URL\t"+o.URL, "Description\tsix oak chairs\n", "Can be paid\tonce\n", "Environment\tTest\n", "Status\tNew\n")
	if l := read[output.Link](h.Run("link", "show", o.Alias, "--json").Is(command.Done)); l.Description != "six oak chairs" || l.Type != "one-time" || l.Environment != "Test" || l.Status != "New" {
		t.Errorf("%+v", l)
	}
	many := read[output.Link](h.Run("link", "create", "--name", "Fair", "--description", "tables", "--currency", "GBP", "--amount", "9", "--reusable", "--yes", "--json").Is(command.Done))
	h.Run("link", "show", many.Alias).Is(command.Done).Prints("Can be paid\tmany times\n")
	h.Run("link", "show", o.URL, "--qr").Is(command.Done).Prints("▀")
	h.Run("link", "show", "NONE").Is(command.Refused).Says("no link with this alias")
	h.Run("activity", "show", o.Attempt[:4]).Is(command.Done).Prints("Attempt\t"+o.Attempt, "Link\t"+o.Alias)
}

// The same link again is held back, and sent only for whoever names the one before.
func TestALinkLikeAnotherIsHeldBack(t *testing.T) {
	h := clitest.New(t)
	h.Run(with(chairs, "--yes")...).Is(command.Done)
	held := h.Run(with(chairs, "--yes")...).Is(command.Duplicate).Says("looks like a duplicate", "same name")
	_, rest, _ := strings.Cut(held.Err, "--allow-duplicate ")
	id, _, _ := strings.Cut(rest, " ")
	h.Run(with(chairs, "--yes", "--allow-duplicate", "zzzz")...).Is(command.Duplicate)
	h.Run(with(chairs, "--yes", "--allow-duplicate", id)...).Is(command.Refused).Says("name") // the service has one of that name
}

func TestTheCustomerMayChooseTheAmount(t *testing.T) {
	h := clitest.New(t)
	gift := []string{"link", "create", "--name", "Gift", "--description", "what you like", "--currency", "NGN", "--customer-chooses", "--reusable", "--yes"}
	h.Run(with(gift, "--json")...).Is(command.Done).Prints(`"customer_chooses":true`).Lacks(`"amount"`)
	h.Run("link", "list").Is(command.Done).Prints("\t\tNGN\t0\t0\t")
}

func TestALiveLinkIsTyped(t *testing.T) {
	h := clitest.New(t, clitest.Options{Live: true})
	h.Run(with(chairs, "--yes")...).Is(command.Locked).Says("needs a person at a terminal", "Nothing was sent")
	h.Terminal(with(chairs, "--yes")...).Sees("--yes is for test").Ends(command.Usage)
	h.Terminal(chairs...).Sees("Type the profile's name, shop").Type("shop\r").Sees("Type 120.00").Type("120\r").Sees("Nothing was sent").Ends(command.Failed)
	h.Terminal(chairs...).Sees("profile's name").Type("shop\r").Sees("Type 120.00").Type("120.00\r").Sees("CREATED").Ends(command.Done)
	h.Run("link", "list").Is(command.Done).Prints("\t120.00\tGBP\t")
}
