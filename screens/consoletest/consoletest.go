// Package consoletest tells what a person meets: the whole console on an emulated
// terminal, against the sandbox, in a bubble of fake time.
//
//	consoletest.Run(t, func(c *consoletest.Console) {
//		c.Press("c").Fill("Amount", "12.50").Press("enter")
//		c.Sees("Channel").Golden("channels")
//	})
package consoletest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/keystore/doctor"
	"paydesk/screens"
	"paydesk/screens/challenge"
	"paydesk/screens/collect"
	"paydesk/screens/nav"
	"paydesk/ui"
	"paydesk/ui/termtest"
)

// Key is the secret key of every story: what must never be seen.
const Key = "sk_test_CANARYkeyOfTheStories0042"

// LiveKey is that of the stories in live.
const LiveKey = "sk_live_CANARYkeyOfTheStories0042"

// origin is where the sandbox of a story seems to be. Nothing listens there.
const origin = "http://127.0.0.1:8099"

// A Console is a running console in a story.
type Console struct {
	*termtest.Glass
	T       testing.TB
	Sandbox *sandbox.Sandbox
	Wire    *Wire
	Journal *journal.Journal // in memory, unless said otherwise
	setup   setup
	// Pages are the challenge pages that were asked to be served.
	Pages []api.Markup

	over context.Context // the end of the story
}

// An Option changes a story before it begins.
type Option func(*setup)

type setup struct {
	w, h    int
	sandbox sandbox.Options
	first   nav.Route
	store   keystore.Store
	profile keystore.Profile
	key     string
	journal *journal.Journal
	proxy   string
	config  string
}

// Size is the size of the window; 80×24 unless said otherwise.
func Size(w, h int) Option { return func(s *setup) { s.w, s.h = w, h } }

// WithSandbox changes the sandbox.
func WithSandbox(change func(*sandbox.Options)) Option {
	return func(s *setup) { change(&s.sandbox) }
}

// Begin begins with another screen than the one that takes the key from its store.
func Begin(r nav.Route) Option { return func(s *setup) { s.first = r } }

// Store keeps the keys somewhere else.
func Store(k keystore.Store) Option { return func(s *setup) { s.store = k } }

// Config is a file of profiles; without one there are none.
func Config(path string) Option { return func(s *setup) { s.config = path } }

// Journal keeps what is done somewhere else.
func Journal(j *journal.Journal) Option { return func(s *setup) { s.journal = j } }

// Proxy is one that the environment names.
func Proxy(address string) Option { return func(s *setup) { s.proxy = address } }

// As changes the profile that is opened.
func As(change func(*keystore.Profile)) Option { return func(s *setup) { change(&s.profile) } }

// Live opens a profile called shop in live: the service takes LiveKey and says of its links
// that they are of Live.
func Live() Option {
	return func(s *setup) {
		s.sandbox.Key, s.sandbox.Environment = LiveKey, "Live"
		s.key = LiveKey
		s.profile.Name, s.profile.Environment = "shop", keystore.Live
	}
}

// Given takes another key from its source.
func Given(key string) Option { return func(s *setup) { s.sandbox.Key, s.key = key, key } }

func init() { time.Local = time.UTC } // goldens show times of day

// Run tells a story in a bubble of fake time. At its end all that was written to
// the terminal is searched for what must never be there.
func Run(t *testing.T, tell func(*Console), options ...Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { open(t, tell, options) })
}

func open(t *testing.T, tell func(*Console), options []Option) {
	t.Helper()
	s := setup{
		w: 80, h: 24, key: Key,
		sandbox: sandbox.Options{Key: Key, Seed: 7, Transactions: 1_204, Settle: 5 * time.Second, Origin: origin},
		store:   keystore.NewMemory("demo"),
		journal: journal.New(journal.Options{Operator: journal.Operator{User: "ada", Host: "desk"}, NewID: ids()}),
		profile: keystore.Profile{Name: "demo", Environment: keystore.Sandbox, BaseURL: origin, ListURL: origin, Source: "demo"}.WithDefaults(),
	}
	for _, o := range options {
		o(&s)
	}
	if s.first == nil {
		s.first = nav.Key{Profile: s.profile}
	}
	key, err := keystore.ParseKey(s.key)
	if err != nil {
		t.Fatal(err)
	}
	if s.store.Name() == "demo" {
		if err := s.store.Set(t.Context(), s.profile.Name, key); err != nil {
			t.Fatal(err)
		}
	}
	c := &Console{T: t, Sandbox: sandbox.New(s.sandbox), Journal: s.journal, setup: s}
	defer c.Journal.Close()
	c.Wire = &Wire{handler: c.Sandbox}
	leave := c.begin()
	c.sweep(func() { tell(c) })
	leave()
}

