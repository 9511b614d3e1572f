package present

import (
	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/ui"
)

// Stage is a step of a payment.
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

// Stepper draws the steps of a payment that is not initiated yet; the steps after at may still
// turn out not to be needed. Only a payment through a link is finalized. While no channel is chosen
// the steps of a card are drawn.
func Stepper(t *ui.Theme, w int, channel string, linked bool, at Stage) string {
	return draw(t, w, channel, at, func(s Stage) (has, done bool) { return linked || s != StageFinalize, s < at })
}

// Progress draws the steps of an initiated payment: it omits those this payment does not need, or that are left to do when it is over,
// and marks one as done only when it was.
func Progress(t *ui.Theme, w int, a ledger.Attempt, at Stage) string {
	return draw(t, w, a.Channel, at, func(s Stage) (has, done bool) {
		switch s {
		case StageAuthorise:
			done = a.CustomerConfirmed()
			return s == at || done || a.CustomerInvolved() && !a.Status.State.Final(), done
		case StageFinalize:
			return s == at || a.Finalized || a.NeedsFinalize(), a.Finalized
		case StageStatus:
			return true, false
		}
		return true, true
	})
}

func draw(t *ui.Theme, w int, channel string, at Stage, step func(Stage) (has, done bool)) string {
	var steps []ui.Step
	current := 0
	for s := range Stage(len(stageNames)) {
		has, done := step(s)
		if !has || s == StageCard && channel != "" && channel != api.ChannelCard {
			continue
		}
		name := stageNames[s]
		if s == StageAuthorise {
			name = authoriseName(channel)
		}
		if s == at {
			current, done = len(steps), false
		}
		steps = append(steps, ui.Step{Name: name, Done: done})
	}
	return t.Stepper(w, current, steps...)
}

// authoriseName returns what the customer's part is called, which differs with the channel. Of a channel
// that has no name here it is not known who asks the customer to approve.
func authoriseName(channel string) string {
	switch channel {
	case "", api.ChannelCard, api.ChannelAccount:
		return stageNames[StageAuthorise]
	case api.ChannelTransfer:
		return "Transfer"
	}
	return "Approval"
}

// StageOf is the current stage of an initiated payment.
func StageOf(a ledger.Attempt) Stage {
	switch a.NextStep() {
	case ledger.ToAuthorise:
		return StageAuthorise
	case ledger.ToFinalize:
		return StageFinalize
	}
	return StageStatus
}
