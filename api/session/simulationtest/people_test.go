package main

import (
	"fmt"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/session"
)

// A kind of step is done by a person at a console, to the console in a slot, or to the world.
type kind struct {
	weight int
	do     func(*console, uint64)
	slot   func(*world, int, uint64)
	world  func(*world, uint64)
	file   bool // only where the store is a file
}

// kinds are all that can happen. What shows a defect that is known is left out by default: see known_test.go.
var kinds map[string]kind

func init() { // it refers to itself
	kinds = map[string]kind{
		"collect":            {weight: 50, do: (*console).collect},
		"allow":              {weight: 8, do: (*console).allow},
		"link":               {weight: 4, do: (*console).link},
		"finalize":           {weight: 10, do: (*console).finalize},
		"check":              {weight: 22, do: (*console).check},
		"watch":              {weight: 14, do: (*console).watch},
		"look up":            {weight: 3, do: (*console).lookUp},
		"read":               {weight: 5, do: (*console).read},
		"decide":             {weight: 18, do: (*console).decide},
		"take":               {weight: 10, do: (*console).take},
		"release":            {weight: 2, do: (*console).release},
		"pin":                {weight: 2, do: (*console).pin},
		"customer done":      {weight: 2, do: (*console).customerDone},
		"lock":               {weight: 2, do: (*console).lock},
		"unlock":             {weight: 6, do: (*console).unlock},
		"hide":               {weight: 1, do: (*console).hide},
		"key":                {weight: 5, do: (*console).rekey},
		"acknowledge":        {weight: 3, do: (*console).acknowledge},
		"purge":              {weight: 5, do: (*console).purge},
		"quit":               {weight: 3, do: func(c *console, _ uint64) { c.leave() }},
		"kill":               {weight: 2, do: func(c *console, _ uint64) { c.kill() }},
		"kill when sending":  {weight: 3, do: func(c *console, arg uint64) { c.dieAt = dieSending + int(arg%2) }},
		"start":              {weight: 8, slot: func(w *world, i int, _ uint64) { w.start(i) }},
		"settle":             {weight: 16, world: func(w *world, arg uint64) { w.bank(arg) }},
		"service restarts":   {weight: 2, world: func(w *world, arg uint64) { w.service.down = time.Now().Add(time.Duration(arg%90) * time.Second) }},
		"service drops keys": {weight: 1, world: func(w *world, arg uint64) { w.service.keys["sk_one"] = arg%2 == 0 }},
		"pass": {weight: 14, world: func(w *world, arg uint64) {
			w.time([]time.Duration{2 * time.Second, 10 * time.Second, 40 * time.Second, 2 * time.Minute}[arg%4])
		}},
		"pass long": {weight: 10, world: func(w *world, arg uint64) {
			w.time([]time.Duration{5 * time.Minute, 605 * time.Second, 16 * time.Minute, 3 * time.Hour, 3 * time.Hour}[arg%5])
		}},
		"stop":                {weight: 2, do: func(c *console, arg uint64) { c.stop(arg) }},
		"stop when sending":   {weight: 2, do: func(c *console, arg uint64) { c.stopAt, c.stopSent = stops[arg%3], arg/3%3 == 0 }},
		"stop when recording": {weight: 3, do: func(c *console, arg uint64) { c.pauseID = stops[arg%3] }, file: true},
		"clock":               {weight: 1, do: (*console).clock, file: true},
		"backup":              {weight: 5, do: (*console).backup, file: true},
		"restore":             {weight: 6, do: (*console).restore, file: true},
		"older":               {weight: 4, world: func(w *world, arg uint64) { w.unattended(arg, w.older) }, file: true},
		"delete":              {weight: 2, world: func(w *world, arg uint64) { w.unattended(arg, w.remove) }, file: true},
		"lock file":           {weight: 2, world: func(w *world, _ uint64) { w.lockFile() }, file: true},
		"damage":              {weight: 3, world: func(w *world, arg uint64) { w.unattended(arg, w.damage) }, file: true},
		"acknowledge a loss":  {weight: 4, do: (*console).acknowledgeLoss, file: true},
	}
}

var stops = []time.Duration{20 * time.Second, 150 * time.Second, 640 * time.Second}

var pounds = func() money.Currency {
	c, err := money.ParseCurrency("GBP")
	if err != nil {
		panic(err)
	}
	return c
}()

// confirm is a new confirmation.
func (w *world) confirm() string {
	w.confirms++
	return fmt.Sprintf("confirmed %d", w.confirms)
}

