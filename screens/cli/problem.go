package cli

import (
	"cmp"
	"errors"
	"strings"

	"paydesk/api/gate"
	"paydesk/api/journal"
	"paydesk/screens/present"
)

// gateHints say what can be done about a closed gate without a screen.
var gateHints = map[gate.Reason]string{
	gate.Contradictory: "Open paydesk in a terminal, and confirm it there.",
	gate.KeyUnknown:    "Open paydesk in a terminal, and confirm it there.",
	gate.Locked:        "Live is read-only here. A person at a terminal can send.",
	gate.CardDoubted:   "Use a published test card.",
	gate.CardsDisabled: "Create a payment link instead: the customer enters the card there.",
}

// problem prints an error in the words of the screens, and ends the command with its code. next is the command
// that comes next; "" for what the words themselves say.
func (p *program) problem(err error, op present.Operation, next string) error {
	if err == nil || isSignal(err) {
		return err
	}
	var end *ending
	if errors.As(err, &end) {
		return err
	}
	words := present.Error(err, op)
	var closed *gate.Closed
	switch {
	case errors.Is(err, journal.ErrLoss) && p.saidLoss: // what was lost
		words = present.Problem{What: cmp.Or(words.Done, words.What)}
	case errors.Is(err, journal.ErrLoss):
		words.Next = acknowledgeFirst
	case next != "":
		words.Next = next
	case errors.As(err, &closed):
		words.Next = gateHints[closed.Reason]
	}
	p.say("paydesk: %s", strings.TrimSpace(words.What+" "+words.Done))
	if words.Detail != "" {
		p.say("  | %s", words.Detail)
	}
	if words.Next != "" {
		p.say("%s", words.Next)
	}
	return exit(codeOf(err), nil)
}
