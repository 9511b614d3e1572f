package cli_test

import (
	"fmt"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/webhook"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

// Programs compare the words of these members, so the help names those that are printed.
func TestTheHelpNamesTheWordsThatArePrinted(t *testing.T) {
	help := strings.Join(strings.Fields(output.Members()), " ")
	var states []string
	for s := api.Initiated; s <= api.Claimed; s++ {
		states = append(states, s.String())
	}
	for _, words := range []string{
		fmt.Sprintf("stands for: %s or %s.", strings.Join(states, ", "), api.Unrecognised),
		fmt.Sprintf("the documented status, %s, or %s", api.Unrecognised, present.Mismatch),
		fmt.Sprintf("about it: %s, %s, %s, %s, %s, %s or %s", webhook.Waiting, webhook.Agrees, webhook.NoAmount, webhook.Disagrees, webhook.Unknown, webhook.NotAsked,
			webhook.NotUnderstood),
		fmt.Sprintf("kind text %s, %s or %s", ledger.Initiate, ledger.CreateLink, ledger.Finalize),
		fmt.Sprintf("outcome text %s, %s, %s, %s or %s", ledger.Sent, ledger.Accepted, ledger.Refused, ledger.NotSent, ledger.Unresolved),
		fmt.Sprintf("about it: %s, %s, %s, %s or %s;", ledger.Found, ledger.NotFound, ledger.GaveUp, ledger.NotFollowed, ledger.DifferenceRead),
		fmt.Sprintf("decision text %s, %s, %s, %s, %s, %s, %s, %s where", ledger.Found, ledger.NotFound, ledger.GaveUp, ledger.NotFollowed,
			ledger.AnswerRight, ledger.AsAsked, ledger.NotOurs, ledger.AskAgain),
		fmt.Sprintf("about it, %s, %s or %s;", ledger.AnswerRight, ledger.AsAsked, ledger.NotOurs),
	} {
		if !strings.Contains(help, words) {
			t.Errorf("the help has no %q", words)
		}
	}
	if strings.Contains(help, "UNKNOWN") {
		t.Error("no object has the word UNKNOWN")
	}
}
