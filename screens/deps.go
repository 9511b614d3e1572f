package screens

import (
	"context"
	"errors"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/sandbox"
	"paydesk/api/session"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/present"
	"paydesk/screens/requests"
	"paydesk/ui"
)

// Deps describes what main hands in. Creating it does no I/O.
type Deps struct {
	Version string
	Theme   *ui.Theme
	// Shell reports whether ctrl+z can suspend: paydesk was started from a shell with job control.
	Shell bool
	// Options holds the options of every command that this console was started with and that a copied command takes too,
	// each with its value.
	Options [][2]string
	// ConfigPath is the folder that profiles are read from and written to.
	ConfigPath string
	// Store tells where the secret key of a profile is kept. No store replaces another.
	Store func(keystore.Profile) keystore.Store
	// Keyring reports whether this host has a keyring; nil where it is not asked.
	Keyring func(context.Context) bool
	// Confirmed remembers which keys a person has confirmed to be for an environment; nil to do so
	// for this run only.
	Confirmed *keystore.Confirmed
	// Dial creates a client from a profile and the key in a holder; it sends nothing.
	Dial func(keystore.Profile, *keystore.KeyHolder) (api.Service, error)
	// Journal tells where a profile's attempts are recorded, in memory where its journal is off. It is
	// opened when it is first used.
	Journal func(keystore.Profile) *journal.Journal
	// Mirror tells where the scans of a profile's list are kept; its result is nil where none are.
	Mirror func(keystore.Profile) *listing.Mirror
	// Events tells where the webhooks of a profile are kept; nil, as its result is, where none are.
	Events func(keystore.Profile) *webhook.Store
	// Receive receives the webhooks of a profile until ctx ends; nil, as its result is, where none are received.
	Receive func(context.Context, keystore.Profile) (*webhook.Receiver, error)
	// Doctor checks step by step what works for a profile; nil where it cannot be run.
	Doctor func(context.Context, keystore.Profile) []keystore.Finding
	// Network checks the way to the service of a profile with a key. [keystore.ExamineNetwork] runs it.
	Network func(context.Context, keystore.Profile, keystore.Key) []keystore.Finding
	// Through names the proxy that requests to an origin go through, credentials masked; "" for
	// none.
	Through func(origin string) (string, error)
	// Requests holds what was asked since the console was started.
	Requests *requests.Log
	// Reports returns recent crash reports; nil for none.
	Reports func() []string
	// Folder is the default folder for files that a person exports. It may read the file system.
	Folder func() string
	// Demo opens the demo from inside the console; nil where that is not possible.
	Demo func() (keystore.Profile, keystore.Key, error)
	// Sandbox is the demo's service, for its screen. Only a connection to the demo reaches it.
	Sandbox *sandbox.Controller
	// Tour has home lead through the demo.
	Tour bool
	// FindSandbox returns the sandbox that serves an address on this machine, or why there is none;
	// nil where none is looked for.
	FindSandbox func(ctx context.Context, address string) (*sandbox.Controller, error)
	// Jitter is the random part of the waits between status checks; nil for a random one.
	Jitter func(time.Duration) time.Duration
	// Browser opens addresses and serves challenge pages.
	Browser payment.Browser
}

// A connection is the session that is open, with the profile and the key it was opened with.
type connection struct {
	profile          keystore.Profile
	source           string // the word for where the key came from
	lastFour         string
	key              *keystore.KeyHolder
	confirm          func() error // remembers that the key is for the environment of the profile
	*session.Session              // nil while the key of the profile is asked for
	ctx              context.Context
	end              context.CancelFunc // ends the session, and what goes on for it beside its screens
}

// connect opens a session for a profile and its key.
func (e Deps) connect(ctx context.Context, c nav.Connect) (connection, error) {
	held := keystore.NewKeyHolder(c.Key)
	ctx, end := context.WithCancel(ctx)
	open, err := e.OpenSession(ctx, c, held)
	if err != nil {
		end()
		return connection{}, err
	}
	return connection{
		profile: c.Profile, source: c.Source, lastFour: c.Key.LastFour(), key: held, confirm: e.confirm(c), Session: open, ctx: ctx, end: end,
	}, nil
}

