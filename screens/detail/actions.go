package detail

import (
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// CopyReference is the key that copies a reference, if it is safe wherever it is pasted.
func (m *Model) CopyReference(r api.Reference) ui.Command {
	return ui.Command{
		Key: ui.Bind("y", "copy reference"), On: true, Why: present.WhyNotCopied("reference", r.String()),
		Do: func() tea.Cmd { return m.Copy("reference", string(r)) },
	}
}

// A Pinboard tells which payments are pinned to home.
type Pinboard interface{ IsPinned(api.Reference) bool }

// Pin is the key that pins a payment to home, or unpins it.
func (m *Model) Pin(b Pinboard, r api.Reference) ui.Command {
	pinned, does, why := b.IsPinned(r), "pin", ""
	if pinned {
		does = "unpin"
	}
	if r == "" {
		why = "Only a payment whose reference is known can be pinned."
	}
	return ui.Command{Key: ui.Bind("p", does), On: true, Why: why, Do: func() tea.Cmd { return nav.TogglePin(pinned, r) }}
}
