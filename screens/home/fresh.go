package home

import (
	"cmp"
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/ui"
)

// unchecked returns the payments that could not be checked, and how many are followed: a pin is, also below the window. It
// must not ask the table which rows are visible: group needs it for the titles of sections, and the table asks for those to tell
// what is visible.
func (m *Model) unchecked() (failed []api.Reference, of int) {
	for _, l := range m.entries {
		s, followed := m.state(l.Entry)
		if !followed || !l.Asks() {
			continue
		}
		if of++; s.Err != nil && !api.NotFound(s.Err) { // that there is no record of it is an answer
			failed = append(failed, l.Reference)
		}
	}
	return failed, of
}

// A watched sums up the payments that are asked about: those in the window whose status may change, and of the others the first
// that need a person or are under way. Those are waited for wherever the mark is.
type watched struct {
	asked           []api.Reference
	inWindow        int
	oldest          time.Time // the status in the window that the service gave first; zero where it has never given one
	checking, ended bool      // one in the window is being checked; checks of all there have ended without a final status
	finalized       bool      // a status has settled a finalize that got no answer
}

// waitedFor limits how many payments are asked about outside the window. It does not depend on the window: a payment that drops out
// and comes back as the mark moves is requested anew each time.
const waitedFor = 16

func (m *Model) watched() (w watched) {
	from, to := m.table.Visible()
	for i, l := range m.entries {
		inWindow := m.lead+i >= from && m.lead+i < to
		if !l.Asks() || !inWindow && (l.in > underWay || i >= waitedFor) {
			continue
		}
		w.asked = append(w.asked, l.Reference)
		s, followed := m.state(l.Entry)
		w.finalized = w.finalized || l.Kind == ledger.Finalize && followed && s.Phase == session.Settled
		if !inWindow {
			continue
		}
		at, over := l.StatusAt, followed && s.Phase != session.Polling
		if followed && s.ReportedAt.After(at) {
			at = s.ReportedAt
		}
		if w.inWindow == 0 || at.Before(w.oldest) {
			w.oldest = at
		}
		w.ended = over && (w.inWindow == 0 || w.ended)
		w.checking = w.checking || s.Checking
		w.inWindow++
	}
	return w
}

// follow asks about the rows that are not final: see [watched]. With a key that the service rejects nothing is asked, nor while
// another screen is on top.
func (m *Model) follow() {
	if m.board == nil || m.covered {
		return
	}
	var asked []api.Reference
	if !m.payments.KeyRejected() {
		failed, _ := m.unchecked() // also below the window
		asked = append(m.watched().asked, failed...)
	}
	m.board.Follow(asked)
}

// await waits for the next answer about any payment.
func (m *Model) await() tea.Cmd {
	if m.board == nil {
		return nil
	}
	w, version := m.options.Watches, m.version
	return m.changed.Then(m.onChange).Ask(m.Scope, func(ctx context.Context) (uint64, error) { return w.Next(ctx, version) })
}

// onChange shows an answer, reads the journal again where a payment has another status, and waits for the next. A row that an answer has
// added may have to be asked about.
func (m *Model) onChange(a ui.Result[uint64]) tea.Cmd {
	if a.Err != nil { // the screen is being left
		return nil
	}
	m.version, m.changedAt = a.Value, m.Scope.Now()
	changed := m.update()
	m.follow()
	if changed || m.watched().finalized { // which the journal then knows
		return tea.Batch(m.read(), m.await())
	}
	return m.await()
}

// Pause stops the asking while another screen is on top.
func (m *Model) Pause() {
	m.covered = true
	m.changed.Drop()
	m.counting.Drop()
	m.asking.Drop()
	if m.board != nil {
		m.board.Follow(nil)
	}
}

// check asks about all that is followed now, and reads the journal.
func (m *Model) check() tea.Cmd {
	if m.payments.KeyRejected() {
		return m.Warn("Nothing is checked until you enter another key (ctrl+g).")
	}
	failed, _ := m.unchecked()
	if len(failed) == 0 { // else the news is why
		m.again = present.AskedAgain(m.Scope.Now())
		m.Notify(m.again)
	}
	if len(failed)+len(m.watched().asked) == 0 {
		return tea.Batch(m.ask(), m.read())
	}
	if m.board != nil {
		m.follow()
		m.board.Check()
	}
	return m.read()
}

