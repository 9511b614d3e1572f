package present

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// A Connector connects to the service ahead of what it will send.
type Connector interface{ Connect(context.Context) error }

// Connect connects while a person reads what would be sent, so that they do not wait for it once they
// have said yes. It sends nothing. A failure is not shown: what is sent then says what is wrong.
func Connect(s ui.Scope, c *ui.Call[struct{}], to Connector) tea.Cmd {
	silently := func(ui.Result[struct{}]) tea.Cmd { return nil }
	return c.Then(silently).Ask(s, func(ctx context.Context) (struct{}, error) { return struct{}{}, to.Connect(ctx) })
}
