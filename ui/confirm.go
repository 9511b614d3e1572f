package ui

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Question is what a confirmation asks. It owns what it confirms: build it
// from frozen values.
type Question struct {
	Title string   // "Charge 12.50 GBP to •••• 4242?"
	Lines []string // more to know before answering
	Yes   string   // the verb: "Charge"
	No    string   // "Go back"
	// Typed is a text that must be typed before Yes can be answered; "" for
	// none.
	Typed string
	// Closed says why Yes cannot be answered now, "" when it can; nil for always. It is
	// asked when Yes is.
	Closed func() string
}

// A Decision is the answer to a confirmation.
type Decision uint8

// The decisions.
const (
	Undecided Decision = iota
	Accepted
	Declined
)

const (
	confirmQuiet = 300 * time.Millisecond // without input before an answer counts
	// Keys nearer than this were not typed one by one: they were pasted, typed
	// ahead or repeated by the keyboard (at 40 ms and less).
	confirmGap   = 30 * time.Millisecond
	confirmBurst = 3 // so near keys in a row disarm
	// An answer waits this long for a key after it, so that the first of a pasted
	// or repeated run of keys answers nothing either.
	confirmAlone = 50 * time.Millisecond
)

// A Confirm asks before something is done. It is unarmed until input has been
// quiet for 300 ms; No has the focus; the key that opened it, held or typed
// ahead, cannot answer it; a paste never answers (R43). It answers once and is
// deaf from then on.
type Confirm struct {
	theme    *Theme
	question Question
	scope    Scope

	armed   bool
	timing  bool      // a quieted message is on its way
	last    time.Time // of the last input, or of the arming
	burst   int       // keys in a row that came too near each other
	yes     bool      // Yes has the focus
	typed   lineEditor
	note    string
	pending Decision // the answer that waits to stand alone
	seq     int      // of the pending answer
	done    bool
}

// quietMsg and stood are the confirmation's own messages; they carry it, so that one
// confirmation does not hear another's.
type quietMsg struct{ confirm *Confirm }

type aloneMsg struct {
	confirm *Confirm
	seq     int
}

var (
	confirmMove   = key.NewBinding(key.WithKeys("left", "right", "tab", "shift+tab"), key.WithHelp("←/→", "move"))
	confirmAnswer = key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "answer"))
	confirmYes    = key.NewBinding(key.WithKeys("y", "Y"), key.WithHelp("y", "yes"))
	confirmNo     = key.NewBinding(key.WithKeys("n", "N", "esc"), key.WithHelp("n", "no"))
	confirmEscape = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "no"))
)

// NewConfirm makes a confirmation, unarmed.
func NewConfirm(t *Theme, q Question) *Confirm {
	return &Confirm{theme: t, question: q, typed: lineEditor{limit: 64}}
}

// Init begins the wait for quiet. Called again, it begins it anew: after the program
// was stopped and went on, say.
func (c *Confirm) Init(s Scope) tea.Cmd {
	c.scope = s
	return c.disarm("")
}

// Armed reports whether an answer counts by now.
func (c *Confirm) Armed() bool { return c.armed && !c.done }

// Typing reports whether letters are text to the confirmation.
func (c *Confirm) Typing() bool { return c.question.Typed != "" }

// Keys lists the confirmation's bindings for the help bar.
func (c *Confirm) Keys() []key.Binding {
	if c.Typing() {
		return []key.Binding{confirmMove, confirmAnswer, c.no()}
	}
	return []key.Binding{confirmMove, confirmAnswer, confirmYes, c.no()}
}

// no is n or esc, at any time, but only esc where the text to type has an n in it.
func (c *Confirm) no() key.Binding {
	if strings.ContainsAny(c.question.Typed, "nN") {
		return confirmEscape
	}
	return confirmNo
}

