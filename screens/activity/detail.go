package activity

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An attemptDetail is an attempt and its timeline.
type attemptDetail struct {
	attempt journal.Attempt
	events  []journal.Event
}

// A detail is one attempt, open.
type detail struct {
	attemptDetail
	loaded  bool // with the timeline
	problem string
	call    ui.Call[attemptDetail]
	scroll  ui.Scroll
}

// open shows the selected attempt: the facts of the list at once, the timeline when it has
// been read.
func (m *Model) open() tea.Cmd {
	a, ok := m.selected()
	if !ok {
		return m.noneSelected()
	}
	m.detail = &detail{attemptDetail: attemptDetail{attempt: a}}
	m.layout()
	return m.loadDetail()
}

// loadDetail reads the open attempt again, and its timeline.
func (m *Model) loadDetail() tea.Cmd {
	if m.detail == nil {
		return nil
	}
	j, id := m.options.Journal, m.detail.attempt.ID
	return m.detail.call.Then(m.receiveDetail).Timed(ui.NoLimit, m.layout).Ask(m.Scope, func(ctx context.Context) (attemptDetail, error) {
		a, err := j.Attempt(ctx, id)
		if err != nil {
			return attemptDetail{}, err
		}
		events, err := j.Timeline(ctx, id)
		return attemptDetail{a, events}, err
	})
}

// receiveDetail handles the attempt with its timeline. What was read before stays on the screen
// when reading again fails.
func (m *Model) receiveDetail(a ui.Result[attemptDetail]) tea.Cmd {
	d := m.detail
	if d.problem = ""; a.Err != nil {
		d.problem = errorText(a.Err)
	} else {
		d.attemptDetail, d.loaded = a.Value, true
	}
	m.layout()
	return nil
}

// closeDetail goes back to the list. Nothing that the attempt still waits for is shown there.
func (m *Model) closeDetail() {
	m.detail.call.Drop()
	m.detail = nil
}

// current is the attempt that is open, or else selected.
func (m *Model) current() (journal.Attempt, bool) {
	if m.detail != nil {
		return m.detail.attempt, true
	}
	return m.selected()
}

// noneSelected is why a key for an attempt does nothing.
func (m *Model) noneSelected() tea.Cmd { return m.Notify("No attempt is selected.") }

// nextRoute is where an attempt continues; nil, and why, when nowhere. An attempt of another
// service is unknown to the one that is connected now.
func (m *Model) nextRoute(a journal.Attempt) (to nav.Route, why string) {
	switch {
	case !m.options.Here().IsSameService(a.Destination):
		return nil, present.Sentence("sent "+present.Elsewhere(m.options.Here(), a.Destination)) + " Open a profile of that service to continue."
	case a.Outcome == journal.Unresolved, !a.Mismatch.IsZero(): // a decision can be replaced there
		return nav.Attempt{ID: a.ID}, ""
	case a.Kind == journal.CreateLink && a.CreatedLink != nil:
		return nav.ShareOf(a), ""
	case a.Reference != "":
		return nav.Payment{Reference: a.Reference}, ""
	case a.Outcome == journal.Sent:
		return nil, "Still sending; no response yet."
	}
	return nil, "There is nothing to continue with."
}

// routeLabel is the help of the key that opens a route.
func routeLabel(to nav.Route, a journal.Attempt) string {
	switch to.(type) {
	case nav.Attempt:
		if !a.IsUnresolved() && !a.Mismatch.Undecided() {
			return "decision"
		}
		return "resolve it"
	case nav.Share:
		return "share"
	}
	return "payment"
}

// openNext continues with the attempt on the screen that is for it.
func (m *Model) openNext() tea.Cmd {
	to, why := m.nextRoute(m.detail.attempt)
	if to == nil {
		return m.Notify(why)
	}
	return nav.Open(to)
}

