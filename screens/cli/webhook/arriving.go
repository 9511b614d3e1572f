package webhook

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"paydesk/api/query"
	"paydesk/api/webhook"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// listenRows print what arrives, what the service says about it, and what targets answer. They may be used from several
// goroutines.
type listenRows struct {
	inbox
	p     Commands
	table *output.Table

	mu      sync.Mutex
	last    int64                     // the number of the last delivery that was printed
	judged  int64                     // the number of the last verdict that was printed
	said    map[int64]webhook.Verdict // of events that arrived lately, as it was printed last
	where   query.Query
	targets []webhook.Target
	wanted  map[string]int // deliveries, by target
	passed  map[string]int // of them
	unread  bool           // it was said that the inbox cannot be read
}

// The bounds of what listen prints.
const (
	newsPause    = 200 * time.Millisecond // between two looks, so that a flood is read in pages
	newsAtOnce   = 100                    // deliveries read at once: each has its body
	verdictsSaid = 20_000                 // events of which it is known what was printed
)

func (p Commands) listenRows(in inbox) *listenRows {
	return &listenRows{inbox: in, p: p, said: map[int64]webhook.Verdict{}, wanted: map[string]int{}, passed: map[string]int{}, table: p.Data.Table(
		ui.Column{Title: "Time", Width: 8}, ui.Column{Title: "ID", Width: 3, Right: true}, ui.Column{Title: "Event", Width: report.WidestEvent},
		ui.Column{Title: "Reference", Width: 10}, ui.Column{Title: "Claims", Width: 13, Right: true}, ui.Column{Title: "Verdict"},
	)}
}

