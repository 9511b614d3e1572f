package screens

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/ui"
)

// answers is the feature that notes what the terminal said about itself, for the diagnostic bundle,
// and draws for its background.
type answers struct {
	theme *ui.Theme
	lines []string
}

// receive takes a message of the terminal.
func (a *answers) receive(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.ColorProfileMsg:
		a.note("colours: " + msg.Profile.String())
	case tea.KeyboardEnhancementsMsg:
		a.note(fmt.Sprintf("keyboard enhancements: %d", msg.Flags))
	case tea.ModeReportMsg:
		a.note(fmt.Sprintf("mode %d: %d", msg.Mode.Mode(), msg.Value))
	case tea.BackgroundColorMsg:
		a.note(fmt.Sprintf("dark background: %v", msg.IsDark()))
		a.theme.Answered(msg.IsDark())
	}
}

// note keeps a line once; a terminal may repeat itself without end.
func (a *answers) note(line string) {
	const most = 20
	if len(a.lines) < most && !slices.Contains(a.lines, line) {
		a.lines = append(a.lines, line)
	}
}
