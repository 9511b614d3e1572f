package keys

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/present"
	"paydesk/ui"
)

const readyNames = 17 // cells of a sign and a name

// A line says how it stands with one thing.
type line struct {
	sign, name, words string
	wrong             bool
}

// lines returns what was tried. A sign has no colour of success: no payment was made.
func (m *Ready) lines() []line {
	return []line{m.listLine(), m.paymentsLine(), m.keyLine()}
}

func (m *Ready) paymentsLine() line {
	at := present.Plain(m.o.Profile.BaseURL)
	switch {
	case m.reached():
		return line{"✓", "Payments", at + " answered as it should", false}
	case m.trying.Pending():
		return line{"○", "Payments", at + " has not answered yet", false}
	case m.payments.State == keystore.Warning:
		return line{"○", "Payments", at + " may not work", false}
	case m.payments.State == keystore.Failed:
		return line{"✗", "Payments", at + " did not work", true}
	}
	return line{"○", "Payments", at + " was not tried yet", false}
}

func (m *Ready) listLine() line {
	at := present.Plain(m.o.Profile.ListURL)
	switch {
	case m.accepted:
		return line{"✓", "Transactions", at + " answered with the list", false}
	case m.trouble.IsZero() || m.trying.Pending():
		return line{"○", "Transactions", at + " has not accepted the key yet: r tries it", false}
	}
	return line{"✗", "Transactions", at + " did not work: r tries it again", true}
}

func (m *Ready) keyLine() line {
	where := "it is in " + SourceName(m.o.Source)
	if m.o.Source == thisRun {
		where = "it is stored nowhere: you enter it at each start"
	}
	if m.accepted {
		return line{"✓", "Key", "accepted; " + where, false}
	}
	return line{"○", "Key", "not verified; " + where, false}
}

func (m *Ready) profileLine() line {
	name := present.Plain(m.o.Profile.Name)
	switch {
	case m.writing.Pending():
		return line{"○", "Profile", name + " is being written…", false}
	case m.unwrit != nil:
		return line{"✗", "Profile", name + " was not written, and is open for this run only: r writes it again. " + present.Sentence(m.unwrit.Error()), true}
	}
	isIn := name + " is in "
	return line{"✓", "Profile", isIn + present.PathEnd(m.o.Folder.Profile(m.o.Profile.Name), m.W-readyNames-ui.Width(isIn)), false}
}

// untried returns what only a person can begin.
func (m *Ready) untried() []line {
	return []line{
		{"○", "A payment", "c on Home makes the first", false},
		{"○", "Webhooks", "Inbox shows how to receive them", false},
	}
}

// View implements [ui.Screen]. In a low window the blank lines go first, and then, for a fault, what was not tried and where
// the profile is.
func (m *Ready) View() (string, *tea.Cursor) {
	blank, later, profile := present.Rows(3, ""), 0, 0
	trouble := present.Rows(0, m.trouble.Lines(m.Theme, m.W)...)
	if len(trouble) > 0 {
		trouble, later = append(slices.Clone(blank), trouble...), 2
		if m.written {
			profile = 1
		}
	}
	all := slices.Concat(
		present.Rows(0, m.Theme.Rule("What was tried", m.summary(), m.W)), present.Rows(0, m.drawn(m.lines())...), present.Rows(profile, m.drawn([]line{m.profileLine()})...), trouble,
		blank, present.Rows(later, m.Theme.Rule("Not tried yet", "nothing was sent that moves money", m.W)), present.Rows(later, m.drawn(m.untried())...),
		blank, present.Rows(0, m.foot()...),
	)
	if m.trying.Pending() {
		all = append(all, present.Rows(0, m.Theme.WaitLines(m.trying.Wait(), "Trying the addresses", m.W)...)...)
	}
	return ui.Lines(m.W, m.H, present.FitHeight(m.H, all)...), nil
}

// summary says in a few words how the first run ended.
func (m *Ready) summary() string {
	switch {
	case m.writing.Pending() || m.trying.Pending():
		return ""
	case m.works():
		return "it works"
	}
	return "not everything works"
}

// drawn are lines with their words under each other.
func (m *Ready) drawn(all []line) (drawn []string) {
	for _, l := range all {
		style, lead := m.Theme.Plain, m.Theme.Text(l.sign)+" "+l.name
		if l.wrong {
			style = m.Theme.Error
		}
		for _, words := range ui.Wrap(l.words, max(m.W-readyNames, 1)) {
			drawn = append(drawn, style.Render(" "+ui.Fit(lead, readyNames-1)+words))
			lead = ""
		}
	}
	return drawn
}

// foot returns what the address turned out to be, unless a fault needs the room, and the way on.
func (m *Ready) foot() []string {
	var lines []string
	if m.trouble.IsZero() && m.o.Sandbox != nil && m.o.Sandbox() {
		lines = append(lines, ui.Wrap("A paydesk sandbox answers here: f3 controls it, and its test cards are offered.", m.W)...)
	}
	if m.o.Profile.Environment == keystore.Live {
		lines = append(lines, ui.Wrap("The profile is live: sending stays locked until you unlock it.", m.W)...)
	}
	return append(lines, m.Theme.MutedLines("6 and then e changes the profile; enter opens Home.", m.W)...)
}
