package report

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/ui"
)

// AnswerCell is the status that the service reported about an event, as it may be shown beside what is recorded of the payment.
func AnswerCell(a webhook.Answer) ui.Cell {
	word := present.Word(a.Status)
	switch {
	case a.Mismatch:
		return ui.Cell{Text: "MISMATCH, the service says " + word, Tone: ui.ToneMismatch}
	case a.Unchecked:
		return ui.Cell{Text: "? " + word, Tone: ui.ToneUnknown}
	}
	return ui.Cell{Text: word, Tone: present.Tone(a.Status)}
}

// OfEvent is the report of an event that was received; body is the text that it brought.
func OfEvent(d webhook.Detail, body Quote) Report {
	title := "Body as it came"
	r := Report{Title: EventName(d.WebhookEvent) + " · " + EventReference(d.Record), Status: VerdictCell(d.Verdict)}
	if says := claims(d.WebhookEvent); says != "" {
		r.Brief = "event (unverified): " + says
	}
	if d.Answer.Mismatch {
		r.Says = append(r.Says, Words{Text: "Its payment is a MISMATCH and never counts as paid here.", Tone: ui.ToneMismatch})
	}
	r.Says = append(r.Says, Words{Text: eventMeans(d.Record)})
	if d.Contradicts {
		r.Says = append(r.Says, Words{Text: "Its name and its status claim different outcomes: the status counts."})
	}
	if d.Masked {
		title = "Body, masked"
		r.Says = append(r.Says, Words{Text: "Masked: what looked like a card number was hidden before it was stored. It cannot be replayed.", Tone: ui.ToneAct})
	}
	r.Sections = []Section{
		compared(d.Record), {Title: "The event", Note: "unverified", Facts: eventFacts(d.Record)}, arrived(d),
		{Title: title, Note: present.Count(d.Size, "byte", "bytes"), Quote: body},
		headers(d),
	}
	return r
}

// compared puts the claims of an event beside the answer of the service, in whose column no word of the journal stands.
func compared(r webhook.Record) Section {
	amount, answer := ui.Cell{}, AnswerCell(r.Answer)
	said := Fact{Label: "Service", Value: answer.Text, Tone: answer.Tone, At: r.Answer.At, In: InText | InFile}
	if r.Answer.Mismatch { // which the status says: the event may claim the same
		answer = ui.Cell{Text: present.Word(r.Answer.Status)}
	}
	if r.Answer.HasAmount {
		amount.Text = r.Answer.Amount.String()
		said.Value += " " + amount.Text
	}
	title, says := "service", claims(r.WebhookEvent)
	if says != "" {
		says += ", unverified"
	}
	switch {
	case r.Verdict == webhook.NotUnderstood:
		title, answer, said.Value = "service, not asked", ui.Cell{}, ""
	case r.Answer.At.IsZero():
		title, answer, said.Value = "service, not asked yet", ui.Cell{}, ""
	case r.Answer.NotFound:
		answer, said.Value = ui.Cell{Text: noSuchPayment}, noSuchPayment
	}
	shown := said
	shown.Value, shown.Tone, shown.In = strings.TrimSpace(answer.Text+" "+amount.Text), answer.Tone, InPane
	s := Section{Title: "What it claims", Facts: []Fact{
		shown, said, {Label: "Says", Value: says, In: OffPage}, {Label: "Differs", Value: eventDiffers(r), Tone: ui.ToneBad},
	}}
	if r.Reference != "" {
		s.Table = Table{Titles: []string{"event (unverified)", title}, Rows: []Row{
			{Label: "Status", Cells: []ui.Cell{{Text: claim(r.WebhookEvent)}, answer}}, {Label: "Amount", Cells: []ui.Cell{{Text: claimedAmount(r.WebhookEvent)}, amount}},
		}}
		if !r.Answer.At.IsZero() {
			s.Table.Rows = append(s.Table.Rows, Row{"Answered", []ui.Cell{{}, {Text: present.DateTime(r.Answer.At)}}})
		}
	}
	return s
}

