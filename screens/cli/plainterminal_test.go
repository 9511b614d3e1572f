//go:build unix

package cli_test

import (
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// ctrl+c at a hidden question ends the command: plain mode goes on, and the terminal shows what is typed again.
func TestPlainModeAtATerminalHidesACardAndSurvivesCtrlC(t *testing.T) {
	h := atOnce(t)
	at := h.Terminal("--plain")
	for range 2 {
		at.Sees("Which?").Type(choose(t, h, "collect")[0] + "\r")
		for i, answer := range collected("card", "4000") {
			at.Sees([]string{"The channel", "The currency", "The amount", "first name", "last name", "e-mail", "phone"}[i]).Type(answer + "\r")
		}
		at.Sees("An option?").Type("\r").Sees("Card number, not shown:").Type(testCard + "\r").Sees("Expiry").Type("\x03").Sees("Stopped.")
	}
	at.Sees("Which?").Type("zz\r").Sees("zz").Sees("Type a number").Type("q\r").Ends(command.Done)
	if strings.Contains(at.Shown(), testCard) {
		t.Error("the card number was shown")
	}
}

func TestCtrlCAtAQuestionEndsPlainMode(t *testing.T) {
	h := clitest.New(t)
	h.Terminal("--plain").Sees("Which?").Type("\x03").Ends(130)
}

// ctrl+c ends the command that runs. What was printed stays.
func TestCtrlCEndsTheCommandThatPlainModeRuns(t *testing.T) {
	h := clitest.New(t) // whose payments take seconds
	keys := append(choose(t, h, "collect"), collected("transfer", "4000")...)
	at := h.Terminal("--plain").Sees("Which?").Type(strings.Join(keys, "\r") + "\r").Sees("An option?").Type("\r").Sees("[y/N]").Type("y\r")
	at.Sees("CUSTOMER MUST PAY").Type("\x03").Sees("Stopped.").Sees("Which?").Type("q\r").Ends(command.Done)
	if strings.Contains(at.Shown(), "\x1b") {
		t.Errorf("plain mode writes escape sequences: %q", at.Shown())
	}
}