// begin opens the console. What it gives ends it, and waits for what is being sent.
func (c *Console) begin() (leave func()) {
	ctx, cancel := context.WithCancel(c.T.Context())
	c.over = ctx
	work := &ui.Work{}
	c.Glass = termtest.Open(c.T, screens.New(ctx, c.env(c.setup), work, c.setup.first), c.setup.w, c.setup.h)
	return func() {
		cancel()
		if !work.Wait(c.T.Context()) {
			c.T.Error("something that was being sent never ended")
		}
	}
}

// Again is another console of the same person, with the same journal and service, as
// after a crash: nothing of this one is told that it ends. The story goes on with both.
func (c *Console) Again() *Console {
	c.T.Helper()
	again := *c
	leave := again.begin()
	c.T.Cleanup(leave)
	return &again
}

func (c *Console) env(s setup) screens.Deps {
	return screens.Deps{
		Version: "story", Theme: ui.NewTheme(false), ConfigPath: s.config, Store: func(keystore.Profile) keystore.Store { return s.store },
		Dial: func(p keystore.Profile, k *keystore.KeyHolder) (api.Service, error) {
			return api.New(api.Config{BaseURL: p.BaseURL, ListURL: p.ListURL, Key: k, SendReference: p.SendReference, Transport: c.Wire})
		},
		Journal: func(keystore.Profile) *journal.Journal { return s.journal },
		Through: func(string) (string, error) { return s.proxy, nil },
		Doctor: func(context.Context, keystore.Profile) []doctor.Check {
			return []doctor.Check{{Name: "key accepted", State: doctor.OK, Words: "the service took it"}}
		},
		TestCards: Cards(),
		Sandbox:   c.Sandbox,
		Jitter:    func(d time.Duration) time.Duration { return d },
		Browser: challenge.Browser{
			Unavailable: "There is no display here.",
			Open:        func(context.Context, string) error { return nil },
			Serve:       c.serve,
			Tunnel:      func(int) string { return "" },
		},
	}
}

// ids are the names of attempts: each story's begin with the same.
func ids() func() journal.ID {
	drawn := rand.New(rand.NewPCG(7, 7))
	return func() journal.ID {
		return journal.ID(fmt.Sprintf("%04x%06d", drawn.IntN(1<<16), drawn.IntN(1_000_000)))
	}
}

// Cards are the sandbox's test cards as the card step takes them.
func Cards() []collect.TestCard {
	var cards []collect.TestCard
	for _, k := range sandbox.Cards() {
		cards = append(cards, collect.TestCard{Name: k.Name, Number: k.Number, CVV: k.CVV, Month: k.Month, Year: k.Year, Does: k.Does})
	}
	return cards
}

// served is a page that nobody fetches; it is served until the story ends.
type served struct{ done <-chan struct{} }

func (s served) Address() string       { return "http://127.0.0.1:39000/c/00000000000000000000000000000000" }
func (s served) Port() int             { return 39000 }
func (s served) Done() <-chan struct{} { return s.done }
func (s served) Served() bool          { return false }
func (s served) Close() error          { return nil }

func (c *Console) serve(_ context.Context, m api.Markup) (challenge.Page, error) {
	c.Pages = append(c.Pages, m)
	return served{c.over.Done()}, nil
}

// sweep tells the story and then searches what was written to the terminal for
// the key, every test card and escape sequences of an answer's own.
func (c *Console) sweep(tell func()) {
	tell()
	sent := c.Bytes()
	for _, breach := range termtest.Breaches(sent) {
		c.T.Errorf("outside of the renderer's grammar: %s", breach)
	}
	if termtest.Blinks(sent) {
		c.T.Error("something blinks")
	}
	secrets := []string{Key, LiveKey}
	for _, k := range sandbox.Cards() {
		n := k.Number
		secrets = append(secrets, n, n[:4]+" "+n[4:8]+" "+n[8:12]+" "+n[12:])
	}
	for _, s := range secrets {
		if bytes.Contains(sent, []byte(s)) {
			c.T.Errorf("a secret was written to the terminal: it begins with %q", s[:6])
		}
	}
}
