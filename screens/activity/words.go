package activity

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

const amountWidth = 15

// columns are the table's. Those of the operator, of what was done and of the time give way
// on a narrow window, in this order; the profile does not where there are several.
func columns(everywhere bool) []ui.Column {
	all := []ui.Column{
		{Title: "Status", Width: 14},
		{Title: "Amount", Width: amountWidth, Right: true},
		{Title: "What", Width: 12, Drop: 2},
		{Title: "Reference", Width: 9, Grow: true},
		{Title: "When", Width: 12, Drop: 1},
		{Title: "Operator", Width: 10, Drop: 3},
	}
	if everywhere {
		all = append(all, ui.Column{Title: "Profile", Width: 12})
	}
	return all
}

// cells are one row of the table, as it is now.
func cells(a journal.Attempt, now time.Time) []ui.Cell {
	word, tone := state(a)
	if tone == ui.ToneNone {
		word = "  " + word // where the glyph of the others is
	}
	return []ui.Cell{
		{Text: word, Tone: tone}, {Text: sum(a)}, {Text: what(a)}, {Text: name(a)},
		{Text: when(a.At, now)}, {Text: plain(a.By.User)}, {Text: plain(a.Profile)},
	}
}

// state is what became of an attempt in a word: the status of its payment where there is one,
// else what we know of the sending. Success is a status only (R48).
func state(a journal.Attempt) (string, ui.Tone) {
	switch {
	case a.Unknown():
		return "NOBODY KNOWS", ui.ToneUnknown
	case a.Kind == journal.Initiate && !a.Status.Text.Empty():
		return short(a.Status), present.Tone(a.Status)
	case a.Outcome == journal.Unresolved:
		return decided(a.Verdict)
	case a.Outcome == journal.Sent:
		return "SENT", ui.ToneWait
	case a.Outcome == journal.Refused:
		return "REFUSED", ui.ToneBad
	case a.Outcome == journal.NotSent:
		return "NOT SENT", ui.ToneBad
	case a.Kind == journal.CreateLink:
		return "CREATED", ui.ToneNone
	case a.Kind == journal.Finalize:
		return "FINALIZED", ui.ToneNone
	}
	return "TAKEN", ui.ToneWait
}

// decided is what a person said of what nobody knew.
func decided(v journal.Decision) (string, ui.Tone) {
	switch v {
	case journal.Found:
		return "FOUND", ui.ToneWait
	case journal.NotFound:
		return "NOT FOUND", ui.ToneNone
	}
	return "GIVEN UP", ui.ToneUnknown
}

// short is the console's own word for a status, in the room of the column.
func short(s api.Status) string {
	switch s.State {
	case api.ActionRequired:
		return "MUST PAY"
	case api.BankAuthRequired:
		return "BANK CHECK"
	case api.Unrecognised:
		return "UNRECOGNISED"
	}
	return present.Word(s)
}

// sum is the amount, whole or not at all.
func sum(a journal.Attempt) string {
	if a.Amount.Currency.IsZero() {
		return ""
	}
	for _, s := range []string{a.Amount.String(), a.Amount.Major() + " " + a.Amount.Currency.Code()} {
		if len(s) <= amountWidth {
			return s
		}
	}
	return "enter shows it"
}

// what was done: the card or channel of a payment, else the kind.
func what(a journal.Attempt) string {
	switch {
	case a.Kind == journal.CreateLink:
		return "new link"
	case a.Kind == journal.Finalize:
		return "finalize"
	case a.Card != "":
		return "•••• " + plain(a.Card)
	case a.Channel == api.ChannelTransfer:
		return "transfer"
	case a.Channel == "":
		return "payment"
	}
	return plain(a.Channel)
}

// name is what an attempt is found by: the service's reference, the alias of its link, or our
// own id.
func name(a journal.Attempt) string {
	switch {
	case a.Reference != "":
		return plain(string(a.Reference))
	case a.Link != "":
		return "link " + plain(string(a.Link))
	}
	return "id " + plain(string(a.ID))
}

// when is a time of day today, and a day besides on other days.
func when(t, now time.Time) string {
	t = t.In(now.Location())
	switch y, m, d := now.Date(); {
	case t.Year() == y && t.Month() == m && t.Day() == d:
		return present.Clock(t)
	case t.Year() == y:
		return t.Format("02 Jan 15:04")
	}
	return t.Format("2006-01-02")
}

// who is an operator: "ada on desk1 from 192.0.2.7".
func who(o journal.Operator) string {
	words := plain(o.User)
	if o.Host != "" {
		words += " on " + plain(o.Host)
	}
	if o.SSH != "" {
		words += " from " + plain(o.SSH)
	}
	return strings.TrimSpace(words)
}

// plain is a text of the journal, or of the file system, on one safe line.
func plain(s string) string { return api.Clean(s).Line(0) }

// words are what went wrong with the journal or with a file.
func words(err error) string {
	var blocked *journal.Unavailable
	var file *fs.PathError
	switch {
	case errors.As(err, &blocked):
		return plain(blocked.Why)
	case errors.Is(err, journal.ErrNone):
		return "It is no longer in the journal."
	case errors.Is(err, fs.ErrNotExist):
		return "There is no such folder."
	case errors.Is(err, fs.ErrPermission):
		return "This folder may not be written to."
	case errors.As(err, &file):
		return "The file could not be written: " + plain(file.Err.Error()) + "."
	case errors.Is(err, ui.ErrPanicked):
		return "The console itself failed."
	}
	return "It did not work: " + plain(err.Error()) + "."
}
