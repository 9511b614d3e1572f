package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// A Notifier is the sequence by which a terminal shows a desktop notification. No terminal answers it, so that
// only those get one that are known to have it.
type Notifier string

// The notifiers.
const (
	NoNotifier Notifier = ""
	OSC9       Notifier = "9"   // a text
	OSC777     Notifier = "777" // a title and a text
)

// longestNote sets how long a notification is at most: a desktop shows few words.
const longestNote = 120

// sequence shows a notification.
func (n Notifier) sequence(words string) string {
	words = note(words)
	switch n {
	case OSC9:
		return "\x1b]9;paydesk: " + words + "\a"
	case OSC777:
		return "\x1b]777;notify;paydesk;" + words + "\a"
	}
	return ""
}

// note returns what of a text goes into a notification: printable ASCII without the semicolon, which separates
// parts of the sequence.
func note(words string) string {
	words = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == ';' {
			return -1
		}
		return r
	}, words)
	return words[:min(len(words), longestNote)]
}

// Alerts set how a person who looks elsewhere learns that a payment has settled. They are shared by all
// screens, and last as long as the console runs.
type Alerts struct {
	by    Notifier
	steps []alertStep // the choices, of which the first is set
}

// An alertStep is a choice of what is on.
type alertStep struct {
	bell, desktop bool   // a notification on the desktop
	on            string // what is on, in words
	next          string // what the choice after it is called
	says          string // of it, once it is chosen
}

// The choices, in the order of the key.
var (
	alertSteps = []alertStep{
		{true, true, "bell and notification when it is final", "bell only", "The bell rings and a notification is shown when a watched payment settles."},
		{true, false, "bell when it is final", "notifications only", "The bell rings when a watched payment settles. Notifications are off."},
		{false, true, "notification when it is final", "no alerts", "A notification is shown when a watched payment settles. The bell is off."},
		{false, false, "off", "alerts", "The bell and notifications are off."},
	}
	bellSteps = []alertStep{ // of a terminal without notifications
		{true, false, "bell when it is final", "bell off", "The bell rings when a watched payment settles."},
		{false, false, "off", "bell on", "The bell is off."},
	}
)

// NewAlerts has everything on that the terminal has.
func (t *Theme) NewAlerts() *Alerts {
	steps := alertSteps
	if t.Notifier == NoNotifier {
		steps = bellSteps
	}
	return &Alerts{by: t.Notifier, steps: slices.Clone(steps)}
}

// Raise rings the bell and shows a notification, as far as they are on. Words must be the console's own: no
// secret, and no text of the service's.
func (a *Alerts) Raise(words string) tea.Cmd {
	var sent string
	if a.steps[0].bell {
		sent = "\a"
	}
	if a.steps[0].desktop {
		sent += a.by.sequence(words)
	}
	if sent == "" {
		return nil
	}
	return tea.Raw(sent)
}

// Offer returns what [Alerts.Switch] does next, for the help bar.
func (a *Alerts) Offer() string { return a.steps[0].next }

// On names what is on.
func (a *Alerts) On() string { return a.steps[0].on }

// Switch goes on to the next of what can be on, and says what that is.
func (a *Alerts) Switch() string {
	a.steps = append(a.steps[1:], a.steps[0])
	return a.steps[0].says
}
