package payment

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	cards "paydesk/api/card"
	"paydesk/api/ledger"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A several holds what was found in lines that were pasted at once: a person sees it before anything is pinned.
type several struct {
	references []api.Reference // in their order, each once
	again      int             // lines that repeat one
	cards      int             // lines with a card number, which are forgotten
	keys       int             // lines with a secret key, which are forgotten
	others     int             // lines that are no reference
	list       ui.Scroll
}

// isSeveral reports whether a paste has more than one line.
func isSeveral(paste string) bool {
	return strings.ContainsAny(strings.TrimSpace(paste), "\r\n")
}

// take finds the references in a paste, one a line. What surrounds them in a table or a program is ignored.
func (p *prompt) take(paste string) *several {
	s, rows := &several{}, []string(nil)
	for line := range strings.FieldsFuncSeq(paste, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.Trim(line, " \t,;\"'`"); line != "" {
			rows = append(rows, line)
		}
	}
	split := p.cardLines(rows)
	for i, line := range rows {
		r, err := api.ParseReference(line)
		_, to := cards.Find(line)
		switch known := err == nil && slices.Contains(p.known, r); {
		case !known && (to > 0 || split[i]):
			s.cards++
		case err == api.ErrSecretKey:
			s.keys++
		case err != nil:
			s.others++
		case slices.Contains(s.references, r):
			s.again++
		default:
			s.references = append(s.references, r)
		}
	}
	return s
}

// cardLines are the lines that together are a card number, in groups of digits one below the other, however long
// these are: a reference that is lost is seen and typed again, half of a card number that is kept is not.
func (p *prompt) cardLines(lines []string) map[int]bool {
	var joined strings.Builder
	ends := make([]int, len(lines)) // of each line in joined
	for i, l := range lines {
		if strings.Trim(l, "0123456789 ") != "" || slices.Contains(p.known, api.Reference(l)) {
			l = "x" // no part of a card number
		}
		joined.WriteString(l + " ")
		ends[i] = joined.Len()
	}
	found, text, at := map[int]bool{}, joined.String(), 0
	for from, to := cards.Find(text); to > 0; from, to = cards.Find(text[at:]) {
		for i, end := range ends {
			if end > at+from && (i == 0 || ends[i-1] < at+to) {
				found[i] = true
			}
		}
		at += to
	}
	return found
}

// confirmSeveral takes the answer to what was found.
func (m *Model) confirmSeveral(msg tea.Msg) tea.Cmd {
	s := m.prompt.several
	if paste, is := msg.(tea.PasteMsg); is { // another list takes the place of the first
		if isSeveral(paste.Content) {
			m.prompt.several = m.prompt.take(paste.Content)
		}
		return nil
	}
	k, pressed := msg.(tea.KeyPressMsg)
	if !pressed || s.list.Update(msg) || !key.Matches(k, ui.Submit) {
		return nil
	}
	if over := m.tooMany(); over > 0 || len(s.references) == 0 {
		return nil
	}
	m.prompt.several = nil
	return func() tea.Msg { return nav.Pin{Payments: s.references, Leave: true} }
}

// tooMany returns how many of the references do not fit beside what is pinned.
func (m *Model) tooMany() int {
	n := len(m.payments.Pinned())
	for _, r := range m.prompt.several.references {
		if !m.payments.IsPinned(r) {
			n++
		}
	}
	return max(n-ledger.MaxPins, 0)
}

// severalKeys are the keys of the question.
func (m *Model) severalKeys() []key.Binding {
	s := m.prompt.several
	pin := ui.Submit
	pin.SetHelp("enter", "pin to Home")
	pin.SetEnabled(len(s.references) > 0 && m.tooMany() == 0)
	return []key.Binding{pin, s.list.Keys()}
}

// viewSeveral draws what was found, and what follows.
func (m *Model) viewSeveral() string {
	s := m.prompt.several
	lines := []string{m.Theme.Rule(present.Count(len(s.references), "reference", "references")+" to pin to Home", "", m.W)}
	for _, w := range s.left() {
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, w, m.W)...)
	}
	var follows []string
	if over := m.tooMany(); over > 0 {
		lines = append(lines, m.Theme.MarkLines(ui.ToneBad, "At most "+present.Thousands(ledger.MaxPins)+
			" payments can be pinned: "+present.Thousands(over)+" too many. esc, then paste fewer.", m.W)...)
	} else if len(s.references) > 0 {
		follows = m.Theme.MutedLines("Home lists them and checks their status; nothing else is sent.", m.W)
	}
	lines = append(lines, "")
	room := max(m.H-len(lines)-len(follows)-1, 0)
	rows := ui.Indented(inColumns(s.references, m.W-2, room))
	s.list.Show(m.W, min(len(rows), room), rows)
	lines = append(lines, s.list.View(), "")
	return ui.Lines(m.W, m.H, append(lines, follows...)...)
}

// left words what was left out.
func (s *several) left() (all []string) {
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			all = append(all, one)
		case n > 1:
			all = append(all, present.Thousands(n)+many)
		}
	}
	add(s.cards, "A line with a card number was removed.", " lines with card numbers were removed.")
	add(s.keys, "A line with a secret key was removed.", " lines with secret keys were removed.")
	add(s.others, "A line is not a reference and was left out.", " lines are not references and were left out.")
	add(s.again, "A line repeats another.", " lines repeat others.")
	return all
}

// inColumns lists references one a line, and where h lines are too few in as many columns as have room. One that is wider than all
// is wrapped.
func inColumns(all []api.Reference, w, h int) (lines []string) {
	wide := 0
	for _, r := range all {
		wide = max(wide, len(r)+2)
	}
	if wide > w {
		for _, r := range all {
			lines = append(lines, present.WrapCode(string(r), w)...)
		}
		return lines
	}
	columns := 1
	if len(all) > h {
		columns = max(w/max(wide, 1), 1)
	}
	for row := range slices.Chunk(all, columns) {
		line := ""
		for _, r := range row {
			line += string(r) + strings.Repeat(" ", wide-len(r))
		}
		lines = append(lines, line)
	}
	return lines
}
