package keys

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/detail"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Examine runs all checks. It may take half a minute, and ends with its context.
type Examine func(context.Context) []keystore.Finding

// A Doctor is the screen that checks what works on this host for a profile, and says what
// to do about each problem. It changes nothing.
type Doctor struct {
	*detail.Model
	profile string
	examine Examine
	call    ui.Call[[]keystore.Finding]
	known   []keystore.Finding // without a check
	checks  []keystore.Finding
	failure []keystore.Finding // that the checks could not run the last time
}

const (
	checkName = 23 // cells of the names of checks, with a glyph
	mostText  = 90 // cells of a line
)

// NewDoctor returns the screen for the profile called profile.
func NewDoctor(t *ui.Theme, profile string, e Examine) *Doctor {
	m := &Doctor{profile: profile, examine: e}
	m.Model = detail.New(&ui.Body{Theme: t}, detail.Of{
		Title: "Doctor", Head: m.head, Lines: m.lines, Commands: m.commands,
		Help: []string{
			"This checks the files, the keyring, the source of the key and the network, and changes nothing. The service receives only GET requests, for a made-up reference.",
			"The same as text: paydesk doctor; add --json for programs.",
		},
	})
	return m
}

// Init implements [ui.Screen].
func (m *Doctor) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	return m.run()
}

// run starts the checks. The last results stay visible until the new ones arrive.
func (m *Doctor) run() tea.Cmd {
	m.Layout()
	examine := m.examine
	return m.call.Then(m.onChecked).Timed(keystore.DoctorLimit).Ask(m.Scope, func(ctx context.Context) ([]keystore.Finding, error) {
		ctx, stop := context.WithTimeout(ctx, keystore.DoctorLimit)
		defer stop()
		return examine(ctx), nil
	})
}

// onChecked shows the findings and, as they may be the same, says that it checked again. That the checks could not run is a finding,
// too, beside the last results.
func (m *Doctor) onChecked(a ui.Result[[]keystore.Finding]) tea.Cmd {
	m.failure = nil
	if a.Err != nil {
		m.failure = []keystore.Finding{{Name: "doctor", State: keystore.Failed, Message: present.Sentence(a.Err.Error())}}
	} else {
		if m.checks != nil {
			m.Notify("Checked again at " + present.Clock(m.Scope.Now()) + ".")
		}
		m.checks = a.Value
	}
	m.Layout()
	return nil
}

// tones contains no success tone: that colour is reserved for money. What has none has a glyph without one.
var (
	tones  = map[string]ui.Tone{keystore.Failed: ui.ToneBad, keystore.Warning: ui.ToneAct}
	glyphs = map[string]string{keystore.OK: "✓ ", keystore.Skipped: "– "}
)

func (m *Doctor) commands() ui.Commands {
	why := ""
	if m.call.Pending() {
		why = "The checks are running."
	}
	return ui.Commands{{Key: ui.Bind("r", "run again"), On: true, Why: why, Do: m.run}}
}

func (m *Doctor) head(w int) []string {
	return []string{m.Theme.Rule("Profile "+present.Plain(m.profile), m.summary(), min(w, mostText))}
}

// lines list first what a person must act on, failures before warnings, then the rest in the order of the checks.
func (m *Doctor) lines(w int) (lines []string) {
	w = min(w, mostText)
	var others []string
	for _, state := range []string{keystore.Failed, keystore.Warning, ""} {
		for _, c := range m.all() {
			switch {
			case state != "" && c.State == state:
				lines = append(lines, m.trouble(c, w)...)
			case state == "" && tones[c.State] == ui.ToneNone:
				others = append(others, m.Theme.FactLines(glyphs[c.State]+present.Plain(c.Name), present.Plain(checkWords(c)), checkName, w)...)
			}
		}
	}
	if len(lines) > 0 && len(others) > 0 {
		lines = append(lines, m.Theme.Rule("The others", "", w))
	}
	return append(lines, others...)
}

// all are the findings of the checks, behind those that are known without one.
func (m *Doctor) all() []keystore.Finding { return slices.Concat(m.known, m.failure, m.checks) }

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

// checkWords says what a check found, or that it was skipped.
func checkWords(c keystore.Finding) string {
	if c.State == keystore.Skipped {
		return "skipped: " + c.Message
	}
	return c.Message
}

// summary counts the checks by state, the worst first.
func (m *Doctor) summary() string {
	if m.call.Pending() {
		return strings.Join(m.Theme.WaitLines(m.call.Wait(), "Checking", m.W), " ")
	}
	var parts []string
	for _, p := range []struct{ state, one, many string }{{keystore.Failed, "failed", "failed"}, {keystore.Warning, "warning", "warnings"}, {keystore.OK, "OK", "OK"}, {keystore.Skipped, "skipped", "skipped"}} {
		if n := (keystore.Report{Checks: m.all()}).Count(p.state); n > 0 {
			parts = append(parts, present.Count(n, p.one, p.many))
		}
	}
	return strings.Join(parts, " · ")
}

// Command implements [ui.Commander]. The profile need not be the one that is open.
func (m *Doctor) Command() []string { return []string{"doctor", "--profile", m.profile} }
