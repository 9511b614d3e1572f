package share

import (
	"strings"

	"paydesk/api"
	"paydesk/screens/present"
)

// Command implements [ui.Commander].
func (m *Model) Command() []string { return present.CommandOn(string(m.link.Alias), "link", "show") }

// Request is the creation of a link like this one, for curl: the service has no request that reads a link. There is
// none for a link whose amount is not known.
func (m *Model) Request() (api.Call, bool) {
	l := m.link
	d := api.LinkDraft{Name: l.Name.Line(0), Description: l.Description.Line(0), AmountType: l.AmountType, Amount: l.Amount}
	if strings.HasPrefix(strings.ToLower(l.Type.Line(0)), "reus") {
		d.Type = api.Reusable
	}
	return api.Call{Operation: api.OpCreateLink, Link: d}, m.confirm == nil && l.HasAmount
}
