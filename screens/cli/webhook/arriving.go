package webhook

import (
	"context"
	"slices"
	"sync"
	"time"

	"paydesk/api/query"
	"paydesk/api/webhook"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// A listening is one run of listen. It prints what arrives, what the service says about it, and what targets answer, in several
// goroutines.
type listening struct {
	inbox
	p       Commands
	print   func(news)
	where   query.Query
	targets []webhook.Target
	check   *command.Connection // nil where nothing is checked

	mu     sync.Mutex
	last   int64                     // the number of the last delivery that was printed
	judged int64                     // the number of the last verdict that was printed
	said   map[int64]webhook.Verdict // of events that arrived lately, as it was printed last
	wanted map[string]int            // deliveries, by target
	passed map[string]int            // of them
	unread bool                      // it was said that the inbox cannot be read
}

// The bounds of what listen prints.
const (
	newsPause    = 200 * time.Millisecond // between two looks, so that a flood is read in pages
	newsAtOnce   = 100                    // deliveries read at once: each has its body
	verdictsSaid = 20_000                 // events of which it is known what was printed
)

// A news is a line of listen: a delivery, a verdict, or a forward.
type news struct {
	webhook.Record
	what   string
	at     time.Time
	says   ui.Cell
	target string
	object output.Object
}

// newsColumns returns the columns of listen: all for programs, and for people those that repeat nothing said elsewhere.
func newsColumns() []report.Column[news] {
	const on = report.Terminal | report.Pipe
	return slices.Concat([]report.Column[news]{
		{Column: ui.Column{Title: "Time", Width: 8}, On: on, Cell: report.Time(func(n news) time.Time { return n.at }, present.Clock)},
		{On: report.Pipe, Cell: report.Text(func(n news) string { return n.what })},
	}, report.Within(report.EventColumns(report.WidestEvent, 10), func(n news) webhook.Record { return n.Record }), []report.Column[news]{
		{Column: ui.Column{Title: "Verdict"}, On: on, Cell: func(n news, _ report.Medium) ui.Cell { return n.says }},
		{On: report.Pipe, Cell: report.Text(func(n news) string { return present.Plain(n.target) })},
	})
}

func (p Commands) listening(in inbox) *listening {
	return &listening{
		inbox: in, p: p, said: map[int64]webhook.Verdict{}, wanted: map[string]int{}, passed: map[string]int{},
		print: output.List(p.Data, newsColumns(), func(n news) output.Object { return n.object }),
	}
}

// follow prints what is new until ctx ends.
func (l *listening) follow(ctx context.Context) {
	for version := uint64(0); ctx.Err() == nil; {
		version, _ = l.Wait(ctx, version) // its only error is that of ctx
		l.news(ctx)
		select {
		case <-time.After(newsPause):
		case <-ctx.Done():
		}
	}
}

// news prints the deliveries since the last time, and the verdicts that changed.
func (l *listening) news(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deliveries(ctx)
	l.verdicts(ctx)
}

// deliveries prints those since the last time.
func (l *listening) deliveries(ctx context.Context) {
	for {
		all, err := l.After(ctx, l.profile.Name, l.last, newsAtOnce)
		if l.cannotRead(ctx, err) {
			return
		}
		for _, d := range all {
			l.delivered(ctx, d)
			l.last = d.Number
		}
		if len(all) < newsAtOnce {
			return
		}
	}
}

// cannotRead reports whether the inbox could not be read, and says so once. What arrives is received meanwhile, and
// printed when it can be read again.
func (l *listening) cannotRead(ctx context.Context, err error) bool {
	if err != nil && !l.unread && ctx.Err() == nil {
		l.p.Warn("paydesk: %s", err)
	}
	l.unread = err != nil
	return err != nil
}

// meets reports whether an event meets a query; one that cannot be read now is printed.
func (l *listening) meets(ctx context.Context, e webhook.Record, q query.Query) bool {
	met, err := l.Meets(ctx, l.profile.Name, e.ID, q)
	return met || err != nil
}

func (l *listening) delivered(ctx context.Context, d webhook.Delivered) {
	for _, t := range l.targets {
		if l.meets(ctx, d.Record, t.Where) {
			l.wanted[t.String()]++
		}
	}
	if !l.meets(ctx, d.Record, l.where) {
		return
	}
	l.said[d.ID] = d.Verdict
	o := output.Delivery{Webhook: output.NewWebhook(d.Record), Number: d.Arrival.Number, At: output.Time(d.At)}
	says := l.says(ctx, d.Record)
	if d.At.After(d.First) && l.p.Data.Terminal {
		says.Text += ", again"
	}
	l.print(news{d.Record, "delivery", d.At, says, "", o})
}

// verdicts prints the verdicts that changed since they were printed last.
func (l *listening) verdicts(ctx context.Context) {
	for {
		all, _, err := l.Judged(ctx, l.profile.Name, l.judged, newsAtOnce)
		if l.cannotRead(ctx, err) {
			return
		}
		for _, j := range all {
			l.judged = j.Judged
			if said, is := l.said[j.ID]; is && said == j.Verdict || !l.meets(ctx, j.Record, l.where) {
				continue
			}
			l.said[j.ID] = j.Verdict
			at := j.Answer.At
			if at.IsZero() {
				at = time.Now()
			}
			l.print(news{j.Record, "verdict", at, l.says(ctx, j.Record), "", output.NewWebhook(j.Record)})
		}
		if len(all) < newsAtOnce {
			if len(l.said) > verdictsSaid { // of those that are forgotten a verdict may be printed twice
				clear(l.said)
			}
			return
		}
	}
}

// says returns the verdict, for people with what the service answered.
func (l *listening) says(ctx context.Context, e webhook.Record) ui.Cell {
	c := report.VerdictCell(e.Verdict)
	if !l.p.Data.Terminal || e.Verdict != webhook.Agrees && e.Verdict != webhook.NoAmount && e.Verdict != webhook.Disagrees {
		return c
	}
	l.compare(ctx, &e)
	status := report.AnswerCell(e.Answer)
	if c.Text += ": " + status.Text; e.Answer.Mismatch || e.Answer.Unchecked { // an answer that agrees has no colour
		c.Tone = status.Tone
	}
	if slices.Contains(e.Differs, webhook.Amount) || slices.Contains(e.Differs, webhook.Currency) {
		c.Text += " " + e.Answer.Amount.String()
	}
	return c
}

// forwarded prints what a target answered, below the delivery.
func (l *listening) forwarded(ctx context.Context, d webhook.Delivered, f webhook.Forward) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.Arrival.Number > l.last {
		l.deliveries(ctx)
	}
	l.passed[f.Target]++
	f.Target = withoutQuery(f.Target)
	cell := answerCell(f)
	if l.p.Data.Terminal {
		cell.Text = "-> " + cell.Text
		if len(l.targets) > 1 {
			cell.Text += " from " + present.Plain(f.Target)
		}
	}
	l.print(news{d.Record, "forward", f.At, cell, f.Target, forwardObject(d.Record, f)})
}

// notPassed counts the deliveries that a target was to have and has not got.
func (l *listening) notPassed(target string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wanted[target] - l.passed[target]
}
