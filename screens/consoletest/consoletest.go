// Package consoletest tests the whole console on an emulated terminal, against the sandbox, in a
// bubble of fake time.
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
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/sandbox"
	"paydesk/api/sandbox/faulttest"
	"paydesk/api/statefile"
	"paydesk/api/timely"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/requests"
	"paydesk/ui"
	"paydesk/ui/termtest"
)

// Key is the secret key of every test. It must never be written to the terminal.
const Key = "sk_test_CANARYkeyOfTheStories0042"

// LiveKey is the key of tests with [Live].
const LiveKey = "sk_live_CANARYkeyOfTheStories0042"

// origin is the sandbox's apparent URL. Nothing listens there.
const origin = "http://127.0.0.1:8099"

// A Console is a running console under test.
type Console struct {
	termtest.Driver[*Console]
	T       testing.TB
	Sandbox *sandbox.Sandbox
	Wire    *Wire
	Journal *journal.Journal // in memory by default
	Mirror  *listing.Mirror  // in memory
	Events  *webhook.Store   // in memory; nil without [Inbox]
	Log     *requests.Log
	setup   setup

	app   *screens.App
	clock *clock
	leave func()
	ended context.Context // ends with the test
}

func init() {
	time.Local = time.UTC        // goldens show times of day
	statefile.Nameless().Close() // before a bubble of fake time begins
}

// Run runs a test in a bubble of fake time, beside other tests. At its end it searches everything written to the
// terminal for secrets and for sequences that must not be there.
func Run(t *testing.T, test func(*Console), options ...Option) {
	t.Helper()
	timely.Beside(t)
	RunAlone(t, test, options...)
}

// RunAlone is [Run] for a test of what its whole process does.
func RunAlone(t *testing.T, test func(*Console), options ...Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { open(t, test, options) })
}

func open(t *testing.T, test func(*Console), options []Option) {
	t.Helper()
	c := assemble(t, options)
	leave := c.start()
	test(c)
	c.checkOutput()
	leave()
}

// assemble sets up all that a console needs. The journal is open until the test ends.
func assemble(t testing.TB, options []Option) *Console {
	t.Helper()
	s := setup{
		w: 80, h: 24, key: Key,
		sandbox: sandbox.Options{Key: Key, Seed: 7, Transactions: 1_204, Settle: 5 * time.Second, Faults: faulttest.All()},
		store:   keystore.NewMemory("demo"),
		known:   keystore.OpenConfirmed(""), theme: ui.NewTheme(false),
		profile: keystore.Profile{Name: "demo", Environment: keystore.Sandbox, BaseURL: origin, ListURL: origin, Source: "demo"}.WithDefaults(),
	}
	for _, o := range options {
		o(&s)
	}
	s.journal = journal.New(journal.Options{Dir: s.dir, Operator: ledger.Operator{User: "ada", Host: "desk"}, NewID: ids()})
	c := &Console{T: t, Sandbox: sandbox.New(s.sandbox), Journal: s.journal, Mirror: listing.NewMirror(listing.MirrorOptions{}), Log: &requests.Log{}}
	c.Sandbox.SetOrigin(origin)
	t.Cleanup(func() { c.Journal.Close() })
	t.Cleanup(c.Mirror.Close)
	if s.inbox {
		c.Events = webhook.New(webhook.Options{Dir: s.dir})
		t.Cleanup(func() { c.Events.Close() })
	}
	c.Wire = &Wire{handler: c.Sandbox}
	if s.first == nil {
		s.first = nav.Key{Profile: s.profile}
	}
	if s.store.Name() == "demo" {
		s.keepKey(t)
	}
	c.setup = s
	return c
}

// newApp returns a console and the work that it must not be left with.
func (c *Console) newApp(ctx context.Context) (*screens.App, *ui.Work) {
	work := &ui.Work{}
	return screens.New(ctx, c.env(c.setup), work, c.setup.first), work
}

