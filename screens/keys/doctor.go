package keys

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Examine runs all checks. It may take half a minute, and ends with its context.
type Examine func(context.Context) []keystore.Finding

// A Doctor is the screen that checks what works on this host for a profile, and says what
// to do about each problem. It changes nothing.
type Doctor struct {
	ui.Body
	profile string
	examine Examine
	call    ui.Call[[]keystore.Finding]
	checks  []keystore.Finding
	failure string // why the checks could not run
	scroll  ui.Scroll
}

const (
	checkName = 21 // cells of the names of checks
	mostText  = 90 // cells of a line
)

var checkAgain = ui.Bind("r", "run again")

// New returns the screen for the profile called profile.
func NewDoctor(t *ui.Theme, profile string, e Examine) *Doctor {
	return &Doctor{Body: ui.Body{Theme: t}, profile: profile, examine: e}
}

// Init implements [ui.Screen].
func (m *Doctor) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.run()
}

// run starts the checks. The last results stay visible until the new ones arrive.
func (m *Doctor) run() tea.Cmd {
	m.failure = ""
	examine := m.examine
	return m.call.Then(m.onChecked).Timed(keystore.DoctorLimit).Ask(m.Scope, func(ctx context.Context) ([]keystore.Finding, error) { return examine(ctx), nil })
}

func (m *Doctor) onChecked(a ui.Result[[]keystore.Finding]) tea.Cmd {
	defer m.layout()
	if a.Err != nil {
		m.failure = present.Sentence(a.Err.Error())
		return nil
	}
	m.checks = a.Value
	return nil
}

// Update implements [ui.Screen].
func (m *Doctor) Update(msg tea.Msg) tea.Cmd {
	defer m.layout()
	k, ok := msg.(tea.KeyPressMsg)
	if ok && key.Matches(k, checkAgain) && !m.call.Pending() {
		return m.run()
	}
	m.scroll.Update(msg)
	return nil
}

// tones contains no success tone: that colour is reserved for money.
var tones = map[string]ui.Tone{keystore.Failed: ui.ToneBad, keystore.Warning: ui.ToneAct}

// Resize implements [ui.Screen].
func (m *Doctor) Resize(w, h int) {
	m.Body.Resize(w, h)
	m.layout()
}

// View implements [ui.Screen].
func (m *Doctor) View() (string, *tea.Cursor) {
	if m.failure != "" || len(m.checks) == 0 {
		return ui.Lines(m.W, m.H, append([]string{m.head()}, ui.Wrap(m.failure, m.W)...)...), nil
	}
	return ui.Lines(m.W, m.H, m.head(), m.scroll.View()), nil
}

func (m *Doctor) head() string {
	return m.Theme.Rule("Profile "+present.Plain(m.profile), m.summary(), min(m.W, mostText))
}

// layout lists what a person has to do something about first, the failures before the warnings, and all else as it was checked.
func (m *Doctor) layout() {
	w := min(m.W, mostText)
	var lines, others []string
	for _, state := range []string{keystore.Failed, keystore.Warning, ""} {
		for _, c := range m.checks {
			switch {
			case state != "" && c.State == state:
				lines = append(lines, m.trouble(c, w)...)
			case state == "" && tones[c.State] == ui.ToneNone:
				others = append(others, m.Theme.FactLines(present.Plain(c.Name), present.Plain(checkWords(c)), checkName, w)...)
			}
		}
	}
	if len(lines) > 0 && len(others) > 0 {
		lines = append(lines, m.Theme.Rule("The others", "", w))
	}
	m.scroll.Show(m.W, max(m.H-1, 0), append(lines, others...))
}

// trouble is a check that failed or warns, with what to do about it.
func (m *Doctor) trouble(c keystore.Finding, w int) []string {
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
func checkWords(c keystore.Finding) string {
	if c.State == keystore.Skipped {
		return "skipped: " + c.Message
	}
	return c.Message
}

// summary counts the checks by state, the worst first. Skipped ones are not counted.
func (m *Doctor) summary() string {
	if m.call.Pending() {
		return strings.Join(m.Theme.WaitLines(m.call.Wait(), "Checking", m.W), " ")
	}
	var parts []string
	for _, p := range []struct{ state, one, many string }{{keystore.Failed, "failed", "failed"}, {keystore.Warning, "warning", "warnings"}, {keystore.OK, "OK", "OK"}} {
		if n := (keystore.Report{Checks: m.checks}).Count(p.state); n > 0 {
			parts = append(parts, present.Count(n, p.one, p.many))
		}
	}
	return strings.Join(parts, ", ")
}

// Notice implements [ui.Noticer]: which lines are visible.
func (m *Doctor) Notice() ui.Notice {
	if !m.scroll.Overflows() {
		return ui.Notice{}
	}
	return ui.Notice{Text: m.scroll.Position()}
}

// Title implements [ui.Screen].
func (m *Doctor) Title() string { return "Doctor" }

// Keys implements [ui.Screen].
func (m *Doctor) Keys() []key.Binding {
	r := checkAgain
	r.SetEnabled(!m.call.Pending())
	return []key.Binding{r, m.scroll.Keys()}
}

// Explain returns the text of the help page.
func (m *Doctor) Explain() []string {
	return []string{
		"This checks the files, the keyring, the source of the key and the network, and changes nothing. The service receives only GET requests, for a made-up reference.",
		"The same as text: paydesk doctor; add --json for programs.",
	}
}

// Command implements [ui.Commander].
func (m *Doctor) Command() []string { return []string{"doctor"} }
