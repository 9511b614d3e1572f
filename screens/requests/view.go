package requests

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// columns are the table's: what tells one request from another comes first. On a narrow window how much was received and how
// long that took are left out, in this order.
func (m *Model) columns() []report.Column[row] {
	all := []report.Column[row]{
		{Column: ui.Column{Title: "Time", Width: 8}, On: report.Screen, Cell: report.Text(func(e row) string { return present.Clock(e.At) })},
		{Column: ui.Column{Title: "Request", Width: 14, Full: wholeRequest, Grow: true}, On: report.Screen, Cell: report.Text(request)},
		{Column: ui.Column{Title: "  Answer", Width: 12, Quiet: true}, On: report.Screen, Cell: answerCell},
		{Column: ui.Column{Title: "Took", Width: 6, Right: true, Drop: 1, Quiet: true}, On: report.Screen, Cell: report.Text(func(e row) string { return present.Took(e.Took) })},
		{Column: ui.Column{Title: "Received", Width: 8, Right: true, Drop: 2, Quiet: true}, On: report.Screen, Cell: report.Text(func(e row) string { return present.Bytes(e.Received) })},
	}
	for _, place := range []struct {
		title string
		of    func(Entry) string
	}{
		{"Profile", func(e Entry) string { return e.Profile }}, {"Host", func(e Entry) string { return e.Host }},
	} {
		if slices.ContainsFunc(m.entries, func(e Entry) bool { return place.of(e) != place.of(m.entries[0]) }) { // no row says it else
			cell := report.Text(func(e row) string { return present.Plain(place.of(e.Entry)) })
			return append(all, report.Column[row]{Column: ui.Column{Title: place.title, Width: 12}, On: report.Screen, Cell: cell})
		}
	}
	return all
}

// tones contains no success: only the status of a payment is one.
var tones = map[api.Outcome]ui.Tone{
	api.OutcomeUnresolved: ui.ToneUnknown, api.OutcomeRefused: ui.ToneBad, api.OutcomeFailed: ui.ToneBad,
	api.OutcomeNotSent: ui.ToneBad,
}

// outcome is the word for how a request ended.
func outcome(e row) string {
	if e.Outcome == api.OutcomeUnresolved {
		return present.Unresolved
	}
	return string(e.Outcome)
}

const wholeRequest = 42 // cells of the longest reference, with the method before it

// request is the method and the path of a request, or where it was not sent what was asked for. Of a path that is too long its end tells it
// from others.
func request(e row) string {
	if e.Path == "" {
		return string(e.Operation)
	}
	where := within(e.Path)
	if list, _, pages := strings.Cut(where, "?"); pages && e.times > 1 {
		where = list + "?page=…"
	}
	words := fmt.Sprintf("%-4s %s", e.Method, where)
	if end := strings.LastIndexByte(where, '/'); end > 0 && len(words) > wholeRequest {
		words = fmt.Sprintf("%-4s %s", e.Method, where[end:])
	}
	return present.Plain(words)
}

// within is a path from the resource on: what is before that is the same in every request.
func within(path string) string {
	if _, resource, is := strings.Cut(path, "/api/"); is {
		return strings.TrimPrefix(resource, "payment/")
	}
	return strings.TrimPrefix(path, "/")
}

// answerCell says what was answered and how often, or else how the request ended, in line with those that have a glyph.
func answerCell(e row, _ report.Medium) ui.Cell {
	cell := ui.Cell{Text: outcome(e), Tone: tones[e.Outcome]}
	if e.Status != 0 && e.Outcome != api.OutcomeUnresolved {
		cell.Text = fmt.Sprint(e.Status)
	}
	if e.times > 1 {
		cell.Text += " ×" + present.Thousands(e.times)
	}
	if cell.Tone == ui.ToneNone {
		cell.Text = "  " + cell.Text
	}
	return cell
}

