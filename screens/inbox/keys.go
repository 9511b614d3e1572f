package inbox

import (
	"context"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/query"
	"paydesk/api/webhook"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// newFilter is the search of the inbox.
func newFilter(t *ui.Theme, l *query.Language) *ui.Filter {
	return ui.NewQuery(t, "Search", "such as verdict:disagrees >100 gbp day:7d, or text in the body", present.ReadQuery(l))
}

// commands are the keys of the list. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	some := len(m.list.rows) > 0
	follow := "follow"
	if m.list.follow {
		follow = "pause"
	}
	cs := ui.Commands{
		{Key: ui.Bind("enter", "open"), On: some, Do: m.open},
		{Key: ui.Bind("/", "search"), On: true, Do: m.typeSearch},
		{Key: ui.Bind("space", follow), On: some, Do: m.toggleFollow},
	}
	return append(append(cs, m.recordCommands()...), ui.Command{Key: ui.Bind("Y", "URL"), On: m.receiver.URL != "", Do: m.copyURL})
}

// recordCommands are the keys for the event that is open, or selected. Those that are shown are for the one in the pane:
// the bar stays as it is while the mark moves.
func (m *Model) recordCommands() ui.Commands {
	r, known := m.shown()
	some := known || len(m.list.rows) > 0
	about := some && !(known && r.Reference == "")
	return ui.Commands{
		{Key: ui.Bind("r", "check"), On: about && m.options.Check != nil, Do: m.check},
		{Key: ui.Bind("s", "status"), On: about, Do: m.openStatus},
		{Key: ui.Bind(">", "replay"), On: some && m.options.Replay != nil && !(known && r.Masked && (m.opened != nil || m.filter.Value() == "")), Do: m.openReplay},
		{Key: ui.Bind("h", "attempt"), On: about && m.options.Attempt != nil, Do: m.openAttempt},
		{Key: ui.Bind("v", "raw answers"), On: about, Do: m.openRaw},
		{Key: ui.Bind("y", "copy"), On: about, Do: m.copyReference},
	}
}

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	switch {
	case m.off():
		return nil
	case m.filter.Typing:
		return m.filter.Keys()
	}
	keys := append(m.commands().Keys(), m.panes.Keys()...)
	if m.filter.Value() == m.options.Query { // esc leaves
		return keys
	}
	return m.filter.Arrange(keys)
}

func (m *Model) typeSearch() tea.Cmd {
	m.filter.Typing, m.options.Query = true, "" // from now on esc clears the search
	m.layout()
	return nil
}

// payment is the event whose payment a key is for, or why there is none.
func (m *Model) payment() (r webhook.Record, why string) {
	r, some := m.current()
	switch {
	case !some:
		return r, "No event is selected."
	case r.Reference == "":
		return r, "This webhook has no payment reference."
	}
	return r, ""
}

// check asks the service about the payment now.
func (m *Model) check() tea.Cmd {
	r, why := m.payment()
	switch {
	case why != "":
		return m.Notify(why)
	case m.options.Check == nil:
		return m.Notify("Nothing can be asked from here.")
	}
	m.stop()
	ask, ref := m.options.Check, r.Reference
	return m.checking.Then(func(a ui.Result[struct{}]) tea.Cmd {
		if a.Err != nil {
			return m.Warn(errorText(a.Err))
		}
		m.Notify("The service is asked about " + present.Plain(string(ref)) + ".")
		return m.refresh()
	}).Ask(m.Scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, ask(ctx, ref) })
}

// openStatus opens the payment's own screen.
func (m *Model) openStatus() tea.Cmd {
	r, why := m.payment()
	if why != "" {
		return m.Notify(why)
	}
	m.stop()
	return nav.Open(nav.Payment{Reference: r.Reference})
}

// openRaw opens the service's last answers about the payment.
func (m *Model) openRaw() tea.Cmd {
	r, why := m.payment()
	if why != "" {
		return m.Notify(why)
	}
	m.stop()
	return nav.Open(nav.Raw{Reference: r.Reference})
}

// A seekResult is the attempt that made a payment, if there is one.
type seekResult struct {
	to    nav.Attempt
	found bool
}

// openAttempt opens the attempt that made the payment.
func (m *Model) openAttempt() tea.Cmd {
	r, why := m.payment()
	switch {
	case why != "":
		return m.Notify(why)
	case m.options.Attempt == nil:
		return m.Notify("The journal of this profile is off: it has no attempts.")
	}
	m.stop()
	seek, ref := m.options.Attempt, r.Reference
	return m.seeking.Then(func(a ui.Result[seekResult]) tea.Cmd {
		switch {
		case a.Err != nil:
			return m.Warn(errorText(a.Err))
		case !a.Value.found:
			return m.Notify("This payment was not made from here.")
		}
		return nav.Open(a.Value.to)
	}).Ask(m.Scope, func(ctx context.Context) (seekResult, error) {
		to, found, err := seek(ctx, ref)
		return seekResult{to, found}, err
	})
}

// copyReference copies the reference of the payment.
func (m *Model) copyReference() tea.Cmd {
	r, why := m.payment()
	switch {
	case why != "":
		return m.Notify(why)
	case !present.Copyable(r.Reference.String()):
		return m.Notify("Cannot copy this reference: it is too long or has unusual characters.")
	}
	return m.Copy("reference", r.Reference.String())
}

// copyURL copies where webhooks are to be posted, with its secret.
func (m *Model) copyURL() tea.Cmd {
	if m.receiver.URL == "" {
		return m.Notify("This console does not listen: there is no URL to copy.")
	}
	return m.Copy("URL", m.receiver.URL)
}

// Command implements [ui.Commander]: the events that are listed, or the one that is open.
func (m *Model) Command() []string {
	switch query := m.filter.Value(); {
	case m.off():
		return nil
	case m.opened != nil:
		return []string{"webhook", "show", strconv.FormatInt(m.opened.ID, 10)}
	case query != "":
		return []string{"webhook", "list", "--where", query}
	}
	return []string{"webhook", "list"}
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	if m.off() {
		return []string{"Webhooks that arrive are listed here once they are received."}
	}
	lines := []string{
		"The webhooks that arrived, the last delivered first. A webhook is not signed: it is a hint, and only the status endpoint settles a payment.",
		"agrees: the service says the same. disagrees: it says otherwise. unknown: it has no such payment. not asked: it could not be asked. not understood: the body names no payment to ask about.",
		"The newest stays marked until the mark is moved; space follows again. ×2 is an event that was delivered twice with the same body.",
		"> sends the event to a target as it came: to an address of this host, or to one that the profile names in webhook_targets. Where a search hides anything, all that it found can be sent.",
	}
	if m.options.Tunnel != nil && m.receiver.URL != "" {
		lines = append(lines, "Where the service cannot reach this host, let the web server of one that it reaches pass webhooks on to its own port, and run here: "+m.options.Tunnel(m.receiver.URL))
	} else {
		lines = append(lines, "Webhooks are received while webhook_listen is set in the profile, or by paydesk listen. Where the service cannot reach this host, ssh -R carries them from one that it reaches.")
	}
	return slices.Concat(lines, []string{"paydesk help webhooks has more about receiving them.", present.QueryFields(m.language), "All terms of a search must hold: disagrees gbp >100 day:7d. A comma is “or”, a - is “not”, a * stands for the rest."})
}
