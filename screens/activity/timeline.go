package activity

import (
	"cmp"
	"math"
	"strings"

	"paydesk/api/journal"
	"paydesk/screens/present"
)

const labelWidth = 12

// layoutDetail gives the open attempt h lines, the last of them for the position where it scrolls.
func (m *Model) layoutDetail(h int) {
	d := m.detail
	lines := append(m.facts(), "")
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

// facts are the values of the attempt; empty ones are left out.
func (m *Model) facts() []string {
	a := m.detail.attempt
	status := present.AttemptCell(a, m.Scope.Now())
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
	lines := []string{m.Theme.Fact("Status", m.Theme.Mark(status.Tone, status.Text), labelWidth)}
	lines = append(lines, m.Theme.FactLines("", m.meaning(a), labelWidth, m.W)...)
	for _, f := range [][2]string{
		{"Reason", present.Plain(a.Why)},
		{"Amount", amount(a)},
		{"Fees", present.Fees(a.Asked())},
		{"Names", present.Plain(a.Named)},
		{"Decision", present.MismatchDecision(a.Mismatch)},
		{"What", present.Action(a)},
		{"Pay into", m.account(a)},
		{"Reference", present.Plain(string(a.Reference))},
		{"Our ref.", own},
		{"Link", present.Plain(string(a.Link))},
		{"Name", name},
		{"Page", page},
		{"Differs", a.CreatedLink.Differences()},
		{"Lacks", present.NotAnswered(a.CreatedLink)},
		{"Attempt", present.Plain(string(a.ID))},
		{"Sent", present.DateTime(a.At) + by(a.By)},
		{"To", present.Plain(strings.Trim(a.Profile+" · "+a.Environment+" · "+a.Host, " ·"))},
		{"", present.Elsewhere(m.options.Here(), a.Destination)},
		{"Decided", decided},
	} {
		if f[1] != "" {
			lines = append(lines, m.Theme.FactLines(f[0], f[1], labelWidth, m.W)...)
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
func (m *Model) account(a journal.Attempt) string {
	if a.Account == nil || a.Account.AccountNumber.Empty() {
		return ""
	}
	return present.Account(m.Theme, a.Status.State, a.Circumstances(m.Scope.Now()), m.W-labelWidth)
}

// by names the operator, "" where nobody is recorded.
func by(o journal.Operator) string {
	if w := present.Operator(o); w != "" {
		return " by " + w
	}
	return ""
}
