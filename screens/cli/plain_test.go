package cli_test

import (
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// choose is the number of a command in the menu of plain mode, as it is printed.
func choose(t *testing.T, h *clitest.Host, path ...string) (keys []string) {
	t.Helper()
	for i := range path {
		shown := h.RunWith(strings.Join(append(append([]string{}, keys...), ""), "\n"), "--plain").Out
		at := ""
		for line := range strings.SplitSeq(shown, "\n") {
			if number, rest, ok := strings.Cut(line, " "); ok && strings.HasPrefix(rest, path[i]+": ") {
				at = number
			}
		}
		if at == "" {
			t.Fatalf("plain mode has no %s:\n%s", path[i], shown)
		}
		keys = append(keys, at)
	}
	return keys
}

// plain runs plain mode from a pipe with these lines.
func plain(h *clitest.Host, lines ...string) clitest.Result {
	return h.RunWith(strings.Join(lines, "\n")+"\n", "--plain")
}

func TestPlainModeCreatesALinkLineByLine(t *testing.T) {
	h := clitest.New(t)
	create := choose(t, h, "link", "create")
	answers := append(create, "Chairs", "six oak chairs", "XXQ", "GBP", "12.345", "120", "", "y", "q")
	r := plain(h, answers...).Is(command.Done)
	r.Prints("Unknown currency code.", "GBP has 2 decimals", "URL          http", "Done.").Says("Create this link? [y/N]")
	for _, drawn := range []string{"\r", "\x1b", "─", "█"} {
		r.Lacks(drawn)
	}
	h.Run("link", "list").Is(command.Done).Prints("Chairs")
}

// What was made, looked up or pinned last is there by a number.
func TestPlainModeOffersThePaymentsThatAreKnown(t *testing.T) {
	h := atOnce(t)
	plain(h, "status KNOWN1", "", "q").Is(command.Done)
	h.Run("status", "KNOWN1")
	keys := append([]string{"collect"}, "transfer", "NGN", "4000", "Ada", "Obi", "ada@shop.example", "+4400", "", "y", "status", "1", "", "case", "1", "", "q")
	ref := ""
	r := plain(h, keys...).Is(command.Done)
	for _, p := range h.Sandbox.Payments() {
		ref = p.Reference
	}
	r.Prints("1 "+ref+", 4,000.00 NGN", "Reference ", "Paid by ", "Sandbox Bank", "SUCCESSFUL", "Done.").Says("Request 4,000.00 NGN by transfer? [y/N]").Lacks("# Payment", "`", "\r", "\x1b")
	if n := len(h.Sandbox.Payments()); n != 1 {
		t.Errorf("%d payments were made", n)
	}
	if n := strings.Count(r.Out, ref); n < 3 { // of collect, offered, and of status
		t.Errorf("%s is there %d times:\n%s", ref, n, r.Out)
	}
}

// Where real money moves, an input that is no terminal sends nothing.
func TestPlainModeFromAPipeSendsNothingLive(t *testing.T) {
	h := clitest.New(t, clitest.Options{Live: true})
	create := choose(t, h, "link", "create")
	plain(h, append(create, "Chairs", "six", "GBP", "120", "", "shop", "120.00", "q")...).Is(command.Done).Says("Real money moves here", "Nothing was sent")
	h.Run("activity").Is(command.Done).Lacks("Payment link")
}

func TestPlainModeIsOfferedWhereScreensCannotBeDrawn(t *testing.T) {
	h := clitest.New(t)
	h.Env = map[string]string{"TERM": "dumb"}
	h.Terminal().Sees("Start it now? [y/N]").Type("y\r").Sees("Which?").Type("q\r").Ends(command.Done)
	h.Terminal().Sees("Start it now?").Type("\r").Ends(command.NoTerminal)
	h.Exec().Is(command.NoTerminal).Says(" --plain asks for commands")
}

// Commands that read standard input themselves get one line of the answers, and leave the others.
func TestPlainModeKeepsItsInputFromCommands(t *testing.T) {
	h := clitest.New(t)
	h.Configure("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = \"" + h.Origin + "\"\nlist_url = \"" + h.Origin + "\"\nkey = \"keyring\"\n")
	r := plain(h, append(choose(t, h, "key", "set"), "", clitest.Key, "q")...).Is(command.Done)
	r.Says("Secret key of profile shop", "Verifying the key").Prints("Done.")
	plain(h, append(choose(t, h, "key", "delete"), "n", "q")...).Is(command.Done).Says("Nothing was removed.")
	plain(h, append(choose(t, h, "status"), "-", "", "n", "q")...).Is(command.Done).Says("stdin has the answers of plain mode")
}
