package ui

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Question is the text of a confirmation. Build it from frozen values: what the person read
// must be what is done.
type Question struct {
	Title string   // "Charge 12.50 GBP to •••• 4242?"
	Lines []string // details to read before answering
	Place string   // where it is done: the rule has it, or where a text must be typed the last of the details
	Yes   string   // the verb: "Charge"
	No    string   // "Go back"
	Grave bool     // the last line says what may be lost, in bold
	// Typed must be typed before Yes is accepted; "" for nothing. It takes the place of the choice: enter
	// accepts once it stands there, and says what is missing before.
	Typed string
	// Closed returns why Yes is not available now, "" when it is. It is called when Yes is
	// chosen; nil means always available.
	Closed func() string
}

// Details are the lines to read before answering, wrapped to w cells.
func (q Question) Details(t *Theme, w int) (lines []string) {
	for i, line := range q.Lines {
		wrap := Wrap
		if q.Grave && i == len(q.Lines)-1 {
			wrap = t.StrongLines
		}
		lines = append(lines, wrap(line, w)...)
	}
	return lines
}

const (
	confirmQuiet = 300 * time.Millisecond // without input before an answer counts
	// Keys that follow each other faster than this were pasted, typed ahead or repeated by the
	// keyboard (every 40 ms or less), not pressed one by one.
	confirmGap   = 30 * time.Millisecond
	confirmBurst = 3 // this many such keys in a row disarm
	// An answer counts only if no key follows it for this long, so that the first key of a
	// pasted or repeated run does not answer either.
	confirmAlone = 50 * time.Millisecond
)

// A Confirm asks for confirmation before an action. Nothing but a deliberate key press answers
// it: it is unarmed until there was no input for 300 ms, No has the focus, the key that opened it
// does not answer when held or typed ahead, and a paste never does. Where a text must be typed, that is
// deliberate by itself, and its first letter counts at once. It is answered once and ignores input from then on.
type Confirm struct {
	theme    *Theme
	question Question
	scope    Scope

	armed   bool
	quiet   Lull      // until it is armed
	last    time.Time // of the last input, or of the arming
	held    string    // the key that opened it, while it may still be held down
	heldAt  time.Time // when it last came
	burst   int       // keys in a row that came faster than confirmGap
	yes     bool      // Yes has the focus
	typed   lineEditor
	note    string
	pending func() tea.Cmd // the answer that counts if no key follows it within confirmAlone; nil for none
	seq     int            // of the pending answer
	done    bool

	accept, decline func() tea.Cmd // what the answers do
}

// quietMsg and aloneMsg name their confirmation, so that another one ignores them.
type quietMsg struct{ confirm *Confirm }

type aloneMsg struct {
	confirm *Confirm
	seq     int
}

var (
	confirmMove   = Bind("←/→", "move", "left", "right", "tab", "shift+tab")
	confirmAnswer = Bind("enter", "answer")
	confirmYes    = Bind("y", "yes", "y", "Y")
	confirmNo     = Bind("n", "no", "n", "N", "esc")
	confirmEscape = Bind("esc", "no")
)

// NewConfirm makes a confirmation, unarmed.
func NewConfirm(t *Theme, q Question) *Confirm {
	return &Confirm{theme: t, question: q, typed: lineEditor{limit: 64}}
}

// Init starts the wait for quiet. Calling it again restarts the wait, as after a suspension.
func (c *Confirm) Init(s Scope) tea.Cmd {
	c.scope, c.held, c.heldAt = s, s.clock.pressed, s.Now()
	quiet := c.disarm("")
	c.armed = c.Typing()
	return quiet
}

// Armed reports whether an answer counts now.
func (c *Confirm) Armed() bool { return c.armed && !c.done }

// Typing reports whether letters are text to the confirmation.
func (c *Confirm) Typing() bool { return c.question.Typed != "" }

// Keys lists the confirmation's bindings for the help bar.
func (c *Confirm) Keys() []key.Binding {
	yes, no := confirmYes, c.no()
	yes.SetHelp("y", strings.ToLower(c.question.Yes))
	no.SetHelp(no.Help().Key, strings.ToLower(c.question.No))
	if c.Typing() {
		return []key.Binding{confirmAnswer, no}
	}
	return []key.Binding{yes, no, confirmAnswer, confirmMove}
}