// Foot draws the latest requests of a profile that sent something or went wrong on at most n lines of w cells, newest first, below a rule with a note.
func (l *Log) Foot(t *ui.Theme, profile, note string, w, n int) []string {
	var lines []string
	for _, e := range l.notable(profile, n-1) {
		answer := answerCell(row{Entry: e, times: 1}, report.Screen)
		end := ui.Fit(t.Mark(answer.Tone, answer.Text), 14) + t.Muted.Render(fmt.Sprintf("%8s", present.Took(e.Took)))
		what, about := request(row{Entry: e}), cmp.Or(e.Reference, e.Attempt)
		if !strings.Contains(what, about) {
			what = ui.Fit(what, 20) + t.Muted.Render(present.Plain(about))
		}
		lines = append(lines, "  "+t.Muted.Render(present.Clock(e.At))+"  "+ui.Fit(what, w-36)+"  "+end)
	}
	if lines == nil {
		return nil
	}
	return append([]string{t.Rule("Requests", note, w)}, lines...)
}

// words count the requests: a row may stand for several, and the oldest are not kept.
func (m *Model) words() string {
	n := len(m.entries)
	if n == 0 {
		return "No requests"
	}
	if all := m.entries[0].N; all > n {
		return "The newest " + present.Thousands(n) + " of " + present.Thousands(all) + " requests"
	}
	return present.Count(n, "request", "requests")
}

// openRequest shows a request whole.
func (m *Model) openRequest(e row) tea.Cmd {
	return m.Open(e, detail.Of{
		Title: "Request", Commands: m.requestCommands,
		Help: []string{"One request as it ended, or the latest of several that were answered the same, and its answer where that is kept. The log has no bodies, keys or card numbers."},
	})
}

// answer is what a request was answered, as it came. It is no longer kept once a later answer has taken its place.
func (m *Model) answer(e row, most int) report.Quote {
	q := report.Quote{Lines: []string{"(none kept)"}}
	for _, a := range m.options.Kept(e.Profile, raw(e)) {
		if late := a.At.Sub(e.At.Add(e.Took)); a.Received == e.Received && late >= 0 && late < time.Second {
			q = report.Quote{Lines: a.Body.Block(0, min(most, api.AnswerLines)), JSON: true}
		}
	}
	return q
}

// report is all that is known of a request, with at most so many lines of its answer.
func (m *Model) report(e row, most int) report.Report {
	what, since, answer, try := strings.TrimSpace(e.Method+" "+e.Path), "", e.StatusText()+" in "+present.Took(e.Took), ""
	if e.Path == "" {
		what = string(e.Operation)
	}
	if e.times > 1 {
		since = present.Thousands(e.times) + " times since " + present.Clock(e.first.At)
	}
	if e.Try > 1 {
		try = fmt.Sprint(e.Try)
	}
	r := report.Report{
		Title: present.OperationName(e.Operation), Status: ui.Cell{Text: outcome(e), Tone: tones[e.Outcome]}, Brief: answer,
		Sections: []report.Section{{Title: "Request"}, {Title: "Answer as it came", Note: present.Bytes(e.Received), Quote: m.answer(e, most)}},
	}
	if e.Why != "" {
		r.Says = []report.Words{{Text: present.Plain(e.Why)}}
	}
	for _, f := range [][2]string{
		{"Sent", what}, {"Time", e.Time()}, {"Answered", since},
		{"Size", present.Bytes(e.Sent) + " sent, " + present.Bytes(e.Received) + " received"}, {"Try", try},
		{"Reference", e.Reference}, {"Attempt", e.Attempt}, {"Host", e.Host}, {"Profile", e.Profile},
	} {
		r.Sections[0].Facts = append(r.Sections[0].Facts, report.Fact{Label: f[0], Value: present.Plain(f[1])})
	}
	return r
}

// commandOf names the commands that send the requests about one payment.
var commandOf = map[api.Operation]string{
	api.OpTransaction: "status", api.OpAuthenticate: "authenticate", api.OpFinalize: "finalize",
}

// Command implements [ui.Commander]: what sends the marked request again.
func (m *Model) Command() []string {
	e, ok := m.Selected()
	switch name := commandOf[e.Operation]; {
	case ok && name != "" && e.Reference != "":
		return present.CommandOn(string(e.Reference), name)
	case ok && e.Operation == api.OpTransactions:
		return []string{"transactions"}
	}
	return nil
}
