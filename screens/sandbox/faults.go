package sandbox

import (
	"context"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/sandbox"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
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

// A faultChoice holds what a fault is armed for.
type faultChoice struct {
	m             *Model
	target, count int
}

// openFaults opens the choice of a fault, which is armed for some operation and so many calls.
func (m *Model) openFaults() tea.Cmd {
	f := &faultChoice{m: m}
	of := chooser("Arm a fault", "Fault", m.view.faults, func(a sandbox.Fault) []ui.Cell { return []ui.Cell{{Text: a.Name}, {Text: a.Does}} },
		ui.Column{Title: "Fault", Width: 19}, ui.Column{Title: "What goes wrong", Width: 20, Grow: true})
	of.Head, of.Says, of.Commands, of.Group = f.head, f.says, f.commands, f.group
	return detail.NewChooser(m.Body, of).Open(slices.IndexFunc(m.view.faults, func(a sandbox.Fault) bool { return a.Name == lostAnswer }))
}

// group tells when a request meets a fault.
func (f *faultChoice) group(i int) (title, note string) {
	return effectOf(f.m.view.faults[i]).group, ""
}

func (f *faultChoice) head(w int) []string {
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

// says tells what a fault does, and lists those that are armed.
func (f *faultChoice) says(a sandbox.Fault, some bool, w, _ int) []present.Line {
	does := ""
	if some {
		does = a.Name + ": " + present.Sentence(a.Does) + " " + effectOf(a).says
	}
	return append(f.m.facts(w, fact{rankKeep, "Does", does}), f.m.armedLines(w)...)
}

// An effect is what faults with the same When have in common.
type effect struct{ group, says string }

func effectOf(a sandbox.Fault) effect {
	switch a.When {
	case "before":
		return effect{"Before the request is carried out", "The request is not carried out."}
	case "after":
		return effect{"While it is answered", "The request is carried out first."}
	case "at sending":
		return effect{"In its webhook", "Calls get their true answers."}
	}
	return effect{"In the answer itself", "The request is carried out and its true response is corrupted."}
}

// armedLines lists the armed faults, in the order they will apply.
func (m *Model) armedLines(w int) []present.Line {
	all := m.view.Armed
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

func (f *faultChoice) commands(a sandbox.Fault, some bool) ui.Commands {
	cycle := func(i *int, by, n int) func() tea.Cmd {
		return func() tea.Cmd {
			*i = (*i + by + n) % n
			return nil
		}
	}
	return ui.Commands{
		{Key: ui.Bind("enter", "arm"), On: some, Do: func() tea.Cmd { return f.arm(a) }},
		{Key: ui.Bind("←/→", "operation", "right"), On: true, Do: cycle(&f.target, 1, len(targets))},
		{Key: ui.Bind("←", "", "left"), Do: cycle(&f.target, -1, len(targets))},
		{Key: ui.Bind("tab", "calls"), On: true, Do: cycle(&f.count, 1, len(counts))},
		{Key: ui.Bind("shift+tab", ""), Do: cycle(&f.count, -1, len(counts))},
		f.m.clearFaults(),
	}
}

// arm arms the fault. Some exist for some operations only.
func (f *faultChoice) arm(a sandbox.Fault) tea.Cmd {
	box, t, count := f.m.sandbox, targets[f.target], counts[f.count]
	if a.Event {
		t.name, t.means = "webhook", "sending an event"
	}
	armed := f.m.tell(a.Name + " armed for " + t.means + ": " + calls(count) + ".")
	return tea.Batch(f.m.act(func(ctx context.Context) error { return box.Arm(ctx, t.name, a.Name, count) }, armed), nav.Pop)
}

// clearFaults is the key that disarms the armed faults.
func (m *Model) clearFaults() ui.Command {
	return ui.Command{Key: ui.Bind("x", "clear faults"), On: true, Why: ifNone(len(m.view.Armed), "No faults are armed."), Do: func() tea.Cmd {
		return m.act(m.sandbox.ClearFaults, m.tell("All faults are disarmed."))
	}}
}
