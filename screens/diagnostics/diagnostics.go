// Package diagnostics is the screen of the diagnostic bundle: it shows the whole text first, and then
// writes exactly that to a file.
package diagnostics

import (
	"context"
	"io"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/export"
	"paydesk/screens/fileform"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Options of New.
type Options struct {
	Gather func(context.Context) string // returns the text
	Limit  time.Duration                // of Gather
	Folder func() string                // the default folder for files; it may read the file system
}

// A Model is the screen.
type Model struct {
	ui.Body
	options Options
	call    ui.Call[string]
	text    string
	written string // the path of the file, until the next key
	scroll  ui.Scroll
}

// New returns the screen.
func New(t *ui.Theme, o Options) *Model { return &Model{Body: ui.Body{Theme: t}, options: o} }

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.gather()
}

func (m *Model) gather() tea.Cmd {
	gather := m.options.Gather
	return m.call.Then(m.gathered).Timed(m.options.Limit).Ask(m.Scope, func(ctx context.Context) (string, error) { return gather(ctx), nil })
}

func (m *Model) gathered(a ui.Result[string]) tea.Cmd {
	m.News = ui.Notice{}
	if m.text = a.Value; a.Err != nil {
		m.News = ui.Notice{Tone: ui.ToneBad, Text: present.FileProblem(a.Err)}
	}
	m.layout()
	return nil
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	m.written = ""
	defer m.layout()
	if m.scroll.Update(k) {
		return nil
	}
	return m.Press(msg, m.commands())
}

func (m *Model) commands() ui.Commands {
	ready := m.text != "" && !m.call.Pending()
	return ui.Commands{
		{Key: ui.Bind("w", "write file"), On: ready, Do: m.openFile},
		{Key: ui.Bind("r", "gather again"), On: ready, Do: m.again},
	}
}

func (m *Model) again() tea.Cmd {
	if m.call.Pending() {
		return nil
	}
	return m.gather()
}

// openFile asks where to write the text that is shown.
func (m *Model) openFile() tea.Cmd {
	if m.text == "" || m.call.Pending() {
		return m.Notify("There is nothing to write yet.")
	}
	text := m.text
	file := fileform.Text(export.FileName("diagnostics", ".md", m.Scope.Now()), m.options.Folder, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	file.Head = func(int) []string { return []string{m.Theme.Strong.Render("Diagnostic bundle"), ""} }
	return fileform.Open(m.Theme, file, func(f fileform.Written) {
		m.written = present.Plain(f.Path)
		m.layout()
	})
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

func (m *Model) layout() {
	var lines []string
	for line := range strings.SplitSeq(m.text, "\n") {
		lines = append(lines, m.drawn(line)...)
	}
	m.scroll.Show(m.W, m.H-len(m.head()), lines)
}

// drawn is a line of the text: its headings are rules, and code is indented by less.
func (m *Model) drawn(line string) (lines []string) {
	indented := strings.TrimPrefix(line, "    ")
	title, first := strings.CutPrefix(line, "# ")
	switch part, heading := strings.CutPrefix(line, "## "); {
	case heading:
		return []string{m.Theme.Rule(part, "", m.W)}
	case first:
		return []string{m.Theme.Strong.Render(ui.Fit(title, m.W))}
	}
	for _, l := range ui.Wrap(indented, max(m.W-2, 1)) {
		if indented != line {
			l = "  " + l
		}
		lines = append(lines, l)
	}
	return lines
}

// head says what the text is, or where it was written, and which part of it is visible.
func (m *Model) head() []string {
	lines := m.Theme.MutedLines("All of this goes into the file, and nothing else.", m.W)
	if m.written != "" {
		lines = ui.Wrap("Written to "+m.written, m.W)
	}
	note := ""
	if m.scroll.Overflows() {
		note = m.scroll.Position()
	}
	return append(lines, m.Theme.Rule("The bundle", note, m.W))
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.call.Pending() {
		lines := m.Theme.WaitLines(m.call.Wait(), "Gathering", m.W)
		return ui.Lines(m.W, m.H, append(lines, m.Theme.MutedLines("This host, the network and the key are examined.\n"+ui.StopsWaiting, m.W)...)...), nil
	}
	return ui.Lines(m.W, m.H, append(m.head(), m.scroll.View())...), nil
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Diagnostics" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	return append(m.commands().Keys(), m.scroll.Keys())
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"One file for support: versions, the terminal, the profiles without their keys, the checks of the doctor, counts of the journal, the requests of this session and crash reports.",
		"It has no keys, cards, customers or amounts. Read it before you pass it on: references and the addresses of your services are in it.",
	}
}
