package detail

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// Answers has the service's answers of this session, and requests the status of a payment.
type Answers interface {
	Kept(session.Subject) []session.KeptAnswer
	Transaction(context.Context, api.Reference) (api.PaymentStatus, error)
}

// A Raw is the screen that shows the service's last answers about a payment, a link or an attempt as they came, for
// what no other screen has a place for. The answers are those of this session, redacted and cleaned
// where they entered the program: see [api.Answer]. It shows them as they were when it was opened, until r asks again.
type Raw struct {
	*Model
	service Answers
	about   session.Subject
	kept    []session.KeptAnswer

	asked   ui.Call[api.PaymentStatus]
	problem present.Problem
	search  *ui.Search
}

// NewRaw shows the answers about a subject; without one, the last answer to an operation.
func NewRaw(t *ui.Theme, s Answers, about session.Subject) *Raw {
	m := &Raw{service: s, about: about, search: ui.NewSearch(t, "Search", "in the answers, by line")}
	m.Model = New(&ui.Body{Theme: t}, Of{
		Title: "Raw answers", Lines: m.lines, Commands: m.commands,
		Head: func(w int) []string {
			lines, _ := m.head(w)
			return lines
		},
		Help: []string{
			"The service's last answer to each request about this, whole, with the latest first. Lines are indented; nothing is left out but what is marked.",
			"The key, what looks like a card number, and the page of a bank check are hidden. Characters that a terminal would obey are spelled out.",
			"Answers are kept in memory: until paydesk ends, another profile is opened, or 1,000 later ones have come.",
		},
	})
	return m
}

// Init implements [ui.Screen].
func (m *Raw) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	m.load()
	return nil
}

func (m *Raw) load() {
	m.kept = m.service.Kept(m.about)
	if a := m.about; a.Reference == "" && a.Link == "" && a.Attempt == "" && a.Page == 0 {
		m.kept = m.kept[:min(len(m.kept), 1)]
	}
	m.Layout()
}

// Update implements [ui.Screen].
func (m *Raw) Update(msg tea.Msg) tea.Cmd {
	if m.search.Typing {
		m.search.Update(msg, &m.scroll)
		m.Layout()
		return nil
	}
	return m.Model.Update(msg)
}

// commands are the keys. Only the status of a payment can be asked for again without doing anything else.
func (m *Raw) commands() ui.Commands {
	again, none := "", ""
	if m.about.Reference == "" {
		again = m.again()
	}
	if len(m.kept) == 0 {
		none = "There is nothing to copy."
	}
	return ui.Commands{
		{Key: ui.Bind("r", "ask for the status"), On: true, Why: again, Do: m.ask},
		{Key: ui.Bind("y", "copy"), On: true, Why: none, Do: m.copy},
		{Key: ui.Bind("/", "search"), On: len(m.kept) > 0, Do: m.typeSearch},
	}
}

// ask asks for the status of the payment.
func (m *Raw) ask() tea.Cmd {
	if m.asked.Pending() {
		return m.Notify("Still waiting for the answer.")
	}
	m.problem = present.Problem{}
	m.Layout()
	service, reference := m.service, m.about.Reference
	return m.asked.Then(m.onAnswer).Ask(m.Scope, func(ctx context.Context) (api.PaymentStatus, error) {
		return service.Transaction(ctx, reference)
	})
}

// onAnswer shows the answer; a rejection is one too, and is kept.
func (m *Raw) onAnswer(a ui.Result[api.PaymentStatus]) tea.Cmd {
	if a.Err != nil && !api.Definite(a.Err) {
		m.problem = present.Error(a.Err, present.Reading)
	} else {
		m.Notify("New answer received.")
	}
	m.load()
	return nil
}

func (m *Raw) typeSearch() tea.Cmd {
	m.search.Typing = len(m.kept) > 0
	m.Layout()
	return nil
}

// copyLimit is the most that terminals were seen to take of a copy, with its encoding.
const copyLimit = 48 << 10

// copy copies all answers, whatever the search shows.
func (m *Raw) copy() tea.Cmd {
	lines := []string{m.subject()}
	for _, a := range m.kept {
		words, cut := about(a)
		lines = append(append(lines, "", strings.TrimSuffix(words+" · "+cut, " · ")), body(a)...)
	}
	text := strings.Join(lines, "\n")
	if len(text) <= copyLimit {
		return m.Copy("raw text", text)
	}
	text = text[:copyLimit]
	return m.Copy("beginning of the raw text", text[:strings.LastIndexByte(text, '\n')]+"\n… cut here")
}

