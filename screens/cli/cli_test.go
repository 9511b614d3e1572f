package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/keystore"
	"paydesk/screens/cli"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

func TestMain(m *testing.M) { clitest.Main(m) }

func TestWrongArgumentsAreNotQuoted(t *testing.T) {
	h := clitest.New(t)
	for _, args := range [][]string{
		{"WRONGcommand"}, {"--WRONGoption"}, {"--background", "WRONGvalue"}, {"demo", "WRONGargument"}, {"demo", "--WRONGoption"}, {"--WRONG=1", "demo"},
	} {
		h.Run(args...).Is(command.Usage).Says("--help").Lacks("WRONG")
	}
}

// A key or a card number on the command line is rejected before anything is parsed, whichever command it is for.
func TestSecretsInArgumentsAreRejectedWithoutAnEcho(t *testing.T) {
	h := clitest.New(t)
	for _, args := range [][]string{
		{"sk_test_WRONG00000000"}, {"status", "sk_live_WRONG00000000"}, {"--secret-key=WRONG", "status"}, {"transactions", "--key", "WRONG"},
		{"key", "set", "WRONG"}, {"key", "set", "--secret-key", "WRONG"}, {"--key=WRONG", "key", "set"}, {"key", "set", "--profile=sk_test_WRONG00000000"}, {"key", "show", "-token=WRONG"},
		{"key", "set", "pk_live_WRONG"}, {"key", "set", "--", "WRONG"}, {"key", "set", "--API-KEY=WRONG"},
	} {
		h.Run(args...).Is(command.Usage).Says("never an argument").Lacks("WRONG")
	}
	for _, args := range [][]string{{"4111111111111111"}, {"status", "4111 1111 1111 1111"}, {"status", "--profile=4111111111111111"}} {
		h.Run(args...).Is(command.Usage).Says("card number").Lacks("4111")
	}
}

// The digits of two folders together are no card number; those of one may be.
func TestAPathIsTakenForACardNumberOnlyByOneOfItsParts(t *testing.T) {
	h := clitest.New(t)
	drive := filepath.VolumeName(h.Home) // of Windows
	h.Run("config", "path", "--config", drive+"/tmp/411111111111/1111/paydesk").Lacks("card number")
	h.Run("config", "path", "--config="+drive+"/tmp/411111111111/1111/paydesk").Lacks("card number")
	h.Run("config", "path", "--config", drive+"/tmp/4111111111111111/paydesk").Is(command.Usage).Says("card number").Lacks("4111")
}

// A panic would print its value and the arguments, which may be secrets, and end with the code of wrong arguments.
func TestADefectEndsACommandWithACodeOfItsOwn(t *testing.T) {
	h := clitest.New(t)
	var out, talk bytes.Buffer
	code := cli.Run([]string{"status", "XHCQVX9BB5"}, cli.Env{
		In: os.Stdin, Out: &out, Err: &talk, Version: "test", Getenv: func(string) string { return "" }, Config: h.ConfigFolder(), State: h.StateDir(),
		Stores: func(string) func(keystore.Profile) keystore.Store { panic("sk_live_CANARY0000000000") },
	})
	reports, _ := filepath.Glob(filepath.Join(h.StateDir(), "crash-*.txt"))
	if code != int(command.Defect) || out.Len() > 0 || len(reports) != 1 || !strings.Contains(talk.String(), reports[0]) {
		t.Errorf("%d, %q, %q, reports %q", code, out.String(), talk.String(), reports)
	}
	for _, path := range reports {
		report, err := os.ReadFile(path)
		must(t, err)
		if text := string(report); strings.Contains(text+talk.String(), "CANARY") || !strings.Contains(text, "screens/cli") {
			t.Errorf("the report is\n%s", text)
		}
	}
}
