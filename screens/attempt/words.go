package attempt

import (
	"paydesk/api/ledger"
	"paydesk/screens/present"
)

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
	if was := present.MismatchDecision(a.Mismatch); was != "" {
		lines = append(lines, "Decided before: "+was+".")
	}
	switch v {
	case ledger.AnswerRight:
		return "Record that the service's answer is right?", append(lines,
			"It is no longer listed as a mismatch. What was asked stays beside it, and it never counts as paid here.")
	case ledger.AsAsked:
		return "Record that " + a.Amount.String() + " was charged, as asked?", append(lines,
			"It is no longer listed as a mismatch. The answer that differed stays beside it, and it never counts as paid here.")
	case ledger.NotOurs:
		return "Record that this is not our payment?", append(lines,
			"It is no longer listed or followed. Whether ours was made is then not known here: look for it at the provider.")
	}
	return "Take the decision back?", append(lines, "It is then listed as a mismatch again.")
}
