package present

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

var stageNames = [...]string{"Amount", "Channel", "Customer", "Card", "Review", "Bank", "Finalize", "Status"}

// Stepper is the line on top of every screen of a payment that is not initiated
// yet: what comes after is what may be asked. Only a payment through a link is finalized.
func Stepper(t *ui.Theme, w int, transfer, linked bool, at Stage) string {
	return draw(t, w, transfer, at, func(s Stage) (has, done bool) { return linked || s != StageFinalize, s < at })
}

// Progress is that line for a payment that was initiated: a step it does not have
// is left out, and one counts as done only when it was.
func Progress(t *ui.Theme, w int, f flow.Flow, at Stage) string {
	return draw(t, w, f.IsTransfer(), at, func(s Stage) (has, done bool) {
		switch s {
		case StageAuthorise:
			return s == at || f.CustomerInvolved(), f.CustomerActed()
		case StageFinalize:
			return s == at || f.IsLinked() || f.IsFinalized(), f.IsFinalized()
		case StageStatus:
			return true, false
		}
		return true, true
	})
}

func draw(t *ui.Theme, w int, transfer bool, at Stage, look func(Stage) (has, done bool)) string {
	var steps []ui.Step
	current := 0
	for s := range Stage(len(stageNames)) {
		has, done := look(s)
		if !has || transfer && s == StageCard {
			continue
		}
		name := stageNames[s]
		if transfer && s == StageAuthorise {
			name = "Transfer"
		}
		if s == at {
			current, done = len(steps), false
		}
		steps = append(steps, ui.Step{Name: name, Done: done})
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
