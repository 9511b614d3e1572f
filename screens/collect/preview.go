package collect

import (
	"strings"

	"paydesk/screens/present"
)

// showsPreview reports whether there is something to preview, and room for it.
func (m *Model) showsPreview() bool { return m.W >= present.WidePreview && m.stage <= reviewing }

// json is what would be sent as it is entered now, or what is under review.
func (m *Model) json() string {
	in := m.review.in
	if m.review.confirm == nil {
		in = m.initiation()
		defer wipeCard(in)
	}
	return m.service.InitiationBody(in)
}

// withPreview puts the JSON to the right of text.
func (m *Model) withPreview(text string) string {
	pane := present.Preview(m.Theme, m.json())
	if h := m.bodyHeight(); len(pane) > h && h > 0 {
		pane = append(pane[:h-1], m.Theme.Muted.Render("…"))
	}
	return strings.Join(present.SideBySide(m.formWidth(), strings.Split(text, "\n"), pane), "\n")
}
