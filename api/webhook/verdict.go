package webhook

import (
	"slices"
	"strings"

	"paydesk/api"
)

// A Verdict compares an event with what the status endpoint says.
type Verdict string

// The verdicts.
const (
	Waiting       Verdict = "waiting"        // the service will be asked
	Agrees        Verdict = "agrees"         // it reports what the event claims
	NoAmount      Verdict = "no amount"      // it reports the status that the event claims, and states no amount
	Disagrees     Verdict = "disagrees"      // it reports something else
	Unknown       Verdict = "unknown"        // it does not know the payment
	NotAsked      Verdict = "not asked"      // it could not be asked, and never answered
	NotUnderstood Verdict = "not understood" // there is nothing to ask about
)

// Verdicts are all verdicts.
var Verdicts = []Verdict{Waiting, Agrees, NoAmount, Disagrees, Unknown, NotAsked, NotUnderstood}

// A Differ is a part of an event that the service contradicts.
type Differ string

// The parts.
const (
	Status   Differ = "status"
	Amount   Differ = "amount"
	Currency Differ = "currency"
	Paid     Differ = "paid"
)

// Judge compares an event with the service's answer. It is the only place that does. An answer stands also where a later
// request had none: [Answer.Problem] says so beside the verdict.
func Judge(e api.WebhookEvent, a Answer) (Verdict, []Differ) {
	switch {
	case !e.Understood():
		return NotUnderstood, nil
	case a.At.IsZero() && a.Problem != "":
		return NotAsked, nil
	case a.At.IsZero():
		return Waiting, nil
	case a.NotFound:
		return Unknown, nil
	}
	var differs []Differ
	if statusDiffers(e, a.Status) {
		differs = append(differs, Status)
	}
	if what := amountDiffers(e, a); what != "" {
		differs = append(differs, what)
	}
	if e.Says == api.Successful && a.HasAmount {
		paid := e.Paid.In(a.Amount.Currency)
		if !paid.IsZero() && (!paid.Readable() || paid.Amount.Currency != a.Amount.Currency || paid.Amount.Minor < a.Amount.Minor) {
			differs = append(differs, Paid)
		}
	}
	switch {
	case len(differs) > 0:
		return Disagrees, differs
	case !a.HasAmount:
		return NoAmount, nil
	}
	return Agrees, nil
}

// isEarly reports whether an event claims a success that the service had not reported when it was judged.
func isEarly(e api.WebhookEvent, v Verdict, differs []Differ) bool {
	return e.Says == api.Successful && (v == Unknown || slices.Contains(differs, Status))
}

// amountDiffers returns how the amount of an event differs, "" where it does not. An amount that cannot be read is not the service's.
func amountDiffers(e api.WebhookEvent, a Answer) Differ {
	if !a.HasAmount {
		return ""
	}
	claimed := e.Amount.In(a.Amount.Currency)
	switch {
	case claimed.IsZero(), claimed.Amount == a.Amount:
		return ""
	case claimed.Readable() && claimed.Amount.Currency != a.Amount.Currency:
		return Currency
	}
	return Amount
}

// statusDiffers reports whether the service has another status than an event claims. An event that claims none
// cannot differ; one with a word that is not known must have the service's word.
func statusDiffers(e api.WebhookEvent, answered api.Status) bool {
	if e.Says != api.Unrecognised {
		return e.Says != answered.State
	}
	claim := e.Status.Text.Line(0)
	return claim != "" && !strings.EqualFold(claim, answered.Text.Line(0))
}
