package inbox

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

const (
	labelWidth = 9
	leastClaim = 10 // cells of a claim beside the answer
	mostClaim  = 36
)

// about returns what an event says beside what the service says, in at most w cells.
func (m *Model) about(r webhook.Record, w int) []string {
	verdict := report.VerdictCell(r.Verdict)
	lines := []string{ui.Fit(m.Theme.Chip(verdict.Tone, verdict.Text), w)}
	lines = append(lines, ui.Wrap(m.advice(r), w)...)
	if r.Reference != "" {
		lines = append(append(lines, ""), m.compared(r, w)...)
	}
	if r.Contradicts {
		lines = append(lines, ui.Wrap(report.EventContradicts, w)...)
	}
	if r.Masked {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, report.EventMasked, w)...)
	}
	return append(append(lines, ""), m.facts(r, w)...)
}

// advice returns what the verdict on an event means, and the key that asks again where that may change it.
func (m *Model) advice(r webhook.Record) string {
	words := report.EventMeans(r)
	if m.options.Check != nil && (r.Verdict == webhook.Disagrees || r.Answer.Problem != "") {
		words += " r asks again."
	}
	return words
}

// compared puts the claims of an event beside the answer of the service, and marks what differs with a sign and in
// words.
func (m *Model) compared(r webhook.Record, w int) []string {
	left := min(max((w-labelWidth-3)/2, leastClaim), mostClaim)
	right := max(w-labelWidth-left-3, 1)
	lines := m.sideBySide("", "event says", false, []string{"service says"}, left)
	lines = append(lines, m.sideBySide("", "(unverified)", false, []string{m.answered(r)}, left)...)
	status, amount := []string{"-"}, []string{"-"}
	if a := r.Answer; !a.At.IsZero() && !a.NotFound {
		status = m.Theme.MarkLines(present.Tone(a.Status), present.Word(a.Status), right)
		if a.Mismatch {
			status = m.Theme.MarkLines(ui.ToneMismatch, mismatched(a), right)
		}
		if a.HasAmount {
			amount = ui.Wrap(a.Amount.String(), right)
		}
	} else if a.NotFound {
		status = ui.Wrap(report.NoSuchPayment, right)
	}
	differs := func(parts ...webhook.Differ) bool {
		return slices.ContainsFunc(parts, func(d webhook.Differ) bool { return slices.Contains(r.Differs, d) })
	}
	lines = append(lines, m.sideBySide("Status", report.Claim(r.WebhookEvent), differs(webhook.Status), status, left)...)
	lines = append(lines, m.sideBySide("Amount", report.ClaimedAmount(r.WebhookEvent), differs(webhook.Amount, webhook.Currency), amount, left)...)
	if words := report.EventDiffers(r); words != "" {
		lines = append(lines, m.Theme.Strong.Render(ui.Fit(m.Theme.Text("≠")+" differs: "+words, w)))
	}
	return lines
}

// mismatched is a status that is none of the payment that was asked for.
func mismatched(a webhook.Answer) string {
	return "MISMATCH, the service says " + present.Word(a.Status)
}

// answered returns when the service answered.
func (m *Model) answered(r webhook.Record) string {
	switch a := r.Answer; {
	case r.Verdict == webhook.NotUnderstood:
		return "is not asked"
	case a.At.IsZero():
		return "not asked yet"
	}
	a := r.Answer
	return "at " + present.When(a.At.Local(), m.Scope.Now())
}

