package challenge

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/screens/present"
	"paydesk/ui"
)

// ask asks the service whether a challenge is needed (endpoint 4).
func (m *Model) ask() tea.Cmd {
	if why := m.whyNotCheck(); why != "" {
		m.why(why)
		return nil
	}
	if m.check.Pending() {
		return nil
	}
	m.trouble = present.Problem{}
	service, reference := m.service, m.reference
	return m.check.Ask(m.scope, func(ctx context.Context) (api.Authentication, error) {
		return service.Authenticate(ctx, reference)
	})
}

func (m *Model) whyNotCheck() string {
	if !m.known {
		return "" // what nobody knows here may be asked
	}
	return m.entry.Flow.WhyNot(flow.Authenticate, time.Time{})
}

func (m *Model) checked(a ui.Result[api.Authentication]) {
	if a.Err != nil {
		m.trouble = present.Error(a.Err, present.Reading)
		return
	}
	m.answer, m.markup = &a.Value, "none came"
	if p := a.Value.Page; !p.IsZero() {
		m.markup = present.Thousands(p.Size()) + " bytes, SHA-256 " + p.Sum() + "…"
	}
	m.entry, m.known = m.payments.Find(m.reference)
}

// present serves the page the service handed over, once, on loopback. It is
// never printed into the terminal (R91).
func (m *Model) present() tea.Cmd {
	if m.answer == nil || m.answer.Page.IsZero() {
		m.why("There is no page to present; a asks whether one is needed.")
		return nil
	}
	m.page, m.gone = nil, ""
	serve, markup := m.browser.Serve, m.answer.Page
	up := make(chan Page, 1)
	life := m.life.Ask(m.scope, func(ctx context.Context) (bool, error) {
		defer close(up)
		page, err := serve(ctx, markup) // it ends with ctx: at the latest when the screen is left
		if err != nil {
			return false, err
		}
		up <- page
		<-page.Done()
		return page.Served(), nil
	})
	return tea.Batch(life, m.serve.Ask(m.scope, func(ctx context.Context) (Page, error) {
		select {
		case page := <-up:
			return page, nil // nil when it could not be served: life says why
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}))
}

// served opens the page where there is a browser.
func (m *Model) served(a ui.Result[Page]) tea.Cmd {
	if a.Value == nil || !m.life.Pending() {
		return nil
	}
	m.page = a.Value
	if m.browser.Here != "" {
		return nil
	}
	return m.visit(m.page.Address())
}

func (m *Model) ended(a ui.Result[bool]) {
	m.page = nil
	switch {
	case a.Err != nil:
		m.notice = ui.Notice{Tone: ui.ToneBad, Text: "The page could not be served: " + api.Clean(a.Err.Error()).Line(0)}
	case a.Value:
		m.gone = "It was fetched once and is closed; p serves it again."
	default:
		m.gone = "Nobody fetched it in its ten minutes and it is closed; p serves it again."
	}
}

// visit opens an address in a browser of this machine.
func (m *Model) visit(address string) tea.Cmd {
	switch {
	case address == "":
		m.why("There is no address to open.")
		return nil
	case m.browser.Here != "":
		m.why(m.browser.Here + " Copy the address or scan its code.")
		return nil
	}
	open := m.browser.Open
	m.notice.Text = "Opening a browser…"
	return m.open.Ask(m.scope, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, open(ctx, address)
	})
}

func (m *Model) opened(err error) {
	m.notice = ui.Notice{Text: "A browser was asked to open it."}
	if err != nil {
		m.notice = ui.Notice{Tone: ui.ToneBad, Text: present.Sentence(api.Clean(err.Error()).Line(0)) + " Copy the address instead."}
	}
}
