package report

import (
	"strconv"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Links are the columns of the links that were created here.
func Links() []Column[journal.LinkRecord] {
	return []Column[journal.LinkRecord]{
		{Column: ui.Column{Title: "Alias", Width: 14, Grow: true}, Printed: 12, On: Anywhere, Cell: aliasCell},
		{Column: ui.Column{Title: "Name", Width: 12, Grow: true}, On: Screen, Cell: Text(linkName)},
		{Column: ui.Column{Title: "Amount", Width: 16, Right: true}, Printed: 18, On: Anywhere, Cell: linkAmount},
		{On: Pipe, Cell: Text(func(l journal.LinkRecord) string { return l.Amount.Currency.Code() })},
		{Column: ui.Column{Title: "Paid", Width: 5, Right: true}, On: Screen | Terminal, Cell: Text(paidRatio)},
		{On: Pipe, Cell: Text(func(l journal.LinkRecord) string { return present.Thousands(l.Paid) })},
		{On: Pipe, Cell: Text(func(l journal.LinkRecord) string { return present.Thousands(l.Accepted) })},
		{Column: ui.Column{Title: "Created", Width: len(Minute), Drop: 1, Quiet: true}, On: Anywhere, Cell: Time(func(l journal.LinkRecord) time.Time { return l.At }, minute)},
		{Column: ui.Column{Title: "Last used", Width: len(Minute), Drop: 2}, On: Screen, Cell: Text(func(l journal.LinkRecord) string { return minute(l.LastUsed) })},
		{Column: ui.Column{Title: "Name"}, On: Terminal | Pipe, Cell: Text(linkName)},
		{On: Pipe, Cell: Text(linkURL)},
	}
}

// aliasCell is the alias of a link, or what is in doubt about it.
func aliasCell(l journal.LinkRecord, _ Medium) ui.Cell {
	switch {
	case l.CreatedLink == nil:
		return ui.Cell{Text: present.Unresolved, Tone: ui.ToneUnknown}
	case l.MustBeRead():
		return ui.Cell{Text: present.Mismatch, Tone: ui.ToneMismatch}
	case l.CreatedLink.Differences() != "":
		return ui.Cell{Text: string(l.CreatedLink.Alias), Tone: ui.ToneMismatch}
	}
	return ui.Cell{Text: string(l.CreatedLink.Alias)}
}

func linkName(l journal.LinkRecord) string {
	if l.CreatedLink == nil {
		return present.Plain(l.Draft.Name)
	}
	return l.CreatedLink.Name.Prose(60)
}

// linkAmount returns what a link charges.
func linkAmount(l journal.LinkRecord, on Medium) ui.Cell {
	switch {
	case on != Screen:
		return attemptAmount(l.Attempt, on)
	case l.CreatedLink == nil && l.CustomerChooses(), l.CreatedLink != nil && l.CreatedLink.AmountType == api.Dynamic:
		return ui.Cell{Text: present.CustomerChooses}
	case l.CreatedLink == nil && l.Amount.Currency.IsZero():
		return ui.Cell{Text: "unknown"}
	case l.CreatedLink == nil:
		return ui.Cell{Text: present.Amount(l.Attempt)}
	}
	return ui.Cell{Text: l.LinkAmount()}
}

// paidRatio returns how many payments through a link succeeded, of those that were tried.
func paidRatio(l journal.LinkRecord) string {
	switch {
	case l.CreatedLink == nil:
		return ""
	case l.Accepted == 0:
		return "-"
	}
	return strconv.Itoa(l.Paid) + "/" + strconv.Itoa(l.Accepted)
}

// linkURL returns where a link is paid; "" where that has to be read first, or is not known.
func linkURL(l journal.LinkRecord) string {
	if l.CreatedLink == nil || l.MustBeRead() {
		return ""
	}
	return l.CreatedLink.Page.String()
}

// minute is a local time without seconds; "" for none.
func minute(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format(Minute)
}