// sideBySide is a claim and an answer on a line each, or more where they have no room on one.
func (m *Model) sideBySide(label, says string, differs bool, answer []string, left int) (lines []string) {
	if strings.TrimSpace(says) == "" {
		says = "-"
	}
	claims, sign := ui.Wrap(says, left), "   "
	if differs {
		sign = " " + m.Theme.Strong.Render(m.Theme.Text("≠")) + " "
	}
	for i := range max(len(claims), len(answer)) {
		var c, a string
		if i < len(claims) {
			c = claims[i]
		}
		if i < len(answer) {
			a = answer[i]
		}
		if label == "" {
			c, a = m.Theme.Muted.Render(c), m.Theme.Muted.Render(a)
		}
		lines = append(lines, m.Theme.Muted.Render(ui.Fit(label, labelWidth))+ui.Fit(c, left)+sign+a)
		label, sign = "", "   "
	}
	return lines
}

// facts returns what else an event says, and what is known of its deliveries.
func (m *Model) facts(r webhook.Record, w int) []string {
	now := m.Scope.Now()
	came := present.When(r.Last.Local(), now)
	if r.Deliveries > 1 {
		came += ", " + present.Thousands(r.Deliveries) + " times since " + present.When(r.First.Local(), now)
	}
	lines := append([]string{m.Theme.Rule("The event", "unverified", w)}, m.factLines(w, report.EventFacts(r))...)
	return append(append(lines, ""), m.factLines(w, []report.Fact{
		{Label: "Arrived", Value: came}, {Label: "Size", Value: present.Thousands(r.Size) + " bytes"}, {Label: "Sent on", Value: forwards(r)},
	})...)
}

// factLines are those of facts that have a value.
func (m *Model) factLines(w int, facts []report.Fact) (lines []string) {
	for _, f := range facts {
		if f.Value != "" {
			lines = append(lines, m.Theme.FactLines(f.Label, f.Value, labelWidth, w)...)
		}
	}
	return lines
}

// forwards counts how often an event was passed on; "" for never.
func forwards(r webhook.Record) string {
	if r.Forwards == 0 {
		return ""
	}
	return present.Count(r.Forwards, "time", "times")
}

// whole are all lines of an event.
func (m *Model) whole(e *event, w int) []string {
	d := e.Detail
	lines := m.about(d.Record, w)
	section := func(title, note string, body []string) {
		if len(body) > 0 {
			lines = append(append(lines, "", m.Theme.Rule(title, note, w)), body...)
		}
	}
	section("Arrived", arrivalsNote(d), m.arrivals(d, w))
	section("Passed on", "newest first", m.sent(d, w))
	section(bodyTitle(d.Record), present.Thousands(d.Size)+" bytes", m.bodyLines(&e.body, w, 0))
	section("Headers of the first delivery", "", headers(d, w))
	return lines
}

func arrivalsNote(d webhook.Detail) string {
	if n := len(d.Arrivals); n < d.Deliveries {
		return "the newest " + strconv.Itoa(n) + " of " + present.Thousands(d.Deliveries)
	}
	return "newest first"
}

// arrivals are the times of the deliveries, where there are several.
func (m *Model) arrivals(d webhook.Detail, w int) (lines []string) {
	if d.Deliveries < 2 {
		return nil
	}
	var all []string
	for _, a := range d.Arrivals {
		all = append(all, present.When(a.At.Local(), m.Scope.Now()))
	}
	return ui.Wrap(strings.Join(all, ", "), w)
}

// sent are the sendings to targets.
func (m *Model) sent(d webhook.Detail, w int) (lines []string) {
	for _, f := range d.Sent {
		how := "passed on to "
		if f.Replay {
			how = "replayed to "
		}
		words := how + present.Plain(f.Target) + ": " + report.EventSent(f)
		if f.Status == 0 && d.Masked {
			words = present.Plain(f.Target) + ": " + report.EventSent(f)
		}
		lines = append(lines, m.Theme.FactLines(present.When(f.At.Local(), m.Scope.Now()), words, 14, w)...)
	}
	return lines
}

// headers are the headers, each value under its name.
func headers(d webhook.Detail, w int) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(d.Header)) {
		for _, value := range d.Header[name] {
			lines = append(lines, ui.Wrap(present.Plain(name+": "+value), w)...)
		}
	}
	return lines
}
