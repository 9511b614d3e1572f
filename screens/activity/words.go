package activity

import (
	"errors"
	"strings"
	"time"

	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// amountWidth has room for millions with their currency. A larger amount is never cut: see
// amountText.
const amountWidth = 15

// columns are the table's. On a narrow window the operator, what was done and the time are
// left out, in this order, and at last the profile, which is shown where there are several. In the journal of a team
// the operator stays, with the host, and what was done is left out first.
func columns(everywhere, team bool) []ui.Column {
	all := []ui.Column{
		{Title: "Time", Width: 5, Drop: 2},
		{Title: "Status", Width: 19},
		{Title: "Amount", Width: amountWidth, Right: true},
		{Title: "What", Width: 9, Drop: 3},
		{Title: "Reference", Width: 13, Full: 16, Grow: true, Quiet: true},
		{Title: "Operator", Width: 10, Drop: 4},
	}
	if team {
		all[3].Drop, all[4].Full, all[5].Width, all[5].Drop = 4, 13, 14, 3
	}
	if everywhere {
		all[4].Full = 14 // so that the time stays beside a pane
		all = append(all, ui.Column{Title: "Profile", Width: 11, Drop: 1})
	}
	return all
}

// cells are one row of the table; here is where the console is connected.
func cells(a journal.Attempt, here journal.Destination, team bool, now time.Time) []ui.Cell {
	by := present.Plain(a.By.User)
	if team {
		by = present.Desk(a.By)
	}
	status := present.AttemptCell(a, now)
	if status.Tone == ui.ToneNone {
		status.Text = "  " + status.Text // in line with those that have a glyph
	}
	return []ui.Cell{
		{Text: a.At.Local().Format("15:04")}, status, {Text: amountText(a)}, {Text: present.Subject(a.Kind, present.Card(a), a.Channel)},
		{Text: identifier(a)}, {Text: by}, {Text: profile(a, here)},
	}
}

// profile names the profile of an attempt, and says where its service is another than the one that is connected: the
// same name may be used for both.
func profile(a journal.Attempt, here journal.Destination) string {
	if here.IsSameService(a.Destination) {
		return present.Plain(a.Profile)
	}
	return strings.TrimSpace("other: " + present.Plain(a.Profile))
}

// amountText is the whole amount: part of one would be another amount.
func amountText(a journal.Attempt) string {
	switch {
	case a.CustomerChooses():
		return present.CustomerChooses
	case a.Amount.Currency.IsZero():
		return ""
	}
	for _, s := range []string{a.Amount.String(), a.Amount.Major() + " " + a.Amount.Currency.Code()} {
		if len(s) <= amountWidth {
			return s
		}
	}
	return "see details"
}

// identifier is the service's reference, else the alias of the link, else the attempt's ID.
func identifier(a journal.Attempt) string {
	switch {
	case a.Reference != "":
		return a.Reference.String()
	case a.Link != "":
		return "link " + present.Plain(string(a.Link))
	}
	return "ID " + present.Plain(string(a.ID))
}

// errorText words an error of the journal or of a file.
func errorText(err error) string {
	var blocked *journal.Unavailable
	switch {
	case errors.As(err, &blocked):
		return present.Plain(blocked.Why)
	case errors.Is(err, journal.ErrNotFound):
		return "It is no longer in the journal."
	}
	return present.FileProblem(err)
}
