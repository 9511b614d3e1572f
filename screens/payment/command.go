package payment

import (
	"paydesk/api"
	"paydesk/screens/present"
)

// Command implements [ui.Commander]: status, which watches the payment as this screen does.
func (m *Model) Command() []string {
	switch {
	case !m.prompting:
		return present.CommandOn(string(m.reference), "status", "--watch")
	case m.prompt.several != nil:
		return present.StatusCommand(m.prompt.several.references)
	}
	return nil
}

// Request is the check of the status, for curl.
func (m *Model) Request() (api.Call, bool) {
	return api.Call{Operation: api.OpTransaction, Reference: m.reference}, !m.prompting
}
