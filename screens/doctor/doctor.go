// Package doctor is the screen that checks what works on this host for a profile, and says what
// to do about each problem. It changes nothing.
package doctor

import (
	"context"
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
	scroll  ui.Scroll
}

const (
	name     = 21 // cells of the names of checks
	mostText = 90 // cells of a line
)

var again = ui.Bind("r", "run again")

// New returns the screen for the profile called profile.
func New(t *ui.Theme, profile string, e Examine) *Model {
	return &Model{Body: ui.Body{Theme: t}, profile: profile, examine: e}
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

func (m *Model) onChecked(a ui.Result[[]doctor.Check]) tea.Cmd {
	defer m.layout()
	if a.Err != nil {
		m.failure = present.Sentence(a.Err.Error())
		return nil
	}
	m.checks = a.Value
	return nil
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	defer m.layout()
	k, ok := msg.(tea.KeyPressMsg)
	if ok && key.Matches(k, again) && !m.call.Pending() {
		return m.run()
	}
	m.scroll.Update(msg)
	return nil
}

// tones contains no success tone: that colour is reserved for money.
var tones = map[string]ui.Tone{doctor.Failed: ui.ToneBad, doctor.Warning: ui.ToneAct}

// Resize implements [ui.Screen].
func (m *Model) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

// View implements [ui.Screen].
func (m *Model) View() (string, *tea.Cursor) {
	if m.failure != "" || len(m.checks) == 0 {
		return ui.Lines(m.W, m.H, append([]string{m.head()}, ui.Wrap(m.failure, m.W)...)...), nil
	}
	return ui.Lines(m.W, m.H, m.head(), m.scroll.View()), nil
}

func (m *Model) head() string {
	return m.Theme.Rule("Profile "+present.Plain(m.profile), m.summary(), min(m.W, mostText))
}

// layout lists what a person has to do something about first, the failures before the warnings, and all else as it was checked.
func (m *Model) layout() {
	w := min(m.W, mostText)
	var lines, others []string
	for _, state := range []string{doctor.Failed, doctor.Warning, ""} {
		for _, c := range m.checks {
			switch {
			case state != "" && c.State == state:
				lines = append(lines, m.trouble(c, w)...)
			case state == "" && tones[c.State] == ui.ToneNone:
				others = append(others, m.Theme.FactLines(present.Plain(c.Name), present.Plain(words(c)), name, w)...)
			}
		}
	}
	if len(lines) > 0 && len(others) > 0 {
		lines = append(lines, m.Theme.Rule("The others", "", w))
	}
	m.scroll.Show(m.W, max(m.H-1, 0), append(lines, others...))
}

// trouble is a check that failed or warns, with what to do about it.
func (m *Model) trouble(c doctor.Check, w int) []string {
	lines := []string{m.Theme.Mark(tones[c.State], c.State) + "  " + m.Theme.Strong.Render(present.Plain(c.Name))}
	lines = append(lines, ui.Indented(ui.Wrap(present.Plain(c.Message), w-2))...)
	if c.Fix != "" {
		for _, l := range ui.Wrap("To do: "+present.Plain(c.Fix), w-2) {
			lines = append(lines, "  "+m.Theme.Strong.Render(l))
		}
	}
	return append(lines, "")
}

// words are what a check found, or that it was skipped.
func words(c doctor.Check) string {
	if c.State == doctor.Skipped {
		return "skipped: " + c.Message
	}
	return c.Message
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

// Notice implements [ui.Noticer]: which lines are visible.
func (m *Model) Notice() ui.Notice {
	if !m.scroll.Overflows() {
		return ui.Notice{}
	}
	return ui.Notice{Text: m.scroll.Position()}
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Doctor" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding {
	r := again
	r.SetEnabled(!m.call.Pending())
	return []key.Binding{r, m.scroll.Keys()}
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
