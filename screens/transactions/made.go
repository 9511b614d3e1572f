package transactions

import (
	"context"
	"strings"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/screens/list"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A made is what the journal knows of the payment whose reference is the ID of the row in the pane.
type made struct {
	of     api.Reference
	record journal.PaymentRecord
	some   bool
}

// more reads what the journal knows of a row.
func (m *Model) more(l listing.Listed) list.Background {
	r, is := reference(l.Transaction)
	read := m.options.Made
	return func(ctx context.Context) (func(), error) {
		now := made{of: r}
		if read != nil && is {
			a, err := read(ctx, r)
			if now.some = err == nil; now.some {
				now.record = journal.PaymentRecord{Attempt: a}
			}
		}
		return func() { m.made = now }, nil
	}
}

// madeHere is the payment of a row, if it was made from here.
func (m *Model) madeHere(row api.Transaction) (journal.PaymentRecord, bool) {
	r, is := reference(row)
	return m.made.record, is && m.made.some && m.made.of == r
}

// stands says how a payment made from here stands to its row: in a word or two, and in a sentence.
func (m *Model) stands(p journal.PaymentRecord, row api.Transaction) (tone ui.Tone, short, sentence string) {
	standing, d := listing.Judge(p, row, m.state.Began)
	switch {
	case p.Mismatch.Decision == ledger.NotOurs:
		return ui.ToneUnknown, "not ours", "It was recorded that this reference is not the payment made from here."
	case standing == listing.RowDiffers:
		return ui.ToneMismatch, "differs", "It differs: " + d.Words(p.Asked()) + "."
	case standing == listing.RowBehind:
		return ui.ToneNone, "newer here", "It is " + present.OwnWord(p.Status) + " here since " + present.DateTime(p.StatusAt) + "; this row was read before."
	case standing == listing.RowMoved && p.Status.Text.Empty():
		return ui.ToneNone, "not checked here", "Its status has not been checked here: l does."
	case standing == listing.RowMoved:
		return ui.ToneNone, "was " + present.ShortStatus(p.Status), "It was " + present.OwnWord(p.Status) + " when it was last checked here: l checks it."
	}
	return ui.ToneNone, "agrees", "Amount and status agree."
}

// alsoKnown are the lines of the pane with what this console itself knows of a row; none for a row that it has nothing
// to do with.
func (m *Model) alsoKnown(row api.Transaction, w int) []string {
	p, here := m.madeHere(row)
	if !here {
		return nil
	}
	sent := present.DateTime(p.At)
	if p.By.User != "" {
		sent += " by " + p.By.User
	}
	lines := m.Theme.FactLines("Attempt", present.Plain(string(p.ID)), labelWidth, w)
	lines = append(lines, m.Theme.FactLines("Sent", present.Plain(sent), labelWidth, w)...)
	tone, _, sentence := m.stands(p, row)
	if tone == ui.ToneNone {
		lines = append(lines, ui.Wrap(sentence, max(w, 1))...)
	} else {
		lines = append(lines, m.Theme.MarkLines(tone, sentence, w)...)
	}
	return append([]string{"", m.Theme.Rule("In this console", "", w)}, lines...)
}

// madeNote is what there is room for of that in a rule.
func (m *Model) madeNote(row api.Transaction) string {
	p, here := m.madeHere(row)
	if !here {
		return ""
	}
	_, short, _ := m.stands(p, row)
	return strings.TrimSpace("attempt " + present.Plain(string(p.ID)) + ": " + short)
}