// anyReference is that of a payment that the screen shows, or else of any.
func (c *console) anyReference(arg uint64) api.Reference {
	var all []api.Reference
	for _, e := range c.s.All() {
		if e.Reference != "" {
			all = append(all, e.Reference)
		}
	}
	if len(all) == 0 || arg%8 == 0 {
		for _, p := range c.service.payments {
			all = append(all, api.Reference(p.reference))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[arg/8%uint64(len(all))]
}

// check asks about a payment, in half of all cases the one that was last asked about.
func (c *console) check(arg uint64) {
	r := c.anyReference(arg >> 8)
	if c.asked != "" && arg%2 == 0 {
		r = c.asked
	}
	c.ask(r)
}

func (c *console) lookUp(arg uint64) {
	if all := c.service.payments; len(all) > 0 {
		c.ask(api.Reference(all[arg>>8%uint64(len(all))].reference))
	}
}

// ask asks the service once, because the person wants to know.
func (c *console) ask(r api.Reference) {
	if r != "" {
		c.asked = r
		c.act(Act{Did: "check", Console: c.name, Reference: string(r)})
		go c.s.Transaction(c.ctx, r)
	}
}

// watch opens the screen that follows what is open.
func (c *console) watch(arg uint64) {
	_ = c.s.Reload(c.ctx)
	var all []api.Reference
	for _, e := range c.s.All() {
		if _, followed := c.board.State(e.Reference); e.Asks() || followed && arg%2 == 0 {
			all = append(all, e.Reference)
		}
	}
	c.act(Act{Did: "watch", Console: c.name})
	if arg%2 == 0 { // also of what is final by now
		c.board.Check()
	}
	c.board.Follow(all)
	c.board.Check()
}

// read shows the person what is recorded now.
func (c *console) read(uint64) {
	_ = c.s.Reload(c.ctx)
	all, err := c.s.Journal.Unfinished(c.ctx, c.s.Here())
	recent, err2 := c.s.Journal.Recent(c.ctx, c.s.Recorder.Place(c.ctx), 6)
	if err != nil || err2 != nil {
		return
	}
	for _, a := range recent {
		if a.Kind == ledger.Initiate && !slices.ContainsFunc(all, func(o ledger.Attempt) bool { return o.ID == a.ID }) {
			all = append(all, a.Attempt)
		}
	}
	slices.SortFunc(all, func(a, b ledger.Attempt) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	c.seen = all
}

// pick returns an attempt that the person saw, mostly one that a person has to decide about, and often the one that a person
// has taken last.
func (c *console) pick(arg uint64) (a ledger.Attempt, ok bool) {
	if len(c.seen) == 0 || arg%4 == 0 {
		c.read(0)
	}
	open := slices.DeleteFunc(slices.Clone(c.seen), func(a ledger.Attempt) bool { return !a.IsUnresolved() && !a.Mismatch.Undecided() })
	if len(open) == 0 || arg/4%4 == 0 {
		open = c.seen
	}
	if i := slices.IndexFunc(open, func(a ledger.Attempt) bool { return a.ID == c.taken }); i >= 0 && arg/4%2 == 1 {
		open = open[i : i+1]
	}
	if len(open) == 0 {
		return a, false
	}
	return open[arg/16%uint64(len(open))], true
}

// saw tells how an attempt stood, as whoever decides about it saw it.
func saw(a ledger.Attempt) string {
	return fmt.Sprintf("%s at %s, %d %s at %s", a.Decision, a.DecidedAt.UTC().Format(time.RFC3339Nano), a.Mismatch.What, a.Mismatch.Decision, a.Mismatch.DecidedAt.UTC().Format(time.RFC3339Nano))
}

func (c *console) decide(arg uint64) {
	a, ok := c.pick(arg >> 8)
	if !ok {
		return
	}
	all := []ledger.Decision{ledger.NotFound, ledger.NotFound, ledger.NotFound, ledger.Found, ledger.GaveUp, ledger.Undecided, ledger.NotFollowed}
	if !a.Mismatch.IsZero() {
		all = append(all, ledger.AnswerRight, ledger.NotOurs, ledger.AskAgain)
	}
	v := all[arg>>24%uint64(len(all))]
	reference := a.Reference
	if v == ledger.Found && a.Kind == ledger.Initiate {
		if all := c.service.payments; len(all) > 0 {
			reference = api.Reference(all[arg>>32%uint64(len(all))].reference)
		}
	}
	err := c.journal.Decide(c.ctx, a, ledger.Deciding{Decision: v, As: string(reference)})
	word := string(v)
	if v == ledger.Undecided {
		word = "taken back"
	}
	c.act(Act{Did: "decide", Who: c.who.User, Console: c.name, Attempt: string(a.ID), Decision: word, Reference: string(reference), Saw: saw(a), Done: err == nil})
}

// take takes an attempt; in half of all cases a colleague, who saw it at the same time, takes it next.
func (c *console) take(arg uint64) {
	a, ok := c.pick(arg >> 8)
	if !ok {
		return
	}
	takers := []*console{c}
	if o := c.consoles[arg>>1%uint64(len(c.consoles))]; arg%2 == 0 && o != nil && o != c && !o.isStopped() {
		takers = append(takers, o)
	}
	saw := map[*console]ledger.Attempt{}
	for _, o := range takers {
		o.read(0)
		saw[o] = a
		if i := slices.IndexFunc(o.seen, func(s ledger.Attempt) bool { return s.ID == a.ID }); i >= 0 && o != c {
			saw[o] = o.seen[i]
		}
	}
	for _, o := range takers {
		err := o.journal.Take(o.ctx, saw[o])
		o.act(Act{Did: "take", Who: o.who.User, Console: o.name, Attempt: string(a.ID), Saw: saw[o].Lease.By.User, Done: err == nil})
	}
	if c.taken = a.ID; arg>>4%3 == 0 { // who has it looks what became of it
		c.time(2 * time.Minute)
	}
}

func (c *console) release(arg uint64) {
	if a, ok := c.pick(arg >> 8); ok {
		err := c.journal.Release(c.ctx, a.ID)
		c.act(Act{Did: "release", Who: c.who.User, Console: c.name, Attempt: string(a.ID), Done: err == nil})
	}
}

func (c *console) pin(arg uint64) {
	if r := c.anyReference(arg >> 8); r != "" && arg%3 > 0 {
		_ = c.s.Pin(c.ctx, r)
	} else if r != "" {
		_ = c.s.Unpin(c.ctx, r)
	}
}

func (c *console) customerDone(arg uint64) {
	if r := c.anyReference(arg >> 8); r != "" {
		c.s.CustomerDone(r)
		c.ask(r)
	}
}

func (c *console) lock(uint64) {
	c.s.Gate.Lock()
	c.act(Act{Did: "lock", Console: c.name})
}

func (c *console) unlock(uint64) {
	c.s.Gate.Unlock()
	c.act(Act{Did: "unlock", Console: c.name})
}

// hide suspends the console as ctrl+z does, or shows it again.
func (c *console) hide(arg uint64) {
	if arg%2 == 0 {
		c.s.Gate.Suspend(false)
		c.act(Act{Did: "hide", Console: c.name})
	} else {
		c.s.Gate.Resume()
		c.act(Act{Did: "show", Console: c.name})
	}
}

// rekey replaces the key, perhaps by one of the other environment.
func (c *console) rekey(arg uint64) {
	c.key.text = []string{"sk_two", "sk_one", "sk_live", "sk_bad", "sk_live"}[arg%5]
	word := c.environment
	if c.key.text == "sk_live" {
		word = "LIVE"
	}
	c.act(Act{Did: "key", Console: c.name})
	c.s.Rekey(session.WordEvidence(session.ByKey, word))
	switch {
	case word == c.says:
	case word != c.environment:
		c.act(Act{Did: "contradiction", Console: c.name})
	default:
		c.act(Act{Did: "contradiction read", Console: c.name})
	}
	c.says = word
}

// acknowledge says that the person has seen what contradicts itself.
func (c *console) acknowledge(uint64) {
	c.s.Gate.Acknowledge(len(c.s.Gate.Evidence()))
	c.act(Act{Did: "contradiction read", Console: c.name})
}

// acknowledgeLoss says that the person has read what the journal lost.
func (c *console) acknowledgeLoss(uint64) {
	if all := c.journal.Losses(); len(all) > 0 {
		err := c.journal.AcknowledgeLosses(all)
		c.act(Act{Did: "acknowledge", Who: c.who.User, Console: c.name, Done: err == nil})
	}
}

func (c *console) purge(arg uint64) {
	before := time.Now().Add(-[]time.Duration{10 * time.Minute, time.Hour, 2 * time.Hour}[arg%3])
	c.export()
	_, err := c.journal.Purge(c.ctx, before)
	c.act(Act{Did: "purge", Who: c.who.User, Console: c.name, Before: before, Done: err == nil})
	c.lostAt = len(c.requests)
	c.export()
}

func (w *world) start(i int) {
	if w.consoles[i] == nil {
		w.open(i)
	}
}

// bank moves a payment to another state.
func (w *world) bank(arg uint64) {
	if n := uint64(len(w.service.payments)); n > 0 {
		p := w.service.payments[arg>>8%n]
		if arg>>4%4 < 2 { // mostly the last
			p = w.service.payments[n-1]
		}
		if p.state == "PENDING" || arg%3 == 0 { // some services say something else after a final word
			p.state = []string{"SUCCESSFUL", "FAILED"}[arg>>6%2]
		}
	}
}

// time lets time go by. Whoever waits for long leaves the screen that follows payments.
func (w *world) time(d time.Duration) {
	if d > time.Minute {
		for _, c := range w.consoles {
			if c != nil {
				c.board.Follow(nil)
			}
		}
	}
	isStopped := func(c *console) bool { return c != nil && c.isStopped() }
	if d > lostAfter && slices.ContainsFunc(w.consoles, isStopped) { // what it sends is lost for its colleagues, and answered later
		w.pass(lostAfter)
		for _, c := range w.consoles {
			if c != nil && !c.isStopped() {
				c.read(0)
			}
		}
		d -= lostAfter
	}
	w.pass(d)
}

const lostAfter = ledger.SendTime + time.Second

// stop stops all threads of a console for a while.
func (c *console) stop(arg uint64) { c.until.Store(time.Now().Add(stops[arg%3]).UnixNano()) }

func (c *console) clock(arg uint64) {
	c.offset = []time.Duration{0, -3 * time.Minute, 2 * time.Minute, 15 * time.Minute}[arg%4]
	c.act(Act{Did: "clock", Console: c.name})
}