// Update takes a key, a paste, or its own letters. The decision may come with a letter as well
// as with a key: an answer counts only once no other key has followed it for a
// moment, so a screen hands every message on and looks at the decision each time.
func (c *Confirm) Update(msg tea.Msg) (Decision, tea.Cmd) {
	if c.done {
		return Undecided, nil
	}
	switch msg := msg.(type) {
	case quietMsg:
		if msg.confirm == c {
			return Undecided, c.onQuiet()
		}
	case aloneMsg:
		if msg.confirm == c && msg.seq == c.seq && c.pending != Undecided {
			return c.decide(c.pending), nil
		}
	case Interrupted:
		return Undecided, c.disarm("")
	case tea.PasteMsg:
		return Undecided, c.disarm("A paste does not answer: " + c.howToAnswer())
	case tea.KeyPressMsg:
		return c.press(msg)
	}
	return Undecided, nil
}

func (c *Confirm) howToAnswer() string {
	if c.Typing() {
		return "type it by hand"
	}
	return "press a key"
}

// onQuiet arms when nothing came for long enough, else it waits for the rest.
func (c *Confirm) onQuiet() tea.Cmd {
	c.timing = false
	if since := time.Since(c.last); since < confirmQuiet {
		return c.waitForQuiet(confirmQuiet - since)
	}
	c.armed, c.burst, c.last = true, 0, time.Now()
	return nil
}

// waitForQuiet has at most one message on its way, however many keys come.
func (c *Confirm) waitForQuiet(d time.Duration) tea.Cmd {
	if c.timing {
		return nil
	}
	c.timing = true
	return c.scope.After(d, quietMsg{c})
}

// disarm forgets what was typed and any pending answer, says why, and waits for
// quiet.
func (c *Confirm) disarm(note string) tea.Cmd {
	c.armed, c.note, c.last = false, note, time.Now()
	c.dropPending()
	c.typed.wipe()
	return c.waitForQuiet(confirmQuiet)
}

func (c *Confirm) dropPending() {
	c.pending = Undecided
	c.seq++
}

func (c *Confirm) decide(d Decision) Decision {
	c.done = true
	c.dropPending()
	return d
}

func (c *Confirm) press(msg tea.KeyPressMsg) (Decision, tea.Cmd) {
	near := time.Since(c.last) < confirmGap
	c.last = time.Now()
	if c.burst++; !near {
		c.burst = 1
	}
	c.dropPending()
	switch {
	case key.Matches(msg, confirmEscape):
		return c.decide(Declined), nil
	case key.Matches(msg, c.no()) && !near && !msg.IsRepeat:
		return Undecided, c.answerIfAlone(Declined)
	case !c.armed:
		return Undecided, c.waitForQuiet(confirmQuiet)
	case c.burst >= confirmBurst:
		return Undecided, c.disarm(tooFast)
	}
	c.note = ""
	switch {
	case key.Matches(msg, confirmMove):
		c.yes = !c.yes
	case key.Matches(msg, confirmAnswer):
		return Undecided, c.answer(c.yes, near || msg.IsRepeat)
	case c.Typing():
		_, _, c.note = c.typed.update(msg)
	case key.Matches(msg, confirmYes):
		return Undecided, c.answer(true, near || msg.IsRepeat)
	}
	return Undecided, nil
}

const tooFast = "That came too fast to be meant, and nothing was answered: press it again"

// answer lets an answer stand if no key follows it; one that came at once after
// another key, or by holding the key down, never does.
func (c *Confirm) answer(yes, hasty bool) tea.Cmd {
	switch {
	case hasty:
		return c.disarm(tooFast)
	case yes && c.question.Closed != nil && c.question.Closed() != "":
		c.note = c.question.Closed()
		return nil
	case yes && string(c.typed.text) != c.question.Typed:
		c.note = "Type " + c.question.Typed + " first, exactly so"
		return nil
	case yes:
		return c.answerIfAlone(Accepted)
	}
	return c.answerIfAlone(Declined)
}

func (c *Confirm) answerIfAlone(d Decision) tea.Cmd {
	c.pending = d
	return c.scope.After(confirmAlone, aloneMsg{c, c.seq})
}
