package inbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	labelWidth = 9
	leastClaim = 10 // cells of a claim beside the answer
	mostClaim  = 36
)

// An event is one event with all that is stored of it.
type event struct {
	webhook.Detail
	some bool
	call ui.Call[webhook.Detail]
}

// A detail is one event, open.
type detail struct {
	event
	problem string
	scroll  ui.Scroll
}

// open shows the selected event: what the list has of it at once, the rest when it has been read.
func (m *Model) open() tea.Cmd {
	r, some := m.selected()
	if !some {
		return m.noneSelected()
	}
	m.stop() // going back leads to the same place
	m.detail = &detail{event: event{Detail: webhook.Detail{Record: r}}}
	m.layout()
	return m.loadDetail()
}

// loadDetail reads the open event.
func (m *Model) loadDetail() tea.Cmd {
	if m.detail == nil {
		return nil
	}
	return m.read(&m.detail.event, m.detail.ID, func(a ui.Result[webhook.Detail]) {
		if m.detail.problem = ""; a.Err != nil {
			m.detail.problem = errorText(a.Err)
		}
	})
}

// readPane reads the event that the pane is to show.
func (m *Model) readPane() tea.Cmd {
	row := m.panes.Row()
	if _, h := m.panes.PaneSize(); h == 0 || row < 0 || row >= len(m.list.rows) {
		m.pane.some = false
		return nil
	}
	r := m.list.rows[row]
	return m.read(&m.pane, r.ID, func(a ui.Result[webhook.Detail]) {
		if errors.Is(a.Err, webhook.ErrNotFound) { // it was dropped; the list says what is wrong otherwise
			m.pane.Detail, m.pane.some = webhook.Detail{Record: r.Record}, true
		}
	})
}

// read reads an event; what was shown before stays until then.
func (m *Model) read(e *event, id int64, done func(ui.Result[webhook.Detail])) tea.Cmd {
	store, profile := m.options.Store, m.options.Profile
	return e.call.Then(func(a ui.Result[webhook.Detail]) tea.Cmd {
		if a.Err == nil {
			e.Detail, e.some = a.Value, true
		}
		done(a)
		m.layout()
		return nil
	}).Ask(m.Scope, func(ctx context.Context) (webhook.Detail, error) { return store.Get(ctx, profile, id) })
}

// selected is the event under the mark.
func (m *Model) selected() (webhook.Record, bool) {
	r, some := ui.Selected(m.list.table, m.list.rows)
	return r.Record, some
}

// current is the event that is open, or else selected.
func (m *Model) current() (webhook.Record, bool) {
	if m.detail != nil {
		return m.detail.Record, true
	}
	return m.selected()
}

// shown is the event that is open, or else in the pane: which keys there are follows it.
func (m *Model) shown() (webhook.Record, bool) {
	if m.detail != nil {
		return m.detail.Record, true
	}
	_, h := m.panes.PaneSize()
	return m.pane.Record, m.pane.some && h > 0 && len(m.list.rows) > 0
}

func (m *Model) noneSelected() tea.Cmd { return m.Notify("No event is selected.") }

// about is what an event says beside what the service says, in at most w cells.
func (m *Model) about(r webhook.Record, w int) []string {
	lines := []string{ui.Fit(m.Theme.Chip(tones[r.Verdict], present.Plain(string(r.Verdict))), w)}
	lines = append(append(lines, ui.Wrap(m.advice(r), w)...), "")
	lines = append(lines, m.compared(r, w)...)
	if r.Contradicts {
		lines = append(lines, ui.Wrap("Its name and its status claim different outcomes: the status counts.", w)...)
	}
	if r.Masked {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, masked, w)...)
	}
	return append(append(lines, ""), m.facts(r, w)...)
}

