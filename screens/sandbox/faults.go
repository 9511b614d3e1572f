package sandbox

import (
	"cmp"
	"context"
	"slices"
	"strconv"

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
const lostAnswer = "lost-answer"

// A faultChooser arms a fault for an operation and a number of calls.
type faultChooser struct {
	base
	all    []sandbox.Fault
	armed  []sandbox.ArmedFault
	target int
	count  int
}

// newFaults lists the faults.
func newFaults(m *Model) *faultChooser {
	f := &faultChooser{base: newBase(m, "Arm a fault", "Fault", 2,
		ui.Column{Title: "Fault", Width: 19},
		ui.Column{Title: "What goes wrong", Width: 20, Grow: true},
	)}
	f.all = slices.Clone(m.view.faults)
	f.table.SetRows(len(f.all), func(i int) []ui.Cell { return []ui.Cell{{Text: f.all[i].Name}, {Text: f.all[i].Does}} })
	f.table.Select(slices.IndexFunc(f.all, func(a sandbox.Fault) bool { return a.Name == lostAnswer }))
	return f
}

func (f *faultChooser) read() { f.armed = f.m.view.Armed }

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
	return ui.Fit(m.Theme.Muted.Render(ui.Fit(name, label))+m.Theme.Accent.Render("‹ ")+word+m.Theme.Accent.Render(" ›")+"  "+m.Theme.Muted.Render(means), w)
}

// calls words a number of calls; 0 stands for all.
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
	does := ""
	if a, ok := shown(&f.base, f.all); ok {
		does = a.Name + ": " + present.Sentence(a.Does) + " " +
			cmp.Or(effects[a.When], "The request is carried out and its true response is corrupted.")
	}
	return append(f.m.facts(w, fact{rankKeep, "Does", does}), f.m.armedLines(f.armed, w)...)
}

// effects say whether the request is carried out, by a fault's When.
var effects = map[string]string{
	"before":     "The request is not carried out.",
	"after":      "The request is carried out first.",
	"at sending": "Calls are answered truly.",
}

// armedLines lists the armed faults, in the order they will apply.
func (m *Model) armedLines(all []sandbox.ArmedFault, w int) []present.Line {
	if len(all) == 0 {
		return m.facts(w, fact{rankSet, "Faults", "none armed"})
	}
	facts := make([]fact, len(all))
	for i, a := range all {
		facts[i] = fact{rankMore, "", a.Fault + " on " + a.Operation + ", " + calls(a.Left)}
		if a.After > 0 {
			facts[i].text += " after " + strconv.Itoa(a.After) + " more"
		}
	}
	facts[0].rank, facts[0].label = rankSet, "Faults"
	return m.facts(w, facts...)
}

func (f *faultChooser) commands() ui.Commands {
	cycle := func(i *int, by, n int) func() tea.Cmd {
		return func() tea.Cmd {
			*i = (*i + by + n) % n
			return nil
		}
	}
	return ui.Commands{
		{Key: ui.Bind("enter", "arm"), On: true, Do: f.arm},
		{Key: ui.Bind("←/→", "operation", "right"), On: true, Do: cycle(&f.target, 1, len(targets))},
		{Key: ui.Bind("←", "", "left"), Do: cycle(&f.target, -1, len(targets))},
		{Key: ui.Bind("tab", "calls"), On: true, Do: cycle(&f.count, 1, len(counts))},
		{Key: ui.Bind("shift+tab", ""), Do: cycle(&f.count, -1, len(counts))},
		f.m.clearFaults(f.armed),
	}
}

// arm arms the fault. Some exist for some operations only.
func (f *faultChooser) arm() tea.Cmd {
	a, ok := ui.Selected(f.table, f.all)
	if !ok {
		return nil
	}
	box, t, count := f.m.sandbox, targets[f.target], counts[f.count]
	if a.Event {
		t.name, t.means = "webhook", "sending an event"
	}
	return f.m.act(func(ctx context.Context) error { return box.Arm(ctx, t.name, a.Name, count) }, func(err error) tea.Cmd {
		if err != nil {
			return f.m.Warn(explain(err))
		}
		return f.m.closeWith(a.Name + " armed for " + t.means + ": " + calls(count) + ".")
	})
}

// clearFaults is the key that disarms the armed faults.
func (m *Model) clearFaults(armed []sandbox.ArmedFault) ui.Command {
	return ui.Command{Key: ui.Bind("x", "clear faults"), On: len(armed) > 0, Do: func() tea.Cmd {
		if len(m.view.Armed) == 0 {
			return m.Notify("No faults are armed.")
		}
		return m.act(m.sandbox.ClearFaults, m.tell("All faults are disarmed."))
	}}
}