// App returns a console for another driver than ours, in real time.
func App(t testing.TB) *screens.App {
	t.Helper()
	app, _ := assemble(t, nil).newApp(t.Context())
	return app
}

// Leave ends the console before the test does, so that nothing of it goes on in the time that passes.
func (c *Console) Leave() { c.leave() }

// start opens the console. leave ends it and waits for its commits.
func (c *Console) start() (leave func()) {
	ctx, cancel := context.WithCancel(c.T.Context())
	c.ended = ctx
	app, work := c.newApp(ctx)
	c.app, c.clock = app, &clock{}
	app.Read = c.clock.read
	c.Driver = termtest.Drive(c.T, app, c.setup.w, c.setup.h, c)
	c.leave = func() {
		cancel()
		if !work.Wait(c.T.Context()) {
			c.T.Error("a commit never ended")
		}
	}
	return c.leave
}

// Sees also checks that the cursor is at the focus, as a person finds it.
func (c *Console) Sees(texts ...string) *Console {
	c.T.Helper()
	c.Driver.Sees(texts...)
	if astray := c.FocusAstray(); astray != "" {
		c.T.Errorf("%s\n%s", astray, c.Boxed())
	}
	return c
}

// A clock stands in for the clock of the machine.
type clock struct {
	reads atomic.Int64 // once for each message
	slept atomic.Int64 // [time.Duration]
}

func (k *clock) read() time.Time {
	k.reads.Add(1)
	return time.Now().Add(time.Duration(k.slept.Load()))
}

// Sleep lets the machine sleep: its clock advances, and no timer fires.
func (c *Console) Sleep(d time.Duration) *Console {
	c.clock.slept.Store(int64(d))
	return c
}

// Messages counts the messages that the console was given.
func (c *Console) Messages() int { return int(c.clock.reads.Load()) }

// Draw draws a frame as the console does, and returns its lines. It is called while the console is idle.
func (c *Console) Draw() []string { return strings.Split(c.app.View().Content, "\n") }

// DrawFirst draws the first frame of a console that has just been made, which knows nothing yet.
func (c *Console) DrawFirst() {
	app, _ := c.newApp(c.T.Context())
	app.Init()
	app.Update(tea.WindowSizeMsg{Width: c.setup.w, Height: c.setup.h})
	app.View()
}

// Again opens a second console of the same user with the same journal and service, as after a
// crash: the first one is not told to end, and both can be used. Its profile may be changed.
func (c *Console) Again(changes ...func(*keystore.Profile)) *Console {
	c.T.Helper()
	again := *c
	for _, change := range changes {
		change(&again.setup.profile)
		again.setup.first = nav.Key{Profile: again.setup.profile}
		again.setup.keepKey(c.T)
	}
	c.T.Cleanup(again.start())
	return &again
}

// Elsewhere opens a console on another computer, with a journal of its own and the same service.
func (c *Console) Elsewhere() *Console {
	c.T.Helper()
	other := *c
	other.Journal = journal.New(journal.Options{Operator: ledger.Operator{User: "ben", Host: "till"}, NewID: ids()})
	other.setup.journal = other.Journal
	c.T.Cleanup(func() { other.Journal.Close() })
	other.Mirror = listing.NewMirror(listing.MirrorOptions{})
	c.T.Cleanup(other.Mirror.Close)
	c.T.Cleanup(other.start())
	return &other
}

