package sandbox

import (
	"errors"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/present"
	"paydesk/ui"
)

// The choices of target and of the number of calls.
var (
	targets = []struct{ name, means string }{
		{"initiate", "making a payment"},
		{"link", "creating a link"},
		{"validate", "checking channels"},
		{"authenticate", "the bank check"},
		{"finalize", "finalizing"},
		{"transaction", "checking a status"},
		{"transactions", "listing transactions"},
		{"POST", "every POST"},
		{"GET", "every GET"},
		{"all", "every call"},
	}
	counts = []int{1, 2, 3, 5, 10, 0}
)

// lostAnswer is the preselected fault: the response is lost although the payment was made.
const lostAnswer = "F11"

var (
	keyTarget = key.NewBinding(key.WithKeys("left", "right"), key.WithHelp("←/→", "operation"))
	keyCalls  = key.NewBinding(key.WithKeys("+", "=", "-"), key.WithHelp("+/-", "calls"))
)

// A faultChooser arms a fault for an operation and a number of calls.
type faultChooser struct {
	base
	all    []sandbox.Fault // that this server can cause
	armed  []sandbox.ArmedFault
	target int
	count  int
}

func newFaults(m *Model) *faultChooser {
	f := &faultChooser{base: newBase(m, "Sandbox: arm a fault",
		ui.Column{Title: "Fault", Width: 13},
		ui.Column{Title: "What goes wrong", Width: 20, Grow: true},
	)}
	f.all = slices.DeleteFunc(m.sandbox.Faults(), func(a sandbox.Fault) bool { return a.Not != "" })
	f.setRows(len(f.all), func(i int) []ui.Cell { return []ui.Cell{{Text: f.all[i].Name}, {Text: f.all[i].Does}} })
	f.table.Select(slices.IndexFunc(f.all, func(a sandbox.Fault) bool { return a.Name == lostAnswer }))
	return f
}

func (f *faultChooser) read() { f.armed = f.m.sandbox.Armed() }

func (f *faultChooser) head(w int) []string {
	t := targets[f.target]
	return []string{
		f.m.choice("Operation", t.name, t.means, w),
		f.m.choice("Applies to", calls(counts[f.count]), "", w),
		"",
	}
}

// choice is a value that keys change, and its meaning.
func (m *Model) choice(name, word, means string, w int) string {
	return ui.Fit(m.theme.Muted.Render(ui.Fit(name, label))+m.theme.Accent.Render("‹ ")+word+m.theme.Accent.Render(" ›")+"  "+m.theme.Muted.Render(means), w)
}

func calls(n int) string {
	switch n {
	case 0:
		return "every call until cleared"
	case 1:
		return "the next call"
	}
	return "the next " + strconv.Itoa(n) + " calls"
}

func (f *faultChooser) foot(w int) []present.Line {
	var lines []present.Line
	if i := f.table.Selected(); i >= 0 {
		a := f.all[i]
		lines = f.m.fact(rankKeep, "Does", a.Name+": "+present.Sentence(a.Does)+" "+effectOnRequest(a.When), w)
	}
	return append(lines, f.m.armedLines(f.armed, w)...)
}

// effectOnRequest says whether the request is carried out, by a fault's When.
func effectOnRequest(word string) string {
	switch word {
	case "before":
		return "The request is not carried out."
	case "after":
		return "The request is carried out first."
	}
	return "The request is carried out and its true response is corrupted."
}

// armedLines lists the armed faults, in the order they will apply.
func (m *Model) armedLines(all []sandbox.ArmedFault, w int) []present.Line {
	if len(all) == 0 {
		return m.fact(rankSet, "Faults", "none armed", w)
	}
	var lines []present.Line
	name, rank := "Faults", rankSet
	for _, a := range all {
		words := a.Fault + " on " + a.Operation + ", " + calls(a.Left)
		lines = append(lines, m.fact(rank, name, words, w)...)
		name, rank = "", rankMore
	}
	return lines
}

func (f *faultChooser) keys() []key.Binding {
	clear := keyClear
	clear.SetEnabled(len(f.armed) > 0)
	return append([]key.Binding{enterKey("arm"), keyTarget, keyCalls, clear}, f.table.Keys()[:2]...)
}

func (f *faultChooser) press(k tea.KeyPressMsg) tea.Cmd {
	cycle := func(i *int, by, n int) { *i = (*i + by + n) % n }
	switch s := k.String(); {
	case isKey(k, enterKey("")):
		return f.arm()
	case isKey(k, keyClear):
		return f.m.clearFaults()
	case s == "left":
		cycle(&f.target, -1, len(targets))
	case s == "right":
		cycle(&f.target, 1, len(targets))
	case s == "-":
		cycle(&f.count, -1, len(counts))
	case isKey(k, keyCalls):
		cycle(&f.count, 1, len(counts))
	default:
		f.table.Update(k)
	}
	return nil
}

func (f *faultChooser) arm() tea.Cmd {
	i := f.table.Selected()
	if i < 0 {
		return nil
	}
	a, t := f.all[i], targets[f.target]
	err := f.m.sandbox.Arm(t.name, a.Name, counts[f.count])
	switch {
	case errors.Is(err, sandbox.ErrNoOperation):
		return f.m.notify(ui.ToneAct, "This fault applies only to lists: choose transactions, GET or all.")
	case err != nil:
		return f.m.notify(ui.ToneAct, present.Sentence(err.Error()))
	}
	return f.m.closeWith(a.Name + " armed for " + t.means + ": " + calls(counts[f.count]) + ".")
}

func (m *Model) clearFaults() tea.Cmd {
	if len(m.sandbox.Armed()) == 0 {
		return m.notify(ui.ToneNone, "No faults are armed.")
	}
	m.sandbox.ClearFaults()
	return m.notify(ui.ToneNone, "All faults are disarmed.")
}
