package requests

import (
	"context"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/ui"
)

// DiagnosticsOptions configure [NewDiagnostics].
type DiagnosticsOptions struct {
	Gather func(context.Context) string // returns the text
	Limit  time.Duration                // of Gather
}

// A Diagnostics is the screen of the diagnostic bundle: it shows the whole text first, and then
// writes exactly that to a file.
type Diagnostics struct {
	*detail.Model
	options DiagnosticsOptions
	call    ui.Call[string]
	text    string
}

// NewDiagnostics returns the screen.
func NewDiagnostics(t *ui.Theme, o DiagnosticsOptions) *Diagnostics {
	m := &Diagnostics{options: o}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{
		Title: "Diagnostics", Head: m.head, Lines: m.lines, Commands: m.commands,
		Help: []string{
			"One file for support: versions, the terminal, the profiles without their keys, the checks of the doctor, counts of the journal, the requests of this session and crash reports.",
			"It has no keys, cards, customers or amounts. Read it before you pass it on: references and the addresses of your services are in it.",
		},
	})
	return m
}

// Init implements [ui.Screen].
func (m *Diagnostics) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.gather()
}

func (m *Diagnostics) gather() tea.Cmd {
	gather := m.options.Gather
	m.text = ""
	m.Layout()
	return m.call.Then(m.gathered).Timed(m.options.Limit).Ask(m.Scope, func(ctx context.Context) (string, error) { return gather(ctx), nil })
}

func (m *Diagnostics) gathered(a ui.Result[string]) tea.Cmd {
	m.EndNews()
	if m.text = a.Value; a.Err != nil {
		m.News = ui.Notice{Tone: ui.ToneBad, Text: present.FileProblem(a.Err)}
	}
	m.Layout()
	return nil
}

func (m *Diagnostics) commands() ui.Commands {
	none, again := "", ""
	if m.text == "" {
		none = "There is nothing to write yet."
	}
	if m.call.Pending() {
		again = "It is being gathered already."
	}
	return ui.Commands{
		{Key: ui.Bind("w", "write file"), On: true, Why: none, Do: m.write},
		{Key: ui.Bind("r", "gather again"), On: true, Why: again, Do: m.gather},
	}
}

// write asks where to write the text that is shown.
func (m *Diagnostics) write() tea.Cmd {
	text := m.text
	return m.Save(detail.TextFile("Diagnostic bundle", "diagnostics", ".md", func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}))
}

// head says what the text is, or how long it takes to gather it.
func (m *Diagnostics) head(w int) []string {
	if m.call.Pending() {
		return append(m.Theme.WaitLines(m.call.Wait(), "Gathering", w), m.Theme.MutedLines("This host, the network and the key are examined.\n"+ui.StopsWaiting, w)...)
	}
	return append(m.Theme.MutedLines("All of this goes into the file, and nothing else.", w), "", m.Theme.Rule("The bundle", "", w))
}

// lines are the text: the headings of its parts are rules, and what is below them is indented by less.
func (m *Diagnostics) lines(w int) (lines []string) {
	if m.text == "" {
		return nil
	}
	underRule := false
	for line := range strings.SplitSeq(m.text, "\n") {
		part, is := strings.CutPrefix(line, "## ")
		title, first := strings.CutPrefix(line, "# ")
		switch {
		case underRule && line == "": // a rule sets its lines apart
		case is:
			lines = append(lines, m.Theme.Rule(part, "", w))
		case first:
			lines = append(lines, m.Theme.StrongLines(title, w)...)
		default:
			lines = append(lines, m.line(strings.TrimPrefix(line, "    "), w)...)
		}
		underRule = is
	}
	return lines
}

// line is a line of the text, with the name of a setting or of a variable muted. What has no room on it is indented by more.
func (m *Diagnostics) line(text string, w int) []string {
	for _, sign := range []string{" = ", "=", ": "} {
		if name, value, is := strings.Cut(text, sign); is && !strings.Contains(name, " ") {
			text = m.Theme.Muted.Render(name+sign) + value
			break
		}
	}
	lines := ui.Wrap(text, max(w-4, 1))
	return ui.Indented(append(lines[:1], ui.Indented(lines[1:])...))
}

// Command implements [ui.Commander].
func (m *Diagnostics) Command() []string { return []string{"bundle"} }