func (c *Console) env(s setup) screens.Deps {
	deps := screens.Deps{
		Version: "test", Theme: s.theme, ConfigPath: s.config, Store: func(keystore.Profile) keystore.Store { return s.store },
		Confirmed: s.known,
		Dial: func(p keystore.Profile, k *keystore.KeyHolder) (api.Service, error) {
			config := c.client(p, k)
			config.Observe = c.Log.Observer(p.Name)
			config.Backoff = func(try int) time.Duration { return min(time.Second<<(2*try), 4*time.Second) } // a random one decides what is seen when
			return api.New(config)
		},
		Journal: func(keystore.Profile) *journal.Journal { return s.journal },
		Mirror: func(p keystore.Profile) *listing.Mirror {
			if p.MirrorLimit() == 0 {
				return nil
			}
			return c.Mirror
		},
		Through: func(string) (string, error) { return "", nil },
		Doctor: func(context.Context, keystore.Profile) []keystore.Finding {
			return []keystore.Finding{{Name: "key accepted", State: keystore.OK, Message: "the service accepted it"}}
		},
		Network: func(ctx context.Context, p keystore.Profile, k keystore.Key) []keystore.Finding {
			return keystore.CheckNetwork(ctx, c.client(p, k))
		},
		Requests: c.Log,
		Sandbox:  c.Sandbox.Controller(),
		Tour:     s.tour,
		FindSandbox: func(_ context.Context, address string) (*sandbox.Controller, error) {
			if s.served == nil || !s.served(address) {
				return nil, sandbox.ErrNoSandbox
			}
			return c.Sandbox.Controller(), nil
		},
		Jitter: func(d time.Duration) time.Duration { return d },
		Browser: payment.Browser{
			Unavailable: "There is no display here.",
			Open:        func(context.Context, string) error { return nil },
			Serve:       c.serve,
			Tunnel:      func(int) string { return "" },
			Unguarded:   func() string { return "" },
		},
	}
	if c.Events != nil {
		deps.Events = func(keystore.Profile) *webhook.Store { return c.Events }
	}
	return deps
}

// client is how a profile reaches the sandbox with a key.
func (c *Console) client(p keystore.Profile, k api.Secret) api.Config {
	return api.Config{
		BaseURL: p.BaseURL, ListURL: p.ListURL, Key: k,
		KeyHeader: p.KeyHeader, AuthenticatePath: p.AuthenticatePath, StatusPath: p.StatusPath, Transport: c.Wire,
	}
}

// ids returns a generator of attempt IDs, the same for each test.
func ids() func() ledger.ID {
	var alone sync.Mutex
	drawn := rand.New(rand.NewPCG(7, 7))
	return func() ledger.ID {
		alone.Lock()
		defer alone.Unlock()
		return ledger.ID(fmt.Sprintf("%04x%06d", drawn.IntN(1<<16), drawn.IntN(1_000_000)))
	}
}

// served is a page that no browser fetches until the test ends.
type served struct{ done <-chan struct{} }

func (s served) Address() string       { return "http://127.0.0.1:39000/c/00000000000000000000000000000000" }
func (s served) Port() int             { return 39000 }
func (s served) Done() <-chan struct{} { return s.done }
func (s served) Served() bool          { return false }
func (s served) Close() error          { return nil }

func (c *Console) serve(context.Context, api.Markup) (payment.Page, error) {
	return served{c.ended.Done()}, nil
}

// checkOutput searches the bytes written to the terminal for the keys, every test card and escape
// sequences that did not come from the renderer.
func (c *Console) checkOutput() {
	c.T.Helper()
	sent := c.Bytes()
	for _, breach := range termtest.Breaches(sent) {
		c.T.Errorf("not written by the renderer: %s", breach)
	}
	if termtest.Blinks(sent) {
		c.T.Error("something blinks")
	}
	for _, s := range Secrets(Key, LiveKey) {
		if bytes.Contains(sent, []byte(s)) {
			c.T.Errorf("a secret that starts with %q was written to the terminal", s[:6])
		}
	}
}

// Secrets returns keys and the numbers of the test cards, as they could be written.
func Secrets(keys ...string) []string {
	for _, k := range sandbox.Cards() {
		n := k.Number
		keys = append(keys, n, n[:4]+" "+n[4:8]+" "+n[8:12]+" "+n[12:])
	}
	return keys
}
