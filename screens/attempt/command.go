package attempt

import "paydesk/api/ledger"

// Flags are the options of the command resolve for the decisions besides that something was found, which has a value.
var Flags = map[ledger.Decision]string{
	ledger.NotFound: "not-found", ledger.GaveUp: "give-up", ledger.AnswerRight: "answer-right", ledger.AsAsked: "as-asked",
	ledger.NotOurs:     "not-ours",
	ledger.NotFollowed: "stop-following", ledger.Undecided: "take-back", ledger.AskAgain: "take-back",
}

// Command implements [ui.Commander]: resolve with the decision that is being made, else the attempt.
func (m *Model) Command() []string {
	found := ""
	switch {
	case m.stage == entering && m.record.Kind == ledger.CreateLink:
		found = m.alias.Value()
	case m.stage == entering:
		found = m.reference.Value()
	case m.stage == confirming && m.decision.verdict == ledger.Found && m.decision.alias != "":
		found = string(m.decision.alias)
	case m.stage == confirming && m.decision.verdict == ledger.Found:
		found = string(m.decision.reference)
	case m.stage == confirming && Flags[m.decision.verdict] != "":
		return []string{"resolve", "--" + Flags[m.decision.verdict], string(m.id)}
	}
	if found != "" {
		return []string{"resolve", "--found", found, string(m.id)}
	}
	return []string{"activity", "show", string(m.id)}
}
