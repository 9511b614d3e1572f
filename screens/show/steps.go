package show

import (
	"paydesk/api/flow"
	"paydesk/ui"
)

// Stage is where a payment stands on the stepper.
type Stage int

// The stages, in order.
const (
	StageAmount Stage = iota
	StageChannel
	StageCustomer
	StageCard
	StageReview
	StageAuthorise
	StageFinalize
	StageStatus
)

// Stepper is the line on top of every screen of one payment.
func Stepper(t *ui.Theme, w int, transfer bool, at Stage) string {
	names := []string{"Amount", "Channel", "Customer", "Card", "Review", "Bank", "Finalize", "Status"}
	if transfer {
		names[StageAuthorise] = "Transfer"
	}
	steps := make([]ui.Step, 0, len(names))
	current := 0
	for i, n := range names {
		if transfer && Stage(i) == StageCard {
			continue // a transfer has no card
		}
		if Stage(i) == at {
			current = len(steps)
		}
		steps = append(steps, ui.Step{Name: n, Done: Stage(i) < at})
	}
	return t.Stepper(w, current, steps...)
}

// At is the stage of a payment that was initiated.
func At(f flow.Flow) Stage {
	switch f.Next() {
	case flow.Authorise:
		return StageAuthorise
	case flow.Finalize:
		return StageFinalize
	}
	return StageStatus
}
