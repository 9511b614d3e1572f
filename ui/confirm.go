package ui

import (
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
}

// A Decision is the answer to a confirmation.
type Decision uint8

// The decisions.
const (
	Undecided Decision = iota
	Accepted
	Declined
)

// A Confirm asks before something is done. It is unarmed until input has been
// quiet for 300 ms; No has the focus; the key that opened it, held or typed
// ahead, cannot answer it; a paste never answers (R43).
type Confirm struct{}

// NewConfirm makes a confirmation, unarmed.
func NewConfirm(t *Theme, q Question) *Confirm { return &Confirm{} }

// Init begins the wait for quiet.
func (c *Confirm) Init(s Scope) tea.Cmd { return nil }

// Update takes a key, a paste, or its own letters. The decision may come with a letter as well
// as with a key: an answer counts only once no other key has followed it for a
// moment, so a screen hands every message on and looks at the decision each time.
func (c *Confirm) Update(msg tea.Msg) (Decision, tea.Cmd) { return Undecided, nil }

// Armed reports whether an answer counts by now.
func (c *Confirm) Armed() bool { return false }

// View draws the question in at most w×h cells.
func (c *Confirm) View(w, h int) (string, *tea.Cursor) { return "", nil }

// Typing reports whether letters are text to the confirmation.
func (c *Confirm) Typing() bool { return false }

// Keys lists the confirmation's bindings for the help bar.
func (c *Confirm) Keys() []key.Binding { return nil }
