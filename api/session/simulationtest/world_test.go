package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
)

// A world is a team in fake time: consoles with the real session and the real client, a scripted service, a real
// store, and people. Its driver does one step of a list after another, each while every goroutine is idle.
type world struct {
	t           testing.TB
	net         network
	service     *service
	store       store
	environment string // TEST or LIVE
	consoles    []*console
	gone        []*console // that were killed

	mu       sync.Mutex // of what follows
	moments  time.Duration
	requests []*Request
	acts     []Act
	said     []Said
	shown    map[string]string
	ids      int
	confirms int
	begins   int       // requests that the driver let go on
	lostAt   int       // how many requests there were when memory was last taken away, or purged
	arg      uint64    // of the step that is being done
	taken    ledger.ID // what a person took last
}

// moment is now, after everything before: as many nanoseconds later as there were moments.
func (w *world) moment() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.moments++
	return time.Now().Add(w.moments)
}

func (w *world) log(r Request) *Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests = append(w.requests, &r)
	return &r
}

func (w *world) act(a Act) {
	a.At = w.moment()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.acts = append(w.acts, a)
}

func (w *world) say(s Said) {
	s.At = w.moment()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, s)
}

// mix makes numbers of numbers, which look drawn and are the same each time.
func mix(all ...uint64) uint64 {
	x := uint64(0x9e3779b97f4a7c15)
	for _, a := range all {
		x ^= a
		x *= 0xbf58476d1ce4e5b9
		x ^= x >> 27
		x *= 0x94d049bb133111eb
		x ^= x >> 31
	}
	return x
}

// fateOf draws what becomes of a request.
func (w *world) fateOf(x *call) fate {
	w.begins++
	x.n = w.begins
	draw := mix(w.arg, uint64(x.n))
	x.draw = mix(draw)
	if x.req.Method == "POST" {
		return sendFates[draw%uint64(len(sendFates))]
	}
	return askFates[draw%uint64(len(askFates))]
}

// Where a console is killed.
const (
	dieSending   = 1 + iota // before its next request leaves
	dieAnswering            // once the service has its next request
)

// A secret is a key that a person replaces.
type secret struct{ text string }

// Expose implements [api.Secret].
func (s *secret) Expose() string { return s.text }

// A console is one of the team's.
type console struct {
	*world
	name     string
	who      ledger.Operator
	ctx      context.Context
	quit     context.CancelFunc
	key      *secret
	says     string // what the key says about the environment
	journal  *journal.Journal
	s        *session.Session
	board    *session.Board
	killed   atomic.Bool
	dieAt    int
	stopAt   time.Duration // how long it is stopped before its next request leaves, or once all of it is sent
	stopSent bool
	pauseID  time.Duration // how long it is stopped before it records its next attempt
	until    atomic.Int64  // it is stopped until then
	offset   time.Duration // of its wall clock
	busy     atomic.Bool
	begins   atomic.Bool // it has confirmed what is recorded next
	held     *refused
	seen     []ledger.Attempt // as the person last read them
	asked    api.Reference    // that the person last asked about
}

// A refused is a payment that was held back as a look-alike.
type refused struct {
	in   api.Initiation
	link api.LinkDraft
	ids  []ledger.ID
}

func (c *console) isStopped() bool { return time.Now().UnixNano() < c.until.Load() }

func (c *console) thawed() <-chan time.Time {
	return time.After(time.Duration(c.until.Load() - time.Now().UnixNano()))
}

func (c *console) kill() {
	c.killed.Store(true)
	c.quit()
	c.act(Act{Did: "kill", Console: c.name})
	if i := slices.Index(c.consoles, c); i >= 0 {
		c.gone = append(c.gone, c)
		c.consoles[i] = nil
	}
}

// newID is the ID of an entry. A console that is stopped or killed here has recorded nothing yet.
func (c *console) newID() ledger.ID {
	if c.begins.CompareAndSwap(true, false) && c.pauseID > 0 { // of an attempt
		c.until.Store(time.Now().Add(c.pauseID).UnixNano())
		c.pauseID = 0
		<-c.thawed()
	}
	if c.killed.Load() {
		<-c.net.over
	}
	return c.nextID()
}

func (w *world) nextID() ledger.ID {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return ledger.ID(fmt.Sprintf("a%c%08d", "bcdefghj"[w.ids%8], w.ids))
}

