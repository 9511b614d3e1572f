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
	if m.answer != nil { // the next may be the same
		m.Notify(present.AskedAgain(m.Scope.Now()))
	}
	service, reference := m.service, m.reference
	return m.check.Then(m.checked).Timed(api.ReadLimit).Ask(m.Scope, func(ctx context.Context) (api.Authentication, error) {
		return service.Authenticate(ctx, reference)
	})
}

// whyNotCheck returns why the service need not be asked about the check; "" when it can be.
func (m *BankCheck) whyNotCheck() string {
	return m.entry.WhyNot(ledger.ToAuthenticate, time.Time{}) // only finalizing depends on the time
}

// checked shows the answer.
func (m *BankCheck) checked(a ui.Result[api.Authentication]) tea.Cmd {
	if a.Err != nil {
		m.problem = present.Error(a.Err, present.Reading)
		return nil
	}
	m.answer = &a.Value
	return nil
}

// hasPage reports whether the service returned a page.
func (m *BankCheck) hasPage() bool {
	return m.answer != nil && !m.answer.Page.IsZero() && !m.inDoubt() && !m.entry.Status.State.Final()
}

// present serves the page that the service returned, once, on loopback: until it was fetched, another takes its place, or the screen is
// left.
func (m *BankCheck) present() tea.Cmd {
	if m.endPage != nil {
		m.lifetime.Drop()
		m.endPage()
	}
	ctx, end := context.WithCancel(context.Background())
	m.Scope.OnLeave(end)
	m.page, m.pageEnd, m.endPage = nil, "", end
	serve, markup := m.browser.Serve, m.answer.Page
	return m.serve.Then(m.served).Ask(m.Scope, func(context.Context) (Page, error) { return serve(ctx, markup) })
}

// served opens the page where there is a browser. Elsewhere its address is shown, for a browser
// that reaches this host through a tunnel.
func (m *BankCheck) served(a ui.Result[Page]) tea.Cmd {
	if a.Err != nil {
		m.News = ui.Notice{Tone: ui.ToneBad, Text: "The page could not be served: " + present.Plain(a.Err.Error())}
		return nil
	}
	page := a.Value
	m.page = page
	lifetime := m.lifetime.Then(m.ended).Ask(m.Scope, func(ctx context.Context) (bool, error) {
		select {
		case <-page.Done():
			return page.Served(), nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	})
	if m.browser.Unavailable != "" {
		return lifetime
	}
	return tea.Batch(lifetime, m.openURL(page.Address()))
}

// ended says why the page is closed. The answer of the service is kept, so that the page can be
// served again without another request.
func (m *BankCheck) ended(a ui.Result[bool]) tea.Cmd {
	m.page, m.pageEnd = nil, "The page expired after ten minutes without being opened; o serves it again."
	if a.Value {
		m.pageEnd = "The page was opened once and is closed; o serves it again."
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
	case url == "" && m.whyNotCheck() != "":
		return m.Warn("There is nothing to open.")
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
