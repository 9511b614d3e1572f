package payment

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	cards "paydesk/api/card"
	"paydesk/api/ledger"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A Prompt is the screen that asks for the reference of a payment, and opens that. Several that are pasted at once are pinned instead.
type Prompt struct {
	ui.Body
	payments Payments
	offered  bool // it was opened with a reference: the payment takes its place, so that back leads to where that was
	selected bool // nothing was done to the reference since it was offered or looked up: what is typed takes its place
	form     *ui.Form
	field    *ui.TextField
	pasted   several // at once, last
	// known look like card numbers and may be looked up all the same.
	known     []api.Reference
	knownCall ui.Call[[]api.Reference]
}

// NewPrompt asks for a reference, and offers that of a route where it has one.
func NewPrompt(t *ui.Theme, d Payments, of nav.Payment) *Prompt {
	m := &Prompt{Body: ui.Body{Theme: t}, payments: d, offered: of.Reference != "", selected: of.Reference != ""}
	m.field = ui.NewTextField(t, "Reference", "the short code of a card payment, or the UUID of a transfer",
		ui.Required(), ui.Instead("Not sent. Backspace, then type the reference"), ui.Except(m.begins),
		ui.Checked(func(s string) string {
			switch _, err := api.ParseReference(s); {
			case err == api.ErrSecretKey:
				return "This is a secret key. It is typed on the key screen only; nothing was sent"
			case err != nil:
				return "Use 1 to 128 letters, digits, or . _ : -"
			}
			return ""
		}))
	m.form = ui.NewForm(t, m.field)
	m.field.SetValue(string(of.Reference))
	return m
}

// Init implements [ui.Screen].
func (m *Prompt) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	if !m.Holds() { // all may have been pinned since it was left
		m.pasted = several{}
	}
	m.nameEnter()
	return m.Resume()
}

// Resume implements [ui.Resumer]. It asks for the references that may be looked up though they look like card numbers: more may have
// been recorded while a payment was over the prompt.
func (m *Prompt) Resume() tea.Cmd {
	return m.knownCall.Then(func(a ui.Result[[]api.Reference]) tea.Cmd {
		if a.Err == nil {
			m.known = a.Value
		}
		return nil
	}).Ask(m.Scope, m.payments.CardLike)
}

// Name replaces the reference in the field. With an empty one, enter lists what was pasted.
func (m *Prompt) Name(r api.Reference) {
	m.field.SetValue(string(r))
	m.nameEnter()
}

// nameEnter names what enter does now.
func (m *Prompt) nameEnter() {
	does := "look it up"
	if m.unpinned() > 0 {
		does = "list what was pasted"
	}
	m.form.SubmitLabel(does)
}

// begins reports whether a text is a known reference, or what has been typed of one.
func (m *Prompt) begins(text string) bool {
	text = strings.TrimSpace(text)
	return slices.ContainsFunc(m.known, func(r api.Reference) bool { return strings.HasPrefix(string(r), text) })
}

// Update implements [ui.Screen]. It opens the payment once its reference is submitted, or shows what was pasted.
func (m *Prompt) Update(msg tea.Msg) tea.Cmd {
	m.EndNews() // also that of the screen with what was pasted, which shares the line
	switch msg := msg.(type) {
	case tea.PasteMsg:
		m.selected = false
		if isSeveral(msg.Content) {
			m.offered = false // a payment that is looked up leads back to what was pasted
			m.take(msg.Content)
			m.nameEnter()
			return m.openSeveral()
		}
		m.field.SetValue("") // another reference takes the place of the last
	case tea.KeyPressMsg:
		if ui.Submits(msg) && m.unpinned() > 0 {
			return m.openSeveral()
		}
		if m.selected && msg.Text != "" {
			m.field.SetValue("")
		}
		m.selected = false
	}
	did := m.form.Update(msg)
	m.nameEnter()
	if did != ui.Submitted {
		return nil
	}
	m.selected = true                           // the next reference takes the place of this one
	r, _ := api.ParseReference(m.field.Value()) // the form has checked it
	if m.offered {
		return nav.ReplaceWith(nav.Payment{Reference: r})
	}
	return nav.Open(nav.Payment{Reference: r})
}

// View implements [ui.Screen].
func (m *Prompt) View() (string, *tea.Cursor) {
	var stage ui.Staged
	stage.Resize(m.W, m.H)
	lines := ui.Wrap("Which payment? Its status is checked and shown; nothing is changed. Several references pasted at once, one a line, are pinned to Home.", stage.W)
	if n := m.unpinned(); n > 0 {
		words := present.Count(n, "pasted reference is", "pasted references are") + " not pinned yet: enter lists what was pasted."
		lines = append(lines, m.Theme.MarkLines(ui.ToneAct, words, stage.W)...)
	}
	lines = append(lines, "")
	stage.H = min(stage.H, len(lines)+m.form.Height())
	return stage.Place(stage.Under(lines, m.form.View))
}

// Title implements [ui.Screen].
func (m *Prompt) Title() string { return "Look up a payment" }

// Typing implements [ui.Screen].
func (m *Prompt) Typing() bool { return m.form.Typing() }

// Keys implements [ui.Screen].
func (m *Prompt) Keys() []key.Binding { return m.form.Keys() }

