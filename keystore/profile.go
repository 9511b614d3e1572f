package keystore

import (
	"cmp"
	"strconv"
	"strings"

	"paydesk/api"
)

// Environment describes what a profile declares: test or live money.
type Environment string

// The environments. Sandbox is the embedded one of the demo; a file cannot name it.
const (
	Test    Environment = "test"
	Live    Environment = "live"
	Sandbox Environment = "sandbox"
)

// A Profile is the connection to a service and the source of its key.
type Profile struct {
	Name             string
	Environment      Environment
	BaseURL          string
	ListURL          string
	Source           string // one of SourceNames
	KeyCommand       List   // the program and its arguments
	KeyFile          string // for file and age; see KeyPath
	AllowEnvKey      bool   // allow a live key from the environment
	AllowCardEntry   bool   // allow typing cards on this host for live payments
	KeyHeader        string
	AuthenticatePath string
	StatusPath       string
	SendReference    bool
	Journal          string // "on" or "off"
	Mirror           string // "off", or how large the mirror of the list may become: "200 MB"; see MirrorLimit
	UnlockMinutes    int    // how long live sending stays unlocked, 1 to 480
	IdleLock         int    // minutes without input until the screen is hidden; 0 is never
	CAFile           string // certificates to trust in addition to those of the system

	WebhookListen     string // host:port where webhooks are received; "" for the default of the command, and nowhere in the console
	WebhookAnyAddress bool   // allow an address for that which other machines can reach
	WebhookTargets    List   // where events may be passed on to beyond this machine
	WebhookLimit      string // how large the file of the events may become: "50 MB"; see EventsLimit
}

// WithDefaults sets the empty settings to their defaults.
func (p Profile) WithDefaults() Profile {
	p.Source = cmp.Or(p.Source, "keyring")
	p.UnlockMinutes = cmp.Or(p.UnlockMinutes, 15)
	p.Journal = cmp.Or(p.Journal, "on")
	p.Mirror = cmp.Or(p.Mirror, "200 MB")
	p.WebhookLimit = cmp.Or(p.WebhookLimit, "50 MB")
	p.KeyHeader = cmp.Or(p.KeyHeader, api.DefaultKeyHeader)
	p.AuthenticatePath = cmp.Or(p.AuthenticatePath, api.DefaultAuthenticatePath)
	p.StatusPath = cmp.Or(p.StatusPath, api.DefaultStatusPath)
	return p
}

// MirrorLimit returns how many bytes the mirror of the list may take, 0 where there is none: it is off, or the
// journal is, beside which it lies.
func (p Profile) MirrorLimit() int64 {
	megabytes, ok := parseMegabytes(p.Mirror)
	if !ok || p.Journal == "off" {
		return 0
	}
	return megabytes * 1_000_000
}

// parseMegabytes reads a size such as "200 MB"; "off" is 0.
func parseMegabytes(s string) (n int64, ok bool) {
	if s == "off" {
		return 0, true
	}
	digits, ok := strings.CutSuffix(s, " MB")
	if !ok || !only(digits, 5, "0123456789") || digits[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

// A List is strings without NUL, joined by it so that profiles can be compared: a program and its arguments, or URLs.
type List string

// NewList returns a list of strings.
func NewList(all ...string) List { return List(strings.Join(all, "\x00")) }

// All returns each of the strings; nil for none.
func (l List) All() []string {
	if l == "" {
		return nil
	}
	return strings.Split(string(l), "\x00")
}

// String joins the strings with spaces for display. A command is not meant to be run so.
func (l List) String() string { return strings.Join(l.All(), " ") }

// assign sets the list from one in the file.
func (l *List) assign(v any) bool {
	list, ok := v.([]any)
	var all []string
	for _, one := range list {
		s, is := one.(string)
		if !is || strings.Contains(s, "\x00") {
			return false
		}
		all = append(all, s)
	}
	*l = NewList(all...)
	return ok && (len(all) == 0 || *l != "") // one empty string would be none
}

// value formats the list in TOML; "" for an empty one.
func (l List) value() string {
	if l == "" {
		return ""
	}
	quoted := l.All()
	for i, s := range quoted {
		quoted[i] = strconv.Quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
