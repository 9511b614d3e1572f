package attempt

import (
	"slices"
	"strings"

	"paydesk/api/journal"
	"paydesk/screens/present"
)

// A fact is a value with its label; those of the highest rank are left out first.
type fact struct {
	rank         int
	label, value string
}

// group is facts under a rule, none if all are empty.
func (m *Model) group(name string, facts []fact, w int) (lines []present.Line) {
	for _, f := range facts {
		if strings.TrimSpace(f.value) == "" {
			continue
		}
		rows := m.Theme.FactLines(f.label, f.value, labelWidth, w)
		lines = append(lines, present.Rows(f.rank, rows[0])...)
		lines = append(lines, present.Rows(max(f.rank, 3), rows[1:]...)...)
	}
	if lines == nil {
		return nil
	}
	return append([]present.Line{{Rank: blank}, {Text: m.Theme.Rule(name, "", w), Rank: title}}, lines...)
}

// outcome is what is known of what became of the attempt.
func (m *Model) outcome() []fact {
	a := m.record.Attempt
	var named, status string
	decided := latestDecision(a)
	if a.Named != "" {
		named = present.Plain(a.Named) + m.hint("no proof; d records what you find")
	}
	if a.Status.State != 0 || !a.Status.Text.Empty() {
		status = present.StatusBeside(m.Theme, a.Status, a.Mismatch) + ", checked " + present.DateTime(a.StatusAt)
	}
	return []fact{
		{0, "Reference", string(a.Reference)},
		{0, "Status", status},
		{0, "Differs", a.CreatedLink.Differences()},
		{1, "Lacks", present.NotAnswered(a.CreatedLink)},
		{0, "Answer names", named},
		{1, "Why", present.Plain(a.Why)},
		{0, "Decided", decided[0]},
		{0, "Decided by", decided[1]},
		{2, "Before that", m.earlierDecisions()},
	}
}

// facts are what was attempted.
func (m *Model) facts() []fact {
	a := m.record.Attempt
	id, own := string(a.ID), ""
	if a.Kind == journal.Initiate {
		id += m.hint("y copies it")
	}
	if a.OwnReference != "" {
		own = present.Plain(a.OwnReference) + m.hint("r checks its status")
	}
	facts := []fact{{0, "Attempt ID", id}, {7, "What", present.KindName(a.Kind)}}
	for i, f := range present.LinkFacts(a) {
		facts = append(facts, fact{min(i, 2), f[0], f[1]})
	}
	return append(facts,
		fact{2, "Link", string(a.Link)},
		fact{1, "Our reference", own},
		fact{0, "Sent", present.DateTime(a.At)},
		fact{2, "To", destination(a.Destination)},
		fact{1, "Sent", present.Elsewhere(m.here, a.Destination)},
		fact{4, "By", present.Operator(a.By)},
	)
}

// latestDecision is the latest decision with its time, and who made it.
func latestDecision(a journal.Attempt) []string {
	words := present.Decision(a)
	if words == "" {
		return []string{"", ""}
	}
	return []string{words + ", " + present.DateTime(a.DecidedAt), present.Operator(a.DecidedBy)}
}

// earlierDecisions are those before the latest, the newest first.
func (m *Model) earlierDecisions() string {
	var all []string
	for _, e := range m.record.events {
		if e.What == journal.Decided {
			all = append(all, present.Plain(e.Detail)+", "+present.DateTime(e.At)+", by "+present.Operator(e.By))
		}
	}
	if len(all) > 0 {
		all = all[:len(all)-1]
	}
	slices.Reverse(all)
	return strings.Join(all, "; ")
}

// hint is the key for a value of an attempt that may still be found.
func (m *Model) hint(words string) string {
	if !m.record.findable() {
		return ""
	}
	return " · " + words
}
