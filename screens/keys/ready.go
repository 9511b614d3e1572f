package keys

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// ReadyOptions configure the screen.
type ReadyOptions struct {
	Profile  keystore.Profile
	Source   string          // where the key came from, or is now
	Folder   keystore.Folder // that the profile is written in
	Accepted bool            // the service has accepted the key
	Sandbox  func() bool
	// Try requests the first page of transactions with the key, Reach the status of a payment that does not exist: see
	// [keystore.CheckPayments]. Both are read-only.
	Try   func(context.Context) error
	Reach func(context.Context) (found keystore.Finding, sent bool)
}

// A trial is what was found of the address of payments.
type trial struct {
	keystore.Finding      // the zero one before it was tried
	sent             bool // a request may have left
}

// A Ready is the end of the first run. It writes the first profile, and says what was tried, what works, what
// does not and what has not been tried yet.
type Ready struct {
	ui.Body
	o        ReadyOptions
	writing  ui.Call[struct{}]
	written  bool
	unwrit   error // why the profile was not written
	trying   ui.Call[trial]
	accepted bool
	payments trial
	trouble  present.Problem // with the request that failed
}

// NewReady returns the screen.
func NewReady(t *ui.Theme, o ReadyOptions) *Ready {
	return &Ready{Body: ui.Body{Theme: t}, o: o, accepted: o.Accepted}
}

// Init implements [ui.Screen].
func (m *Ready) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if m.accepted {
		return tea.Batch(m.write(), m.try())
	}
	return m.write()
}

// write writes the profile. The screen cannot be left until that has ended.
func (m *Ready) write() tea.Cmd {
	folder, p := m.o.Folder, m.o.Profile
	return m.writing.Then(m.wrote).Ask(m.Scope, func(context.Context) (struct{}, error) { return struct{}{}, folder.Create(p) })
}

func (m *Ready) wrote(a ui.Result[struct{}]) tea.Cmd {
	m.written, m.unwrit = a.Err == nil, a.Err
	return nil
}

// try asks the service with the key: for the list, unless it has accepted the key, and then for a payment.
func (m *Ready) try() tea.Cmd {
	try, reach, accepted := m.o.Try, m.o.Reach, m.accepted
	return m.trying.Then(m.answered).Timed(api.ReadLimit).Ask(m.Scope, func(ctx context.Context) (payments trial, list error) {
		if !accepted {
			list = try(ctx)
		}
		if list == nil {
			payments.Finding, payments.sent = reach(ctx)
		}
		return payments, list
	})
}

// answered takes what the addresses answered: the error of the reply comes from the list.
func (m *Ready) answered(a ui.Result[trial]) tea.Cmd {
	m.accepted, m.payments, m.trouble = a.Err == nil, a.Value, present.Problem{}
	switch {
	case a.Err != nil:
		m.trouble = present.Error(a.Err, present.Reading)
	case a.Value.State != keystore.OK:
		m.trouble = a.Value.trouble()
	}
	return nil
}

// trouble words what is wrong with the address of payments.
func (p trial) trouble() present.Problem {
	does, sent := "does not", "Nothing was sent."
	if p.State != keystore.Failed {
		does = "may not"
	}
	if p.sent {
		sent = "Only a read-only request was sent."
	}
	return present.Problem{
		What: "base_url " + does + " work: " + present.Sentence(p.Message), Done: sent, Next: present.Sentence(p.Fix),
	}
}

// works reports whether everything that was tried does.
func (m *Ready) works() bool { return m.written && m.accepted && m.reached() }

// reached reports whether the address of payments answered as it should.
func (m *Ready) reached() bool { return m.payments.State == keystore.OK }

// leave opens home, which is below.
func (m *Ready) leave() tea.Cmd {
	if why := m.WhyStay(); why != "" {
		return m.Warn(why)
	}
	return nav.Pop
}

// again does what has not worked once more.
func (m *Ready) again() tea.Cmd {
	switch {
	case m.busy():
		return m.Notify("It is being tried.")
	case m.works():
		return m.Notify("Everything that was tried works.")
	}
	var write, try tea.Cmd
	if !m.written {
		write = m.write()
	}
	if !m.accepted || !m.reached() {
		try = m.try()
	}
	return tea.Batch(write, try)
}

func (m *Ready) busy() bool { return m.writing.Pending() || m.trying.Pending() }

func (m *Ready) commands() ui.Commands {
	return ui.Commands{
		{Key: ui.Bind("enter", "open home"), On: !m.writing.Pending(), Do: m.leave},
		{Key: ui.Bind("r", "try again"), On: !m.busy() && !m.works(), Do: m.again},
	}
}

// Update implements [ui.Screen].
func (m *Ready) Update(msg tea.Msg) tea.Cmd { return m.Press(msg, m.commands()) }

// WhyStay returns why the screen cannot be left now.
func (m *Ready) WhyStay() string {
	if m.writing.Pending() {
		return "The profile is being written."
	}
	return ""
}

// Back stops a request.
func (m *Ready) Back() bool {
	was := m.trying.Pending()
	m.trying.Drop()
	return was
}

// Title implements [ui.Screen].
func (m *Ready) Title() string { return "First run" }

// Typing implements [ui.Screen].
func (m *Ready) Typing() bool { return false }

// Keys implements [ui.Screen].
func (m *Ready) Keys() []key.Binding { return m.commands().Keys() }

// Explain returns the text of the help page.
func (m *Ready) Explain() []string {
	return []string{
		"This writes the new profile, and tries it with read-only requests: for the first page of transactions, and for a payment that does not exist. No payment and no link is made.",
		"Everything here can be changed later: 6 lists the profiles, paydesk doctor examines a profile step by step.",
	}
}

// Command implements [ui.Commander]: the profile as it is in the file.
func (m *Ready) Command() []string { return []string{"profile", "show", m.o.Profile.Name} }
