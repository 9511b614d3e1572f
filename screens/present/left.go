package present

import (
	"fmt"
	"strings"

	"paydesk/api/ledger"
)

// maxLeft limits how many attempts are named; more would push the first off the window.
const maxLeft = 5

// Left is a line without style about each unresolved or mismatched attempt that the console leaves behind.
func Left(all []ledger.Attempt) (lines []string) {
	for i, a := range all {
		if i == maxLeft {
			return append(lines, fmt.Sprintf("%d more. Home lists them all.", len(all)-i))
		}
		lines = append(lines, leftAttempt(a))
	}
	return lines
}

func leftAttempt(a ledger.Attempt) string {
	state := Unresolved
	if a.Mismatch.Undecided() {
		state = Mismatch
	}
	about := []string{strings.TrimSpace(state + " " + string(a.ID))}
	if amount := Amount(a); amount != "" {
		about = append(about, amount)
	}
	if a.Reference != "" {
		about = append(about, a.Reference.String())
	}
	about = append(about, Plain(a.Environment+" "+a.Profile))
	next := "Do not send it again: home lists it and says how to find out."
	known := NotKnown(a.Kind)
	if state == Mismatch {
		known, next = "The service's answer is not what was asked for.", "Do not charge until you have decided what it means: home lists it."
	}
	switch {
	case a.Environment == "SANDBOX":
		next = "It was practice, and ended with the sandbox."
	case a.ID == "":
		next = "Do not send it again: the journal is off, so look for it in the transactions."
	}
	return strings.Join(about, ", ") + ": " + known + " " + next
}
