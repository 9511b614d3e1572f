package challenge

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/flow"
	"paydesk/screens/show"
	"paydesk/ui"
)

// ask asks the service whether a challenge is needed (endpoint 4).
func (m *Model) ask() tea.Cmd {
	if m.known {
		if why := m.entry.Flow.Why(flow.Authenticate, time.Now()); why != "" {
			m.notice = ui.Notice{Tone: ui.ToneAct, Text: why}
			return nil
		}
	}
	m.notice.Text = "Asking whether a challenge is needed…"
	service, reference := m.service, m.reference
	return m.check.Ask(m.scope, func(ctx context.Context) (api.Authentication, error) {
		return service.Authenticate(ctx, reference)
	})
}

func (m *Model) checked(a ui.Answer[api.Authentication]) {
	m.notice = ui.Notice{}
	if a.Err != nil {
		t := show.Error(a.Err, show.Reading)
		m.notice = ui.Notice{Tone: ui.ToneBad, Text: strings.TrimSpace(t.What + " " + t.Detail + " " + t.Next)}
		return
	}
	m.answer = &a.Value
	m.entry, m.known = m.payments.Of(m.reference)
}

// present serves the page the service handed over, once, on loopback. It is
// never printed into the terminal.
func (m *Model) present() tea.Cmd {
	if m.answer == nil || m.answer.Page.IsZero() {
		return nil
	}
	m.closePage()
	serve, page := m.browser.Serve, m.answer.Page
	return m.serve.Ask(m.scope, func(ctx context.Context) (Page, error) {
		// The page outlives the question: it ends with its own time, or when it is
		// closed.
		p, err := serve(context.WithoutCancel(ctx), page)
		if err == nil && ctx.Err() != nil { // nobody waits for it any more
			_ = p.Close()
		}
		return p, err
	})
}

func (m *Model) served(a ui.Answer[Page]) tea.Cmd {
	if a.Err != nil {
		m.notice = ui.Notice{Tone: ui.ToneBad, Text: "The page could not be served: " + api.Clean(a.Err.Error()).Line(0)}
		return nil
	}
	m.page, m.gone = a.Value, ""
	page := a.Value
	wait := m.ended.Ask(m.scope, func(ctx context.Context) (bool, error) {
		select {
		case <-page.Done():
			return page.Served(), nil
		case <-ctx.Done(): // the screen was left
			return false, page.Close()
		}
	})
	if m.browser.Here != "" {
		return wait
	}
	return tea.Batch(wait, m.visit(page.Address()))
}

func (m *Model) pageEnded(served bool) {
	m.page = nil
	m.gone = "It was not fetched in ten minutes and is closed; p serves it again."
	if served {
		m.gone = "It was fetched once and is closed; p serves it again."
	}
}

// closePage ends a page that still waits; its end is not reported.
func (m *Model) closePage() {
	m.ended.Drop() // its wait closes the page
	m.page = nil
}

// visit opens an address in a browser of this machine.
func (m *Model) visit(address string) tea.Cmd {
	if m.browser.Here != "" {
		m.notice = ui.Notice{Tone: ui.ToneAct, Text: m.browser.Here + " Copy the address or scan its code instead."}
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
		m.notice = ui.Notice{Tone: ui.ToneBad, Text: "No browser could be opened: " + api.Clean(err.Error()).Line(0) + " Copy the address instead."}
	}
}