// Explain is the text of the help page.
func (m *Prompt) Explain() []string {
	return []string{
		"Enter the reference that the service gave the payment: a short code for cards, a UUID for transfers. Looking it up changes nothing.",
		"Several references that are pasted at once, one a line, are pinned: Home lists them, and asks about each until it settles.",
		"A card number is not a reference: it is removed, and never becomes part of a URL.",
	}
}

// Draft implements [ui.Drafter]: what was pasted at once is kept until it is pinned.
func (m *Prompt) Draft() bool { return m.Holds() }

// Holds implements [ui.Holder].
func (m *Prompt) Holds() bool { return m.notPinned() > 0 }

// A several holds what was found in lines that were pasted at once.
type several struct {
	references []api.Reference // in their order, each once
	again      int             // lines that repeat one
	cards      int             // lines with a card number, which are forgotten
	keys       int             // lines with a secret key, which are forgotten
	others     int             // lines that are no reference
}

// isSeveral reports whether a paste has more than one line.
func isSeveral(paste string) bool {
	return strings.ContainsAny(strings.TrimSpace(paste), "\r\n")
}

// take finds the references in a paste, one a line. What surrounds them in a table or a program is ignored.
func (m *Prompt) take(paste string) {
	s, rows := several{}, []string(nil)
	for line := range strings.FieldsFuncSeq(paste, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.Trim(line, " \t,;\"'`"); line != "" {
			rows = append(rows, line)
		}
	}
	split := m.cardLines(rows)
	for i, line := range rows {
		r, err := api.ParseReference(line)
		_, to := cards.Find(line)
		switch known := err == nil && slices.Contains(m.known, r); {
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
	if len(s.references) == 0 { // a paste of something else takes none away
		s.references = m.pasted.references
	}
	m.pasted = s
}

// unpinned counts the references that were pasted at once and are not pinned yet, while none is typed.
func (m *Prompt) unpinned() int {
	if !m.field.Empty() {
		return 0
	}
	return m.notPinned()
}

// notPinned counts the references that were pasted at once and are not pinned yet.
func (m *Prompt) notPinned() (n int) {
	for _, r := range m.pasted.references {
		if !m.payments.IsPinned(r) {
			n++
		}
	}
	return n
}

// cardLines are the lines that together are a card number, in groups of digits one below the other, however long
// these are: a reference that is lost is seen and typed again, half of a card number that is kept is not.
func (m *Prompt) cardLines(lines []string) map[int]bool {
	var joined strings.Builder
	ends := make([]int, len(lines)) // of each line in joined
	for i, l := range lines {
		if strings.Trim(l, "0123456789 ") != "" || slices.Contains(m.known, api.Reference(l)) {
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

// A pinning is the screen over the prompt that shows what was found in a paste before anything is pinned.
type pinning struct {
	*detail.Model
	of *Prompt // keeps what was pasted when the screen is left
}

// openSeveral shows what was found in the last paste.
func (m *Prompt) openSeveral() tea.Cmd {
	p := &pinning{of: m}
	p.Model = detail.New(&m.Body, detail.Of{
		Title: "Pin", Head: p.head, Lines: p.lines, Commands: p.commands,
		Help: []string{"The references that were pasted, one a line. Home lists those that are pinned, and asks about each until it settles."},
	})
	return nav.Open(nav.Over{Screen: p})
}

// Update implements [ui.Screen]. Another list with references takes the place of the first.
func (p *pinning) Update(msg tea.Msg) tea.Cmd {
	paste, is := msg.(tea.PasteMsg)
	if !is {
		return p.Model.Update(msg)
	}
	if isSeveral(paste.Content) {
		p.of.take(paste.Content)
		p.Layout()
	}
	return nil
}

func (p *pinning) commands() ui.Commands {
	return ui.Commands{{Key: ui.Bind("enter", "pin to Home"), On: true, Why: p.whyNot(), Do: func() tea.Cmd {
		return func() tea.Msg { return nav.Pin{Payments: p.of.pasted.references, Leave: true} }
	}}}
}

// whyNot returns why they cannot be pinned, such as that they do not fit beside what is pinned; "" if they can be.
func (p *pinning) whyNot() string {
	n := len(p.of.payments.Pinned()) + p.of.notPinned()
	switch over := n - ledger.MaxPins; {
	case len(p.of.pasted.references) == 0:
		return "There is no reference to pin."
	case over > 0:
		return "At most " + present.Thousands(ledger.MaxPins) + " payments can be pinned: " + present.Thousands(over) + " too many. esc, then paste fewer."
	}
	return ""
}

// head says what was found and left out, and what follows.
func (p *pinning) head(w int) []string {
	t := p.of.Theme
	lines := []string{t.Rule(present.Count(len(p.of.pasted.references), "reference", "references")+" to pin to Home", "", w)}
	for _, words := range p.of.pasted.left() {
		lines = append(lines, t.MarkLines(ui.ToneAct, words, w)...)
	}
	if why := p.whyNot(); why != "" {
		return append(append(lines, t.MarkLines(ui.ToneBad, why, w)...), "")
	}
	return append(append(lines, t.MutedLines("Home lists them and checks their status; nothing else is sent.", w)...), "")
}

func (p *pinning) lines(w int) (lines []string) {
	for _, r := range p.of.pasted.references {
		lines = append(lines, strings.Split(ansi.Hardwrap(r.String(), max(w-2, 1), true), "\n")...)
	}
	return ui.Indented(lines)
}

// Command implements [ui.Commander].
func (p *pinning) Command() []string { return present.StatusCommand(p.of.pasted.references) }

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
