package attempt

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A choice is a decision that is possible about the attempt.
type choice struct {
	label, means string
	verdict      ledger.Decision
}

// choices returns the decisions that are possible now, without the one that is recorded already.
func (m *Model) choices() (all []choice) {
	a, w := m.record, wordingOf(m.record.Kind)
	if a.at.IsZero() || m.subject().WhyElsewhere() != "" {
		return nil
	}
	offer := func(is bool, label, means string, v ledger.Decision) {
		if is {
			all = append(all, choice{label, means, v})
		}
	}
	notFoundMeans := w.notFoundMeans
	if m.tooEarly(ledger.NotFound) {
		notFoundMeans = "opens " + m.notFoundFrom() + "; it may still appear"
	}
	lost := a.Outcome == ledger.Unresolved // any decision can be replaced, but a finalize has no other reference
	offer(lost && (a.Decision != ledger.Found || a.Kind != ledger.Finalize), w.foundKey, w.foundMeans, ledger.Found)
	offer(lost && a.Decision != ledger.NotFound, report.NotFoundKey(a.Kind), notFoundMeans, ledger.NotFound)
	offer(lost && a.Decision != ledger.GaveUp, "give up", "it is not followed up", ledger.GaveUp)
	differs, amountDiffers := !a.Mismatch.IsZero(), a.Mismatch.What&(api.AmountDiffers|api.CurrencyDiffers) != 0
	offer(differs && a.Mismatch.Decision != ledger.AnswerRight, "answer is right", "what the service answers was charged", ledger.AnswerRight)
	offer(differs && a.Mismatch.Decision != ledger.AsAsked && amountDiffers, "as asked", a.Amount.String()+" was charged", ledger.AsAsked)
	offer(differs && a.Mismatch.Decision != ledger.NotOurs, "not ours", "it is not about your payment", ledger.NotOurs)
	offer(m.canStopFollowing(), "stop following", "home no longer lists it", ledger.NotFollowed)
	offer(m.canTakeBack(), "take back", "the decision no longer stands", m.back())
	return all
}

// openChoices lists the decisions that are possible.
func (m *Model) openChoices() tea.Cmd {
	if m.record.Lease.ByAnother() {
		return m.Warn(takenWords)
	}
	m.only = m.decides
	m.statusCall.Drop()
	m.search.call.Drop()
	open := detail.NewChooser(m.Body, detail.Rows[choice]{
		Title: "Decide", Columns: func() []ui.Column {
			return []ui.Column{{Title: "Decide", Width: 15}, {Title: "What it means", Width: 36, Grow: true}}
		},
		All: m.choices, Cells: func(c choice) []ui.Cell {
			quiet := m.tooEarly(c.verdict)
			return []ui.Cell{{Text: c.label, Quiet: quiet}, {Text: c.means, Quiet: quiet}}
		},
		Head: m.head, About: "What follows", Says: m.follows, Under: m.evidence, Commands: m.choiceCommands, Help: m.choiceHelp(),
	}).Open(0)
	if _, is := m.scanned(); is && m.mayBeListed() {
		return tea.Batch(open, m.find())
	}
	return open
}

// mayBeListed reports whether a row of the transactions may be the attempt.
func (m *Model) mayBeListed() bool { return m.record.MayBeFound() && m.record.Kind == ledger.Initiate }

// follows says what follows from a decision. What is below it stays where it is from choice to choice: each takes the lines of the
// longest.
func (m *Model) follows(one choice, some bool, w, _ int) (lines []present.Line) {
	consequences := func(c choice) []string {
		return asks(m.record.Attempt, Decided(c.verdict, "")).Details(m.Theme, max(w, 1))
	}
	most := 0
	for _, c := range m.choices() {
		most = max(most, len(consequences(c)))
	}
	if some {
		lines = present.Rows(0, consequences(one)...)
	}
	for len(lines) <= most {
		lines = append(lines, present.Line{Rank: 2})
	}
	return lines
}

const (
	mostRows     = 4 // possible matches beside the choices
	evidenceRoom = 8 // the height from which rows that were not searched are worth a group
)

// evidence returns what a person decides by: rows that may be the attempt, and what happened to it.
func (m *Model) evidence(w, h int) (lines []string) {
	if s := &m.search; m.mayBeListed() && (s.rows > 0 || h >= evidenceRoom) {
		note := ""
		if s.rows > 0 {
			note = present.Count(len(s.found), "row", "rows")
		}
		lines = append(lines, m.Theme.Rule("Possible matches", note, w))
		for _, r := range s.found[:min(len(s.found), mostRows)] {
			lines = append(lines, ui.Fit(m.Theme.Mark(present.Tone(r.Status), present.Word(r.Status))+"  "+r.ID.Line(80), w))
		}
		words := s.words + " The same amount is no proof."
		switch {
		case s.rows == 0:
			words = "Not searched: press m to look for " + m.record.Amount.String() + " in the transactions."
		case len(s.found) == 0:
			words = s.words + " None has this amount. That proves nothing either."
		}
		lines = append(append(lines, m.Theme.MutedLines(words, w)...), "")
	}
	return append(lines, m.report().HistoryLines(m.Theme, w, max(h-len(lines), 0))...)
}

