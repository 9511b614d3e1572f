package report

import (
	"slices"
	"strconv"
	"time"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/ui"
)

// EventColumns returns the columns that every list of events has: the ID, the name, the reference and what is claimed, with
// the widths of the name and of the reference on a terminal.
func EventColumns(event, reference int) []Column[webhook.Record] {
	part := func(of func(amount, currency string) string) func(webhook.Record, Medium) ui.Cell {
		return Text(func(r webhook.Record) string { return of(claimedParts(r.WebhookEvent)) })
	}
	return []Column[webhook.Record]{
		{Column: ui.Column{Title: "ID", Width: 3, Right: true}, On: Terminal | Pipe, Cell: Text(func(r webhook.Record) string { return strconv.FormatInt(r.ID, 10) })},
		{Column: ui.Column{Title: "Event", Width: 15, Drop: 2}, Printed: event, On: Anywhere, Cell: eventCell},
		{Column: ui.Column{Title: "Reference", Width: 10, Grow: true, Quiet: true}, Printed: reference, On: Anywhere, Cell: eventReference(reference)},
		{Column: ui.Column{Title: "Claims", Width: eventAmountWidth, Right: true}, On: Terminal, Cell: Text(func(r webhook.Record) string { return short(claimedAmount(r.WebhookEvent), 16) })},
		{On: Pipe, Cell: part(func(amount, _ string) string { return amount })},
		{On: Pipe, Cell: part(func(_, currency string) string { return currency })},
	}
}

// Events are the columns of the inbox. some are events of the list: on a terminal references stay as whole as theirs, because
// they are copied. On a narrow screen what the event is called and how often it came are left out, in this order.
func Events(some []webhook.Record, now time.Time) []Column[webhook.Record] {
	wideReference, wideEvent := 10, 8
	for _, r := range some {
		wideReference = max(wideReference, min(len(r.Reference), widestReference))
		wideEvent = max(wideEvent, min(ui.Width(EventName(r.WebhookEvent)), WidestEvent))
	}
	last := Time(func(r webhook.Record) time.Time { return r.Last }, func(t time.Time) string { return present.When(t, now.Local()) })
	event := EventColumns(wideEvent, wideReference)
	return slices.Concat(event[:1], []Column[webhook.Record]{
		{Column: ui.Column{Title: "Last", Width: 12}, On: Terminal | Pipe, Cell: last},
		{Column: ui.Column{Title: "Time", Width: 8}, On: Screen, Cell: Text(func(r webhook.Record) string { return present.Clock(r.Last.Local()) })},
		{Column: ui.Column{Title: "Verdict", Width: 14}, On: Screen, Cell: verdictCell},
		{Column: ui.Column{Title: "Amount", Width: eventAmountWidth, Right: true}, On: Screen, Cell: Text(eventAmount)},
	}, event[1:], []Column[webhook.Record]{
		{Column: ui.Column{Title: "Times", Right: true}, On: Terminal, Cell: Text(func(r webhook.Record) string { return strconv.Itoa(r.Deliveries) })},
		{Column: ui.Column{Title: "Verdict"}, On: Terminal | Pipe, Cell: verdictCell},
		{On: Pipe, Cell: Text(func(r webhook.Record) string { return strconv.Itoa(r.Deliveries) })},
		{Column: ui.Column{Title: "×", Width: 3, Drop: 1}, On: Screen, Cell: Text(func(r webhook.Record) string { return times(r.Deliveries) })},
	})
}

const (
	eventAmountWidth = 13 // a larger amount is never cut
	// WidestEvent sets how much of the name of an event a column has.
	WidestEvent = 15
	// widestReference sets how much of a reference is shown to people, so that no row of another event is moved by it: webhook show
	// has all of it.
	widestReference = 16
)

// VerdictCell returns what the service says about an event. Only what needs a person has a colour: that the service agrees
// does not make an event the answer of the service.
func VerdictCell(v webhook.Verdict) ui.Cell {
	tones := map[webhook.Verdict]ui.Tone{webhook.Waiting: ui.ToneWait, webhook.Disagrees: ui.ToneBad}
	return ui.Cell{Text: present.Plain(string(v)), Tone: tones[v]}
}

// verdictCell is in line with those that have a glyph, where there is room.
func verdictCell(r webhook.Record, on Medium) ui.Cell {
	cell := VerdictCell(r.Verdict)
	if on == Screen && cell.Tone == ui.ToneNone && len(cell.Text) < len(webhook.NotUnderstood) {
		cell.Text = "  " + cell.Text
	}
	return cell
}

// EventName is the name of an event on one line.
func EventName(e api.WebhookEvent) string {
	if name := export.Masked(e.Name); name != "" {
		return name
	}
	return "(no name)"
}

func eventCell(r webhook.Record, on Medium) ui.Cell {
	name := EventName(r.WebhookEvent)
	if on&Terminal != 0 {
		name = short(name, WidestEvent)
	}
	return ui.Cell{Text: name}
}

// EventReference returns the reference of the payment, as far as the body has one.
func EventReference(r webhook.Record) string {
	if r.Reference == "" {
		return "none"
	}
	return r.Reference.String()
}

// eventReference has at most so many cells on a terminal.
func eventReference(widest int) func(webhook.Record, Medium) ui.Cell {
	return func(r webhook.Record, on Medium) ui.Cell {
		switch on {
		case Screen:
			return ui.Cell{Text: EventReference(r)}
		case Pipe:
			return ui.Cell{Text: r.Reference.String()}
		}
		return ui.Cell{Text: short(r.Reference.String(), widest)}
	}
}

// claimedAmount is the amount that an event claims, for people.
func claimedAmount(e api.WebhookEvent) string {
	if e.HasAmount {
		return e.Amount.String()
	}
	return export.Masked(e.AmountText)
}

// claimedParts are the amount and the currency that an event claims, for programs.
func claimedParts(e api.WebhookEvent) (amount, currency string) {
	if e.HasAmount {
		return e.Amount.Major(), e.Amount.Currency.Code()
	}
	return export.Masked(e.AmountText), ""
}

// eventAmount is the whole amount that an event claims, as far as it has room.
func eventAmount(r webhook.Record) string {
	switch {
	case !r.HasAmount && r.AmountText.Empty():
		return ""
	case !r.HasAmount:
		return "unreadable"
	}
	return fitting(eventAmountWidth, r.Amount.String(), r.Amount.Major()+" "+r.Amount.Currency.Code())
}

// times returns how often an event was delivered, "" for once.
func times(n int) string {
	switch {
	case n < 2:
		return ""
	case n > 99:
		return "×++"
	}
	return "×" + strconv.Itoa(n)
}

// short is a text on one line of at most width cells.
func short(s string, width int) string { return api.Clean(s).Line(width) }
