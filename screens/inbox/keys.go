package inbox

import (
	"context"
	"errors"
	"net/url"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/api/webhook"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// commands are the keys of the list. A key that cannot be used now says why.
func (m *Model) commands() ui.Commands {
	if m.off() {
		return nil
	}
	cs := ui.Commands{m.On(ui.Bind("enter", "open"), nil, m.open), m.Search(), m.Follow()}
	return append(append(cs, m.recordCommands()...), ui.Command{Key: ui.Bind("Y", "URL"), On: m.options.Receiver().URL != "", Do: m.copyURL})
}

// recordCommands are the keys for the event that is open, or selected.
func (m *Model) recordCommands() ui.Commands {
	return ui.Commands{
		m.On(ui.Bind("r", "check"), whyNoPayment, m.check),
		m.On(ui.Bind("s", "status"), whyNoPayment, func(r webhook.Record) tea.Cmd { return nav.Open(nav.Payment{Reference: r.Reference}) }),
		m.On(ui.Bind(">", "replay"), m.whyNoReplay, m.openReplay),
		m.On(ui.Bind("h", "attempt"), whyNoPayment, m.openAttempt),
		m.On(ui.Bind("v", "raw answers"), whyNoPayment, func(r webhook.Record) tea.Cmd { return nav.Open(nav.Raw{Reference: r.Reference}) }),
		m.On(ui.Bind("y", "copy"), whyNoPayment, func(r webhook.Record) tea.Cmd { return m.CopyName("reference", r.Reference.String()) }),
	}
}

// whyNoPayment says why nothing can be done about the payment of an event.
func whyNoPayment(r webhook.Record) string {
	if r.Reference == "" {
		return "This webhook has no payment reference."
	}
	return ""
}

// check asks the service about the payment now.
func (m *Model) check(r webhook.Record) tea.Cmd {
	store, profile, ref := m.options.Store, m.options.Profile, r.Reference
	return m.checking.Then(func(a ui.Result[struct{}]) tea.Cmd {
		if a.Err != nil {
			return m.Warn(errorText(a.Err))
		}
		m.Notify("The service is asked about " + present.Plain(string(ref)) + ".")
		return m.Refresh()
	}).Ask(m.Scope, func(ctx context.Context) (struct{}, error) { return struct{}{}, store.CheckNow(ctx, profile, ref) })
}

// openAttempt opens the attempt that made the payment.
func (m *Model) openAttempt(r webhook.Record) tea.Cmd {
	made, ref := m.options.Made, r.Reference
	return m.seeking.Then(func(a ui.Result[ledger.Attempt]) tea.Cmd {
		switch {
		case errors.Is(a.Err, ledger.ErrNotFound):
			return m.Notify("This payment was not made from here.")
		case a.Err != nil:
			return m.Warn(errorText(a.Err))
		}
		return nav.Open(nav.Attempt{ID: a.Value.ID})
	}).Ask(m.Scope, func(ctx context.Context) (ledger.Attempt, error) { return made(ctx, ref) })
}

// copyURL copies where webhooks are to be posted, with its secret.
func (m *Model) copyURL() tea.Cmd {
	at := m.options.Receiver().URL
	if at == "" {
		return m.Notify("This console does not listen: there is no URL to copy.")
	}
	return m.Copy("URL", at)
}

// Command implements [ui.Commander]: the events that are listed, or the one that is open.
func (m *Model) Command() []string {
	r, is := m.Opened()
	switch {
	case m.off():
		return nil
	case is:
		return []string{"webhook", "show", strconv.FormatInt(r.ID, 10)}
	}
	return append([]string{"webhook", "list"}, m.Where()...)
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	if m.off() {
		return []string{"Webhooks that arrive are listed here once they are received."}
	}
	lines := []string{
		"The webhooks that arrived, the last delivered first. A webhook is not signed: it is a hint, and only the status endpoint settles a payment.",
		"agrees: the service says the same. disagrees: it says otherwise. unknown: it has no such payment. not asked: it could not be asked. not understood: the body names no payment to ask about. ≠ before agrees: the payment is a MISMATCH.",
		"The newest stays marked until the mark is moved; space follows again. ×2 is an event that was delivered twice with the same body.",
		"> sends the event to a target as it came: to an address of this host, or to one that the profile names in webhook_targets. After a search you can also send everything that it found.",
	}
	if at, err := url.Parse(m.options.Receiver().URL); err == nil && at.Host != "" {
		lines = append(lines, "If the service cannot reach this host, have a web server that it reaches pass webhooks on to a port of its own host, and run here: "+webhook.TunnelLine(at.Host))
	} else {
		lines = append(lines, "Webhooks are received while webhook_listen is set in the profile, or by paydesk listen. If the service cannot reach this host, ssh -R carries them from a host that it reaches.")
	}
	return append(append(lines, "paydesk help webhooks has more about receiving them."), m.SearchHelp()...)
}
