package cli_test

import (
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// collected are the answers to the questions of collect, up to its further options.
func collected(channel, amount string) []string {
	return []string{channel, "NGN", amount, "Ada", "Obi", "ada@shop.example", "+4400"}
}

// A repeated option is asked for until enter, and a word of the menu that is none is asked for again.
func TestPlainModeTakesOptionsOneByOne(t *testing.T) {
	h := atOnce(t)
	collect := choose(t, h, "collect")
	shown := plain(h, append(append(collect, collected("transfer", "4000")...), "q")...).Out
	number := ""
	for line := range strings.SplitSeq(shown, "\n") {
		if n, rest, _ := strings.Cut(line, " "); strings.HasPrefix(rest, "meta: ") {
			number = n
		}
	}
	keys := append(append(collect, collected("transfer", "4000")...), "99", number, "order=1", "till=2", "", "", "n", "q")
	plain(h, keys...).Is(command.Done).Prints("Type a number from 1 to ").Says("Another? Enter goes on:", "order=1, till=2")
	plain(h, append(choose(t, h, "activity"), "what", "q", "q")...).Is(command.Done).Prints("or q.").Lacks("Done.")
}

func TestPlainModeResolvesAnAttempt(t *testing.T) {
	h := atOnce(t)
	must(t, h.Sandbox.Arm("initiate", "F12", 1))
	keys := append(choose(t, h, "collect"), collected("transfer", "4000")...)
	r := plain(h, append(keys, "", "y", "q")...).Is(command.Done).Prints("It is not known what was done.")
	_, after, found := strings.Cut(r.Err, "paydesk resolve ")
	id, _, _ := strings.Cut(after, " ")
	if !found || id == "" {
		t.Fatalf("it is not said how it is resolved: %s", r.Err)
	}
	keys = append(choose(t, h, "resolve"), id, h.Sandbox.Payments()[0].Reference, "", "y", "q")
	plain(h, keys...).Is(command.Done).Prints("Done.")
	h.Run("activity", "show", id).Is(command.Done).Prints(h.Sandbox.Payments()[0].Reference)
}

const testCard = "4111111111111111"

// A card in a test profile is one more line of the input, and is not printed.
func TestPlainModeReadsACardFromItsInput(t *testing.T) {
	h := atOnce(t)
	keys := append(choose(t, h, "collect"), collected("card", "4000")...)
	r := plain(h, append(keys, "", testCard, "12/40", "123", "n", "q")...).Is(command.Done)
	r.Says("Card number, not shown:", "Charge 4,000.00 NGN to •••• 1111?", "Nothing was sent").Lacks(testCard)
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
