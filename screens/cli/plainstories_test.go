package cli_test

import (
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// collected are the answers to the questions of collect, up to its further options.
func collected(channel, amount string) []string {
	return []string{channel, "NGN", amount, "Ada", "Obi", "ada@shop.example", "+4400"}
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
