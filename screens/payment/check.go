package payment

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

// requestCheck asks the service whether the bank must authenticate the payment (endpoint 4).
func (m *BankCheck) requestCheck() tea.Cmd {
	if m.check.Pending() {
		return nil
	}
	m.problem = present.Problem{}
	service, reference := m.service, m.reference
	return m.check.Then(m.checked).Timed(api.ReadLimit).Ask(m.Scope, func(ctx context.Context) (api.Authentication, error) {
		return service.Authenticate(ctx, reference)
	})
}

// whyNotCheck returns why the service need not be asked about the check; "" when it can be.
func (m *BankCheck) whyNotCheck() string {
	return m.entry.WhyNot(ledger.ToAuthenticate, time.Time{}) // only finalizing depends on the time
}

// checked shows the answer. A page is described by its size and its hash: markup from outside is
// never drawn, and the hash tells two pages apart.
func (m *BankCheck) checked(a ui.Result[api.Authentication]) tea.Cmd {
	if a.Err != nil {
		m.problem = present.Error(a.Err, present.Reading)
		return nil
	}
	m.answer, m.markup = &a.Value, "none"
	if p := a.Value.Page; !p.IsZero() {
		m.markup = present.Thousands(p.Size()) + " bytes, SHA-256 " + p.Sum() + "…"
	}
	return m.Resume()
}

// hasPage reports whether the service returned a page.
func (m *BankCheck) hasPage() bool {
	return m.answer != nil && !m.answer.Page.IsZero() && !m.inDoubt() && !m.entry.Status.State.Final()
}

// present serves the page that the service returned, once, on loopback.
func (m *BankCheck) present() tea.Cmd {
	m.page, m.pageEnd = nil, ""
	serve, markup := m.browser.Serve, m.answer.Page
	up := make(chan Page, 1)
	lifetime := m.lifetime.Then(m.ended).Ask(m.Scope, func(ctx context.Context) (bool, error) {
		defer close(up)
		page, err := serve(ctx, markup) // ends with ctx, at the latest when the screen is left
		if err != nil {
			return false, err
		}
		up <- page
		<-page.Done()
		return page.Served(), nil
	})
	return tea.Batch(lifetime, m.serve.Then(m.served).Ask(m.Scope, func(ctx context.Context) (Page, error) {
		select {
		case page := <-up:
			return page, nil // nil if it could not be served: lifetime returns the error
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}))
}

// served opens the page where there is a browser. Elsewhere its address is shown, for a browser
// that reaches this host through a tunnel.
func (m *BankCheck) served(a ui.Result[Page]) tea.Cmd {
	if a.Value == nil || !m.lifetime.Pending() {
		return nil
	}
	m.page = a.Value
	if m.browser.Unavailable != "" {
		return nil
	}
	return m.openURL(m.page.Address())
}

// ended says why the page is closed. The answer of the service is kept, so that the page can be
// served again without another request.
func (m *BankCheck) ended(a ui.Result[bool]) tea.Cmd {
	m.page = nil
	switch {
	case a.Err != nil:
		m.News = ui.Notice{Tone: ui.ToneBad, Text: "The page could not be served: " + present.Plain(a.Err.Error())}
	case a.Value:
		m.pageEnd = "The page was opened once and is closed; o serves it again."
	default:
		m.pageEnd = "The page expired after ten minutes without being opened; o serves it again."
	}
	return nil
}

// openForCustomer opens what the customer needs: the page that the service returned, which is for this check, else the
// URL of the payment.
func (m *BankCheck) openForCustomer() tea.Cmd {
	if m.hasPage() {
		return m.present()
	}
	return m.openURL(m.url.String())
}

// openURL opens a URL in a browser on this machine.
func (m *BankCheck) openURL(url string) tea.Cmd {
	switch {
	case url == "":
		return m.Warn("There is nothing to open. Press a to check whether there is a page of the bank.")
	case m.browser.Unavailable != "":
		return m.Warn(m.browser.Unavailable + " Copy the URL or scan its code.")
	}
	open := m.browser.Open
	m.News.Text = "Opening a browser…"
	return m.open.Then(m.opened).Ask(m.Scope, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, open(ctx, url)
	})
}

// opened reports whether a browser was started. Where none was, the URL can still be copied.
func (m *BankCheck) opened(a ui.Result[struct{}]) tea.Cmd {
	if a.Err == nil {
		return m.Notify("The page was sent to your browser.")
	}
	m.News = ui.Notice{Tone: ui.ToneBad, Text: present.Sentence(a.Err.Error()) + " Copy the URL instead."}
	return nil
}
