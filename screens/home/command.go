package home

import (
	"paydesk/api"
	"paydesk/screens/present"
)

// Command implements [ui.Commander]: the status of what is under way, or else what was done from here.
func (m *Model) Command() []string {
	var open []api.Reference
	for _, l := range m.entries {
		if l.Open() && l.Reference != "" {
			open = append(open, l.Reference)
		}
	}
	if words := present.StatusCommand(open); words != nil {
		return words
	}
	return []string{"activity"}
}
