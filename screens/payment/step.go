package payment

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// tracked has the payments in progress in this console.
type tracked interface {
	Find(api.Reference) (session.Entry, bool)
	CustomerDone(api.Reference)
	Kept(session.Subject) []session.KeptAnswer
	IsPinned(api.Reference) bool
}

// A step is what the screens of a step of one payment have in common.
type step struct {
	*detail.Model
	payments  tracked
	reference api.Reference
	entry     session.Entry // as it was when it was last looked at
	known     bool          // the payment was made in this console
	since     time.Time     // what is shown
}

// Init implements [ui.Screen].
func (s *step) Init(scope ui.Scope) tea.Cmd {
	s.Scope, s.since = scope, scope.Now()
	return nil
}

// look reads what this console knows about the payment now. What draws a bank check or a transfer, or lists its keys, looks first: the
// payment may have been paid, or another answer may have differed, without a message to the screen.
func (s *step) look() {
	if e, known := s.payments.Find(s.reference); known || !s.known {
		s.entry, s.known = e, known
	}
}

// subject returns what is known of the payment, with the account as it was answered.
func (s *step) subject() report.Subject {
	k := report.OfEntry(s.entry, s.entry.History, ledger.Destination{}, s.Scope.Now())
	k.Account = s.entry.Payment().Transfer
	return k
}

// about is the report of the payment: what is to be paid, how it stands, what staff do, and what is in doubt. What else is to be known
// the step adds. A narrow window leaves out what happened: the step needs its lines.
func (s *step) about(k report.Subject) report.Report {
	r := report.Of(k)
	r.Sections = slices.DeleteFunc(r.Sections, func(s report.Section) bool { return len(s.Table.Rows) == 0 })
	if k.Mismatch.IsZero() { // what the status means stands on the payment's own page
		r.Says = slices.DeleteFunc(r.Says, func(s report.Words) bool { return !s.Order })
	} else if !k.Mismatch.Undecided() {
		r.Says = append(r.Says, report.Words{Text: "Decided: " + present.MismatchDecision(k.Mismatch) + "."})
	}
	if s.W < present.SplitFrom {
		r.History = nil
	}
	return r
}

// common are the keys that a step has as the page of its payment does, behind the one that copies another thing.
func (s *step) common(copies ui.Command) ui.Commands {
	return ui.Commands{
		copies,
		s.Pin(s.payments.IsPinned, s.reference),
		{Key: ui.Bind("w", "case"), On: true, Why: s.whyUnknown(), Do: func() tea.Cmd { return s.Save(detail.Case("payment", s.reference.String(), s.subject)) }},
		{Key: ui.Bind("v", "raw answers"), On: true, Do: nav.To(nav.Raw{Reference: s.reference, Attempt: s.entry.ID})},
	}
}

// whyUnknown returns why nothing can be told of how the payment stands.
func (s *step) whyUnknown() string {
	if s.known {
		return ""
	}
	return "Its status is not known here: see it first (s)."
}

// stepper draws the steps of the payment; those of one that was made elsewhere are unknown.
func (s *step) stepper(w int, at present.Stage) []string {
	if !s.known {
		return nil
	}
	return []string{present.Progress(s.Theme, w, s.entry.Attempt, at), ""}
}

// facts returns what is known of the payment besides its step.
func (s *step) facts() []report.Fact {
	return []report.Fact{
		s.subject().ReceiptFact(), {Label: "Reference", Value: s.reference.String(), Rank: 3}, {Label: "Fees", Value: present.Fees(s.entry.Asked()), Rank: 1},
		{Label: "Message", Value: present.Quote(s.entry.Payment().Message), Rank: 6},
	}
}

// watch goes to the payment, whose status alone says how it ends. At first the key does nothing, because it may have been meant for
// what was shown before.
func (s *step) watch() tea.Cmd {
	if s.Scope.Now().Sub(s.since) < nav.SettleDelay {
		return nil
	}
	return nav.ReplaceWith(nav.Payment{Reference: s.reference})
}
