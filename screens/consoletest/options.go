package consoletest

import (
	"testing"

	"paydesk/api/journal"
	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens/nav"
	"paydesk/ui"
)

// An Option configures [Run].
type Option func(*setup)

type setup struct {
	w, h        int
	sandbox     sandbox.Options
	first       nav.Route
	store       keystore.Store
	profile     keystore.Profile
	key         string
	journal     *journal.Journal
	dir         string // of journal and inbox; "" for memory
	config      string
	inbox, tour bool
	served      func(address string) bool
	theme       *ui.Theme
	known       *keystore.Confirmed // keys that were confirmed
}

// Size sets the size of the window; the default is 80×24.
func Size(w, h int) Option { return func(s *setup) { s.w, s.h = w, h } }

// WithSandbox changes the sandbox's options.
func WithSandbox(change func(*sandbox.Options)) Option { return func(s *setup) { change(&s.sandbox) } }

// StartAt sets the first screen; the default is the one that reads the key from its store.
func StartAt(r nav.Route) Option { return func(s *setup) { s.first = r } }

// Inbox gives the console an inbox. Nothing is received but what a test stores in it.
func Inbox() Option { return func(s *setup) { s.inbox = true } }

// OnDisk keeps the journal and the inbox in files of a folder, which is made.
func OnDisk(dir string) Option { return func(s *setup) { s.dir = dir } }

// Tour has home lead through the demo.
func Tour() Option { return func(s *setup) { s.tour = true } }

// Store sets the key store.
func Store(k keystore.Store) Option { return func(s *setup) { s.store = k } }

// Served sets whether a sandbox says that it serves an address; by default none is looked for.
func Served(is func(address string) bool) Option { return func(s *setup) { s.served = is } }

// Config sets the path of the profile file; by default there is none.
func Config(path string) Option { return func(s *setup) { s.config = path } }

// Themed changes the theme, which says what the terminal has; by default it has no multiplexer, hyperlinks or notifications.
func Themed(change func(*ui.Theme)) Option { return func(s *setup) { change(s.theme) } }

// As changes the profile.
func As(change func(*keystore.Profile)) Option { return func(s *setup) { change(&s.profile) } }

// Live opens a live profile called shop: the service accepts LiveKey and reports links as Live.
func Live() Option {
	return func(s *setup) {
		s.sandbox.Key, s.sandbox.Environment = LiveKey, "Live"
		s.key = LiveKey
		s.profile.Name, s.profile.Environment = "shop", keystore.Live
	}
}

// Confirmed sets the folder in which confirmed keys are remembered; by default they are not.
func Confirmed(folder string) Option {
	return func(s *setup) { s.known = keystore.OpenConfirmed(folder) }
}

// WithKey sets the key, for the store and the service.
func WithKey(key string) Option { return func(s *setup) { s.sandbox.Key, s.key = key, key } }

// keepKey puts the key into the store, under the name of the profile.
func (s *setup) keepKey(t testing.TB) {
	t.Helper()
	key, err := keystore.ParseKey(s.key)
	if err == nil {
		err = s.store.Set(t.Context(), s.profile.Name, key)
	}
	if err != nil {
		t.Fatal(err)
	}
}