// open starts a console in a slot.
func (w *world) open(i int) *console {
	name := fmt.Sprint("desk", i+1)
	c := &console{world: w, name: name, who: ledger.Operator{User: fmt.Sprint("person", i+1), Host: name}, key: &secret{"sk_one"}}
	c.ctx, c.quit = context.WithCancel(w.t.Context())
	client, err := api.New(api.Config{BaseURL: "https://pay.example", ListURL: "https://list.example", Key: c.key, Retries: -1, Transport: c})
	if err != nil {
		w.t.Fatal(err)
	}
	if w.store.folder() == "" {
		c.who = onlyOperator
	}
	c.journal = w.store.open(c)
	c.s = session.Open(c.ctx, session.Options{
		Client: client, Journal: c.journal, Key: c.key,
		Place:  ledger.Destination{Profile: "shop", Environment: w.environment, Host: "pay.example"},
		Gate:   session.GateOptions{Evidence: []session.Evidence{session.WordEvidence(session.ByProfile, w.environment)}, Unlock: unlockTime},
		Jitter: func(d time.Duration) time.Duration { return d / 2 },
	})
	c.board = c.s.Watches.Board()
	w.consoles[i] = c
	open := "open"
	if w.environment == "LIVE" {
		open = "open live"
	}
	w.act(Act{Did: open, Console: name, Who: c.who.User})
	if w.ids > 0 {
		_ = c.s.Reload(c.ctx)
	}
	return c
}

// leave ends a console as a person does.
func (c *console) leave() {
	c.act(Act{Did: "quit", Console: c.name})
	c.quit()
	synctest.Wait()
	c.store.close(c)
	c.consoles[slices.Index(c.consoles, c)] = nil
}

// look notes what the screens show, where it has changed.
func (w *world) look() {
	for _, c := range w.consoles {
		if c == nil {
			continue
		}
		for _, e := range c.s.All() {
			if e.Reference != "" && e.Kind == ledger.Initiate && !e.StatusAt.IsZero() {
				w.show(c.name, string(e.Reference), e.Status.State.String())
			}
			if state, is := c.board.State(e.Reference); is && state.History.Any {
				w.show(c.name+" watching", string(e.Reference), state.History.Shown.State.String())
			}
		}
	}
}

func (w *world) show(screen, reference, status string) {
	key := screen + " " + reference
	if w.shown[key] != status {
		w.shown[key] = status
		w.say(Said{Console: screen, Said: "status", Reference: reference, Status: status})
	}
}

// export reads the whole journal.
func (w *world) export() { w.act(Act{Did: "export", Entries: w.store.export()}) }

// A history is what a world of one seed is, and what is done in it.
type history struct {
	Seed     uint64
	File     bool
	Live     bool
	Consoles int
	Steps    []step
}

// A step says what happens next.
type step struct {
	Kind    string
	Console int
	Arg     uint64
}

func (s step) String() string { return fmt.Sprintf("{%q, %d, %#x}", s.Kind, s.Console, s.Arg) }

// run does a history and returns what is recorded of it.
func (h history) run(t *testing.T, dir string) (done *History) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, environment: "TEST", shown: map[string]string{}, net: network{arrived: make(chan struct{}, 1), over: make(chan struct{})}}
		if h.Live {
			w.environment = "LIVE"
		}
		w.service = &service{world: w, keys: map[string]bool{"sk_one": true, "sk_two": true, "sk_live": true}}
		w.store = newStore(w, h.File, dir)
		w.consoles = make([]*console, h.Consoles)
		for i := range w.consoles {
			w.open(i)
		}
		for _, s := range h.Steps {
			w.do(s)
		}
		w.finish()
		done = w.record(mix(h.Seed)%3 == 0 || len(h.Steps) < 8)
		w.end()
	})
	return done
}

// do does a step, and lets everything that follows from it happen.
func (w *world) do(s step) {
	w.arg = s.Arg
	w.mu.Lock()
	w.begins = 0
	w.mu.Unlock()
	i := s.Console % len(w.consoles)
	c := w.consoles[i]
	k := kinds[s.Kind]
	switch {
	case k.world != nil:
		k.world(w, s.Arg)
	case k.slot != nil:
		k.slot(w, i, s.Arg)
	case c != nil && !c.isStopped():
		k.do(c, s.Arg)
	}
	w.pass(100 * time.Millisecond)
}

// finish lets everything that is under way come to its end.
func (w *world) finish() {
	for _, c := range w.consoles {
		if c != nil {
			c.board.Close()
			c.dieAt, c.stopAt, c.pauseID = 0, 0, 0
		}
	}
	w.pass(110 * time.Second)
	for _, c := range slices.Clone(w.consoles) {
		if c != nil && c.isStopped() {
			w.pass(time.Duration(c.until.Load()-time.Now().UnixNano()) + 100*time.Second)
		}
	}
}

// record is what is known of the history.
func (w *world) record(facts bool) *History {
	h := &History{Acts: w.acts, Said: w.said, Ledger: w.store.export()}
	for _, r := range w.requests {
		h.Requests = append(h.Requests, *r)
	}
	if facts {
		h.Facts = w.store.facts(h.Ledger)
		h.Audit = w.store.audit()
	}
	return h
}

// end ends every goroutine.
func (w *world) end() {
	all := slices.DeleteFunc(slices.Concat(w.consoles, w.gone), func(c *console) bool { return c == nil })
	for _, c := range all {
		c.quit()
	}
	synctest.Wait()
	w.store.end(all)
	close(w.net.over)
	synctest.Wait()
}
