package activity

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/ledger"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

// run executes a command and passes its messages to the screen, until there are none left.
func run(m *Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			run(m, c)
		}
	case ui.Reply:
		run(m, msg.Deliver())
	}
}

// openSync is the screen after its first results, without a terminal.
func openSync(t testing.TB, b Journal) (*Model, string) {
	m := New(screentest.Theme, Options{Journal: b, Here: func() ledger.Destination { return here }})
	m.Resize(ui.BodySize(120, 40))
	var w ui.Work
	run(m, m.Init(ui.NewScope(context.Background(), &w, &ui.Clock{}, m)))
	view, _ := m.View()
	return m, view
}