// arrived says when an event came, and where it was sent on to.
func arrived(d webhook.Detail) Section {
	s := Section{Title: "Arrived", Facts: []Fact{{Label: "Size", Value: present.Count(d.Size, "byte", "bytes")}}}
	if n := len(d.Arrivals); n < d.Deliveries {
		s.Note = "the newest " + strconv.Itoa(n) + " of " + present.Thousands(d.Deliveries)
	}
	for _, a := range d.Arrivals {
		s.Facts = append(s.Facts, Fact{Label: "Arrived", At: a.At})
	}
	for _, f := range d.Sent {
		how := ""
		if f.Replay {
			how = "replayed to "
		}
		s.Facts = append(s.Facts, Fact{Label: "Sent on", Value: how + present.Plain(f.Target) + ": " + EventSent(f), At: f.At})
	}
	return s
}

// headers are quoted: a sender chooses their names too.
func headers(d webhook.Detail) Section {
	s := Section{Title: "Headers of the first delivery", Quote: Quote{In: OnPage}}
	for _, name := range slices.Sorted(maps.Keys(d.Header)) {
		for _, value := range d.Header[name] {
			line := export.Masked(api.Clean(name + ": " + value))
			s.Quote.Lines = append(s.Quote.Lines, line)
			s.Facts = append(s.Facts, Fact{Label: "Header", Value: line, In: InText})
		}
	}
	return s
}

// eventFacts returns what an event says of itself. Nothing of it is verified.
func eventFacts(r webhook.Record) []Fact {
	claimed, paid := export.Masked(r.Claimed.Text), ""
	if !r.Claimed.Time.IsZero() {
		claimed = present.DateTime(r.Claimed.Time.Local())
	}
	if r.Paid.Readable() {
		paid = r.Paid.Amount.String()
	}
	return []Fact{
		{Label: "Event", Value: EventName(r.WebhookEvent)}, {Label: "Payment", Value: EventReference(r)}, {Label: "Time", Value: claimed},
		{Label: "Paid", Value: paid}, {Label: "Channel", Value: export.Masked(r.Channel)}, {Label: "Link", Value: present.Plain(string(r.Link))},
		{Label: "About", Value: export.Masked(r.Narration)}, {Label: "Mode", Value: export.Masked(r.Environment)}, {Label: "Source", Value: export.Masked(r.Source)},
	}
}

const noSuchPayment = "no such payment"

// claims are the status and the amount that an event claims.
func claims(e api.WebhookEvent) string { return strings.TrimSpace(claim(e) + " " + claimedAmount(e)) }

// claim is the status that an event claims, in its own word where it has one.
func claim(e api.WebhookEvent) string {
	switch {
	case !e.Status.Text.Empty():
		return export.Masked(e.Status.Text)
	case e.Says != api.Unrecognised:
		return e.Says.String()
	}
	return ""
}

// eventDiffers names what the service contradicts; "" for nothing.
func eventDiffers(r webhook.Record) string {
	var words []string
	for _, d := range r.Differs {
		words = append(words, string(d))
	}
	return strings.Join(words, ", ")
}

// eventMeans says what a verdict stands for, whether it may be out of date, and what is to be done.
func eventMeans(r webhook.Record) string {
	words := verdictMeans(r)
	if r.Answer.Problem != "" && r.Verdict != webhook.NotAsked {
		words += " It could not be asked again: " + present.Sentence(r.Answer.Problem)
	}
	if r.Early {
		words += " The event claimed a success before the service reported one."
	}
	return words
}

func verdictMeans(r webhook.Record) string {
	switch r.Verdict {
	case webhook.Waiting:
		return "The service has not been asked about this payment yet."
	case webhook.Agrees:
		return "The service says the same as this event."
	case webhook.NoAmount:
		return "The service reports the same status, and states no amount."
	case webhook.Disagrees:
		return "The service says otherwise, and only its answer counts."
	case webhook.Unknown:
		return "The service has no such payment. Anyone who knows the URL can post a webhook."
	case webhook.NotAsked:
		return strings.TrimSpace("The service could not be asked. " + present.Sentence(r.Answer.Problem))
	}
	if r.Problem.Empty() {
		return "It names no payment to check."
	}
	return present.Sentence(export.Masked(r.Problem))
}

