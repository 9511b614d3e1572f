package cli_test

import (
	"testing"

	"paydesk/screens/cli"
	"paydesk/screens/cli/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

func TestWrongArgumentsAreNotQuoted(t *testing.T) {
	h := clitest.New(t)
	for _, args := range [][]string{
		{"WRONGcommand"}, {"--WRONGoption"}, {"--background", "WRONGvalue"}, {"demo", "WRONGargument"}, {"demo", "--WRONGoption"}, {"--WRONG=1", "demo"},
	} {
		h.Run(args...).Is(cli.Usage).Says("--help").Lacks("WRONG")
	}
}

// A key or a card number on the command line is rejected before anything is parsed, whichever command it is for.
func TestSecretsInArgumentsAreRejectedWithoutAnEcho(t *testing.T) {
	h := clitest.New(t)
	for _, args := range [][]string{
		{"sk_test_WRONG00000000"}, {"status", "sk_live_WRONG00000000"}, {"--secret-key=WRONG", "status"}, {"transactions", "--key", "WRONG"},
	} {
		h.Run(args...).Is(cli.Usage).Says("never an argument").Lacks("WRONG")
	}
	for _, args := range [][]string{{"4111111111111111"}, {"status", "4111 1111 1111 1111"}, {"status", "--profile=4111111111111111"}} {
		h.Run(args...).Is(cli.Usage).Says("card number").Lacks("4111")
	}
}

// The digits of two folders together are no card number; those of one may be.
func TestAPathIsTakenForACardNumberOnlyByOneOfItsParts(t *testing.T) {
	h := clitest.New(t)
	h.Run("config", "path", "--config", "/tmp/411111111111/1111/config.toml").Lacks("card number")
	h.Run("config", "path", "--config=/tmp/411111111111/1111/config.toml").Lacks("card number")
	h.Run("config", "path", "--config", "/tmp/4111111111111111/config.toml").Is(cli.Usage).Says("card number").Lacks("4111")
}

func TestTheConsoleNeedsATerminal(t *testing.T) {
	h := clitest.New(t)
	h.Run().Is(cli.NoTerminal).Says("interactive terminal")
	h.Exec("demo").Is(cli.NoTerminal).Says("interactive terminal")
}
