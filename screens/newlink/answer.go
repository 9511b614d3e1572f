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

// onResponse opens the created link, or shows why there is none.
func (m *Model) onResponse(a ui.Result[api.Link]) tea.Cmd {
	switch {
	case a.Err == nil && m.otherEnvironment(a.Value):
		m.stage, m.created = mismatched, a.Value
		return nil
	case a.Err == nil:
		return nav.ReplaceWith(nav.Share{Link: a.Value})
	}
	m.stage, m.problem = editing, present.Error(a.Err, present.Sending)
	var attempt *journal.UnresolvedAttempt
	if errors.As(a.Err, &attempt) {
		return nav.ReplaceWith(nav.Attempt{ID: attempt.ID})
	}
	if api.OutcomeOf(a.Err) == api.OutcomeUnresolved {
		m.stage = unresolved
		return nil
	}
	var refusal *api.Refusal
	if errors.As(a.Err, &refusal) {
		m.showAtFields(refusal)
	}
	return nil
}

// otherEnvironment reports whether the service created a link in another environment than the
// profile declares. Unknown words prove nothing.
func (m *Model) otherEnvironment(l api.Link) bool {
	return gate.ModeOf(l.Environment.Line(0)).Contradicts(gate.ModeOf(m.target.Environment))
}

// showAtFields puts each reason of a refusal at the field it names; the others stay on top.
func (m *Model) showAtFields(r *api.Refusal) {
	reasons := r.Failures
	if len(reasons) == 0 {
		reasons = []api.Text{r.Text}
	}
	var rest []string
	for _, reason := range slices.Backward(reasons) { // so that the first gets the focus
		words := reason.Line(0)
		if f := m.fieldFor(words); f != nil {
			m.form.SetError(f, words)
		} else {
			rest = append([]string{words}, rest...)
		}
	}
	if len(rest) < len(reasons) {
		m.problem.Detail = strings.Join(rest, " ")
	}
}

// fieldFor is the field that a reason names first, or nil.
func (m *Model) fieldFor(words string) ui.Field {
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
	}{ // of two names at the same position the first counts
		{"amounttype", m.kind}, {"amount type", m.kind}, {"linktype", m.uses}, {"link type", m.uses},
		{"currency", currency}, {"amount", m.amount}, {"description", m.description}, {"name", m.name},
	} {
		if i := strings.Index(words, b.word); i >= 0 && i < first && slices.Contains(m.fields(), b.field) {
			field, first = b.field, i
		}
	}
	return field
}
