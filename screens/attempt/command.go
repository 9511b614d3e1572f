package attempt

import (
	"paydesk/api/journal"
)

// Flags are the options of the command resolve for the decisions besides that something was found, which has a value.
var Flags = map[journal.Decision]string{
	journal.NotFound: "not-found", journal.GaveUp: "give-up", journal.AnswerRight: "answer-right", journal.NotOurs: "not-ours",
	journal.NotFollowed: "stop-following", journal.Undecided: "take-back", journal.AskAgain: "take-back",
}

// Command implements [ui.Commander]: resolve with the decision that is being made, else the attempt.
func (m *Model) Command() []string {
	found := ""
	switch {
	case m.stage == entering && m.record.Kind == journal.CreateLink:
		found = m.alias.Value()
	case m.stage == entering:
		found = m.reference.Value()
	case m.stage == confirming && m.decision.verdict == journal.Found && m.decision.alias != "":
		found = string(m.decision.alias)
	case m.stage == confirming && m.decision.verdict == journal.Found:
		found = string(m.decision.reference)
	case m.stage == confirming && Flags[m.decision.verdict] != "":
		return []string{"resolve", "--" + Flags[m.decision.verdict], string(m.id)}
	}
	if found != "" {
		return []string{"resolve", "--found", found, string(m.id)}
	}
	return []string{"activity", "show", string(m.id)}
}