// follow prints what is new until ctx ends.
func (r *listenRows) follow(ctx context.Context) error {
	for version := uint64(0); ; {
		at, err := r.Wait(ctx, version)
		if err != nil {
			return err
		}
		version = at
		if err := r.news(ctx); err != nil {
			return err
		}
		select {
		case <-time.After(newsPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// news prints the deliveries since the last time, and the verdicts that changed.
func (r *listenRows) news(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.deliveries(ctx); err != nil {
		return err
	}
	return r.verdicts(ctx)
}

// deliveries prints those since the last time.
func (r *listenRows) deliveries(ctx context.Context) error {
	for {
		all, err := r.After(ctx, r.profile.Name, r.last, newsAtOnce)
		if r.cannotRead(ctx, err) {
			return nil
		}
		for _, d := range all {
			if err := r.delivered(ctx, d); err != nil {
				return err
			}
			r.last = d.Number
		}
		if len(all) < newsAtOnce {
			return nil
		}
	}
}

// cannotRead reports whether the inbox could not be read, and says so once. What arrives is received meanwhile, and
// printed when it can be read again.
func (r *listenRows) cannotRead(ctx context.Context, err error) bool {
	if err != nil && !r.unread && ctx.Err() == nil {
		r.p.Warn("paydesk: %s", err)
	}
	r.unread = err != nil
	return err != nil
}

// meets reports whether an event meets a query; one that cannot be read now is printed.
func (r *listenRows) meets(ctx context.Context, e webhook.Record, q query.Query) bool {
	met, err := r.Meets(ctx, r.profile.Name, e.ID, q)
	return met || err != nil
}

func (r *listenRows) delivered(ctx context.Context, d webhook.Delivered) error {
	for _, t := range r.targets {
		if r.meets(ctx, d.Record, t.Where) {
			r.wanted[t.String()]++
		}
	}
	if !r.meets(ctx, d.Record, r.where) {
		return nil
	}
	r.said[d.ID] = d.Verdict
	if r.p.Data.Format == output.JSON {
		o := shape.Delivery{Webhook: shape.NewWebhook(d.Record), Number: d.Arrival.Number, At: shape.Time(d.At)}
		o.Schema = shape.DeliverySchema
		return r.p.Data.Object(o)
	}
	says := r.says(ctx, d.Record)
	if d.At.After(d.First) && r.p.Data.Terminal {
		says.Text += ", again"
	}
	return r.row("delivery", d.At, d.Record, says, "")
}

// verdicts prints the verdicts that changed since they were printed last.
func (r *listenRows) verdicts(ctx context.Context) error {
	for {
		all, _, err := r.Judged(ctx, r.profile.Name, r.judged, newsAtOnce)
		if r.cannotRead(ctx, err) {
			return nil
		}
		for _, j := range all {
			r.judged = j.Number
			if said, is := r.said[j.ID]; is && said == j.Verdict || !r.meets(ctx, j.Record, r.where) {
				continue
			}
			r.said[j.ID] = j.Verdict
			if err := r.verdict(ctx, j.Record); err != nil {
				return err
			}
		}
		if len(all) < newsAtOnce {
			r.forget()
			return nil
		}
	}
}

// forget keeps what was printed of a bounded number of events. Of the others a verdict may be printed twice.
func (r *listenRows) forget() {
	if len(r.said) > verdictsSaid {
		clear(r.said)
	}
}

func (r *listenRows) verdict(ctx context.Context, e webhook.Record) error {
	if r.p.Data.Format == output.JSON {
		return r.p.Data.Object(shape.NewWebhook(e))
	}
	return r.row("verdict", e.Answer.At, e, r.says(ctx, e), "")
}

// says is the verdict, for people with what the service answered.
func (r *listenRows) says(ctx context.Context, e webhook.Record) ui.Cell {
	c := report.VerdictCell(e.Verdict)
	if !r.p.Data.Terminal || e.Verdict != webhook.Agrees && e.Verdict != webhook.NoAmount && e.Verdict != webhook.Disagrees {
		return c
	}
	status := r.status(ctx, e)
	if c.Text += ": " + status.Text; status.Tone != ui.ToneNone {
		c.Tone = status.Tone
	}
	if slices.Contains(e.Differs, webhook.Amount) || slices.Contains(e.Differs, webhook.Currency) {
		c.Text += " " + e.Answer.Amount.String()
	}
	return c
}

// forwarded prints what a target answered, below the delivery.
func (r *listenRows) forwarded(ctx context.Context, d webhook.Delivered, f webhook.Forward) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if d.Arrival.Number > r.last {
		if err := r.deliveries(ctx); err != nil {
			return err
		}
	}
	r.passed[f.Target]++
	f.Target = withoutQuery(f.Target)
	if r.p.Data.Format == output.JSON {
		return r.p.Data.Object(forwardObject(d.Record, f))
	}
	cell := answerCell(f)
	if r.p.Data.Terminal {
		cell.Text = "-> " + cell.Text
		if len(r.targets) > 1 {
			cell.Text += " from " + command.OneLine(f.Target)
		}
	}
	return r.row("forward", f.At, d.Record, cell, f.Target)
}

// row prints one line: for people without what is said elsewhere, for programs with all columns.
func (r *listenRows) row(what string, at time.Time, e webhook.Record, says ui.Cell, target string) error {
	id := strconv.FormatInt(e.ID, 10)
	if at.IsZero() {
		at = time.Now()
	}
	if !r.p.Data.Terminal {
		amount, currency := report.ClaimedParts(e.WebhookEvent)
		return r.table.Row(output.Cells(at.Local().Format(time.RFC3339), what, id, report.EventName(e.WebhookEvent), e.Reference.String(), amount, currency,
			says.Text, command.OneLine(target))...)
	}
	return r.table.Row(ui.Cell{Text: present.Clock(at.Local())}, ui.Cell{Text: id}, ui.Cell{Text: short(report.EventName(e.WebhookEvent), report.WidestEvent)},
		ui.Cell{Text: short(e.Reference.String(), report.WidestReference)}, ui.Cell{Text: short(report.ClaimedAmount(e.WebhookEvent), 16)}, says)
}

// notPassed counts the deliveries that a target was to have and has not got.
func (r *listenRows) notPassed(target string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wanted[target] - r.passed[target]
}
