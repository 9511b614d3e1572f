package requests

import (
	"paydesk/api"
	"paydesk/screens/present"
)

// commands are those that send the requests about one payment.
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