// Asked reports whether the bindings of a screen belong to a question, which no key of the console may
// answer.
func Asked(keys []key.Binding) bool {
	return slices.ContainsFunc(keys, func(b key.Binding) bool { return b.Help() == confirmAnswer.Help() })
}

// no is n or esc, but only esc when the text to type contains an n.
func (c *Confirm) no() key.Binding {
	if strings.ContainsAny(c.question.Typed, "nN") {
		return confirmEscape
	}
	return confirmNo
}

// Answer handles keys, pastes and the confirmation's own messages, and does what follows once the answer counts. That is when no
// key has followed it for a moment, so that it usually comes with a message and not with the key: a screen must pass every message on.
func (c *Confirm) Answer(msg tea.Msg, yes, no func() tea.Cmd) tea.Cmd {
	if c.done {
		return nil
	}
	c.accept, c.decline = yes, no
	switch msg := msg.(type) {
	case quietMsg:
		if msg.confirm == c {
			return c.onQuiet()
		}
	case aloneMsg:
		if msg.confirm == c && msg.seq == c.seq && c.pending != nil {
			return c.decide(c.pending)
		}
	case Interrupted:
		return c.disarm("")
	case tea.PasteMsg:
		if c.Typing() {
			return c.disarm("Paste ignored: type it by hand")
		}
		return c.disarm("Paste ignored: press a key")
	case tea.KeyPressMsg:
		return c.press(msg)
	}
	return nil
}

// onQuiet arms if there was no input for long enough, and otherwise waits for the rest.
func (c *Confirm) onQuiet() tea.Cmd {
	if c.armed {
		return nil
	}
	if since := c.scope.Now().Sub(c.last); since < confirmQuiet {
		return c.waitForQuiet(confirmQuiet - since)
	}
	c.armed, c.burst, c.last = true, 0, c.scope.Now()
	return nil
}

func (c *Confirm) waitForQuiet(d time.Duration) tea.Cmd {
	return c.quiet.After(c.scope, d, quietMsg{c})
}

// disarm drops the typed text and any pending answer, shows note and waits for quiet.
func (c *Confirm) disarm(note string) tea.Cmd {
	c.armed, c.note, c.last = false, note, c.scope.Now()
	c.dropPending()
	c.typed.wipe()
	c.yes = c.yes && !c.Typing()
	return c.waitForQuiet(confirmQuiet)
}

func (c *Confirm) dropPending() {
	c.pending = nil
	c.seq++
}

func (c *Confirm) decide(do func() tea.Cmd) tea.Cmd {
	c.done = true
	c.dropPending()
	return do()
}

func (c *Confirm) press(msg tea.KeyPressMsg) tea.Cmd {
	now := c.scope.Now()
	near := now.Sub(c.last) < confirmGap
	if msg.String() != c.held || now.Sub(c.heldAt) >= releaseDelay {
		c.held = ""
	}
	c.last, c.heldAt = now, now
	if c.burst++; !near {
		c.burst = 1
	}
	c.dropPending()
	switch {
	case key.Matches(msg, confirmEscape):
		return c.decide(c.decline)
	case c.held != "":
		return c.disarm(mayBeHeld)
	case key.Matches(msg, c.no()) && !near && !msg.IsRepeat:
		return c.answerIfAlone(c.decline)
	case !c.armed:
		return c.waitForQuiet(confirmQuiet)
	case c.burst >= confirmBurst:
		return c.disarm(tooFast)
	}
	c.note = ""
	switch {
	case key.Matches(msg, confirmAnswer):
		return c.answer(c.yes || c.Typing(), near || msg.IsRepeat)
	case c.Typing():
		_, _, c.note = c.typed.update(msg)
		c.yes = c.isTyped()
	case key.Matches(msg, confirmMove):
		c.yes = !c.yes
	case key.Matches(msg, confirmYes):
		return c.answer(true, near || msg.IsRepeat)
	}
	return nil
}

const (
	tooFast   = "Key ignored (typed too quickly). Press it again"
	mayBeHeld = "Key ignored (it may be held down). Press it again"
)

