package export

import (
	"cmp"
	"strings"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/money"
)

// A column is one value of an attempt's row: an [export.Column].
type column struct {
	Name  string
	Value func(*journal.Attempt) any
}

// Attempts is the table of the journal. Amounts are a whole number of minor units, and a decimal in
// major units; status_means is the documented status that the service's word stands for, or MISMATCH;
// customer_pays_minor is there where the service states fees and who pays them.
//
// The parts are in the order in which they came: a new column goes to the end.
func Attempts() export.Table[journal.Attempt] {
	var all []export.Column[journal.Attempt]
	for _, part := range [][]column{
		requestColumns, amountColumns, subjectColumns, laterColumns, operatorColumns, linkColumns, mismatchColumns, lastColumns,
	} {
		for _, c := range part {
			all = append(all, export.Column[journal.Attempt](c))
		}
	}
	return export.Table[journal.Attempt]{Columns: all}
}

// requestColumns are what was sent where, and what became of it.
var requestColumns = []column{
	{"id", func(a *journal.Attempt) any { return string(a.ID) }},
	{"kind", func(a *journal.Attempt) any { return string(a.Kind) }},
	{"at", func(a *journal.Attempt) any { return a.At }},
	{"profile", func(a *journal.Attempt) any { return a.Profile }},
	{"environment", func(a *journal.Attempt) any { return a.Environment }},
	{"service", func(a *journal.Attempt) any { return a.Destination.Host }},
	{"outcome", func(a *journal.Attempt) any { return outcomeWord(string(a.Outcome)) }},
	{"status", func(a *journal.Attempt) any { return a.Status.Text.Line(0) }},
	{"status_means", statusMeans},
}

var amountColumns = []column{
	{"amount_minor", func(a *journal.Attempt) any { return minor(asked(a)) }},
	{"amount_major", func(a *journal.Attempt) any { return major(asked(a)) }},
	{"currency", func(a *journal.Attempt) any { return a.Amount.Currency.Code() }},
	{"exponent", func(a *journal.Attempt) any {
		if c := asked(a).Currency; !c.IsZero() {
			return int64(c.Exponent())
		}
		return nil
	}},
}

// subjectColumns are what it was about.
var subjectColumns = []column{
	{"channel", func(a *journal.Attempt) any { return a.Channel }},
	{"card_last_four", func(a *journal.Attempt) any { return a.Card }},
	{"link", func(a *journal.Attempt) any { return string(a.Link) }},
	{"link_name", func(a *journal.Attempt) any { return created(a).Name.Line(0) }},
	{"link_page", func(a *journal.Attempt) any { return created(a).Page.String() }},
	{"reference", func(a *journal.Attempt) any { return a.Reference.String() }},
	{"own_reference", func(a *journal.Attempt) any { return a.OwnReference }},
}

// laterColumns are what came after the request.
var laterColumns = []column{
	{"answered_at", func(a *journal.Attempt) any { return a.AnsweredAt }},
	{"why", func(a *journal.Attempt) any { return a.Why }},
	{"status_at", func(a *journal.Attempt) any { return a.StatusAt }},
	{"customer_done", func(a *journal.Attempt) any { return a.CustomerDone }},
	{"finalized", func(a *journal.Attempt) any { return a.Finalized }},
	{"finalize_lost_at", func(a *journal.Attempt) any { return a.FinalizeUnresolvedAt }},
	{"verdict", func(a *journal.Attempt) any { return string(a.Decision) }},
	{"decided_at", func(a *journal.Attempt) any { return a.DecidedAt }},
	{"decided_by", func(a *journal.Attempt) any { return a.DecidedBy.User }},
	{"decided_before", func(a *journal.Attempt) any { return a.DecidedBefore }},
}

var operatorColumns = []column{
	{"operator", func(a *journal.Attempt) any { return a.By.User }},
	{"operator_host", func(a *journal.Attempt) any { return a.By.Host }},
	{"operator_ssh", func(a *journal.Attempt) any { return a.By.SSH }},
}

