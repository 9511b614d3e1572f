package activity

import (
	"cmp"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const labelWidth = 11

// layoutDetail gives the open attempt h lines, the last of them for the position where it scrolls.
func (m *Model) layoutDetail(h int) {
	d := m.detail
	lines := m.about(d.attempt, m.W)
	switch {
	case d.problem != "":
		lines = append(lines, m.Theme.ErrorLines(d.problem+" Press r to retry.", m.W)...)
	case !d.loaded:
		lines = append(lines, m.Theme.WaitLines(d.call.Wait(), "Reading the history", m.W)...)
	}
	if d.loaded {
		lines = append(lines, present.History(m.Theme, d.events, !d.attempt.Mismatch.IsZero(), m.W, math.MaxInt)...)
	}
	if len(lines) > h && h > 1 {
		h--
	}
	d.scroll.Show(m.W, h, lines)
}

// usualMeaning is how many lines what a status means usually has beside the list. What is below moves only for others: what
// stays where it is, is not written again.
const usualMeaning = 2

// about is an attempt in at most w cells: its amount and status, what that means, and what is known of it.
func (m *Model) about(a journal.Attempt, w int) []string {
	lines, meaning := m.top(a, w), m.meaningLines(a, w)
	for m.detail == nil && len(meaning) < usualMeaning {
		meaning = append(meaning, "")
	}
	lines = append(append(lines, meaning...), "")
	return append(append(lines, m.facts(a, w)...), "")
}

// top is the amount, alone with the status.
func (m *Model) top(a journal.Attempt, w int) []string {
	const gap = "   "
	status := present.AttemptCell(a, m.Scope.Now())
	chip, due := m.Theme.Chip(status.Tone, status.Text), amount(a)
	if due == "" {
		return []string{ui.Fit(chip, w), ""}
	}
	due = m.Theme.Strong.Render(due)
	if line := due + gap + chip; ansi.StringWidth(line) <= w {
		return []string{line, ""}
	}
	return []string{ui.Fit(due, w), ui.Fit(chip, w), ""}
}

// meaningLines are what the status means, and why it is so.
func (m *Model) meaningLines(a journal.Attempt, w int) []string {
	lines := ui.Wrap(m.meaning(a), w)
	if a.Why != "" {
		lines = append(lines, m.Theme.MutedLines(present.Sentence(a.Why), w)...)
	}
	return lines
}

// facts are the values of an attempt; empty ones are left out.
func (m *Model) facts(a journal.Attempt, w int) []string {
	var own, name, page, decided string
	name = present.Plain(a.Draft.Name)
	if a.OwnReference != string(a.Reference) {
		own = present.Plain(a.OwnReference)
	}
	if a.CreatedLink != nil {
		name, page = cmp.Or(a.CreatedLink.Name.Prose(0), name), a.CreatedLink.Page.String()
	}
	if a.MustBeRead() {
		page = ""
	}
	if decided = present.Decision(a); decided != "" {
		decided += ", " + present.DateTime(a.DecidedAt) + by(a.DecidedBy)
	}
	var lines []string
	for _, f := range [][2]string{
		{"What", present.Action(a)},
		{"Sent", present.DateTime(a.At) + by(a.By)},
		{"To", present.Plain(strings.Trim(a.Profile+" · "+a.Environment+" · "+a.Host, " ·"))},
		{"", present.Elsewhere(m.options.Here(), a.Destination)},
		{"Attempt", present.Plain(string(a.ID))},
		{"Reference", present.Plain(string(a.Reference))},
		{"Our ref.", own},
		{"Fees", present.Fees(a.Asked())},
		{"Names", present.Plain(a.Named)},
		{"Pay into", m.account(a, w)},
		{"Link", present.Plain(string(a.Link))},
		{"Name", name},
		{"Page", page},
		{"Differs", a.CreatedLink.Differences()},
		{"Lacks", present.NotAnswered(a.CreatedLink)},
		{"Decision", present.MismatchDecision(a.Mismatch)},
		{"Decided", decided},
	} {
		if f[1] != "" {
			lines = append(lines, m.Theme.FactLines(f[0], f[1], labelWidth, w)...)
		}
	}
	return lines
}

// amount is what the customer pays, with the fees where they are added.
func amount(a journal.Attempt) string {
	if a.Kind == journal.Initiate && !a.Amount.Currency.IsZero() {
		return present.AmountDue(a.Asked())
	}
	return present.Amount(a)
}

// meaning is a sentence about the status.
func (m *Model) meaning(a journal.Attempt) string {
	switch {
	case a.IsUnresolved():
		return present.NotKnown(a.Kind) + " Check before sending it again."
	case !a.Mismatch.IsZero():
		return present.Sentence(a.Mismatch.Words(a.Asked())) + " It does not count as paid."
	case a.Kind == journal.Initiate && !a.Status.Text.Empty():
		means, action := a.Status.State.Meaning(a.Circumstances(m.Scope.Now()))
		if !a.Status.State.Final() {
			means += " " + action
		}
		return means + " Last checked " + present.DateTime(a.StatusAt) + "."
	}
	return present.Outcome(a)
}

// account is the account of a transfer, and whether the customer may still pay into it; "" without one.
func (m *Model) account(a journal.Attempt, w int) string {
	if a.Account == nil || a.Account.AccountNumber.Empty() {
		return ""
	}
	return present.Account(m.Theme, a.Status.State, a.Circumstances(m.Scope.Now()), w-labelWidth)
}

// by names the operator, "" where nobody is recorded.
func by(o journal.Operator) string {
	if w := present.Operator(o); w != "" {
		return " by " + w
	}
	return ""
}
