package attempt

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A choice is a decision that is possible about the attempt.
type choice struct {
	label, means string
	do           func() tea.Cmd
}

// newChoiceTable lists the decisions.
func newChoiceTable(t *ui.Theme) *ui.Table {
	return ui.NewTable(t, ui.Column{Title: "Decision", Width: 15}, ui.Column{Title: "What it says", Width: 38, Grow: true})
}

// choices are the decisions that are possible now. One that is recorded already is none.
func (m *Model) choices() (all []choice) {
	a, w := m.record, wordingOf(m.record.Kind)
	if a.at.IsZero() || m.whyElsewhere() != "" {
		return nil
	}
	if a.Outcome == journal.Unresolved { // any decision can be replaced
		if a.Decision != journal.Found || a.Kind != journal.Finalize { // a finalize has no other reference
			all = append(all, choice{w.foundKey, w.foundMeans, m.openFound})
		}
		if a.Decision != journal.NotFound {
			means := w.notFoundMeans
			if !m.canMarkNotFound {
				means = "from " + m.notFoundFrom() + " on; it may still appear"
			}
			all = append(all, choice{report.NotFoundKey(a.Kind), means, m.notFound})
		}
		if a.Decision != journal.GaveUp {
			all = append(all, choice{"give up", "nobody looks for it any more", m.giveUp})
		}
	}
	if v := a.Mismatch.Decision; !a.Mismatch.IsZero() {
		if v != journal.AnswerRight {
			all = append(all, choice{"answer is right", "what the service answers was charged", m.decideMismatch(journal.AnswerRight)})
		}
		if v != journal.NotOurs {
			all = append(all, choice{"not ours", "it is not about your payment", m.decideMismatch(journal.NotOurs)})
		}
	}
	if m.canStopFollowing() {
		all = append(all, choice{"stop following", "home lists it no more", m.stopFollowing})
	}
	if m.canTakeBack() {
		all = append(all, choice{"take back", "the decision no longer stands", m.takeBack})
	}
	return all
}

// openChoices lists the decisions that are possible.
func (m *Model) openChoices() tea.Cmd {
	switch {
	case len(m.choices()) == 0:
		return m.Warn("There is nothing to decide about it.")
	case m.record.Lease.ByAnother():
		return m.warnTaken()
	}
	m.statusCall.Drop()
	m.stage = choosing
	m.choiceTable.Select(0)
	m.fillChoices()
	return nil
}

// fillChoices shows the decisions that are possible, which change with the age of the attempt.
func (m *Model) fillChoices() {
	all := m.choices()
	m.choiceTable.SetRows(len(all), func(i int) []ui.Cell { return []ui.Cell{{Text: all[i].label}, {Text: all[i].means}} })
	m.layoutChoices()
}

// layoutChoices gives the table the height that the words above it leave.
func (m *Model) layoutChoices() {
	m.choiceTable.Resize(m.W, max(m.H-len(m.choiceHead()), 0))
}

// choiceHead is what is decided about.
func (m *Model) choiceHead() []string {
	lines := append(m.head(), ui.Wrap(report.Summary(m.record.Attempt), max(m.W, 1))...)
	return append(lines, "")
}

// choiceCommands are the keys of the list of decisions.
func (m *Model) choiceCommands() ui.Commands {
	return ui.Commands{{Key: ui.Bind("enter", "decide this"), On: true, Do: m.choose}}
}

// choose begins what leads to the marked decision: it is recorded after a question.
func (m *Model) choose() tea.Cmd {
	c, ok := ui.Selected(m.choiceTable, m.choices())
	if !ok {
		return nil
	}
	return c.do()
}

// explainChoices is the help of the list: what each of the decisions does.
func (m *Model) explainChoices() []string {
	lines := []string{"enter asks a question about the marked decision, and only its answer records it: with your user name and the time, in the journal. Nothing is sent to the service but a check of a reference that you enter."}
	for _, c := range m.choices() {
		lines = append(lines, present.Sentence(c.label+": "+c.means))
	}
	return append(lines, "A decision can be replaced by another, or taken back: the latest counts, and all of them stay in the history.")
}
