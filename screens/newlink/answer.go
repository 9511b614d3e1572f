package newlink

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/gate"
	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// answered goes on to the link, or says what became of it.
func (m *Model) answered(a ui.Result[api.Link]) tea.Cmd {
	switch {
	case a.Err == nil && m.elsewhere(a.Value):
		m.stage, m.made = mismatched, a.Value
		return nil
	case a.Err == nil:
		return nav.ReplaceWith(nav.Share{Link: a.Value})
	}
	m.stage, m.trouble = editing, present.Error(a.Err, present.Sending)
	var lost *journal.UnresolvedAttempt
	if errors.As(a.Err, &lost) {
		return nav.ReplaceWith(nav.Attempt{ID: lost.ID})
	}
	if api.OutcomeOf(a.Err) == api.OutcomeUnresolved {
		m.stage = unresolved
		return nil
	}
	var no *api.Refusal
	if errors.As(a.Err, &no) {
		m.complain(no)
	}
	return nil
}

// elsewhere reports whether the service puts a link into another environment than
// the profile declares (R77). Words that are not known prove nothing.
func (m *Model) elsewhere(l api.Link) bool {
	return gate.ModeOf(l.Environment.Line(0)).Contradicts(gate.ModeOf(m.place.Environment))
}

// complain puts each reason of a refusal at the field it names; the others stay on
// top.
func (m *Model) complain(no *api.Refusal) {
	reasons := no.Failures
	if len(reasons) == 0 {
		reasons = []api.Text{no.Text}
	}
	var rest []string
	for _, reason := range slices.Backward(reasons) { // so that the first gets the focus
		words := reason.Line(0)
		if f := m.blamed(words); f != nil {
			m.form.SetError(f, words)
		} else {
			rest = append([]string{words}, rest...)
		}
	}
	if len(rest) < len(reasons) {
		m.trouble.Detail = strings.Join(rest, " ")
	}
}

// blamed is the field on the form that the service's words name first, nil when they
// name none.
func (m *Model) blamed(words string) ui.Field {
	words = strings.ToLower(words)
	currency := ui.Field(m.currency)
	if m.currency.Value() == other {
		currency = m.code
	}
	var field ui.Field
	first := len(words)
	for _, b := range []struct {
		word  string
		field ui.Field
	}{ // of two that begin at the same place the first counts
		{"amounttype", m.kind}, {"amount type", m.kind}, {"linktype", m.uses}, {"link type", m.uses},
		{"currency", currency}, {"amount", m.amount}, {"description", m.description}, {"name", m.name},
	} {
		if i := strings.Index(words, b.word); i >= 0 && i < first && slices.Contains(m.fields(), b.field) {
			field, first = b.field, i
		}
	}
	return field
}
