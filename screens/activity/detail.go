package activity

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/journal/export"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A attemptDetail is an attempt and its timeline.
type attemptDetail struct {
	attempt journal.Attempt
	events  []journal.Event
}

// A detail is one attempt, open.
type detail struct {
	attemptDetail
	told    bool // the timeline is there
	trouble string
	call    ui.Call[attemptDetail]
	wrote   ui.Call[string] // the path of a case
	lines   []string
	top     int
	w, h    int
}

// open shows the selected attempt: what the list knows of it at once, the timeline when
// it comes.
func (m *Model) open() tea.Cmd {
	a, ok := m.selected()
	if !ok {
		return m.say("There is no attempt to open here.")
	}
	m.detail = &detail{attemptDetail: attemptDetail{attempt: a}}
	m.layout()
	return m.loadDetail()
}

// loadDetail asks for the open attempt as it is now, and its timeline.
func (m *Model) loadDetail() tea.Cmd {
	if m.detail == nil {
		return nil
	}
	book, id := m.options.Book, m.detail.attempt.ID
	return m.detail.call.Ask(m.scope, func(ctx context.Context) (attemptDetail, error) {
		a, err := book.Attempt(ctx, id)
		if err != nil {
			return attemptDetail{}, err
		}
		events, err := book.Timeline(ctx, id)
		return attemptDetail{a, events}, err
	})
}

func (m *Model) detailLetter(msg tea.Msg) (tea.Cmd, bool) {
	d := m.detail
	if a, ok := d.call.Receive(msg); ok {
		if d.trouble = ""; a.Err != nil {
			d.trouble = words(a.Err)
		} else {
			d.attemptDetail, d.told = a.Value, true
		}
		m.layout()
		return nil, true
	}
	if a, ok := d.wrote.Receive(msg); ok {
		m.news = "The case was written to " + plain(a.Value)
		if a.Err != nil {
			m.news = "The case was not written. " + words(a.Err)
		}
		m.layout()
		return nil, true
	}
	return nil, false
}

// detailKey takes a key while an attempt is open. One that is not open says why.
func (m *Model) detailKey(k tea.KeyPressMsg) tea.Cmd {
	d := m.detail
	page := max(d.inSight()-1, 1)
	switch k.String() {
	case "up", "k":
		d.scroll(-1)
	case "down", "j":
		d.scroll(1)
	case "pgup":
		d.scroll(-page)
	case "pgdown", "space":
		d.scroll(page)
	case "home", "g":
		d.scroll(-len(d.lines))
	case "end", "G":
		d.scroll(len(d.lines))
	case "enter":
		return m.goOn()
	case "c":
		return m.copyName()
	case "w":
		return m.writeCase()
	case "r":
		return m.loadDetail()
	}
	return nil
}

// next is where one goes on with an attempt; nil, and why not, when nowhere. What was sent to
// another place is not known where the console is connected now.
func (m *Model) next(a journal.Attempt) (to nav.Route, why string) {
	switch {
	case a.Destination != m.options.Place:
		return nil, "It was sent from profile " + plain(a.Profile) + ": open that profile to go on with it."
	case a.IsUnresolved():
		return nav.Attempt{ID: a.ID}, ""
	case a.Kind == journal.CreateLink && a.CreatedLink != nil:
		return nav.Share{Link: *a.CreatedLink}, ""
	case a.Reference != "":
		return nav.Payment{Reference: a.Reference}, ""
	case a.Outcome == journal.Sent:
		return nil, "It is being sent: its answer is not there yet."
	}
	return nil, "Nothing came of it that one could go on with."
}

// goes is the word for what going on means.
func goes(to nav.Route) string {
	switch to.(type) {
	case nav.Attempt:
		return "look for it"
	case nav.Share:
		return "share it"
	}
	return "payment"
}

func (m *Model) goOn() tea.Cmd {
	to, why := m.next(m.detail.attempt)
	if to == nil {
		return m.say(why)
	}
	return nav.Open(to)
}

// copyable is what the clipboard takes of an attempt: its reference, else its id (R6).
func copyable(a journal.Attempt) (value, word string) {
	if a.Reference != "" {
		return string(a.Reference), "reference"
	}
	return string(a.ID), "attempt id"
}

func (m *Model) copyName() tea.Cmd {
	value, word := copyable(m.detail.attempt)
	if !present.Copyable(value) {
		return m.say("The " + word + " is not copied: it has more in it than letters, digits, _ and -.")
	}
	m.say("The " + word + " was sent to your terminal's clipboard.")
	return tea.SetClipboard(value)
}

// writeCase writes what is known of the attempt to a file, for a ticket.
func (m *Model) writeCase() tea.Cmd {
	d := m.detail
	if !d.told {
		return m.say("The timeline is not there yet; r asks for it again.")
	}
	told, folder := d.attemptDetail, m.folder
	return d.wrote.Ask(m.scope, func(context.Context) (string, error) {
		now := time.Now()
		return export.CreateFile(folder, export.FileName("case-"+plain(string(told.attempt.ID)), ".md", now), func(w io.Writer) error {
			return export.WriteCase(w, told.attempt, told.events, now)
		})
	})
}

func (d *detail) resize(t *ui.Theme, w, h int) {
	d.w, d.h = w, max(h, 0)
	d.lines = d.layout(t)
	d.scroll(0)
}

// inSight is how many lines fit; the last is left for what is below.
func (d *detail) inSight() int {
	if len(d.lines) > d.h {
		return max(d.h-1, 1)
	}
	return d.h
}

func (d *detail) scroll(by int) { d.top = max(min(d.top+by, len(d.lines)-d.inSight()), 0) }
