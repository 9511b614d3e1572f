package attempt

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A choice is a decision that is possible about the attempt.
type choice struct {
	label, means string
	verdict      ledger.Decision
	do           func() tea.Cmd
}

// newChoiceTable lists the decisions.
func newChoiceTable(t *ui.Theme) *ui.Table {
	table := ui.NewTable(t, ui.Column{Width: 15}, ui.Column{Width: 36, Grow: true})
	table.Grouped(func(int) (title, note string) { return "Decide", "" }, func(int) bool { return true })
	return table
}

// choices are the decisions that are possible now. One that is recorded already is none.
func (m *Model) choices() (all []choice) {
	a, w := m.record, wordingOf(m.record.Kind)
	if a.at.IsZero() || m.whyElsewhere() != "" {
		return nil
	}
	if a.Outcome == ledger.Unresolved { // any decision can be replaced
		if a.Decision != ledger.Found || a.Kind != ledger.Finalize { // a finalize has no other reference
			all = append(all, choice{w.foundKey, w.foundMeans, ledger.Found, m.openFound})
		}
		if a.Decision != ledger.NotFound {
			means := w.notFoundMeans
			if !m.canMarkNotFound {
				means = "opens " + m.notFoundFrom() + "; it may still appear"
			}
			all = append(all, choice{report.NotFoundKey(a.Kind), means, ledger.NotFound, m.notFound})
		}
		if a.Decision != ledger.GaveUp {
			all = append(all, choice{"give up", "it is not followed up", ledger.GaveUp, m.giveUp})
		}
	}
	if v := a.Mismatch.Decision; !a.Mismatch.IsZero() {
		if v != ledger.AnswerRight {
			all = append(all, choice{"answer is right", "what the service answers was charged", ledger.AnswerRight, m.decideMismatch(ledger.AnswerRight)})
		}
		if v != ledger.AsAsked && a.Mismatch.What&(api.AmountDiffers|api.CurrencyDiffers) != 0 {
			all = append(all, choice{"as asked", a.Amount.String() + " was charged", ledger.AsAsked, m.decideMismatch(ledger.AsAsked)})
		}
		if v != ledger.NotOurs {
			all = append(all, choice{"not ours", "it is not about your payment", ledger.NotOurs, m.decideMismatch(ledger.NotOurs)})
		}
	}
	if m.canStopFollowing() {
		all = append(all, choice{"stop following", "home lists it no more", ledger.NotFollowed, m.stopFollowing})
	}
	if m.canTakeBack() {
		all = append(all, choice{"take back", "the decision no longer stands", m.back(), m.takeBack})
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
	m.scanCall.Drop()
	m.stage = choosing
	m.choiceTable.Select(0)
	m.fillChoices()
	if st, is := m.scanned(); is && m.mayBeListed() {
		m.search.reset()
		return m.searchScanned(st)
	}
	return nil
}

// mayBeListed reports whether a row of the transactions may be the attempt.
func (m *Model) mayBeListed() bool { return m.record.findable() && m.record.Kind == ledger.Initiate }

// fillChoices shows the decisions that are possible, which change with the age of the attempt.
func (m *Model) fillChoices() {
	all := m.choices()
	m.choiceTable.SetRows(len(all), func(i int) []ui.Cell { return []ui.Cell{{Text: all[i].label}, {Text: all[i].means}} })
	m.layoutChoices()
}

// layoutChoices gives the table its lines: a choice each, below its rule.
func (m *Model) layoutChoices() {
	w := m.W
	if w >= present.SplitFrom {
		w, _ = present.SplitWidths(w)
	}
	m.choiceTable.Resize(w, m.choiceTable.Len()+1)
}

// viewChoices draws what can be decided and what follows from it, with the evidence beside that, or below it.
func (m *Model) viewChoices() string {
	head := m.head()[:1]
	if m.W < present.SplitFrom {
		lines := append(head, m.choiceLines(m.W)...)
		if room := m.H - len(lines); room > 0 {
			lines = append(lines, m.evidence(m.W, room)...)
		}
		return ui.Lines(m.W, m.H, lines...)
	}
	h := max(m.H-len(head)-1, 0)
	w, side := present.SplitWidths(m.W)
	return ui.Lines(m.W, m.H, append(head, "", m.Theme.Beside(w, h, m.choiceLines(w), m.evidence(side, h)))...)
}

// choiceLines are the choices, and what follows from the marked one.
func (m *Model) choiceLines(w int) []string {
	lines := []string{m.choiceTable.View(), ""}
	if c, ok := ui.Selected(m.choiceTable, m.choices()); ok {
		for _, follows := range asks(m.record.Attempt, decision{verdict: c.verdict}).Lines {
			lines = append(lines, ui.Wrap(follows, max(w, 1))...)
		}
	}
	return strings.Split(strings.Join(append(lines, ""), "\n"), "\n")
}

const (
	mostRows     = 4 // possible matches beside the choices
	evidenceRoom = 9 // the height from which rows that were not searched are worth a group
)

// evidence returns what a person decides by: rows that may be the attempt, and what happened to it.
func (m *Model) evidence(w, h int) (lines []string) {
	if s := &m.search; m.mayBeListed() && (s.rows > 0 || h >= evidenceRoom) {
		note := ""
		if s.rows > 0 {
			note = present.Count(len(s.found), "row", "rows")
		}
		lines = append(lines, m.Theme.Rule("Could be it", note, w))
		for _, r := range s.found[:min(len(s.found), mostRows)] {
			lines = append(lines, ui.Fit(m.Theme.Mark(present.Tone(r.Status), present.Word(r.Status))+"  "+r.ID.Line(80), w))
		}
		words := s.progress() + " The same amount is no proof."
		switch {
		case s.rows == 0:
			words = "Not searched: m looks for " + m.record.Amount.String() + " in the transactions."
		case len(s.found) == 0:
			words = s.progress() + " None has this amount. That proves nothing either."
		}
		lines = append(append(lines, m.Theme.MutedLines(words, w)...), "")
	}
	r := m.report()
	r.Sections = nil // the reason stands in the history alone
	return append(lines, r.HistoryLines(m.Theme, w, max(h-len(lines), 0))...)
}

// choiceCommands are the keys of the list of decisions.
func (m *Model) choiceCommands() ui.Commands {
	return ui.Commands{
		{Key: ui.Bind("enter", "decide this"), On: true, Do: m.choose},
		{Key: ui.Bind("m", "matches"), On: m.mayBeListed(), Do: m.openMatches},
	}
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
