package screens

import (
	"context"
	"net/url"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/gate"
	"paydesk/api/journal"
	"paydesk/api/session"
	"paydesk/keystore"
	"paydesk/keystore/doctor"
	"paydesk/screens/challenge"
	"paydesk/screens/collect"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/sandbox"
	"paydesk/ui"
)

// Deps is what main hands in. Nothing in it does I/O before it is asked to.
type Deps struct {
	Version string
	Theme   *ui.Theme
	// Shell is whether there is a shell that ctrl+z can go back to.
	Shell bool
	// ConfigPath is where profiles are read from and written to.
	ConfigPath string
	// Store is where the secret key of a profile is kept; nothing stands in for
	// another (R71).
	Store func(keystore.Profile) keystore.Store
	// Dial makes a client of a profile and the key in a slot; it sends nothing.
	Dial func(keystore.Profile, *keystore.KeyHolder) (api.Service, error)
	// Journal is where the attempts of a profile are written down; nil for one whose journal
	// is off. Nothing is opened before it is used.
	Journal func(keystore.Profile) *journal.Journal
	// Doctor looks step by step at what works for a profile; nil where nobody can.
	Doctor func(context.Context, keystore.Profile) []doctor.Check
	// Through says by which proxy an address is asked, credentials masked; "" by none.
	Through func(origin string) (string, error)
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

// connection is the service the console speaks to, and whose key it speaks with.
type connection struct {
	profile          keystore.Profile
	source           string // the word for where the key came from
	lastFour         string
	key              *keystore.KeyHolder
	*session.Session // nil while the key of the profile is asked for
}

// connect opens a session for a profile and its key.
func (e Deps) connect(ctx context.Context, c nav.Connect) (connection, error) {
	slot := keystore.NewKeyHolder(c.Key)
	client, err := e.Dial(c.Profile, slot)
	if err != nil {
		return connection{}, err
	}
	conn := connection{profile: c.Profile, source: c.Source, lastFour: c.Key.LastFour(), key: slot}
	conn.Session = session.Open(ctx, session.Options{
		Client: client, Journal: e.Journal(c.Profile), SendReference: c.Profile.SendReference,
		Place:  journal.Destination{Profile: c.Profile.Name, Environment: conn.environment(), Host: conn.host()},
		Jitter: e.Jitter,
		Gate: gate.Options{
			Evidence: evidence(c),
			Unlock:   time.Duration(c.Profile.UnlockMinutes) * time.Minute,
			Cards:    c.Profile.AllowCardEntry,
		},
	})
	return conn, nil
}

// evidence is what is known of the environment before anything was sent. A key without a
// prefix proves nothing, and so does a host whose name says nothing.
func evidence(c nav.Connect) []gate.Evidence {
	return []gate.Evidence{
		gate.Word(gate.ByProfile, string(c.Profile.Environment)),
		gate.Word(gate.ByKey, string(c.Key.Environment())),
		gate.Host(gate.ByHost, c.Profile.BaseURL),
		gate.Host(gate.ByList, c.Profile.ListURL),
	}
}

// renew goes on with another key. Only the key is another: nothing else of the profile
// changes under what is being done.
func (c *connection) renew(r nav.Rekey) {
	c.key.Put(r.Key)
	c.source, c.lastFour = r.Source, r.Key.LastFour()
	c.profile.Source = r.Profile.Source
	c.Rekey(string(r.Key.Environment()))
}

// open reports whether there is a session.
func (c connection) open() bool { return c.Session != nil }

// refused reports whether the service takes the key no more.
func (c connection) refused() bool { return c.open() && c.KeyRejected() }

// trouble is what keeps the journal from being written, and so everything from being
// sent; "" when nothing does. A journal that was found damaged is told of, too.
func (c connection) trouble() string {
	switch {
	case !c.open() || c.Journal == nil:
		return ""
	case c.RecordingError() != nil:
		return "Nothing can be sent: " + present.Plain(c.RecordingError().Error())
	case c.Journal.DamagedBackup() != "":
		return "The journal was damaged; it is kept as " + present.Plain(c.Journal.DamagedBackup()) + ", and a new one was begun."
	}
	return ""
}

// environment is the word on every frame.
func (c connection) environment() string {
	return strings.ToUpper(string(c.profile.Environment))
}

// target is where a payment would be made, and what may stop it.
func (c connection) target() present.Target {
	p := present.Target{Environment: c.environment(), Host: c.host()}
	if c.open() { // a nil *Gate would be no nil Gate
		p.Gate = c.Gate
	}
	return p
}

// host is where payments go.
func (c connection) host() string {
	u, err := url.Parse(c.profile.BaseURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// keyLabel is the header's word for the key: where it came from and its last four.
func (c connection) keyLabel() string { return strings.TrimSpace(c.source + " " + c.lastFour) }
