package report

import (
	"cmp"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/present"
)

// A Subject holds what is known of an attempt, or of a payment that was made elsewhere, and from where it is looked at. This
// file alone knows what records it.
type Subject struct {
	ledger.Attempt
	Events []ledger.Event
	// LookedUp is set for a payment that was not made from here: By looked it up first, at At, and Amount is what the service
	// reported. What was asked for is not known.
	LookedUp bool
	earlier  api.Asked           // of such a payment that is watched: what the journal has of it
	Live     *session.WatchState // of the watch; nil where none is looked at

	Here ledger.Destination // where the console is connected; zero where that is not known
	Now  time.Time
}

// OfAttempt is an attempt of the journal, or a payment that was looked up.
func OfAttempt(a ledger.Attempt, events []ledger.Event, here ledger.Destination, now time.Time) Subject {
	k := Subject{Attempt: a, Events: events, LookedUp: a.Kind == ledger.Known, Here: here, Now: now}
	k.Changed = ledger.Change{} // its history says how it changed
	if k.LookedUp {
		k.Kind, k.Outcome = ledger.Initiate, ledger.Accepted
	}
	return k
}

// OfEntry is an attempt of the session, or a payment that was looked up in it.
func OfEntry(e session.Entry, events []ledger.Event, here ledger.Destination, now time.Time) Subject {
	k := OfAttempt(e.Attempt, events, here, now)
	k.Changed = e.Changed
	return k
}

// OfWatch is a payment that is watched, which this session may know by an entry.
func OfWatch(s session.WatchState, e session.Entry, ours bool, events []ledger.Event, now time.Time) Subject {
	k := OfEntry(e, events, ledger.Destination{}, now)
	if !ours {
		k.earlier = e.Asked()
		k.Attempt = ledger.Attempt{ // what was done from here about it stays, and the money that an earlier answer named
			Outcome: ledger.Accepted, Amount: s.Said.Amount, Received: e.Received, Finalized: e.Finalized, FinalizeUnresolvedAt: e.FinalizeUnresolvedAt,
		}
	}
	k.LookedUp = k.LookedUp || !ours
	k.Kind = ledger.Initiate
	k.Reference, k.Status, k.StatusAt = s.Reference, s.History.Shown, s.ReportedAt
	k.Mismatch = session.MismatchOf(e, s)
	if paid := s.Said.Paid(); !paid.IsZero() {
		k.Received = paid.In(k.Amount.Currency)
	}
	k.Live, k.Changed = &s, ledger.Change{}
	k.Why = "" // the answer to the request was lost, and the payment is known
	return k
}

// Asked returns what answers about it are compared with: of a payment that was made elsewhere what an earlier answer said.
func (k Subject) Asked() api.Asked {
	asked := k.Attempt.Asked()
	if k.LookedUp {
		asked = api.Asked{Reference: k.Reference, Earlier: cmp.Or(k.earlier.Earlier, k.Amount), Status: cmp.Or(k.earlier.Status, k.Status)}
	}
	return asked
}

// MayPay reports whether the customer may pay into its account now.
func (k Subject) MayPay() bool { return k.Circumstances(k.Now).MayPay(k.Status.State) }

// title returns what it is called. An attempt without a reference has its own ID.
func (k Subject) title() string {
	switch kind := kindTitles[k.Kind]; {
	case k.Kind == ledger.CreateLink && k.Link != "":
		return kind + " " + string(k.Link)
	case k.Reference != "" && !(k.Kind == ledger.Initiate && k.IsUnresolved()):
		return kind + " " + k.Reference.String()
	case k.ID != "":
		return "Attempt " + string(k.ID)
	default:
		return kind
	}
}

var kindTitles = map[ledger.Kind]string{ledger.Initiate: "Payment", ledger.CreateLink: "Link", ledger.Finalize: "Finalize"}

// answered reports whether the service has said anything of its status.
func (k Subject) answered() bool {
	if k.Live != nil {
		return k.Live.History.Any
	}
	return !k.Status.Text.Empty()
}

