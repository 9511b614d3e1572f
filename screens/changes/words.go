package changes

import (
	"charm.land/bubbles/v2/key"

	"paydesk/api/mirror"
	"paydesk/screens/present"
	"paydesk/ui"
)

// doubts are what the groups cannot say.
func (m *Model) doubts() []string {
	all := present.ChangesDoubts(m.history, m.Scope.Now().Local())
	if tone, words := present.Kept(m.kept); tone == ui.ToneAct {
		all = append(all, words)
	}
	return all
}

// empty says why there are no groups.
func (m *Model) empty() string {
	h, now := m.history, m.Scope.Now().Local()
	switch {
	case !m.read || m.problem != "" || m.since.form != nil:
		return ""
	case m.kept.Step == mirror.Keeping || m.kept.Step == mirror.Held:
		_, words := present.Kept(m.kept)
		return words
	case h.To.N == 0:
		return "Nothing is kept of this service's list yet. Read all of it in Transactions with space: the scan after that shows what changed."
	case h.From.N == 0:
		return present.Count(h.To.Rows, "row was", "rows were") + " kept at " + present.When(h.To.Ended, now) +
			". The next scan that reaches the end of the list shows what changed since."
	}
	return present.NoChanges(h, now)
}

// emptyKey is the key that leads to more to see.
func (m *Model) emptyKey() key.Binding { return ui.Bind("2", "transactions") }
