// Package raw shows the service's last answers about a payment, a link or an attempt as they came, for
// what no other screen has a place for. The answers are those of this session, redacted and cleaned
// where they entered the program: see [api.Answer].
package raw

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Service has kept its answers of this session, and tells the status of a payment.
type Service interface {
	Kept(session.Subject) []session.KeptAnswer
	Transaction(context.Context, api.Reference) (api.PaymentStatus, error)
}

// A Model is the screen. It shows the answers as they were when it was opened, until r asks again.
type Model struct {
	ui.Body
	service Service
	about   session.Subject
	kept    []session.KeptAnswer

	asked   ui.Call[api.PaymentStatus]
	problem present.Problem
	filter  *ui.Filter
	scroll  ui.Scroll
}

// New shows the answers about a subject; without one, the last answer to an operation.
func New(t *ui.Theme, s Service, about session.Subject) *Model {
	m := &Model{Body: ui.Body{Theme: t}, service: s, about: about}
	m.filter = ui.NewFilter(t, "Filter", "in the answers, by line")
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	m.load()
	return nil
}

func (m *Model) load() {
	m.kept = m.service.Kept(m.about)
	if !m.isNamed() {
		m.kept = m.kept[:min(len(m.kept), 1)]
	}
	m.layout()
}

// isNamed reports whether the answers are about one payment, link, attempt or page.
func (m *Model) isNamed() bool {
	return m.about.Reference != "" || m.about.Link != "" || m.about.Attempt != "" || m.about.Page > 0
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.filter.Typing {
		m.filter.Update(msg, &m.scroll)
		m.layout()
		return nil
	}
	if k, ok := msg.(tea.KeyPressMsg); ok && m.scroll.Update(k) {
		return nil
	}
	return m.Press(msg, m.commands())
}

// commands are the keys. Only the status of a payment can be asked for again without doing anything else.
func (m *Model) commands() ui.Commands {
	some := len(m.kept) > 0
	return ui.Commands{
		{Key: ui.Bind("r", "ask for the status"), On: m.about.Reference != "", Do: m.ask},
		{Key: ui.Bind("y", "copy"), On: some, Do: m.copy},
		{Key: ui.Bind("/", "filter"), On: some, Do: m.typeFilter},
	}
}

// ask asks for the status of the payment.
func (m *Model) ask() tea.Cmd {
	if m.about.Reference == "" {
		return m.Warn(m.again())
	}
	if m.asked.Pending() {
		return m.Notify("Still waiting for the answer.")
	}
	m.problem = present.Problem{}
	m.layout()
	service, reference := m.service, m.about.Reference
	return m.asked.Then(m.onAnswer).Ask(m.Scope, func(ctx context.Context) (api.PaymentStatus, error) {
		return service.Transaction(ctx, reference)
	})
}

// onAnswer shows the answer; a rejection is one too, and is kept.
func (m *Model) onAnswer(a ui.Result[api.PaymentStatus]) tea.Cmd {
	if a.Err != nil && !api.Definite(a.Err) {
		m.problem = present.Error(a.Err, present.Reading)
	}
	m.load()
	return nil
}

func (m *Model) typeFilter() tea.Cmd {
	if len(m.kept) > 0 {
		m.filter.Typing = true
		m.layout()
	}
	return nil
}

// copyLimit is the most that terminals were seen to take of a copy, with its encoding.
const copyLimit = 48 << 10

// copy copies all answers, whatever the filter shows.
func (m *Model) copy() tea.Cmd {
	if len(m.kept) == 0 {
		return m.Warn("There is nothing to copy.")
	}
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

// Back implements [ui.Backer]: it clears the filter.
func (m *Model) Back() bool {
	if !m.filter.Active() {
		return false
	}
	m.filter.Clear()
	m.News = ui.Notice{}
	m.layout()
	return true
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Raw answers" }

// Typing implements [ui.Screen].
func (m *Model) Typing() bool { return m.filter.Typing }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	if m.filter.Typing {
		return m.filter.Keys()
	}
	return append(m.commands().Keys(), m.scroll.Keys())
}

// Explain is the help page's text beyond the keys.
func (m *Model) Explain() []string {
	return []string{
		"The service's last answer to each request about this, whole, with the latest first. Lines are indented; nothing is left out but what is marked.",
		"The key, what looks like a card number, and the page of a bank check are hidden. Characters that a terminal would obey are spelled out.",
		"Answers are kept in memory: until paydesk ends, another profile is opened, or 1,000 later ones have come.",
	}
}
