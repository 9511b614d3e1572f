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
	By      Notifier
	Bell    bool
	Desktop bool // notifications on the desktop, where there is a Notifier
}

// NewAlerts has everything on that the terminal has.
func (t *Theme) NewAlerts() *Alerts { return &Alerts{By: t.Notifier, Bell: true, Desktop: true} }

// Raise rings the bell and shows a notification, as far as they are on. Words must be the console's own: no
// secret, and no text of the service's.
func (a *Alerts) Raise(words string) tea.Cmd {
	var sent string
	if a.Bell {
		sent = "\a"
	}
	if a.Desktop {
		sent += a.By.sequence(words)
	}
	if sent == "" {
		return nil
	}
	return tea.Raw(sent)
}

// An alertStep is a choice of what is on: what the key does next there, and what it says on the way to it.
type alertStep struct {
	bell, desktop bool
	next, done    string
}

// The choices, in the order of the key.
var (
	alertSteps = []alertStep{
		{true, true, "bell only", "The bell rings and a notification is shown when a watched payment settles."},
		{true, false, "notifications only", "The bell rings when a watched payment settles. Notifications are off."},
		{false, true, "no alerts", "A notification is shown when a watched payment settles. The bell is off."},
		{false, false, "alerts", "The bell and notifications are off."},
	}
	bellSteps = []alertStep{ // of a terminal without notifications
		{true, true, "bell off", "The bell rings when a watched payment settles."},
		{false, true, "bell on", "The bell is off."},
	}
)

func (a *Alerts) steps() []alertStep {
	if a.By == NoNotifier {
		return bellSteps
	}
	return alertSteps
}

// at is the index of the step that is set.
func (a *Alerts) at() int {
	return slices.IndexFunc(a.steps(), func(s alertStep) bool { return s.bell == a.Bell && (s.desktop == a.Desktop || a.By == NoNotifier) })
}

// Offer returns what [Alerts.Switch] does next, for the help bar.
func (a *Alerts) Offer() string {
	return a.steps()[a.at()].next
}

// On names what is on.
func (a *Alerts) On() string {
	switch desktop := a.Desktop && a.By != NoNotifier; {
	case a.Bell && desktop:
		return "bell and notification when it is final"
	case a.Bell:
		return "bell when it is final"
	case desktop:
		return "notification when it is final"
	}
	return "off"
}

// Switch goes on to the next of what can be on, and says what that is.
func (a *Alerts) Switch() string {
	steps := a.steps()
	s := steps[(a.at()+1)%len(steps)]
	a.Bell, a.Desktop = s.bell, s.desktop
	return s.done
}
