package attempt

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A found asks for what the attempt was found as: the reference of its payment, or the alias of its link.
type found struct {
	detail.Dialog
	of    *Model
	field *ui.TextField
	check ui.Call[api.PaymentStatus] // the status of the reference that was entered
}

// openFound asks what it was found as. A finalization has the reference already.
func (m *Model) openFound() tea.Cmd {
	switch {
	case m.record.Lease.ByAnother():
		return m.Warn(takenWords)
	case m.record.Kind == ledger.Finalize:
		return m.confirm(Decided(ledger.Found, m.record.Reference))
	}
	m.statusCall.Drop()
	m.search.call.Drop()
	m.problem = present.Problem{}
	f := &found{of: m, field: m.foundField()}
	f.Dialog = detail.NewDialog(m.Theme, detail.Asks{Title: "Found as", Help: foundHelp, Head: f.head, Submit: f.submit}, "continue", f.field)
	if m.typed == "" {
		m.typed = m.record.Named // checked and confirmed like one that is typed
	}
	f.field.SetValue(m.typed)
	return nav.Open(nav.Over{Screen: f})
}

// foundField reads a reference, or an alias. They are checked for their form only: whether the service has a reference
// is asked when it is entered, and there is nothing to ask it about an alias.
func (m *Model) foundField() *ui.TextField {
	help, limit, instead := "the payment's reference, as the provider shows it", 128, "Not sent. Backspace, then type the reference"
	check := func(s string) error { _, err := api.ParseReference(s); return err }
	if m.ofLink() {
		help, limit, instead = "the link's alias or its URL, as the provider shows it", 400, "Not recorded. Backspace, then type the alias"
		check = func(s string) error { _, err := api.ParseAlias(s); return err }
	}
	return ui.NewTextField(m.Theme, "Found as", help, ui.Required(), ui.Limit(limit), ui.Instead(instead),
		ui.Except(func(text string) bool { return m.offered != "" && strings.TrimSpace(text) == string(m.offered) }),
		ui.Checked(func(s string) string {
			if err := check(s); err != nil {
				return present.Sentence(err.Error())
			}
			return ""
		}))
}

func (m *Model) ofLink() bool { return m.record.Kind == ledger.CreateLink }

// Update implements [ui.Screen]. Any key ends the check: it asked about the former text, and its answer would open a question while a
// person reads the help, where the next key could answer it.
func (f *found) Update(msg tea.Msg) tea.Cmd {
	f.check.Drop()
	cmd := f.Dialog.Update(msg)
	f.of.typed = f.field.Value()
	return cmd
}

// submit has a reference checked with the service before anybody confirms it: an ID from elsewhere may not be one.
func (f *found) submit() tea.Cmd {
	m := f.of
	m.typed = f.field.Value()
	d, err := FoundAs(m.record.Attempt, m.typed)
	switch {
	case err != nil:
		return nil
	case m.ofLink():
		return m.confirm(d)
	}
	return f.check.Then(f.checked(d)).Timed(api.ReadLimit).Ask(f.Scope, m.statusOf(api.Reference(d.As)))
}

// statusOf requests the status of a payment that the attempt may have made.
func (m *Model) statusOf(r api.Reference) func(context.Context) (api.PaymentStatus, error) {
	service, a := m.service, m.record.Attempt
	return func(ctx context.Context) (api.PaymentStatus, error) { return StatusOf(ctx, service, a, r) }
}

// StatusOf requests the status of a payment that an attempt may have made. The answer to our own reference is not recorded, since
// the service names the payment otherwise.
func StatusOf(ctx context.Context, s Service, a ledger.Attempt, r api.Reference) (api.PaymentStatus, error) {
	if string(r) == a.OwnReference {
		ctx = api.Unrecorded(ctx)
	}
	return s.Transaction(ctx, r)
}

// checked asks for a confirmation, with what the service reports of the reference. A
// reference that the service does not have is rejected.
func (f *found) checked(d Decision) func(ui.Result[api.PaymentStatus]) tea.Cmd {
	return func(a ui.Result[api.PaymentStatus]) tea.Cmd {
		if api.Definite(a.Err) {
			f.Form.SetError(f.field, "The service has no payment with this reference. An ID from the transactions may not be one.")
			return nil
		}
		return f.of.confirm(d.Checked(f.of.record.Attempt, a.Value, a.Err))
	}
}

// head says what is known of the attempt. It is left out in a low window: the field must be visible.
func (f *found) head(w int) []string {
	m := f.of
	lines := slices.Insert(m.head(w), 1, m.Theme.MutedLines(report.Origin(m.record.Attempt), w)...)
	about := "Which payment is it? Enter the provider's reference, once you have compared amount, time and attempt ID."
	if m.ofLink() {
		about = "Which link is it? Enter its alias or URL, once you have compared name, amount and time."
	}
	lines = append(append(lines, ui.Wrap(about, w)...), "")
	if f.check.Pending() {
		lines = append(lines[:len(lines)-1], m.Theme.WaitLines(f.check.Wait(), "Checking the reference", w)...)
	}
	if len(lines) > f.H-3 {
		lines = lines[:1]
	}
	return lines
}

// Back ends the check.
func (f *found) Back() bool {
	f.check.Drop()
	return false
}

// Command implements [ui.Commander].
func (f *found) Command() []string { return f.of.foundCommand(f.field.Value()) }

var foundHelp = []string{
	"Enter the payment or link that the attempt turned out to be. paydesk asks before it records it, and follows it from then on.",
	"The reference you enter for a found payment is checked before it is recorded: one that the service does not have is rejected.",
	"The alias you enter for a found link is recorded as you typed it: the service has no request to check it. An alias belongs to one link only.",
}

// checkAndReload does what is to be done again: it checks the status by the reference that we sent along, and reads the attempt.
func (m *Model) checkAndReload() tea.Cmd {
	if m.statusCall.Pending() {
		return m.Warn("Already checking.")
	}
	reference, err := api.ParseReference(m.record.OwnReference)
	if err != nil {
		return m.Warn("Our reference cannot be used for a status check.")
	}
	m.problem = present.Problem{}
	return tea.Batch(m.load(), m.statusCall.Then(m.onStatus).Timed(api.ReadLimit).Ask(m.Scope, m.statusOf(reference)))
}

// onStatus handles the status of our own reference. A status resolves the attempt, since no
// other payment has that reference. A rejection does not: a payment may appear later than its
// response was due.
func (m *Model) onStatus(a ui.Result[api.PaymentStatus]) tea.Cmd {
	seen := m.record.Attempt
	d := Decided(ledger.Found, a.Value.Reference).Checked(seen, a.Value, nil)
	switch {
	case api.Definite(a.Err):
		m.problem = present.Problem{
			What:   "The service has no payment under our reference " + m.record.OwnReference + ".",
			Next:   "That does not prove that nothing was made: check later, or search for it (m).",
			Detail: present.Error(a.Err, present.Reading).Detail, Unresolved: true,
		}
	case a.Err != nil:
		m.problem = present.Error(a.Err, present.Reading)
	case a.Value.Status.Text.Empty():
		m.problem = present.Problem{
			What: "The service returned no status for our reference.", Next: "Nothing was recorded. Check again later.", Unresolved: true,
		}
	case d.Contrary:
		m.offer(api.Reference(d.As))
		m.problem = present.Problem{
			What: "Our reference exists, but differs. " + d.Reported,
			Next: "Nothing was recorded. Compare them at the provider; the decision \"found as\" (d) has " + d.Shown() + " filled in.", Unresolved: true,
		}
	default:
		return m.write(seen, d)
	}
	return nil
}
