package screens

import (
	"net/url"
	"strings"
	"time"

	"paydesk/keystore"
	"paydesk/screens/challenge"
	"paydesk/screens/collect"
	"paydesk/screens/desk"
	"paydesk/screens/sandbox"
	"paydesk/ui"
)

// Env is what main hands in. Nothing in it does I/O before it is asked to.
type Env struct {
	Version string
	Theme   *ui.Theme
	// ConfigPath is where profiles are read from and written to.
	ConfigPath string
	// Store is where the secret key of a profile is kept; nothing stands in for
	// another (R71).
	Store func(keystore.Profile) keystore.Store
	// Dial makes a client of a profile and its key; it sends nothing.
	Dial func(keystore.Profile, keystore.Key) (desk.Service, error)
	// TestCards are offered in the card step; empty outside the demo.
	TestCards []collect.TestCard
	// Demo is how a screen can open the demo from inside the console; nil where it cannot.
	Demo func() (keystore.Profile, keystore.Key, error)
	// Sandbox is the service of the demo, for its screen; nil where there is none. Only a
	// connection to the demo comes to it.
	Sandbox sandbox.Sandbox
	// Jitter spreads the questions of a watch; nil is at random.
	Jitter func(time.Duration) time.Duration
	// Browser opens addresses and serves challenge pages.
	Browser challenge.Browser
}

// connection is the service the console speaks to.
type connection struct {
	profile  keystore.Profile
	source   string // the word for where the key came from
	lastFour string
	desk     *desk.Desk
}

// environment is the word on every frame.
func (c connection) environment() string {
	return strings.ToUpper(string(c.profile.Environment))
}

// host is where payments go.
func (c connection) host() string {
	u, err := url.Parse(c.profile.BaseURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// key is the header's word for the key: where it came from and its last four.
func (c connection) key() string { return strings.TrimSpace(c.source + " " + c.lastFour) }
