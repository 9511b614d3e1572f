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
		m.showAtFields(present.Reasons(refusal))
	}
	return nil
}

// otherEnvironment reports whether the service created a link in another environment than the
// profile declares. Unknown words prove nothing.
func (m *Model) otherEnvironment(l api.Link) bool {
	return gate.ModeOf(l.Environment.Line(0)).Contradicts(gate.ModeOf(m.target.Environment))
}

// showAtFields puts each reason of a refusal at the field it names; the others stay on top.
func (m *Model) showAtFields(reasons []string) {
	named := slices.DeleteFunc([]ui.Named[ui.Field]{
		{Names: "amounttype|amount type", Value: m.kind}, {Names: "linktype|link type", Value: m.uses},
		{Names: "currency", Value: m.code}, {Names: "currency", Value: m.currency}, {Names: "amount", Value: m.amount},
		{Names: "description", Value: m.description}, {Names: "name", Value: m.name},
	}, func(n ui.Named[ui.Field]) bool { return !m.form.Has(n.Value) })
	rest := ui.PlaceReasons(reasons, named, func(f ui.Field, reason string) bool {
		m.form.SetError(f, reason)
		return true
	})
	if len(rest) < len(reasons) {
		m.problem.Detail = strings.Join(rest, " ")
	}
}
