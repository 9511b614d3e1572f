package challenge

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/screens/show"
	"paydesk/ui"
)

const label = 14 // cells of the column of labels

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.showing {
		return ui.Lines(m.w, m.h, m.viewCode()...), nil
	}
	t := m.theme
	lines := []string{show.Progress(t, m.w, m.entry.Flow, show.StageAuthorise), ""}
	lines = append(lines, m.viewAddress()...)
	lines = append(lines, m.fact("Reference", string(m.reference)))
	if m.known {
		lines = append(lines, m.fact("Payment", m.entry.Asked.String()+" by "+m.entry.Masked))
	}
	lines = append(lines, "")
	lines = append(lines, m.viewCheck()...)
	return ui.Lines(m.w, m.h, lines...), nil
}

// viewAddress is the address in full, from the left edge, so that a terminal can select it;
// its host stands alone, since that is what to look at before trusting it.
func (m *Model) viewAddress() []string {
	t := m.theme
	if m.address.IsZero() {
		if !m.entry.Payment.BankAuthRefused.Empty() {
			return append(m.wrap(t.Error.Render, "! An address came that cannot be trusted, so it is not offered: "+m.entry.Payment.BankAuthRefused.Line(200)), "")
		}
		return append(m.wrap(t.Muted.Render, "No bank address came with this payment. Press a to ask whether a challenge is needed."), "")
	}
	lines := []string{t.Strong.Render("The customer opens this address and answers their bank"), ""}
	lines = append(lines, ui.Wrap(m.address.String(), max(1, m.w))...)
	lines = append(lines, "", m.fact("Host", m.address.Host()))
	if value, has := m.address.Redirect(); has {
		words := "false: the window closes itself afterwards (iframe, modal)"
		if value {
			words = "true: the customer is sent on to the return address"
		}
		lines = append(lines, m.fact("Redirect", words))
	}
	return lines
}

// viewCheck is what the authentication check said, and the page it handed over.
func (m *Model) viewCheck() []string {
	a, t := m.answer, m.theme
	if a == nil {
		return nil
	}
	need := "the answer does not say"
	if a.HasEnabled {
		need = "no"
		if a.Enabled {
			need = "yes"
		}
	}
	lines := []string{
		t.Strong.Render("Authentication check"),
		m.fact("Needed", need),
		m.fact("Advice", a.Recommendation.Line(m.w-label)),
		m.fact("Says", a.Message.Line(m.w-label)),
	}
	if a.Page.IsZero() {
		return lines
	}
	lines = append(lines, m.fact("Page", a.Page.String()+", for a browser: p serves it once on this machine"))
	if m.page != nil {
		lines = append(lines, m.page.Address())
		if tunnel := m.browser.Tunnel(m.page.Port()); tunnel != "" {
			lines = append(lines, t.Muted.Render("From your own machine first: ")+tunnel)
		}
	} else if m.gone != "" {
		lines = append(lines, m.wrap(t.Muted.Render, m.gone)...)
	}
	return lines
}

// viewCode gives the whole body to the code.
func (m *Model) viewCode() []string {
	if len(m.code) > m.h || m.codeW > m.w {
		return m.wrap(m.theme.Plain.Render, "The QR code of this address needs a larger window. Copy the address instead (esc, then c).")
	}
	return m.code
}

func (m *Model) fact(name, value string) string {
	if value == "" {
		value = "-"
	}
	return m.theme.Muted.Render(ui.Fit(name, label)) + value
}

func (m *Model) wrap(style func(...string) string, s string) []string {
	lines := ui.Wrap(s, max(1, m.w))
	for i := range lines {
		lines[i] = style(lines[i])
	}
	return lines
}
