package screens

import (
	"context"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/home"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	// pinsReread sets how often the journal is read for what other consoles pinned meanwhile.
	pinsReread = time.Minute
	// pinsNews sets how long a notice stays about a payment that settled while a person was at something else, and
	// pinsRead how long it stands in front of what the screen says about a key.
	pinsNews = 20 * time.Second
	pinsRead = 3 * time.Second
)

// A pins feature keeps asking about the payments that are pinned, whichever screen is shown, and tells a person when
// one settles. It also pins and unpins for the screens, and has the key of the bell.
type pins struct {
	app    *App
	board  *session.Board
	known  map[api.Reference]pinned
	news   ui.Notice
	toldAt time.Time // of the last news that a payment has settled
	old    timer     // after which the news ends
}

// A pinned holds what a person is told about a pinned payment.
type pinned struct {
	status api.Status
	asked  bool // the service has answered about it
	doubt  bool // it has a mismatch
	asks   bool // it may change, so that the service is asked about it
}

// settled reports whether the payment was known to be open, and has come to its end since.
func (p pinned) settled(was pinned) bool {
	return was.asked && (p.status.State.Final() && !was.status.State.Final() || p.doubt && !was.doubt)
}

// A pinsSeen holds what was seen last of the pinned payments.
type pinsSeen struct {
	of      *session.Session
	ctx     context.Context
	version uint64
	readAt  time.Time // when the journal was read
	now     map[api.Reference]pinned
}

// opened begins to watch what is pinned at the service of a session.
func (p *pins) opened(s *session.Session) tea.Cmd {
	p.board = s.Watches.Standing()
	context.AfterFunc(p.app.conn.ctx, p.board.Close)
	return p.wait(pinsSeen{of: s, ctx: p.app.conn.ctx})
}

// closed forgets what was seen in a session.
func (p *pins) closed() {
	p.old.stop()
	*p = pins{app: p.app, old: p.old}
}

// wait waits until something differs, or other payments are pinned. Answers that change nothing wake
// no screen.
func (p *pins) wait(last pinsSeen) tea.Cmd {
	return func() tea.Msg {
		for {
			if last.readAt.IsZero() || othersMayWrite(last.of.Journal) && time.Since(last.readAt) >= pinsReread {
				_ = last.of.Refresh(last.ctx) // what cannot be read stays as it is
				last.readAt = time.Now()
			}
			if now := pinnedNow(last.of); last.now == nil || !maps.Equal(now, last.now) {
				last.now = now
				return p.app.during(last.of, func() tea.Cmd { return p.changed(last) })
			}
			waiting, end := last.ctx, func() {}
			if othersMayWrite(last.of.Journal) {
				waiting, end = context.WithDeadline(last.ctx, last.readAt.Add(pinsReread))
			}
			version, err := last.of.Watches.Next(waiting, last.version)
			end()
			if last.ctx.Err() != nil {
				return nil
			}
			if err == nil {
				last.version = version
			}
		}
	}
}

// changed tells what differs, and waits for the next.
func (p *pins) changed(seen pinsSeen) tea.Cmd {
	p.follow()
	told := p.told(seen.now)
	p.known = seen.now
	return tea.Batch(told, p.wait(seen))
}

// pinnedNow returns what a person is told about each pinned payment.
func pinnedNow(s *session.Session) map[api.Reference]pinned {
	now := map[api.Reference]pinned{}
	for _, e := range s.Pinned() {
		now[e.Reference] = pinned{e.Status, !e.StatusAt.IsZero(), e.Mismatch.InDoubt(), e.Asks()}
	}
	return now
}

// follow asks about those pinned payments that may change. Only Update calls it: a command that follows what it read
// before a payment was pinned would end the watch of that payment.
func (p *pins) follow() {
	var open []api.Reference
	for _, e := range p.app.conn.Pinned() {
		if e.Asks() {
			open = append(open, e.Reference)
		}
	}
	p.board.Follow(open)
}

// store pins or unpins payments for a screen, which may be left once that is done: until then it has what a failure would lose.
func (p *pins) store(of nav.Pin, from ui.Screen) tea.Cmd {
	s, ctx := p.app.conn.Session, p.app.ctx
	if s == nil || len(of.Payments) == 0 {
		return nil
	}
	do := s.Pin
	known, _ := s.Find(of.Payments[0])
	if of.Remove {
		do = s.Unpin
	}
	return func() tea.Msg {
		err := do(ctx, of.Payments...)
		return p.app.during(s, func() tea.Cmd {
			p.follow()
			var left tea.Cmd
			if of.Leave && err == nil {
				left = p.app.leaveWhole(from)
			}
			for _, m := range p.app.stack { // there may be one over a form, too
				if h, is := m.screen.(*home.Model); is && err == nil && !of.Remove {
					h.MarkPinned(of.Payments[0])
				}
			}
			return tea.Batch(left, p.tell(stored(of, err, p.app.conn.recorded(), known)))
		})
	}
}

