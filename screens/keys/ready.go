package keys

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// ReadyOptions configure the screen.
type ReadyOptions struct {
	Profile keystore.Profile
	Source  string          // where the key came from, or is now
	Folder  keystore.Folder // that the profile is written in
	Sandbox func() bool     // reports whether the service is a sandbox of paydesk
	// Network checks the way to the service with the key, by read-only requests.
	Network Examine
}

// A Ready is the end of the first run. It writes the first profile, and says what the doctor finds on the way to its service, and
// what comes next.
type Ready struct {
	*Doctor
	o       ReadyOptions
	writing ui.Call[struct{}]
	written bool
}

// NewReady returns the screen.
func NewReady(t *ui.Theme, o ReadyOptions) *Ready {
	m := &Ready{Doctor: &Doctor{profile: o.Profile.Name, examine: o.Network}, o: o}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{
		Title: "First run", Head: m.head, Lines: m.lines, Commands: m.commands,
		Help: []string{
			"This writes the new profile, and checks the way to its service with read-only requests. No payment and no link is made.",
			"Everything here can be changed later: 6 lists the profiles, and paydesk doctor checks this host too.",
		},
	})
	return m
}

// Init implements [ui.Screen].
func (m *Ready) Init(s ui.Scope) tea.Cmd { return tea.Batch(m.Doctor.Init(s), m.write()) }

// write writes the profile. The screen cannot be left until that has ended.
func (m *Ready) write() tea.Cmd {
	folder, p := m.o.Folder, m.o.Profile
	return m.writing.Then(m.wrote).Ask(m.Scope, func(context.Context) (struct{}, error) { return struct{}{}, folder.Create(p) })
}

// writeAgain writes the profile, and runs the checks again unless they are running.
func (m *Ready) writeAgain() tea.Cmd {
	if m.call.Pending() {
		return m.write()
	}
	return tea.Batch(m.write(), m.run())
}

// wrote says where the profile and its key are.
func (m *Ready) wrote(a ui.Result[struct{}]) tea.Cmd {
	m.written = a.Err == nil
	profile := keystore.Finding{Name: "profile", State: keystore.OK, Message: m.o.Profile.Name + " is in " + m.o.Folder.Profile(m.o.Profile.Name)}
	if !m.written {
		profile.State, profile.Fix = keystore.Failed, "write it again (r)"
		profile.Message = m.o.Profile.Name + " was not written, and is open for this run only: " + present.Plain(a.Err.Error())
	}
	where := "it is in " + SourceName(m.o.Source)
	if m.o.Source == thisRun {
		where = "it is stored nowhere: you enter it at each start"
	}
	m.known = []keystore.Finding{profile, {Name: "key", State: keystore.OK, Message: where}}
	m.Layout()
	return nil
}

// commands are those of the doctor, after the key that goes on. A profile that was not written can be written
// again without waiting for the checks.
func (m *Ready) commands() ui.Commands {
	cs := m.Doctor.commands()
	again := &cs[0]
	if !m.written {
		again.Why, again.Do = "", m.writeAgain
	}
	again.Why = cmp.Or(m.WhyStay(), again.Why)
	return slices.Insert(cs, 0, ui.Command{Key: ui.Bind("enter", "open home"), On: true, Why: m.WhyStay(), Do: func() tea.Cmd { return nav.Pop }})
}

// WhyStay returns why the screen cannot be left now.
func (m *Ready) WhyStay() string { return whyWriting(&m.writing) }

// Resume implements [ui.Resumer]: that the service is a sandbox may be known after all else.
func (m *Ready) Resume() tea.Cmd {
	m.Layout()
	return nil
}

// lines are what was found, and the way on.
func (m *Ready) lines(w int) []string {
	lines := append(m.Doctor.lines(w), m.Theme.Rule("Next", "", min(w, mostText)))
	if m.o.Sandbox() {
		lines = append(lines, ui.Wrap("A paydesk sandbox answers here: f3 controls it, and its test cards are offered.", w)...)
	}
	if m.o.Profile.Environment == keystore.Live {
		lines = append(lines, ui.Wrap("The profile is live: sending stays locked until you unlock it.", w)...)
	}
	return append(lines, m.Theme.MutedLines("6 and then e changes the profile; enter opens Home.", w)...)
}
