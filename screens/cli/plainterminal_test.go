//go:build unix

package cli_test

import (
	"strings"
	"testing"

	"paydesk/screens/cli/command"
)

// collected are the answers to the questions of collect, up to its further options.
func collected(channel, amount string) []string {
	return []string{channel, "NGN", amount, "Ada", "Obi", "ada@shop.example", "+4400"}
}

const testCard = "4111111111111111"

// ctrl+c at a hidden question ends the command: plain mode goes on, and the terminal shows what is typed again.
func TestPlainModeAtATerminalHidesACardAndSurvivesCtrlC(t *testing.T) {
	h := atOnce(t)
	at := h.Terminal("--plain")
	at.Sees("Which?").Type("collect\r")
	for i, answer := range collected("card", "4000") {
		at.Sees([]string{"The channel", "The currency", "The amount", "first name", "last name", "e-mail", "phone"}[i]).Type(answer + "\r")
	}
	at.Sees("An option?").Type("\r").Sees("Card number, not shown:").Type(testCard + "\r").Sees("Expiry").Type("\x03").Sees("Stopped.")
	at.Sees("Which?").Type("zz\r").Sees("zz").Sees("Type a number").Type("q\r").Ends(command.Done)
	if strings.Contains(at.Shown(), testCard) {
		t.Error("the card number was shown")
	}
}