// answer makes an answer pending. A hasty key, which followed another one at once or was
// repeated by holding it, never answers.
func (c *Confirm) answer(yes, hasty bool) tea.Cmd {
	switch {
	case hasty:
		return c.disarm(tooFast)
	case !yes:
		return c.answerIfAlone(c.decline)
	case c.question.Closed != nil && c.question.Closed() != "":
		c.note = c.question.Closed()
	case !c.isTyped():
		c.note = "Type " + c.question.Typed + " exactly as shown, or leave with esc"
	default:
		return c.answerIfAlone(c.accept)
	}
	return nil
}

// isTyped reports whether the text that must be typed stands there.
func (c *Confirm) isTyped() bool { return IsTyped(string(c.typed.text), c.question.Typed) }

// IsTyped reports whether a text is the one that must be typed. All commas of an amount may be left out; at another place one may be
// meant as a point.
func IsTyped(text, wanted string) bool {
	return text == wanted || text == strings.ReplaceAll(wanted, ",", "")
}

func (c *Confirm) answerIfAlone(do func() tea.Cmd) tea.Cmd {
	c.pending = do
	return c.scope.After(confirmAlone, aloneMsg{c, c.seq})
}

// View draws the confirmation in at most w×h cells: title, details, answers. When there is too
// little height, details from the middle are left out.
func (c *Confirm) View(w, h int) (string, *tea.Cursor) {
	if w < 1 || h < 1 {
		return "", nil
	}
	head, details := c.words(w)
	foot, x := c.footer(w)
	head = head[:min(len(head), max(h-len(foot), 1))]
	body := spaced(details, h-len(head)-len(foot))
	lines := slices.Concat(head, body, foot)
	var cursor *tea.Cursor
	if y := len(head) + len(body); x >= 0 && x < w && y < h {
		cursor = steady(x, y)
	}
	return Lines(w, h, lines...), cursor
}

// Height is the least lines that have all of it.
func (c *Confirm) Height(w int) int {
	foot, _ := c.footer(w)
	title, details := c.words(w)
	return len(title) + max(len(details), 1) + len(foot)
}

// words are the question in a rule, unless it would be cut there, and the details. The place is the last of these where the rule has no
// room for it, or where a text must be typed.
func (c *Confirm) words(w int) (title, details []string) {
	q, place := c.question, c.question.Place
	details = q.Details(c.theme, w)
	if place != "" && (c.Typing() || width(q.Title+place)+RuleStrokes > w) {
		details, place = append(details, Wrap(place, w)...), ""
	}
	if width(q.Title)+3*least > w {
		return c.theme.StrongLines(q.Title, w), details
	}
	return []string{c.theme.Rule(q.Title, place, w)}, details
}

// spaced are the details of a question, with a blank line before and after where there is room.
func spaced(lines []string, room int) []string {
	switch {
	case room < 1:
		return nil
	case len(lines) == 0:
		return []string{""}
	case len(lines)+2 <= room:
		return slices.Concat([]string{""}, lines, []string{""})
	case len(lines) <= room:
		return lines
	}
	first := min(max(room-2, 0), 1) // and the last, which say what may be lost and where
	return slices.Concat(lines[:first], []string{"…"}, lines[len(lines)-room+first+1:])
}

// footer draws the text to type, the answers and the status line; x is the cursor's cell in the
// first line, -1 for none.
func (c *Confirm) footer(w int) (lines []string, x int) {
	x = -1
	if c.Typing() {
		ask := "Type " + c.question.Typed + " to continue: "
		box := max(min(w-width(ask)-2, len(c.question.Typed)+6), 0)
		value, at := c.typed.view(box, true)
		if at >= 0 {
			x = width(ask) + 1 + at
		}
		lines = append(lines, ask+"["+Fit(value, box)+"]", "")
	}
	// No and Yes: the focused one has a mark.
	answers := c.button(c.question.No, !c.yes) + "  " + c.button(c.question.Yes, c.yes)
	return append(lines, cut(answers, w), c.statusLine(w)), x
}

func (c *Confirm) button(word string, focused bool) string {
	style := c.theme.Plain
	switch {
	case focused:
		return c.theme.Accent.Render(chosenMark+word+"]") + " "
	case c.Typing() && word == c.question.Yes: // it takes the focus once the text stands there
		style = c.theme.Muted
	}
	return "  " + style.Render("["+word+"]") + " "
}

// statusLine always takes one line, so that nothing moves when a key was refused.
func (c *Confirm) statusLine(w int) string {
	if c.note == "" {
		return ""
	}
	return c.theme.Error.Render(cut("! "+c.note, w))
}
