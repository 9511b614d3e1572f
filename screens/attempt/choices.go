package attempt

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A choice is a decision that is possible about the attempt.
type choice struct {
	label, means string
	verdict      ledger.Decision
}

// The choices are the decisions that are possible, with what a person decides by.
type choices struct {
	detail.Part
	of    *Model
	table *ui.Table
}

// choices are the decisions that are possible now. One that is recorded already is none.
func (m *Model) choices() (all []choice) {
	a, w := m.record, wordingOf(m.record.Kind)
	if a.at.IsZero() || m.whyElsewhere() != "" {
		return nil
	}
	if a.Outcome == ledger.Unresolved { // any decision can be replaced
		if a.Decision != ledger.Found || a.Kind != ledger.Finalize { // a finalize has no other reference
			all = append(all, choice{w.foundKey, w.foundMeans, ledger.Found})
		}
		if a.Decision != ledger.NotFound {
			means := w.notFoundMeans
			if !m.canMarkNotFound {
				means = "opens " + m.notFoundFrom() + "; it may still appear"
			}
			all = append(all, choice{report.NotFoundKey(a.Kind), means, ledger.NotFound})
		}
		if a.Decision != ledger.GaveUp {
			all = append(all, choice{"give up", "it is not followed up", ledger.GaveUp})
		}
	}
	if v := a.Mismatch.Decision; !a.Mismatch.IsZero() {
		if v != ledger.AnswerRight {
			all = append(all, choice{"answer is right", "what the service answers was charged", ledger.AnswerRight})
		}
		if v != ledger.AsAsked && a.Mismatch.What&(api.AmountDiffers|api.CurrencyDiffers) != 0 {
			all = append(all, choice{"as asked", a.Amount.String() + " was charged", ledger.AsAsked})
		}
		if v != ledger.NotOurs {
			all = append(all, choice{"not ours", "it is not about your payment", ledger.NotOurs})
		}
	}
	if m.canStopFollowing() {
		all = append(all, choice{"stop following", "home lists it no more", ledger.NotFollowed})
	}
	if m.canTakeBack() {
		all = append(all, choice{"take back", "the decision no longer stands", m.back()})
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
	m.only = m.decides
	m.statusCall.Drop()
	m.search.scan.Drop()
	c := &choices{detail.Part{Body: m.Body}, m, ui.NewTable(m.Theme, ui.Column{Width: 15}, ui.Column{Width: 36, Grow: true})}
	c.table.Grouped(func(int) (title, note string) { return "Decide", "" }, func(int) bool { return true })
	open := nav.Open(nav.Over{Screen: c})
	if st, is := m.scanned(); is && m.mayBeListed() {
		m.search.reset()
		return tea.Batch(open, m.searchScanned(st))
	}
	return open
}

// mayBeListed reports whether a row of the transactions may be the attempt.
func (m *Model) mayBeListed() bool { return m.record.MayBeFound() && m.record.Kind == ledger.Initiate }

// fill shows the decisions that are possible, which change with the age of the attempt, each on a line below the rule.
func (c *choices) fill() []choice {
	w, all := c.W, c.of.choices()
	if w >= present.SplitFrom {
		w, _ = present.SplitWidths(w)
	}
	c.table.SetRows(len(all), func(i int) []ui.Cell { return []ui.Cell{{Text: all[i].label}, {Text: all[i].means}} })
	c.table.Resize(w, len(all)+1)
	return all
}

// Update implements [ui.Screen].
func (c *choices) Update(msg tea.Msg) tea.Cmd {
	c.fill()
	if c.table.Update(msg) {
		c.EndNews()
		return nil
	}
	return c.Press(msg, c.commands())
}

// View draws what can be decided and what follows from it, with the evidence beside that, or below it.
func (c *choices) View() (string, *tea.Cursor) {
	all, head := c.fill(), c.of.head(c.W)
	if c.W < present.SplitFrom {
		lines := append(head[:1], c.lines(all, c.W)...)
		if room := c.H - len(lines); room > 0 {
			lines = append(lines, c.of.evidence(c.W, room)...)
		}
		return ui.Lines(c.W, c.H, lines...), nil
	}
	h := max(c.H-len(head), 0)
	w, side := present.SplitWidths(c.W)
	return ui.Lines(c.W, c.H, append(head, c.Theme.Beside(w, h, c.lines(all, w), c.of.evidence(side, h)))...), nil
}

// lines are the choices, and what follows from the marked one.
func (c *choices) lines(all []choice, w int) []string {
	lines := []string{c.table.View(), ""}
	if one, ok := ui.Selected(c.table, all); ok {
		for _, follows := range asks(c.of.record.Attempt, Decision{Verdict: one.verdict}).Lines {
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

// commands are the keys of the list of decisions.
func (c *choices) commands() ui.Commands {
	return ui.Commands{
		{Key: ui.Bind("enter", "decide this"), On: true, Do: c.choose},
		{Key: ui.Bind("m", "matches"), On: c.of.mayBeListed(), Do: c.of.openMatches},
	}
}

// choose begins what leads to the marked decision.
func (c *choices) choose() tea.Cmd {
	switch one, ok := ui.Selected(c.table, c.of.choices()); {
	case !ok:
		return nil
	case one.verdict == ledger.Found:
		return c.of.openFound()
	default:
		return c.of.decider(one.verdict)()
	}
}

// Title implements [ui.Screen].
func (c *choices) Title() string { return "Decide" }

// Keys implements [ui.Screen].
func (c *choices) Keys() []key.Binding {
	c.fill()
	return append(c.commands().Keys(), c.table.Keys()...)
}

// Explain is the help of the list: what each of the decisions does.
func (c *choices) Explain() []string {
	lines := []string{"enter asks a question about the marked decision, and only its answer records it: with your user name and the time, in the journal. Nothing is sent to the service but a check of a reference that you enter."}
	for _, one := range c.of.choices() {
		lines = append(lines, present.Sentence(one.label+": "+one.means))
	}
	return append(lines, decisionHelp[1])
}