// advice is what the verdict about an event is about, and the key that asks again where that may change it.
func (m *Model) advice(r webhook.Record) string {
	words := means(r)
	if m.options.Check != nil && (r.Verdict == webhook.Disagrees || r.Verdict == webhook.NotAsked) {
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
	lines = append(lines, m.sideBySide("", "(unverified)", false, []string{m.answered(r.Answer)}, left)...)
	status, amount := []string{"-"}, []string{"-"}
	if a := r.Answer; !a.At.IsZero() && !a.NotFound && a.Problem == "" || a.Status.State.Final() {
		status = m.Theme.MarkLines(present.Tone(a.Status), present.Word(a.Status), right)
		if a.HasAmount {
			amount = ui.Wrap(a.Amount.String(), right)
		}
	} else if a.NotFound {
		status = ui.Wrap("no such payment", right)
	}
	differs := func(parts ...webhook.Differ) bool {
		return slices.ContainsFunc(parts, func(d webhook.Differ) bool { return slices.Contains(r.Differs, d) })
	}
	lines = append(lines, m.sideBySide("Status", claim(r.WebhookEvent), differs(webhook.Status), status, left)...)
	lines = append(lines, m.sideBySide("Amount", claimedAmount(r.WebhookEvent), differs(webhook.Amount, webhook.Currency), amount, left)...)
	if len(r.Differs) > 0 {
		var words []string
		for _, d := range r.Differs {
			words = append(words, string(d))
		}
		lines = append(lines, ui.Wrap("≠ differs: "+strings.Join(words, ", "), w)...)
	}
	return lines
}

// answered is when the service answered.
func (m *Model) answered(a webhook.Answer) string {
	if a.At.IsZero() {
		return "not asked yet"
	}
	return "at " + present.When(a.At.Local(), m.Scope.Now())
}

// sideBySide is a claim and an answer on a line each, or more where they have no room on one.
func (m *Model) sideBySide(label, says string, differs bool, answer []string, left int) (lines []string) {
	if strings.TrimSpace(says) == "" {
		says = "-"
	}
	claims, sign := ui.Wrap(says, left), "   "
	if differs {
		sign = " " + m.Theme.Text("≠") + " "
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

// facts are what else is known of an event.
func (m *Model) facts(r webhook.Record, w int) (lines []string) {
	now := m.Scope.Now()
	came := present.When(r.Last.Local(), now)
	if r.Deliveries > 1 {
		came += ", " + present.Thousands(r.Deliveries) + " times since " + present.When(r.First.Local(), now)
	}
	claimed := ""
	if !r.Claimed.Time.IsZero() {
		claimed = present.DateTime(r.Claimed.Time.Local())
	}
	paid := ""
	if r.HasPaid {
		paid = r.Paid.String()
	}
	for _, f := range [][2]string{
		{"Event", name(r)}, {"Payment", reference(r)}, {"Arrived", came}, {"Claimed", claimed}, {"Paid", paid},
		{"Channel", r.Channel.Line(0)}, {"Link", present.Plain(string(r.Link))}, {"Narration", r.Narration.Line(0)},
		{"Env.", r.Environment.Line(0)}, {"Source", r.Source.Line(0)}, {"Size", present.Thousands(r.Size) + " bytes"},
		{"Sent on", forwards(r)},
	} {
		if f[1] != "" {
			lines = append(lines, m.Theme.FactLines(f[0], f[1], labelWidth, w)...)
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
func (m *Model) whole(d webhook.Detail, w int) []string {
	lines := m.about(d.Record, w)
	section := func(title, note string, body []string) {
		if len(body) > 0 {
			lines = append(append(lines, "", m.Theme.Rule(title, note, w)), body...)
		}
	}
	section("Arrived", arrivalsNote(d), m.arrivals(d, w))
	section("Passed on", "newest first", m.sent(d, w))
	section("Body as it came", present.Thousands(d.Size)+" bytes", m.body(d, w))
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
		words := how + present.Plain(f.Target) + ": " + outcome(f)
		lines = append(lines, m.Theme.FactLines(present.When(f.At.Local(), m.Scope.Now()), words, 14, w)...)
	}
	return lines
}

// body is the body, indented where it is JSON. A gutter stands before each line, so that none is read as one of the
// console.
func (m *Model) body(d webhook.Detail, w int) (lines []string) {
	if d.Size == 0 {
		return []string{"(no body)"}
	}
	var indented bytes.Buffer
	isJSON := json.Indent(&indented, d.Body, "", "  ") == nil
	if !isJSON {
		indented = *bytes.NewBuffer(d.Body)
	}
	gutter := m.Theme.Muted.Render("│ ")
	for _, l := range api.Clean(indented.String()).Block(0, api.AnswerLines) {
		parts := ui.Wrap(l, w-2)
		if isJSON {
			parts = m.Theme.JSONLine(l, w-2)
		}
		for _, part := range parts {
			lines = append(lines, gutter+part)
		}
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