// stored words how pinning ended. recorded is set where the profile has a journal, and known is what was known of the first: an ID of
// the list may be no reference.
func stored(of nav.Pin, err error, recorded bool, known session.Entry) ui.Notice {
	what := present.PaymentName(of.Payments[0])
	if n := len(of.Payments); n > 1 {
		what = present.Count(n, "payment", "payments")
	}
	switch {
	case err != nil && of.Remove:
		return ui.Notice{Tone: ui.ToneAct, Text: "Not unpinned: " + present.Sentence(err.Error())}
	case err != nil:
		return ui.Notice{Tone: ui.ToneAct, Text: "Not pinned: " + present.Sentence(err.Error())}
	case of.Remove:
		return ui.Notice{Text: what + " unpinned."}
	}
	words := what + " pinned to Home"
	if known.StatusAt.IsZero() && len(of.Payments) == 1 {
		words = "Pinned to Home, which checks whether it is a reference"
	}
	if !recorded {
		words += ", for this run: the journal is off"
	}
	return ui.Notice{Text: words + "."}
}

// told tells a person which payments have settled since what was known. A screen of the payment itself rings by itself.
func (p *pins) told(now map[api.Reference]pinned) tea.Cmd {
	var news, rings []api.Reference
	for _, r := range slices.Sorted(maps.Keys(now)) {
		if was, known := p.known[r]; known && now[r].settled(was) {
			top, open := p.shown(r)
			if !top {
				news = append(news, r)
			}
			if !open {
				rings = append(rings, r)
			}
		}
	}
	var cmds []tea.Cmd
	if len(rings) > 0 {
		cmds = append(cmds, p.app.alerts.Raise(p.words(rings, now)))
	}
	if len(news) > 0 {
		n, doubt := ui.Notice{Text: p.words(news, now)}, inDoubt(news, now)
		if len(news) == 1 || doubt {
			n.Tone = present.SettledTone(now[news[0]].status, doubt)
		}
		cmds, p.toldAt = append(cmds, p.tell(n)), p.app.Now()
	}
	return tea.Batch(cmds...)
}

// inDoubt reports whether some of these payments have a mismatch.
func inDoubt(all []api.Reference, now map[api.Reference]pinned) bool {
	return slices.ContainsFunc(all, func(r api.Reference) bool { return now[r].doubt })
}

// words say what has settled. A console that is hidden names no payment.
func (p *pins) words(all []api.Reference, now map[api.Reference]pinned) string {
	environment, doubt := p.app.conn.environment(), inDoubt(all, now)
	switch r := all[0]; {
	case len(all) > 1 && doubt:
		return present.Thousands(len(all)) + " pinned payments are final or have a mismatch (" + environment + ")."
	case len(all) > 1:
		return present.Thousands(len(all)) + " pinned payments are final (" + environment + ")."
	case p.app.idle.hidden && doubt:
		return "A pinned payment has a mismatch (" + environment + ")."
	case p.app.idle.hidden:
		return "A pinned payment is final (" + environment + ")."
	default:
		return present.Settled(r, now[r].status, doubt, environment)
	}
}

// shown reports whether the payment has a screen on top, and anywhere.
func (p *pins) shown(r api.Reference) (top, open bool) {
	for i, m := range p.app.stack {
		if m.watches(r) {
			top, open = i == len(p.app.stack)-1, true
		}
	}
	return top, open
}

// watches reports whether the screen is that of a payment.
func (m mount) watches(r api.Reference) bool {
	p, is := m.screen.(*payment.Model)
	return is && r != "" && p.Watching() == r
}

// tell shows news for a while.
func (p *pins) tell(n ui.Notice) tea.Cmd {
	p.news = n
	return p.old.after(p.app, pinsNews, func() tea.Cmd {
		p.news = ui.Notice{}
		return nil
	})
}

// Notice is the news.
func (p *pins) Notice() ui.Notice { return p.news }

// Commands are the key that switches the bell and the notifications, unless it is one of the screen's own. Only the help page lists it.
func (p *pins) Commands() ui.Commands {
	bell, top := ui.Bind("b", p.app.alerts.Offer()), p.app.top()
	if !p.app.conn.open() || top.Typing() || sameKeys(bell, top.Keys()) {
		return nil
	}
	return ui.Commands{{Key: bell, On: true, Do: func() tea.Cmd { return p.tell(ui.Notice{Text: p.app.alerts.Switch()}) }}}
}

// endNews ends the news with a key, if a person had the time to read those that came by themselves.
func (p *pins) endNews() {
	if p.app.Now().Sub(p.toldAt) > pinsRead {
		p.news = ui.Notice{}
	}
}
