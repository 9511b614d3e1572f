// Package doctor is the screen that checks what works on this host for a profile, and says what
// to do about each problem. It changes nothing.
package doctor

import (
	"context"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore/doctor"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Examine runs all checks. It may take half a minute, and ends with its context.
type Examine func(context.Context) []doctor.Check

// A Model is the screen.
type Model struct {
	ui.Body
	profile string
	examine Examine
	call    ui.Call[[]doctor.Check]
	checks  []doctor.Check
	failure string // why the checks could not run
	table   *ui.Table
	panes   *ui.Panes
}

// below are the lines of what is below the list: a check of usual length, and what to do about it.
const below = 6

var again = ui.Bind("r", "run again")

// New returns the screen for the profile called profile.
func New(t *ui.Theme, profile string, e Examine) *Model {
	m := &Model{Body: ui.Body{Theme: t}, profile: profile, examine: e, table: ui.NewTable(t,
		ui.Column{Title: "State", Width: 9},
		ui.Column{Title: "Check", Width: 18},
		ui.Column{Title: "Result", Width: 20, Grow: true},
	)}
	m.panes = ui.NewPanes(t, m.table)
	m.panes.Below(below)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.run()
}

// run starts the checks. The last results stay visible until the new ones arrive.
func (m *Model) run() tea.Cmd {
	m.failure = ""
	examine := m.examine
	return m.call.Then(m.onChecked).Timed(doctor.Limit).Ask(m.Scope, func(ctx context.Context) ([]doctor.Check, error) { return examine(ctx), nil })
}

// onChecked shows the results, the worst of them selected.
func (m *Model) onChecked(a ui.Result[[]doctor.Check]) tea.Cmd {
	defer m.layout()
	if a.Err != nil {
		m.failure = present.Sentence(a.Err.Error())
		return nil
	}
	m.checks = a.Value
	m.table.SetRows(len(m.checks), m.row)
	m.table.Select(m.worst())
	return nil
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	defer m.layout()
	k, ok := msg.(tea.KeyPressMsg)
	if ok && key.Matches(k, again) && !m.call.Pending() {
		return m.run()
	}
	cmd, _ := m.panes.Update(m.Scope, msg)
	return cmd
}

// worst returns the first failed check, or else the first with a warning: what to do about it is
// then on the screen without moving.
func (m *Model) worst() int {
	for _, state := range []string{doctor.Failed, doctor.Warning} {
		if i := slices.IndexFunc(m.checks, func(c doctor.Check) bool { return c.State == state }); i >= 0 {
			return i
		}
	}
	return 0
}

// tones contains no success tone: that colour is reserved for money.
var tones = map[string]ui.Tone{doctor.Failed: ui.ToneBad, doctor.Warning: ui.ToneAct}

func (m *Model) row(i int) []ui.Cell {
	s := m.checks[i]
	return []ui.Cell{{Text: s.State, Tone: tones[s.State]}, {Text: present.Plain(s.Name)}, {Text: present.Plain(s.Words)}}
}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	lines := m.head()
	if m.failure != "" || len(m.checks) == 0 {
		return ui.Lines(m.W, m.H, append(lines, ui.Wrap(m.failure, m.W)...)...), nil
	}
	list := strings.Join(append(lines, m.table.View()), "\n")
	return m.panes.View(list, func(row, w, _ int) []string { return m.about(m.checks[row], w) }), nil
}

// head is above the list.
func (m *Model) head() []string {
	w := m.W
	if len(m.checks) > 0 {
		w, _ = m.panes.ListSize()
	}
	return []string{m.Theme.Rule("Profile "+present.Plain(m.profile), m.summary(), w)}
}

// layout gives the table the height that the rule above it leaves.
func (m *Model) layout() {
	m.panes.Resize(m.W, m.H)
	w, h := m.panes.ListSize()
	m.table.Resize(w, max(h-len(m.head()), 0))
}

// about is a check in full, because its row is cut to one line.
func (m *Model) about(c doctor.Check, w int) []string {
	lines := []string{m.Theme.Rule(present.Plain(c.Name), c.State, w)}
	lines = append(lines, ui.Wrap(present.Plain(c.Words), w)...)
	if c.Do != "" {
		for _, l := range ui.Wrap("To do: "+present.Plain(c.Do), w) {
			lines = append(lines, m.Theme.Strong.Render(l))
		}
	}
	return lines
}

// summary counts the checks by state, the worst first. Skipped ones are not counted.
func (m *Model) summary() string {
	if m.call.Pending() {
		return strings.Join(m.Theme.WaitLines(m.call.Wait(), "Checking", m.W), " ")
	}
	var parts []string
	for _, p := range []struct{ state, one, many string }{{doctor.Failed, "failed", "failed"}, {doctor.Warning, "warning", "warnings"}, {doctor.OK, "OK", "OK"}} {
		if n := (doctor.Report{Checks: m.checks}).Count(p.state); n > 0 {
			parts = append(parts, present.Count(n, p.one, p.many))
		}
	}
	return strings.Join(parts, ", ")
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Doctor" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	r := again
	r.SetEnabled(!m.call.Pending())
	return append([]key.Binding{r}, m.table.Keys()...)
}

// Explain returns the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"This checks the files, the keyring, the source of the key and the network, and changes nothing. The service receives only GET requests, for a made-up reference.",
		"The same as text: paydesk doctor; add --json for programs.",
	}
}

// Command implements [ui.Commander].
func (m *Model) Command() []string { return []string{"doctor"} }