// linkColumns are what was asked of a link, and how it differs; with the fees of a payment, which came then.
var linkColumns = []column{
	{"link_asked_name", func(a *journal.Attempt) any { return a.Draft.Name }},
	{"link_asked_description", func(a *journal.Attempt) any { return a.Draft.Description }},
	{"link_asked_type", func(a *journal.Attempt) any { return when(a.Draft.Name != "", a.Draft.Type.String()) }},
	{"link_asked_amount_type", func(a *journal.Attempt) any {
		if a.CustomerChooses() {
			return api.Dynamic.String()
		}
		return when(a.Draft.Name != "", a.Draft.AmountType.String())
	}},
	{"link_mismatch", func(a *journal.Attempt) any { return created(a).Differences() }},
	{"link_not_answered", func(a *journal.Attempt) any { return lacks(created(a)) }},
	{"fees_minor", func(a *journal.Attempt) any { return positive(a.Fees) }},
	{"total_minor", func(a *journal.Attempt) any { return positive(a.Total) }},
	{"named", func(a *journal.Attempt) any { return a.Named }},
}

var mismatchColumns = []column{
	{"mismatch", func(a *journal.Attempt) any { return a.Mismatch.What.String() }},
	{"mismatch_at", func(a *journal.Attempt) any { return a.Mismatch.At }},
	{"answered_minor", func(a *journal.Attempt) any { return minor(answered(a)) }},
	{"answered_major", func(a *journal.Attempt) any { return major(answered(a)) }},
	{"answered_currency", func(a *journal.Attempt) any { return a.Mismatch.Answered.Currency.Code() }},
	{"answered_amount_text", func(a *journal.Attempt) any { return a.Mismatch.Text.Line(0) }},
	{"answered_reference", func(a *journal.Attempt) any { return a.Mismatch.Reference.Line(0) }},
	{"answered_status", func(a *journal.Attempt) any { return a.Mismatch.Status.Line(0) }},
	{"answer_agrees_at", func(a *journal.Attempt) any { return a.Mismatch.AgreesAt }},
	{"mismatch_verdict", func(a *journal.Attempt) any { return string(a.Mismatch.Decision) }},
	{"mismatch_decided_at", func(a *journal.Attempt) any { return a.Mismatch.DecidedAt }},
	{"mismatch_decided_by", func(a *journal.Attempt) any { return a.Mismatch.DecidedBy.User }},
}

var lastColumns = []column{
	{"account_expires_at", func(a *journal.Attempt) any {
		if !a.Account.Expires() {
			return nil
		}
		return a.Account.Expiration.Time
	}},
	{"customer_pays_minor", func(a *journal.Attempt) any {
		if amount, known := a.Asked().Due(); known && (a.Fees > 0 || a.Total > 0) {
			return amount.Minor
		}
		return nil
	}},
	{"link_id", func(a *journal.Attempt) any { return created(a).ID.Line(0) }},
}

// statusMeans is the meaning of the last status; no program may take a mismatch for a success.
func statusMeans(a *journal.Attempt) any {
	switch {
	case !a.Mismatch.IsZero():
		return journal.Mismatched
	case a.Status.Text.Empty():
		return nil
	}
	return a.Status.State.String()
}

// asked is the amount that was asked for; none where the customer chooses it, and the request carried a placeholder.
func asked(a *journal.Attempt) money.Amount {
	if a.CustomerChooses() {
		return money.Amount{}
	}
	return a.Amount
}

// answered is the amount of an answer that differs.
func answered(a *journal.Attempt) money.Amount {
	if a.Mismatch.IsZero() {
		return money.Amount{}
	}
	return a.Mismatch.Answered
}

func minor(m money.Amount) any {
	if m.Currency.IsZero() {
		return nil
	}
	return m.Minor
}

func major(m money.Amount) any {
	if m.Currency.IsZero() {
		return nil
	}
	return export.Decimal(m.Major())
}

func positive(n int64) any {
	if n <= 0 {
		return nil
	}
	return n
}

// created is the link that was created, or an empty one.
func created(a *journal.Attempt) *api.Link { return cmp.Or(a.CreatedLink, new(api.Link)) }

// lacks are the parts that the response to the creation of a link did not contain, on one line.
func lacks(l *api.Link) string {
	var all []string
	for _, part := range l.Lacks {
		all = append(all, part.Line(0))
	}
	return strings.Join(all, ", ")
}

// outcomeWord is the word for an outcome in files. What is not known is UNRESOLVED there as on the
// screens, so that it stands out among the others.
func outcomeWord(recorded string) string {
	if recorded == string(journal.Unresolved) {
		return "UNRESOLVED"
	}
	return recorded
}

// when returns words if a condition holds, and "" otherwise.
func when(holds bool, words string) string {
	if holds {
		return words
	}
	return ""
}
