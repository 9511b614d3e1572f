package screens

import (
	"net/url"
	"strings"
	"time"

	"paydesk/api/journal"
	"paydesk/keystore"
	"paydesk/screens/challenge"
	"paydesk/screens/collect"
	"paydesk/screens/desk"
	"paydesk/screens/guard"
	"paydesk/screens/nav"
	"paydesk/screens/sandbox"
	"paydesk/ui"
)

// Env is what main hands in. Nothing in it does I/O before it is asked to.
type Env struct {
	Version string
	Theme   *ui.Theme
	// Shell is whether there is a shell that ctrl+z can go back to.
	Shell bool
	// ConfigPath is where profiles are read from and written to.
	ConfigPath string
	// Store is where the secret key of a profile is kept; nothing stands in for
	// another (R71).
	Store func(keystore.Profile) keystore.Store
	// Dial makes a client of a profile and its key; it sends nothing.
	Dial func(keystore.Profile, keystore.Key) (desk.Service, error)
	// Journal is where the attempts of a profile are written down; nil for one whose journal
	// is off. Nothing is opened before it is used.
	Journal func(keystore.Profile) *journal.Journal
	// Folder is where files are put that a person asks for, unless they say otherwise. It may
	// ask the file system.
	Folder func() string
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
	gate     *guard.Gate
	journal  *journal.Journal // nil when it is off
	kept     *journal.Kept    // likewise
}

// connected is a connection to a service, whose every sending is written down unless the
// profile wants no journal.
func (e Env) connected(c nav.Connect) (connection, error) {
	service, err := e.Dial(c.Profile, c.Key)
	if err != nil {
		return connection{}, err
	}
	conn := connection{profile: c.Profile, source: c.Source, lastFour: c.Key.LastFour()}
	if conn.journal = e.Journal(c.Profile); conn.journal == nil {
		conn.gate = gate(service, c)
		conn.desk = desk.Keep(conn.gate, nil)
		return conn, nil
	}
	conn.kept = journal.Keep(service, conn.journal, conn.place(), c.Profile.SendReference)
	conn.gate = gate(conn.kept, c)
	conn.desk = desk.Keep(conn.gate, conn.kept)
	return conn, nil
}

// trouble is what keeps the journal from being written, and so everything from being
// sent; "" when nothing does. A journal that was found damaged is told of, too.
func (c connection) trouble() string {
	switch {
	case c.journal == nil:
		return ""
	case c.kept.Trouble() != nil:
		return "Nothing can be sent: " + c.kept.Trouble().Error()
	case c.journal.Aside() != "":
		return "The journal was damaged; it is kept as " + c.journal.Aside() + ", and a new one was begun."
	}
	return ""
}

// environment is the word on every frame.
func (c connection) environment() string {
	return strings.ToUpper(string(c.profile.Environment))
}

// place is where the journal says that things were sent.
func (c connection) place() journal.Place {
	return journal.Place{Profile: c.profile.Name, Environment: c.environment(), Host: c.host()}
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