// OpenSession opens a session for a profile and the key in a holder, with what is known of the environment as
// its evidence. It does no I/O.
func (e Deps) OpenSession(ctx context.Context, c nav.Connect, held *keystore.KeyHolder) (*session.Session, error) {
	client, err := e.Dial(c.Profile, held)
	if err != nil {
		return nil, err
	}
	about := connection{profile: c.Profile}
	return session.Open(ctx, session.Options{
		Client: client, Journal: e.Journal(c.Profile), Mirror: e.Mirror(c.Profile), Events: e.events(c.Profile), Key: held,
		Place:  ledger.Destination{Profile: c.Profile.Name, Environment: about.environment(), Host: c.Profile.Host()},
		Jitter: e.Jitter,
		Gate: session.GateOptions{
			Evidence: e.evidence(c),
			Unlock:   time.Duration(c.Profile.UnlockMinutes) * time.Minute,
			Cards:    c.Profile.AllowCardEntry,
		},
	}), nil
}

// events returns where the webhooks of a profile are kept, nil for nowhere.
func (e Deps) events(p keystore.Profile) *webhook.Store {
	if e.Events == nil {
		return nil
	}
	return e.Events(p)
}

// evidence returns what is known of the environment before anything was sent. A host whose name says
// nothing proves nothing.
func (e Deps) evidence(c nav.Connect) []session.Evidence {
	return []session.Evidence{
		session.WordEvidence(session.ByProfile, string(c.Profile.Environment)),
		e.keyEvidence(c),
		session.HostEvidence(session.ByHost, c.Profile.BaseURL),
		session.HostEvidence(session.ByList, c.Profile.ListURL),
	}
}

// keyEvidence returns what the prefix of a key says. Without a known prefix, a person has to say once what
// the key is for.
func (e Deps) keyEvidence(c nav.Connect) session.Evidence {
	says := session.WordEvidence(session.ByKey, string(c.Key.Environment()))
	says.Unconfirmed = says.Says == api.UnknownMode && !e.Confirmed.Has(c.Key, c.Profile.Environment)
	return says
}

// confirm returns the function that remembers what a person has said about a key.
func (e Deps) confirm(c nav.Connect) func() error {
	return func() error { return e.Confirmed.Add(c.Key, c.Profile.Environment) }
}

// renew replaces the key and nothing else: the rest of the profile stays as it was opened.
func (c *connection) renew(e Deps, r nav.Rekey) {
	with := nav.Connect{Profile: c.profile, Key: r.Key}
	c.key.Put(r.Key)
	c.source, c.lastFour, c.confirm = r.Source, r.Key.LastFour(), e.confirm(with)
	c.profile = c.profile.WithSource(r.Profile.Source)
	c.Rekey(e.keyEvidence(with))
}

// recorded reports whether the profile has a journal that outlasts this run.
func (c connection) recorded() bool { return c.profile.Journal != "off" }

// open reports whether there is a session.
func (c connection) open() bool { return c.Session != nil }

// refused reports whether the service rejects the key.
func (c connection) refused() bool { return c.open() && c.KeyRejected() }

// trouble says why nothing can be recorded, and so nothing sent; "" when something can. It also
// reports what the journal lost.
func (c connection) trouble() string {
	switch {
	case !c.open():
		return ""
	case c.Recorder.Trouble() != nil && !errors.Is(c.Recorder.Trouble(), journal.ErrLoss):
		return waitingWords(c.Journal) + "Sending is disabled: " + present.Plain(c.Recorder.Trouble().Error())
	}
	if lost := JournalLoss(c.Journal); lost != "" {
		return "Sending is disabled until you have read this with " + present.LockKey + ": " + lost + " Look for those payments in Transactions."
	}
	return ""
}

// waitingWords say that outcomes wait until the journal can be written.
func waitingWords(j *journal.Journal) string {
	waiting, _ := j.LateOutcomes()
	if waiting == 0 {
		return ""
	}
	return present.Count(waiting, "outcome waits", "outcomes wait") + " to be recorded. "
}

// NotRemembered returns why nothing is remembered of the list of a profile without a mirror.
func NotRemembered(p keystore.Profile) string {
	switch {
	case p.Journal == "off":
		return "The list is not saved, because the journal of this profile is off: journal = \"off\"."
	case p.MirrorLimit() == 0:
		return "The list is not saved, because the profile turns the saved list off: mirror = \"off\"."
	}
	return "The list is not saved, because the journal has no folder. Choose one with --state-dir."
}

// environment returns the word on every frame.
func (c connection) environment() string {
	return strings.ToUpper(string(c.profile.Environment))
}

// target returns where a payment would be made, and what may stop it.
func (c connection) target() present.Target {
	p := present.Target{Environment: c.environment(), Host: c.profile.Host()}
	if c.open() { // a nil *Gate would be no nil Gate
		p.Gate = c.Gate
	}
	return p
}

// keyLabel returns the header's word for the key: where it came from and its last four.
func (c connection) keyLabel() string { return strings.TrimSpace(c.source + " " + c.lastFour) }