// WhyElsewhere and the others below say why a key does nothing about a subject, wherever that is shown; "" where it does something.
// This one returns why nothing can be done here about what was sent to another service: the one that is connected knows nothing of it.
func (k Subject) WhyElsewhere() string {
	if k.Here == (ledger.Destination{}) || k.Here.IsSameService(k.Destination) {
		return ""
	}
	return "It was sent to another service: open that service's profile to continue."
}

// WhyNoStatus returns why its payment cannot be watched.
func (k Subject) WhyNoStatus() string {
	if why := k.WhyElsewhere(); why != "" || k.Reference != "" {
		return why
	}
	return "It has no payment reference, and so no status."
}

// WhyNothingToDecide returns why no decision is to be made about it. One that was made can be replaced by another, and a payment that
// is under way need not be followed.
func (k Subject) WhyNothingToDecide() string {
	open := k.Outcome == ledger.Unresolved || !k.Mismatch.IsZero() || k.Decision == ledger.NotFollowed || k.UnderWay() && !k.LookedUp
	switch why := k.WhyElsewhere(); {
	case why != "" || open:
		return why
	case k.LookedUp:
		return "There is nothing to decide."
	case k.Outcome == ledger.Sent:
		return "There is nothing to decide before the service has answered."
	}
	return "There is nothing to decide: its outcome is recorded."
}

// WhyNotAgain returns why it is not to be collected again; "" for a payment that failed, or was never made, and has brought no money.
func (k Subject) WhyNotAgain() string {
	switch failed, brought := k.Status.State == api.Failed, present.Brought(k.Received); {
	case failed && !k.Mismatch.IsZero():
		return "This payment is a mismatch: find out what was charged before you collect it again."
	case failed && brought != "":
		return "Money " + brought + ". " + present.AskAboutMoney
	case k.answered() && !failed, !k.CameToNothing():
		return "Only a payment that failed, or was never made, can be collected again."
	}
	return k.WhyElsewhere()
}

// WhyNoAnswer returns why nothing can be copied of how a payment stands.
func (k Subject) WhyNoAnswer() string {
	switch {
	case k.Kind != ledger.Initiate:
		return "Only a payment has an answer to copy."
	case k.Reference == "" && k.ID != "", k.IsUnresolved(), k.isUnknown(), k.answered(), !k.Mismatch.IsZero():
		return ""
	}
	return "The service has reported no status yet, so there is nothing to copy."
}

// isUnknown reports whether the service has no record of it.
func (k Subject) isUnknown() bool { return k.Live != nil && api.NotFound(k.Live.Err) }

// Answer returns how a payment stands, in a line to paste where a colleague asked: as the service last answered, or where it never did,
// what is known from here. It is "" where there is neither.
func (k Subject) Answer() string {
	if k.WhyNoAnswer() != "" {
		return ""
	}
	r, known := Of(k), "Checked at "+stamp(k.StatusAt)
	says := r.Status.Text + "."
	for _, s := range r.Says {
		if s.In.has(InFile) {
			says += " " + s.Text
		}
	}
	switch {
	case k.answered() || !k.Mismatch.IsZero():
	case k.isUnknown():
		says, known, r.Amount, r.Remark = present.NoRecord, "Checked at "+stamp(k.Live.AnsweredAt), "", ""
	case k.Outcome == ledger.NotSent:
		known = "Tried at " + stamp(k.At)
	default:
		known = "Sent at " + stamp(k.At)
	}
	line := r.Title
	if r.Amount != "" {
		line += ", " + strings.TrimSpace(r.Amount+" "+r.Remark)
	}
	line += ": " + says + " " + known + "."
	if to := k.Destination; to != (ledger.Destination{}) {
		line += " " + present.Target{Environment: present.Plain(to.Environment), Host: present.Plain(to.Host)}.String() + "."
	}
	if id := "Attempt " + present.Plain(string(k.ID)); k.ID != "" && !k.LookedUp && id != r.Title {
		line += " " + id + "."
	}
	return line
}
