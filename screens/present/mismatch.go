package present

import (
	"cmp"
	"strings"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/ui"
)

// Mismatch is the word for a payment about which the service answered something else than was asked,
// in every column.
const Mismatch = journal.Mismatched

// MismatchFirst explains why nothing more is sent about a payment with an undecided mismatch.
const MismatchFirst = "A mismatch: decide about it first (d on the payment)."

// mismatchCell is the status of a payment with a mismatch. None is ever in the colour of success.
func mismatchCell(m ledger.Mismatch, s api.Status) ui.Cell {
	switch {
	case m.Decision == ledger.NotOurs:
		return ui.Cell{Text: "NOT OURS", Tone: ui.ToneUnknown}
	case m.Undecided():
		return ui.Cell{Text: Mismatch, Tone: ui.ToneMismatch}
	case Tone(s) == ui.ToneGood:
		return ui.Cell{Text: Mismatch}
	}
	return ui.Cell{Text: listWord(s), Tone: Tone(s)}
}

// ListCell is the status of a payment in a list, as it is to be understood now, or its mismatch. It has no text of the service.
func ListCell(s api.Status, m ledger.Mismatch, c api.Circumstances) ui.Cell {
	switch {
	case !m.IsZero():
		return mismatchCell(m, s)
	case s.State == api.ActionRequired && c.AccountExpired(): // it asks the customer to pay into that
		return ui.Cell{Text: "ACCOUNT EXPIRED", Tone: ui.ToneAct}
	case s.State == api.Pending && c.Unpaid && !c.AccountExpired():
		s.State = api.ActionRequired // the service says PENDING also before anybody has paid
	}
	return ui.Cell{Text: listWord(s), Tone: Tone(s)}
}

// RowCell is the status of a row of the list in the console's own words, or the mismatch of its payment. A payment about
// which an answer differed is not shown as a success here either.
func RowCell(s api.Status, m ledger.Mismatch) ui.Cell {
	cell := ui.Cell{Text: ShortStatus(s), Tone: Tone(s)}
	if m.IsZero() {
		return cell
	}
	differs := ListCell(s, m, api.Circumstances{})
	if cell.Tone = differs.Tone; differs.Text != OwnWord(s) {
		cell.Text = differs.Text
	}
	return cell
}

// StatusIn is a status as the service says it, beside the mismatch of its payment. It has the tone of success only without
// one: every screen and file asks here.
func StatusIn(s api.Status, m ledger.Mismatch) ui.Cell {
	if !m.IsZero() && Tone(s) == ui.ToneGood {
		return ui.Cell{Text: Word(s), Tone: ui.ToneMismatch}
	}
	return ui.Cell{Text: Word(s), Tone: Tone(s)}
}

// Agreed returns what the last answer that agrees again says of what differed, and when: a later one may say nothing of it. It is ""
// while none does.
func Agreed(m ledger.Mismatch, asked api.Asked) string {
	if m.AgreesAt.IsZero() {
		return ""
	}
	const amount = api.AmountDiffers | api.CurrencyDiffers
	at := "The answer of " + DateTime(m.AgreesAt)
	switch {
	case m.What == api.StatusDiffers:
		return at + " says " + OwnWord(asked.Status) + " again."
	case m.What == api.ReferenceDiffers:
		return at + " has the reference " + asked.Reference.String() + " again."
	case m.What&^amount != 0:
		return at + " matches what was asked."
	case asked.Fees.Minor > 0, asked.Total.Minor > 0 && asked.Total != asked.Amount:
		return at + " matches " + asked.Amount.String() + ", fees added or not."
	}
	return at + " says " + cmp.Or(asked.Amount, m.Earlier, asked.Earlier).String() + "."
}

// MismatchDecision returns what was decided about a mismatch, by whom and when; "" when nothing was.
func MismatchDecision(m ledger.Mismatch) string {
	if m.Undecided() || m.IsZero() {
		return ""
	}
	words := string(m.Decision) + ", " + DateTime(m.DecidedAt)
	if by := Operator(m.DecidedBy); by != "" {
		words += " by " + by
	}
	return words
}

// LinkMismatch is the sentence beside [Mismatch] for a link.
const LinkMismatch = "The link was created, but differs from what was asked for."

// NotAnswered says what the answer about a created link does not name; "" when it names all that is
// compared.
func NotAnswered(l *api.Link) string {
	if l == nil || len(l.Lacks) == 0 {
		return ""
	}
	parts := api.Lines(l.Lacks)
	last := len(parts) - 1
	if last > 0 {
		parts = []string{strings.Join(parts[:last], ", "), parts[last]}
	}
	return "the answer does not name the " + strings.Join(parts, " and ")
}

// WhyUnread says why a link is not used yet, nor its answer shown, which has its URL: a person must read first how it differs;
// "" for any other attempt.
func WhyUnread(a ledger.Attempt) string {
	if a.MustBeRead() {
		return "Read first how this link differs: press enter."
	}
	return ""
}

// LinkFacts returns what was asked of a link, with their labels; none where that was not recorded.
func LinkFacts(a ledger.Attempt) [][2]string {
	d := a.Draft
	if d.Name == "" {
		return nil
	}
	return [][2]string{
		{"Name", Plain(d.Name)}, {"Description", Plain(d.Description)},
		{"Can be paid", d.Type.String() + " · the amount is " + d.AmountType.String()},
	}
}
