package report

import (
	"cmp"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An AttemptView sets how attempts are listed.
type AttemptView struct {
	Here       ledger.Destination // where the console is connected
	Everywhere bool               // attempts of all services are listed
	Team       bool               // a team shares the journal
	Now        time.Time
}

// Attempts are the columns of Activity. In a file amounts are a whole number of minor units, and a decimal in major units;
// status_means is the documented status that the service's word stands for, or MISMATCH; customer_pays_minor is there where the
// service states fees and who pays them. Files leave out where the customer authorises, and the account they pay into: a record does
// not need them, and a reader could misuse them.
//
// The columns of a file are in the order in which they came: a new one goes to the end.
func Attempts(v AttemptView) []Column[ledger.Attempt] { return append(v.drawn(), attemptFile()...) }

// drawn are the columns of screens and commands. On a narrow screen the operator and what was done are left out, in this order, and at
// last the profile, which is shown where there are several. In the journal of a team the operator stays, with the host, and what was
// done is left out first.
func (v AttemptView) drawn() []Column[ledger.Attempt] {
	what, reference, by := ui.Column{Title: "What", Width: 9, Drop: 3}, ui.Column{Title: "Reference", Width: 10, Full: 16, Grow: true, Quiet: true}, ui.Column{Title: "Operator", Width: 10, Drop: 4}
	if v.Team {
		what.Drop, reference.Full, by.Width, by.Drop = 4, 13, 14, 3
	}
	all := []Column[ledger.Attempt]{
		{Column: ui.Column{Title: "ID"}, Printed: 4, On: Terminal | Pipe, Cell: attemptID},
		{Column: ui.Column{Title: "Sent"}, Printed: len(Minute), On: Terminal | Pipe, Cell: Time(func(a ledger.Attempt) time.Time { return a.At }, minute)},
		{Column: ui.Column{Title: "What"}, Printed: 12, On: Terminal | Pipe, Cell: Text(func(a ledger.Attempt) string { return present.KindName(a.Kind) })},
		{Column: ui.Column{Title: "Time", Width: 5}, On: Screen, Cell: Text(func(a ledger.Attempt) string { return a.At.Local().Format("15:04") })},
		{Column: ui.Column{Title: "Status", Width: 19}, Printed: 10, On: Anywhere, Cell: v.status},
		{Column: ui.Column{Title: "Amount", Width: attemptAmountWidth, Right: true}, Printed: 16, On: Anywhere, Cell: attemptAmount},
		{On: Pipe, Cell: Text(func(a ledger.Attempt) string { return a.Amount.Currency.Code() })},
		{Column: what, On: Screen, Cell: Text(present.Subject)},
		{Column: reference, Printed: 13, On: Anywhere, Cell: identifierCell},
		{Column: by, On: Screen | Pipe, Cell: v.operator},
	}
	if v.Everywhere {
		all = append(all, Column[ledger.Attempt]{Column: ui.Column{Title: "Profile", Width: 11, Drop: 1}, On: Screen, Cell: Text(v.profile)})
	}
	return all
}

func attemptID(a ledger.Attempt, on Medium) ui.Cell {
	if on == Pipe {
		return ui.Cell{Text: string(a.ID)}
	}
	return ui.Cell{Text: a.ID.Short()}
}

func (v AttemptView) status(a ledger.Attempt, on Medium) ui.Cell {
	status := present.AttemptCell(a, v.Now)
	if on == Pipe {
		return ui.Cell{Text: status.Text}
	}
	return status
}

// attemptAmountWidth has room for millions with their currency. A larger amount is never cut.
const attemptAmountWidth = 14

// attemptAmount is the whole amount, as far as it has room.
func attemptAmount(a ledger.Attempt, on Medium) ui.Cell {
	switch {
	case on == Pipe && (a.CustomerChooses() || a.Amount == (money.Amount{})):
		return ui.Cell{}
	case on == Pipe:
		return ui.Cell{Text: a.Amount.Major()}
	case on != Screen && a.CustomerChooses():
		return ui.Cell{Text: present.CustomerChooses + " " + a.Amount.Currency.Code()}
	case a.CustomerChooses():
		return ui.Cell{Text: present.CustomerChooses}
	case a.Amount.Currency.IsZero(): // of a finalize
		return ui.Cell{}
	case on != Screen:
		return ui.Cell{Text: a.Amount.String()}
	}
	return ui.Cell{Text: fitting(attemptAmountWidth, a.Amount.String(), a.Amount.Major()+" "+a.Amount.Currency.Code())}
}

// Identifier returns what an attempt is called in a row: by the reference of its payment, or the alias of the link that it created, and
// else by its own ID.
func Identifier(a ledger.Attempt) string {
	switch {
	case a.Reference != "":
		return a.Reference.String()
	case a.Kind == ledger.CreateLink && a.Link != "":
		return present.Plain(string(a.Link))
	case a.ID == "":
		return "no reference"
	}
	return "id " + present.Plain(a.ID.Short())
}

// identifierCell is the name of an attempt; for programs, and beside its ID, the reference or the alias alone.
func identifierCell(a ledger.Attempt, on Medium) ui.Cell {
	if on == Screen {
		return ui.Cell{Text: Identifier(a)}
	}
	return ui.Cell{Text: cmp.Or(a.Reference.String(), string(a.Link))}
}

// operator is who sent an attempt. On a screen its few cells tell two keys of one account apart, whose name is in the details.
func (v AttemptView) operator(a ledger.Attempt, on Medium) ui.Cell {
	if on == Screen {
		user, _, _ := strings.Cut(a.By.User, " (")
		a.By.User = strings.TrimPrefix(user, "SHA256:")
	}
	if v.Team && on == Screen {
		return ui.Cell{Text: present.Desk(a.By)}
	}
	return ui.Cell{Text: present.Plain(a.By.User)}
}

// profile names the profile of an attempt, and says where its service is another than the one that is connected: the
// same name may be used for both.
func (v AttemptView) profile(a ledger.Attempt) string {
	if v.Here.IsSameService(a.Destination) {
		return present.Plain(a.Profile)
	}
	return strings.TrimSpace("other: " + present.Plain(a.Profile))
}

// attemptFile are the columns of a file.
func attemptFile() []Column[ledger.Attempt] {
	return []Column[ledger.Attempt]{
		{Name: "id", Value: func(a ledger.Attempt) any { return string(a.ID) }},
		{Name: "kind", Value: func(a ledger.Attempt) any { return string(a.Kind) }},
		{Name: "at", Value: func(a ledger.Attempt) any { return a.At }},
		{Name: "profile", Value: func(a ledger.Attempt) any { return a.Profile }},
		{Name: "environment", Value: func(a ledger.Attempt) any { return a.Environment }},
		{Name: "service", Value: func(a ledger.Attempt) any { return a.Destination.Host }},
		{Name: "outcome", Value: func(a ledger.Attempt) any { return outcomeWord(a.Outcome) }},
		{Name: "status", Value: func(a ledger.Attempt) any { return a.Status.Text.Line(0) }},
		{Name: "status_means", Value: attemptMeans},
		{Name: "amount_minor", Value: func(a ledger.Attempt) any { return minor(asked(a)) }},
		{Name: "amount_major", Value: func(a ledger.Attempt) any { return major(asked(a)) }},
		{Name: "currency", Value: func(a ledger.Attempt) any { return a.Amount.Currency.Code() }},
		{Name: "exponent", Value: func(a ledger.Attempt) any {
			if c := asked(a).Currency; !c.IsZero() {
				return int64(c.Exponent())
			}
			return nil
		}},
		{Name: "channel", Value: func(a ledger.Attempt) any { return a.Channel }},
		{Name: "card_last_four", Value: func(a ledger.Attempt) any { return a.Card }},
		{Name: "link", Value: func(a ledger.Attempt) any { return string(a.Link) }},
		{Name: "link_name", Value: func(a ledger.Attempt) any { return created(a).Name.Line(0) }},
		{Name: "link_page", Value: func(a ledger.Attempt) any { return created(a).Page.String() }},
		{Name: "reference", Value: func(a ledger.Attempt) any { return a.Reference.String() }},
		{Name: "own_reference", Value: func(a ledger.Attempt) any { return a.OwnReference }},
		{Name: "answered_at", Value: func(a ledger.Attempt) any { return a.AnsweredAt }},
		{Name: "why", Value: func(a ledger.Attempt) any { return a.Why }},
		{Name: "status_at", Value: func(a ledger.Attempt) any { return a.StatusAt }},
		{Name: "customer_done", Value: func(a ledger.Attempt) any { return a.CustomerDone }},
		{Name: "finalized", Value: func(a ledger.Attempt) any { return a.Finalized }},
		{Name: "finalize_lost_at", Value: func(a ledger.Attempt) any { return a.FinalizeUnresolvedAt }},
		{Name: "verdict", Value: func(a ledger.Attempt) any { return string(a.Decision) }},
		{Name: "decided_at", Value: func(a ledger.Attempt) any { return a.DecidedAt }},
		{Name: "decided_by", Value: func(a ledger.Attempt) any { return a.DecidedBy.User }},
		{Name: "decided_before", Value: func(a ledger.Attempt) any { return a.DecidedBefore }},
		{Name: "operator", Value: func(a ledger.Attempt) any { return a.By.User }},
		{Name: "operator_host", Value: func(a ledger.Attempt) any { return a.By.Host }},
		{Name: "operator_ssh", Value: func(a ledger.Attempt) any { return a.By.SSH }},
		{Name: "link_asked_name", Value: func(a ledger.Attempt) any { return a.Draft.Name }},
		{Name: "link_asked_description", Value: func(a ledger.Attempt) any { return a.Draft.Description }},
		{Name: "link_asked_type", Value: func(a ledger.Attempt) any { return when(a.Draft.Name != "", a.Draft.Type.String()) }},
		{Name: "link_asked_amount_type", Value: func(a ledger.Attempt) any {
			return when(a.Draft.Name != "" || a.CustomerChooses(), a.Draft.AmountType.String())
		}},
		{Name: "link_mismatch", Value: func(a ledger.Attempt) any { return created(a).Differences() }},
		{Name: "link_not_answered", Value: func(a ledger.Attempt) any { return strings.Join(api.Lines(created(a).Lacks), ", ") }},
		{Name: "fees_minor", Value: func(a ledger.Attempt) any { return positive(a.Fees) }},
		{Name: "total_minor", Value: func(a ledger.Attempt) any { return positive(a.Total) }},
		{Name: "named", Value: func(a ledger.Attempt) any { return a.Named }},
		{Name: "mismatch", Value: func(a ledger.Attempt) any { return a.Mismatch.What.String() }},
		{Name: "mismatch_at", Value: func(a ledger.Attempt) any { return a.Mismatch.At }},
		{Name: "answered_minor", Value: func(a ledger.Attempt) any { return minor(a.Mismatch.Answered) }},
		{Name: "answered_major", Value: func(a ledger.Attempt) any { return major(a.Mismatch.Answered) }},
		{Name: "answered_currency", Value: func(a ledger.Attempt) any { return a.Mismatch.Answered.Currency.Code() }},
		{Name: "answered_amount_text", Value: func(a ledger.Attempt) any { return a.Mismatch.Text.Line(0) }},
		{Name: "answered_reference", Value: func(a ledger.Attempt) any { return a.Mismatch.Reference.Line(0) }},
		{Name: "answered_status", Value: func(a ledger.Attempt) any { return a.Mismatch.Status.Line(0) }},
		{Name: "answer_agrees_at", Value: func(a ledger.Attempt) any { return a.Mismatch.AgreesAt }},
		{Name: "mismatch_verdict", Value: func(a ledger.Attempt) any { return string(a.Mismatch.Decision) }},
		{Name: "mismatch_decided_at", Value: func(a ledger.Attempt) any { return a.Mismatch.DecidedAt }},
		{Name: "mismatch_decided_by", Value: func(a ledger.Attempt) any { return a.Mismatch.DecidedBy.User }},
		{Name: "account_expires_at", Value: func(a ledger.Attempt) any {
			if !a.Account.Expires() {
				return nil
			}
			return a.Account.Expiration.Time
		}},
		{Name: "customer_pays_minor", Value: func(a ledger.Attempt) any {
			if amount, known := a.Asked().Due(); known && (a.Fees > 0 || a.Total > 0) {
				return amount.Minor
			}
			return nil
		}},
		{Name: "link_id", Value: func(a ledger.Attempt) any { return created(a).ID.Line(0) }},
	}
}

// attemptMeans is the meaning of the last status; no program may take a mismatch for a success.
func attemptMeans(a ledger.Attempt) any {
	switch {
	case !a.Mismatch.IsZero():
		return journal.Mismatched
	case a.Status.Text.Empty():
		return nil
	}
	return a.Status.State.String()
}

// asked is the amount that was asked for; none where the customer chooses it, and the request carried a placeholder.
func asked(a ledger.Attempt) money.Amount {
	if a.CustomerChooses() {
		return money.Amount{}
	}
	return a.Amount
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
func created(a ledger.Attempt) *api.Link { return cmp.Or(a.CreatedLink, new(api.Link)) }

// when returns words if a condition holds, and "" otherwise.
func when(holds bool, words string) string {
	if holds {
		return words
	}
	return ""
}