// whyNoStatus is why the payment of an attempt cannot be watched from here; "" when it can be.
func (m *Model) whyNoStatus(a journal.Attempt) string {
	switch {
	case !m.options.Here().IsSameService(a.Destination):
		_, why := m.nextRoute(a)
		return why
	case a.Reference == "":
		return "It has no payment reference, and so no status."
	}
	return ""
}

// openStatus opens the payment's own screen.
func (m *Model) openStatus() tea.Cmd {
	a, some := m.current()
	if !some {
		return m.noneSelected()
	}
	if why := m.whyNoStatus(a); why != "" {
		return m.Notify(why)
	}
	return nav.Open(nav.Payment{Reference: a.Reference})
}

// togglePin pins the payment to Home, or unpins it.
func (m *Model) togglePin() tea.Cmd {
	a, some := m.current()
	if !some {
		return m.noneSelected()
	}
	if why := m.whyNoStatus(a); why != "" {
		return m.Notify(why)
	}
	return nav.TogglePin(m.isPinned(a), a.Reference)
}

func (m *Model) isPinned(a journal.Attempt) bool {
	return m.options.Pinned != nil && m.options.Pinned(a.Reference)
}

// pinLabel is what the key of the pin does.
func (m *Model) pinLabel(a journal.Attempt) string {
	if m.isPinned(a) {
		return "unpin"
	}
	return "pin"
}

// whyNotDecide is why there is nothing to decide about an attempt; "" when there is.
func (m *Model) whyNotDecide(a journal.Attempt) string {
	to, why := m.nextRoute(a)
	if _, decides := to.(nav.Attempt); decides {
		return ""
	}
	if to == nil && !m.options.Here().IsSameService(a.Destination) {
		return why
	}
	return "There is nothing to decide about this attempt."
}

// decide opens the screen on which a person says what happened.
func (m *Model) decide() tea.Cmd {
	a, some := m.current()
	if !some {
		return m.noneSelected()
	}
	if why := m.whyNotDecide(a); why != "" {
		return m.Notify(why)
	}
	return nav.Open(nav.Attempt{ID: a.ID})
}

// whyNotAgain is why an attempt cannot be collected again; "" when it can be.
func (m *Model) whyNotAgain(a journal.Attempt) string {
	switch {
	case !a.CameToNothing():
		return present.NotAgain
	case !m.options.Here().IsSameService(a.Destination):
		_, why := m.nextRoute(a)
		return why
	}
	return ""
}

// collectAgain takes the payment once more, with another card or channel. Where nothing was sent yet it is the first.
func (m *Model) collectAgain() tea.Cmd {
	a, some := m.current()
	switch {
	case !some && m.list.window.Count == 0:
		return nav.Open(nav.Collect{})
	case !some:
		return m.noneSelected()
	}
	if why := m.whyNotAgain(a); why != "" {
		return m.Notify(why)
	}
	in := m.options.Again(a)
	return nav.Open(nav.Collect{Again: &in})
}

// openRaw shows what the service answered in this session, as it came. A link that must be read first
// has its URL in it.
func (m *Model) openRaw() tea.Cmd {
	a, some := m.current()
	switch {
	case !some:
		return m.noneSelected()
	case a.MustBeRead():
		return m.Notify(present.ReadFirst)
	}
	to := nav.Raw{Reference: a.Reference, Attempt: a.ID}
	if a.CreatedLink != nil {
		to.Link = a.CreatedLink.Alias
	}
	return nav.Open(to)
}

// copyReference copies the reference of the attempt, or its ID where it has none.
func (m *Model) copyReference() tea.Cmd {
	a, some := m.current()
	if !some {
		return m.noneSelected()
	}
	value, word := string(a.Reference), "reference"
	if value == "" {
		value, word = string(a.ID), "attempt ID"
	}
	if !present.Copyable(value) {
		return m.Notify("Cannot copy this " + word + ": it is too long or has unusual characters.")
	}
	return m.Copy(word, value)
}