// choiceCommands are the keys of the decisions.
func (m *Model) choiceCommands(one choice, some bool) ui.Commands {
	return ui.Commands{
		{Key: ui.Bind("enter", "decide this"), On: some, Do: func() tea.Cmd {
			if one.verdict == ledger.Found {
				return m.openFound()
			}
			return m.decider(one.verdict)()
		}},
		{Key: ui.Bind("m", "matches"), On: m.mayBeListed(), Do: m.openMatches},
	}
}

func (m *Model) choiceHelp() []string {
	lines := []string{"enter asks you to confirm the marked decision. The journal then records it with your user name and the time. Only a reference that you enter is checked with the service; nothing else is sent."}
	for _, one := range m.choices() {
		lines = append(lines, present.Sentence(one.label+": "+one.means))
	}
	return append(lines, decisionHelp[1])
}

// A wording is the text about one kind of attempt.
type wording struct {
	found    func(as string) string
	notFound string

	afterFound, afterNotFound []string
	afterGivingUp             string
	foundKey                  string // as a decision

	foundMeans, notFoundMeans string
}

// notListed begins what follows from every decision.
const notListed = "It is no longer listed as unresolved"

// wordings differ by kind because the harm does: a payment sent again is charged twice, a link
// stays payable, and an unfinished payment moves no funds.
var wordings = map[ledger.Kind]wording{ledger.Initiate: {
	found: func(as string) string { return "Record that it was found as " + as + "?" },
	afterFound: []string{
		"It will be tracked as that payment: its status is checked by this reference until it is final.",
		"If the reference belongs to another payment, this one is not followed up.",
	},
	notFound: "Record that this payment was never made?",
	afterNotFound: []string{
		notListed + ", and the same payment can be sent without a warning about this one.",
		"If it was made after all, the customer pays twice. Check with the provider first, by amount, time and attempt ID.",
	},
	afterGivingUp: "If it was made, the customer was charged and nothing here shows it.",
	foundKey:      "found as…",
	foundMeans:    "it was made: enter its reference", notFoundMeans: "it was never made",
}, ledger.CreateLink: {
	found: func(as string) string { return "Record that the link was found as " + as + "?" },
	afterFound: []string{
		notListed + ", and is listed among the links as it was asked for.",
		"Compare its name, amount and type with the dashboard first: the answer that names them never arrived.",
	},
	notFound:      "Record that this link was never created?",
	afterNotFound: []string{notListed + ".", "If it was created after all, anyone with its URL can pay through it."},
	afterGivingUp: "If the link was created, anyone with its URL can pay through it.",
	foundKey:      "found as…",
	foundMeans:    "created: enter its alias or URL", notFoundMeans: "it was never created",
}, ledger.Finalize: {
	found:         func(as string) string { return "Record that " + as + " was finalized?" },
	afterFound:    []string{notListed + ". If it was not finalized, the funds do not move until it is."},
	notFound:      "Record that it was not finalized?",
	afterNotFound: []string{notListed + ". The payment may have to be finalized again."},
	afterGivingUp: "If it was not finalized, the funds do not move until it is.",
	foundKey:      "finalized",
	foundMeans:    "it was finalized after all", notFoundMeans: "it was not finalized",
}}

// wordingOf is the text about a kind; an unknown one is worded as a payment, the kind to be most
// careful about.
func wordingOf(k ledger.Kind) wording {
	if w, known := wordings[k]; known {
		return w
	}
	return wordings[ledger.Initiate]
}

// mismatchQuestion says what a decision about a mismatch leads to.
func mismatchQuestion(a ledger.Attempt, v ledger.Decision) (title string, lines []string) {
	lines = []string{present.Sentence(a.Mismatch.Words(a.Asked()))}
	if agreed := present.Agreed(a.Mismatch, a.Asked()); agreed != "" { // a later answer
		lines = append(lines, agreed)
	}
	if was := present.MismatchDecision(a.Mismatch); was != "" {
		lines = append(lines, "Decided before: "+was+".")
	}
	switch v {
	case ledger.AnswerRight:
		return "Record that the service's answer is right?", append(lines,
			"It leaves the list of mismatches. paydesk keeps your request, and never counts the payment as paid.")
	case ledger.AsAsked:
		return "Record that " + a.Amount.String() + " was charged, as asked?", append(lines,
			"It leaves the list of mismatches. paydesk keeps the answer that differed, and never counts the payment as paid.")
	case ledger.NotOurs:
		return "Record that this is not our payment?", append(lines,
			"paydesk stops listing and following it. Your payment may still have been made: look for it at the provider.")
	}
	return "Take the decision back?", append(lines, "It is then listed as a mismatch again.")
}
