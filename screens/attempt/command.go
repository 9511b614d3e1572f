package attempt

import (
	"cmp"

	"paydesk/api/ledger"
)

// Flags are the options of the command resolve for the decisions besides that something was found, which has a value.
var Flags = map[ledger.Decision]string{
	ledger.NotFound: "not-found", ledger.GaveUp: "give-up", ledger.AnswerRight: "answer-right", ledger.AsAsked: "as-asked",
	ledger.NotOurs:     "not-ours",
	ledger.NotFollowed: "stop-following", ledger.Undecided: "take-back", ledger.AskAgain: "take-back",
}

// Command implements [ui.Commander].
func (m *Model) Command() []string { return []string{"activity", "show", string(m.id)} }

// command is resolve with a decision that is being made.
func (m *Model) command(d decision) []string {
	if d.verdict == ledger.Found {
		return m.foundCommand(cmp.Or(string(d.alias), string(d.reference)))
	}
	return []string{"resolve", "--" + Flags[d.verdict], string(m.id)}
}

func (m *Model) foundCommand(as string) []string {
	if as == "" {
		return m.Command()
	}
	return []string{"resolve", "--found", as, string(m.id)}
}