// state returns what is known of a payment that is followed.
func (m *Model) state(e session.Entry) (session.WatchState, bool) {
	if m.board == nil {
		return session.WatchState{}, false
	}
	return m.board.State(e.Reference)
}

// knows reports whether the list is complete: the journal was read, and the service answers every check.
func (m *Model) knows() bool {
	failed, _ := m.unchecked()
	return m.problem.IsZero() && !m.readAt.IsZero() && m.payments.Answered() && !m.payments.KeyRejected() && m.silent() == "" && len(failed) == 0
}

// silent says why the service does not answer, also while it is still being tried; "" where it does.
func (m *Model) silent() string {
	return cmp.Or(strings.TrimSuffix(m.asking.Wait().Why(), "."), m.unreached)
}

// cause says why the service does not answer, above an empty list or else in a notice; "" where the other says it, or each payment.
func (m *Model) cause(above bool) string {
	if above == (m.listed() > 0) || len(m.watched().asked) > 0 {
		return ""
	}
	return m.silent()
}

// fresh says in parts why the list does not become newer, what is below the window, and how old it is. As many of them as are kept
// are said in any window.
func (m *Model) fresh() (parts []string, kept int) {
	muted := m.Theme.Muted.Render
	watched, silent, rejected := m.watched(), m.silent(), m.payments.KeyRejected()
	some, asking, at := watched.inWindow > 0, m.asking.Pending(), watched.oldest
	failed, of := m.unchecked()
	switch {
	case m.waiting != "":
		return []string{muted(m.waiting)}, 0
	case rejected && m.listed() == 0:
		return nil, 0
	case rejected:
		parts, kept = []string{m.Theme.Mark(ui.ToneBad, "nothing is checked")}, 1
	case !some && silent != "" && !asking:
		parts = []string{muted("r checks again")}
	case len(failed) > 0:
		parts, kept = []string{m.Theme.Mark(ui.ToneAct, present.Thousands(len(failed))+" of "+present.Thousands(of)+" checks failed")}, 1
	case (watched.checking || asking) && (silent != "" || !m.payments.Answered()):
		parts = []string{muted("checking…")}
	case watched.ended:
		parts = []string{muted("checks ended, r checks again")}
	case !m.payments.Answered():
		parts = []string{muted("no checks yet")}
	}
	if n := m.below(); n > 0 {
		parts = append(parts, muted("↓ "+present.Thousands(n)+" more"))
	}
	if !some {
		at = m.changedAt
	}
	if !at.IsZero() && m.payments.Answered() && (some || !rejected && silent == "") {
		parts = append(parts, muted("as of ")+present.When(at, m.Scope.Now())) // without a style it takes fewer bytes at each answer
	}
	return parts, kept
}

// shortName is as much of a reference as a line of news names, in cells.
const shortName = 13

// Notice implements [ui.Noticer]: why the service does not answer where the list does not say it, or why a payment could not be checked.
// Either replaces the news that r asked again. A rejected key has a notice of the console's.
func (m *Model) Notice() ui.Notice {
	failed, _ := m.unchecked()
	silent := m.cause(false)
	switch {
	case m.News.Text != "" && (m.News.Text != m.again || len(failed) == 0 && silent == "") || m.payments.KeyRejected():
		return m.News
	case silent != "":
		return ui.Notice{Tone: ui.ToneAct, Text: silent}
	}
	for _, e := range m.entries { // also below the window
		if !e.Asks() || m.isUnknown(e.Entry) {
			continue
		}
		if s, _ := m.state(e.Entry); s.Err != nil && (len(failed) == 0 || !api.NotFound(s.Err)) {
			words := ansi.Truncate(e.Reference.String(), shortName, "…") + ": " + present.Error(s.Err, present.Reading).What
			if s.Phase == session.Polling && !s.Due.IsZero() {
				words += " Next check at " + present.Clock(s.Due) + "."
			}
			return ui.Notice{Tone: ui.ToneAct, Text: words}
		}
	}
	return m.News
}
