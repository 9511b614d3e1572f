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
	answers := append(create, "Chairs", "six oak chairs", "XXQ", "GBP", "120", "", "y", "q")
	r := plain(h, answers...).Is(command.Done)
	r.Prints("Unknown currency code.", "URL          http", "Done.").Says("Create this link? [y/N]")
	for _, drawn := range []string{"\r", "\x1b", "─", "█"} {
		r.Lacks(drawn)
	}
	h.Run("link", "list").Is(command.Done).Prints("Chairs")
}

// What was answered stays when the command rejects it.
func TestPlainModeKeepsAnswersThatWereRejected(t *testing.T) {
	h := clitest.New(t)
	create := choose(t, h, "link", "create")
	answers := append(create, "Chairs", "six oak chairs", "GBP", "12.345", "", "12.34", "y", "q")
	plain(h, answers...).Is(command.Done).Says("--amount: ", "The amount in major units, such as 4,000.00; enter keeps 12.345:").Prints("Done.")
	h.Run("link", "list").Is(command.Done).Prints("\t12.34\tGBP\t")
}

// Whoever hears the menu hears it once, and may say a name instead of a number.
func TestPlainModeTakesNamesAndListsTheMenuOnce(t *testing.T) {
	h := clitest.New(t)
	r := plain(h, "link create", "Chairs", "six", "GBP", "120", "", "y", "link", "list", "", "", "Status NOSUCH1", "", "menu", "q").Is(command.Done)
	r.Prints("NOSUCH1", "NOT FOUND").Says("Which? menu lists them.")
	if n := strings.Count(r.Out, "17 profile: "); n != 2 {
		t.Errorf("the menu was listed %d times", n)
	}
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

func TestPlainModeLooksUpAPayment(t *testing.T) {
	h := clitest.New(t)
	status := choose(t, h, "status")
	plain(h, append(status, "UNKNOWN1 UNKNOWN2", "", "q")...).Is(command.Done).Prints("UNKNOWN1", "UNKNOWN2", "NOT FOUND", "The service has no record of it.")
	plain(h, append(status, "4111111111111111", "", "n", "q")...).Is(command.Done).Says("card number").Lacks("4111")
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

// A text is checked when it is typed, as the field of a form, and asked for again.
func TestPlainModeAsksAgainForATextThatCannotBeSent(t *testing.T) {
	h := clitest.New(t)
	answers := append(choose(t, h, "link", "create"), strings.Repeat("x", 101), "Chairs", "six oak chairs", "GBP", "120", "", "y", "q")
	plain(h, answers...).Is(command.Done).Prints("It is too long", "URL          http")
	h.Run("link", "list").Is(command.Done).Prints("Chairs")
}

// What is offered is of the profile and the journal that a command would use.
func TestThePlainDemoOffersNothingOfTheJournal(t *testing.T) {
	h := clitest.New(t)
	_, _ = record(h)
	plain(h, "status", "q", "q").Is(command.Done).Prints("1 PINNED7777", "XHCQVX9BB5")
	h.RunWith("status\nq\nq\n", "--plain", "demo").Is(command.Done).Says("The reference of a payment").Lacks("XHCQVX9BB5", "PINNED7777")
}