// EventSent says what became of sending an event to a target, in a sentence.
func EventSent(f webhook.Forward) string {
	if f.Status == 0 {
		return present.Sentence(export.Masked(api.Clean(f.Problem)))
	}
	return "It answered " + strconv.Itoa(f.Status) + " in " + present.Took(f.Took) + "."
}

// EventColumns returns the columns that every list of events has: the ID, the name, the reference and what is claimed, with
// the widths of the name and of the reference on a terminal.
func EventColumns(event, reference int) []Column[webhook.Record] {
	return []Column[webhook.Record]{
		{Column: ui.Column{Title: "ID", Width: 3, Right: true}, On: Terminal | Pipe, Cell: Text(func(r webhook.Record) string { return strconv.FormatInt(r.ID, 10) })},
		{Column: ui.Column{Title: "Event", Width: 15, Drop: 1}, Printed: event, On: Anywhere, Cell: eventCell},
		{Column: ui.Column{Title: "Reference", Width: 10, Grow: true, Quiet: true, Whole: true}, Printed: reference, On: Anywhere, Cell: eventReference(reference)},
		{Column: ui.Column{Title: "Claims", Width: eventAmountWidth, Right: true}, On: Terminal, Cell: Text(func(r webhook.Record) string { return short(claimedAmount(r.WebhookEvent), 16) })},
		{On: Pipe, Cell: Text(claimedMajor)},
		{On: Pipe, Cell: Text(func(r webhook.Record) string { return r.Amount.Amount.Currency.Code() })},
	}
}

// Events are the columns of the inbox. some are events of the list: on a terminal references stay as whole as theirs, because
// they are copied. On a narrow screen how often it came and what the event is called are left out, in this order.
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
		{Column: ui.Column{Title: "Verdict", Width: 16}, On: Screen, Cell: verdictCell},
		{Column: ui.Column{Title: "Amount", Width: eventAmountWidth, Right: true}, On: Screen, Cell: Text(eventAmount)},
	}, event[1:], []Column[webhook.Record]{
		{Column: ui.Column{Title: "Times", Right: true}, On: Terminal, Cell: Text(func(r webhook.Record) string { return strconv.Itoa(r.Deliveries) })},
		{Column: ui.Column{Title: "Verdict"}, On: Terminal | Pipe, Cell: verdictCell},
		{On: Pipe, Cell: Text(func(r webhook.Record) string { return strconv.Itoa(r.Deliveries) })},
		{Column: ui.Column{Title: "×", Width: 3, Drop: 2}, On: Screen, Cell: Text(func(r webhook.Record) string { return times(r.Deliveries) })},
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
	return ui.Cell{Text: present.Plain(string(v)), Tone: max(tones[v], ui.ToneDone)}
}

// EventCell is the verdict on screens, or the mismatch of its payment where nothing else needs a person.
func EventCell(r webhook.Record) ui.Cell {
	cell := VerdictCell(r.Verdict)
	if r.Answer.Mismatch && cell.Tone == ui.ToneDone {
		return ui.Cell{Text: "MISMATCH", Tone: ui.ToneMismatch}
	}
	return cell
}

func verdictCell(r webhook.Record, on Medium) ui.Cell {
	if on != Screen {
		return VerdictCell(r.Verdict)
	}
	return EventCell(r)
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
	if e.Amount.Readable() {
		return e.Amount.Amount.String()
	}
	return export.Masked(e.Amount.Text)
}

// claimedMajor is the amount that an event claims, for programs.
func claimedMajor(r webhook.Record) string {
	if r.Amount.Readable() {
		return r.Amount.Amount.Major()
	}
	return export.Masked(r.Amount.Text)
}

// eventAmount is the whole amount that an event claims, as far as it has room.
func eventAmount(r webhook.Record) string {
	amount := r.Amount.Amount
	switch {
	case r.Amount.IsZero():
		return ""
	case !r.Amount.Readable():
		return "unreadable"
	}
	return fitting(eventAmountWidth, amount.String(), amount.Major()+" "+amount.Currency.Code())
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
