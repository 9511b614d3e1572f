package cli_test

import (
	"encoding/json"
	"testing"

	"paydesk/keystore"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

func TestOptionsStandBeforeACommandOrBehindIt(t *testing.T) {
	h := clitest.New(t)
	h.Env = map[string]string{"PAYDESK_PROFILE": "nobody"}
	h.Run("key", "show").Is(command.Usage).Says("no profile of that name")
	for _, args := range [][]string{
		{"--profile", "shop", "key", "show"}, {"key", "--profile=shop", "show"}, {"key", "show", "--profile", "shop"},
		{"--no-proxy", "key", "--profile=shop", "show"}, {"key", "--no-proxy", "show", "--profile=shop"},
		{"--config", h.ConfigFolder(), "--state-dir", h.StateDir(), "--profile=shop", "key", "show"},
	} {
		h.Run(args...).Is(command.Done).Prints("profile      shop, environment test\nsource       env\n", "key          …0042\n")
	}
}

func TestTheDoctorSaysTheSameAsJSON(t *testing.T) {
	h := clitest.New(t)
	var said output.Doctor
	if r := h.Run("doctor", "--json").Is(command.Done); json.Unmarshal([]byte(r.Out), &said) != nil {
		t.Fatal(r.Out)
	}
	text, accepted := h.Run("doctor").Is(command.Done), false
	for _, s := range said.Steps {
		text.Prints(s.Name, s.State)
		accepted = accepted || s.Name == "key accepted" && s.State == keystore.OK
	}
	if said.Schema != "paydesk.doctor/1" || said.Profile != "shop" || said.Failed != 0 || !accepted {
		t.Errorf("%+v", said)
	}
	h.Run("key", "show").Is(command.Done).Prints("last worked  20")
}

func TestAnOptionThatMeansNothingToACommandIsRefused(t *testing.T) {
	h := clitest.New(t)
	for _, args := range [][]string{{"--ascii", "key", "show"}, {"--background=light", "doctor"}, {"--high-contrast", "journal", "backup", "x"}} {
		h.Run(args...).Is(command.Usage).Says(" does not belong to paydesk ")
	}
	h.Run("demo", "--ascii").Is(command.NoTerminal)
	h.Run("--ascii", "demo", "--low-bandwidth").Is(command.NoTerminal)
	h.Run("--no-proxy", "demo").Is(command.NoTerminal)
	for _, args := range [][]string{{"--version"}, {"--version", "demo"}, {"demo", "--version"}, {"--no-proxy", "--version"}} {
		if r := h.Run(args...).Is(command.Done); r.Out != "paydesk test (commit not known)\n" || r.Err != "" {
			t.Errorf("%q: %q, %q", args, r.Out, r.Err)
		}
	}
}
