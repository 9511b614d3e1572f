package inbox

import (
	"context"
	"net/url"
	"path"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/webhook"
	"paydesk/screens/detail"
	"paydesk/screens/list"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// receiverLines say where webhooks are received, unless nothing has arrived, of which more is said below; and that the file was damaged.
func (m *Model) receiverLines(w int) []string {
	if m.off() {
		return nil
	}
	var lines []string
	if m.Count() > 0 || !m.Query().Empty() {
		lines = append(lines, m.receiverLine(w))
	}
	if slices.ContainsFunc(m.Loaded(), func(r webhook.Record) bool { return r.Answer.Unchecked }) {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, "The journal could not be read: a success marked ? may have a mismatch.", w)...)
	}
	if to := m.found.Replaced; to != "" {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, "The inbox was damaged. It was saved as "+present.Plain(to)+", and a new one was started.", w)...)
	}
	return lines
}

// receiverLine says where webhooks are received, and how many were dropped.
func (m *Model) receiverLine(w int) string {
	words := "not listening"
	switch at := m.options.Receiver(); {
	case at.URL != "":
		words = "listening on " + shortURL(at.URL)
	case at.Elsewhere != "":
		words = present.Plain(at.Elsewhere)
	case at.Why != "":
		words += ": " + present.Plain(at.Why)
	}
	full := ""
	if n := m.found.Dropped; n > 0 {
		full = " · full: " + present.Thousands(int(n)) + " dropped"
	}
	words = strings.TrimRight(ui.Fit(words, w-ansi.StringWidth(full)), " ")
	return m.Theme.Muted.Render(words) + full
}

// shortURL is the URL of a receiver without its secret.
func shortURL(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "a URL that cannot be read"
	}
	return present.Plain(u.Host + path.Dir(u.Path) + "/…")
}

// says counts the events that the service contradicts.
func (m *Model) says() string {
	if n := m.found.Disagree; n > 0 && m.Query().Empty() {
		return " · " + m.Theme.Mark(ui.ToneBad, disagree(n))
	}
	return ""
}

func disagree(n int) string {
	if n == 1 {
		return "1 disagrees"
	}
	return present.Thousands(n) + " disagree"
}

// none says why there are no events, and the key that may change that, if there is one.
func (m *Model) none() (string, key.Binding) {
	at := m.options.Receiver()
	switch {
	case m.off():
		return "There is no inbox for this profile. " + m.options.Off, key.Binding{}
	case !m.Query().Empty():
		return "", key.Binding{}
	case at.URL != "" && m.options.Wired:
		return "No webhook has arrived yet. The sandbox sends one for each payment that becomes final, and samples (W).", ui.Bind("f3", "sandbox")
	case at.URL != "":
		return "No webhook has arrived yet. Give the service the URL at which paydesk listens: " + shortURL(at.URL), ui.Bind("Y", "copy the whole URL")
	}
	words := "No webhook has arrived yet."
	switch {
	case at.Elsewhere != "":
		words += " " + present.Plain(at.Elsewhere)
	case at.Why != "":
		words = "No webhook has arrived yet, and this console does not listen. " + present.Plain(at.Why)
	}
	return words, key.Binding{}
}

// An event is one event with all that is stored of it, and its body.
type event struct {
	webhook.Detail
	body    report.Quote // without lines until it was read
	problem string       // why it could not be read again
}

// eventOf is an event as it was read, or what the list has of it before.
func (m *Model) eventOf(r webhook.Record) event {
	if m.event.ID == r.ID {
		return m.event
	}
	return event{Detail: webhook.Detail{Record: r}}
}

// more reads the event that the pane is to show, or that is open. What was shown stays where nothing can be read.
func (m *Model) more(r webhook.Record) list.Background {
	store, profile, e := m.options.Store, m.options.Profile, m.eventOf(r)
	return func(ctx context.Context) (func(), error) {
		d, err := store.Get(ctx, profile, r.ID)
		if err != nil {
			e.problem = errorText(err)
		} else {
			e = event{Detail: d, body: bodyOf(d)}
		}
		return func() {
			m.event = e
			if open, is := m.Opened(); is && open.ID == r.ID {
				m.Renew(e.Record)
			}
		}, err
	}
}

func bodyOf(d webhook.Detail) report.Quote {
	text, json := webhook.Indent(d.Body)
	lines := api.Clean(card.Redact(text)).Block(0, api.AnswerLines)
	if len(lines) == 0 {
		lines = []string{"(no body)"}
	}
	return report.Quote{Lines: lines, JSON: json}
}

// report says what an event claims beside what the service says, with at most so many lines of its body.
func (m *Model) report(record webhook.Record, most int) report.Report {
	e := m.eventOf(record)
	body := e.body
	body.Lines = body.Lines[:min(len(body.Lines), most)]
	r := report.OfEvent(e.Detail, body)
	r.Status = report.EventCell(e.Record)
	if e.Verdict == webhook.Disagrees || e.Answer.Problem != "" {
		at := 0
		if e.Answer.Mismatch { // which is said first
			at = 1
		}
		r.Says[at].Text += " r asks again."
	}
	return r
}

// open shows an event: what the list has of it at once, the rest when it has been read.
func (m *Model) open(r webhook.Record) tea.Cmd {
	return m.Open(r, detail.Of{
		Title: "Event",
		Head: func(w int) []string {
			if e := m.eventOf(r); e.problem != "" {
				return m.Theme.ErrorLines(e.problem, w)
			}
			return nil
		},
		Commands: m.recordCommands,
		Help:     []string{"One webhook as it arrived, with the service's own word on its payment. A webhook is not signed: only the status endpoint settles a payment."},
	})
}
