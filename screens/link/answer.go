package link

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/show"
	"paydesk/ui"
)

// answered goes on to the link, or says what became of it.
func (m *Model) answered(a ui.Answer[api.Link]) tea.Cmd {
	if a.Err == nil {
		return nav.Instead(nav.Share{Link: a.Value})
	}
	m.stage = editing
	t := show.Error(a.Err, show.Sending)
	m.trouble = []string{t.What + " " + t.Done + " " + t.Next, t.Detail}
	if show.Lost(a.Err) {
		m.stage = unresolved
		return nil
	}
	var no *api.Refusal
	if errors.As(a.Err, &no) {
		if f := m.blamed(t.Detail); f != nil {
			m.form.Complain(f, t.Detail)
			m.trouble = m.trouble[:1]
		}
	}
	return nil
}

// blamed is the field that the service's words name, nil when they name none.
func (m *Model) blamed(words string) ui.Field {
	words = strings.ToLower(words)
	for _, b := range []struct {
		word  string
		field ui.Field
	}{
		{"currency", m.currency}, {"amounttype", m.kind}, {"linktype", m.uses},
		{"amount", m.amount}, {"description", m.description}, {"name", m.name},
	} {
		if strings.Contains(words, b.word) {
			return b.field
		}
	}
	return nil
}
