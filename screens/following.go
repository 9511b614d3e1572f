package screens

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/session"
	"paydesk/screens/activity"
	"paydesk/screens/attempt"
	"paydesk/screens/home"
	"paydesk/screens/links"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A following is the feature that shows what colleagues do in a journal that a team shares: their attempts, decisions
// and pins. Of a journal that is a file it shows what any console of this machine adds, that it was taken away, or that this
// was acknowledged elsewhere.
type following struct {
	app     *App
	written int // counts the outcomes that had waited, and were written by the time of the last key
	strange int // counts those for which the journal had no attempt by then
}

// Changes are gathered for a moment before they are read, and are read at most once a second, however many there are:
// each of fifty consoles reads what all the others do.
const (
	gathered = 250 * time.Millisecond
	apart    = time.Second - gathered
)

// othersMayWrite reports whether other consoles may write a journal: one in memory is of this run alone.
func othersMayWrite(j *journal.Journal) bool { return j.Shared() || j.Path() != "" }

// opened begins to follow the journal of a session.
func (f *following) opened(s *session.Session) tea.Cmd {
	if !othersMayWrite(s.Journal) {
		return nil
	}
	ctx := f.app.conn.ctx
	changes := make(chan struct{}, 1)
	after := func(d time.Duration) bool { // false where the following has ended
		select {
		case <-time.After(d):
			return true
		case <-ctx.Done():
			return false
		}
	}
	wait := func() bool {
		select {
		case <-changes:
			return after(gathered)
		case <-ctx.Done():
			return false
		}
	}
	var next tea.Cmd
	changed := f.app.during(s, func() tea.Cmd { return tea.Batch(next, f.app.reread()) })
	next = func() tea.Msg {
		if !after(apart) || !wait() {
			return nil
		}
		return changed
	}
	return func() tea.Msg {
		go s.Journal.Follow(ctx, func() { // its error is that ctx has ended
			select {
			case changes <- struct{}{}:
			default: // a change that was not read yet covers this one
			}
		})
		if !wait() {
			return nil
		}
		return changed
	}
}

// read notes with a key that what was said of outcomes has been read.
func (f *following) read() {
	if c := f.app.conn; c.open() {
		_, f.written = c.Journal.LateOutcomes()
		f.strange = c.Journal.StrangeOutcomes()
	}
}

// Notice says when outcomes were written that had to wait for the journal, and when it has no attempt for one.
func (f *following) Notice() ui.Notice {
	c := f.app.conn
	if !c.open() {
		return ui.Notice{}
	}
	if strange := c.Journal.StrangeOutcomes() - f.strange; strange > 0 {
		return ui.Notice{Tone: ui.ToneAct, Text: "The journal has no attempt for " + present.Count(strange, "outcome that waited. It stays in its file", "outcomes that waited. They stay in their files") + ": was the journal restored or replaced?"}
	}
	_, written := c.Journal.LateOutcomes()
	late := written - f.written
	if late < 1 {
		return ui.Notice{}
	}
	return ui.Notice{Tone: ui.ToneAct, Text: "The journal can be written again: " + present.Count(late, "outcome that waited is", "outcomes that waited are") + " recorded."}
}

// reread reads again what needs attention, and what the screen on top shows of it.
func (a *App) reread() tea.Cmd {
	switch top := a.whole().(type) {
	case *home.Model: // reads both
		return fromScreen(top, top.Changed())
	case *attempt.Model:
		return tea.Batch(a.reload(), fromScreen(top, top.Resume()))
	case *activity.Model:
		return tea.Batch(a.reload(), fromScreen(top, top.Changed()))
	case *links.Model:
		return tea.Batch(a.reload(), fromScreen(top, top.Changed()))
	}
	return a.reload()
}

// reload reads what needs attention and what is pinned. What cannot be read stays as it is until the next change. A slow journal
// may have been waited for until another profile was chosen, whose key is asked for.
func (a *App) reload() tea.Cmd {
	if !a.conn.open() {
		return nil
	}
	ctx, s := a.ctx, a.conn.Session
	return func() tea.Msg {
		_ = s.Reload(ctx)
		return a.during(s, func() tea.Cmd {
			a.pins.follow()
			return nil
		})
	}
}