// Back clears the search.
func (m *Raw) Back() bool {
	if !m.search.Active() {
		return false
	}
	m.search.Clear()
	m.EndNews()
	m.Layout()
	return true
}

// Typing implements [ui.Screen].
func (m *Raw) Typing() bool { return m.search.Typing }

// Keys implements [ui.Screen].
func (m *Raw) Keys() []key.Binding {
	if m.search.Typing {
		return m.search.Keys()
	}
	return m.Model.Keys()
}

// View implements [ui.Screen].
func (m *Raw) View() (string, *tea.Cursor) {
	view, _ := m.Model.View()
	_, cursor := m.head(m.W)
	return view, cursor
}

// head returns the subject of the answers, how many there are, any problem, and the search.
func (m *Raw) head(w int) ([]string, *tea.Cursor) {
	count := "" // where there is none, it is said below
	if n := len(m.kept); n > 0 {
		count = present.Count(n, "answer", "answers, newest first")
	}
	if m.asked.Pending() {
		count = strings.TrimPrefix(count+" · asking…", " · ")
	}
	lines := []string{m.Theme.Strong.Render(m.subject()), m.Theme.Muted.Render(count)}
	return m.search.View(append(lines, m.problem.Lines(m.Theme, w)...), w, m.H)
}

// subject names the subject of the answers.
func (m *Raw) subject() string {
	switch a := m.about; {
	case a.Reference != "":
		return "Payment " + a.Reference.String()
	case a.Link != "":
		return "Link " + string(a.Link)
	case a.Attempt != "":
		return "Attempt " + present.Plain(string(a.Attempt))
	case a.Page > 0:
		return present.OperationName(a.Operation) + ", page " + present.Thousands(a.Page)
	default:
		return present.OperationName(a.Operation)
	}
}

// about returns which request was answered and when, and what is left out of the answer; "" for nothing.
func about(a session.KeptAnswer) (heading, cut string) {
	heading = fmt.Sprintf("%s · received %s · HTTP %d", present.OperationName(a.Operation), present.Clock(a.At.Local()), a.HTTP)
	if a.Cut {
		cut = "cut, " + present.Thousands(int(a.Received)) + " bytes in all"
	}
	return heading, cut
}

// heading begins an answer. What is left out has a line of its own where the rule has no room for it.
func (m *Raw) heading(a session.KeptAnswer, w int) []string {
	words, cut := about(a)
	rule := m.Theme.Rule(words, cut, w)
	if cut == "" || strings.Contains(rule, cut) {
		return []string{rule}
	}
	return append([]string{rule}, m.Theme.MutedLines(cut, w)...)
}

// body are the lines of an answer.
func body(a session.KeptAnswer) []string {
	if a.Body.Empty() {
		return []string{"(no body)"}
	}
	return a.Body.Block(0, api.AnswerLines)
}

// lines are the answers, or why there are none.
func (m *Raw) lines(w int) (lines []string) {
	if len(m.kept) == 0 {
		words, k := "No answer is kept. Answers are kept in memory only, until paydesk ends or another profile is opened.", ui.Bind("r", "ask for the status")
		if m.about.Reference == "" {
			words, k = words+" "+m.again(), key.Binding{}
		}
		head, _ := m.head(w)
		return m.Theme.Invite(words, k, w, max(m.H-len(head), 1))
	}
	text := strings.ToLower(m.search.Value())
	for _, a := range m.kept {
		found := slices.DeleteFunc(body(a), func(l string) bool { return !strings.Contains(strings.ToLower(l), text) })
		if len(found) > 0 {
			lines = append(append(lines, ""), m.heading(a, w)...)
			lines = append(lines, report.Quote{Lines: found, JSON: true}.Draw(m.Theme, w)...)
		}
	}
	if len(lines) == 0 {
		return []string{"No line matches."}
	}
	return lines[1:]
}

// again says how an answer is got about what has no status.
func (m *Raw) again() string {
	switch {
	case m.about.Link != "":
		return "The service has no request that reads a link again."
	case m.about.Attempt != "":
		return "A request that was sent is never repeated just to read its answer."
	}
	return "Go back (esc) and press r to ask again."
}

// Command implements [ui.Commander]: what the command of the same subject prints for programs.
func (m *Raw) Command() []string {
	switch a := m.about; {
	case a.Reference != "":
		return present.CommandOn(string(a.Reference), "status", "--json")
	case a.Link != "":
		return present.CommandOn(string(a.Link), "link", "show", "--json")
	case a.Attempt != "":
		return []string{"activity", "show", "--json", string(a.Attempt)}
	}
	return nil
}
