package inbox

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/query"
	"paydesk/api/webhook"
	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	pageSize     = 200                    // events that are read at a time
	betweenReads = 250 * time.Millisecond // however fast events arrive
	afterProblem = 5 * time.Second        // until the store is read again
	receiverAge  = 5 * time.Second        // how old what is known of the receiver becomes
)

// A row is an event, and the number of its last delivery when it was listed: that is its place, however often it is
// delivered again while the list stands still.
type row struct {
	webhook.Record
	at int64
}

// A list is the newest events that a search finds, as far down as a person has gone.
type list struct {
	table   *ui.Table
	rows    []row
	more    bool          // there are older ones
	found   webhook.Found // the counts of the last reading, without its records
	follow  bool          // what arrives is listed, and the newest stays marked
	newer   int           // events that arrived since the list stands still
	most    bool          // there are more of those
	loaded  bool
	stale   bool // another search was chosen
	problem string

	version uint64 // of the store, when it was last read
	wait    ui.Call[uint64]
	call    ui.Call[reading]
	older   ui.Call[webhook.Found]
	toEnd   bool // go on to the oldest
}

// A reading is the newest events, and the visible ones where those are older.
type reading struct {
	head    webhook.Found
	visible map[int64]webhook.Record
}

// A waitAgain message comes when what arrives may be waited for again.
type waitAgain struct{}

// query returns what is searched for. What is wrong in it is no term.
func (m *Model) query() query.Query {
	q, _ := m.language.Parse(m.filter.Value())
	return q
}

// request is a search as the list asks for it.
func (m *Model) request() webhook.Search {
	return webhook.Search{Profile: m.options.Profile, Query: m.query(), Limit: pageSize}
}

// search begins a search anew.
func (m *Model) search() tea.Cmd {
	l := &m.list
	l.rows, l.more, l.follow, l.stale = nil, false, true, false
	m.setRows() // until they are read
	l.older.Drop()
	return m.refresh()
}

// refresh reads the newest events, and those in the window.
func (m *Model) refresh() tea.Cmd {
	l := &m.list
	store, head := m.options.Store, m.request()
	var shown []row
	if !l.follow {
		from, to := l.table.Visible()
		shown = slices.Clone(l.rows[min(from, len(l.rows)):min(to, len(l.rows))])
	}
	return l.call.Then(m.received).Ask(m.Scope, func(ctx context.Context) (reading, error) {
		found, err := store.Find(ctx, head)
		if err != nil || len(shown) == 0 {
			return reading{head: found}, err
		}
		visible, err := readVisible(ctx, store, head, shown)
		return reading{found, visible}, err
	})
}

// readVisible reads events that are listed already. Those that the search no longer finds are read one by one.
func readVisible(ctx context.Context, store Store, q webhook.Search, shown []row) (map[int64]webhook.Record, error) {
	q.Before, q.Limit = shown[0].at+1, 2*len(shown)
	found, err := store.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	all := map[int64]webhook.Record{}
	for _, r := range found.Records {
		all[r.ID] = r
	}
	for _, r := range shown {
		if _, read := all[r.ID]; read {
			continue
		}
		d, err := store.Get(ctx, q.Profile, r.ID)
		if errors.Is(err, webhook.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all[r.ID] = d.Record
	}
	return all, nil
}

// received lists what was read, and waits for what arrives next.
func (m *Model) received(a ui.Result[reading]) tea.Cmd {
	l := &m.list
	m.readReceiver()
	if a.Err != nil {
		l.problem = errorText(a.Err)
		m.layout()
		return m.Scope.After(afterProblem, waitAgain{})
	}
	l.problem, l.loaded, l.found = "", true, a.Value.head
	l.found.Records = nil
	if l.follow || len(l.rows) == 0 {
		l.showNewest(a.Value.head)
	} else {
		l.update(a.Value)
	}
	m.setRows()
	if l.table.Within(0, 0); m.filter.Value() == "" {
		l.table.Within(0, l.found.Total)
	}
	if l.follow {
		l.table.Select(0)
	}
	if len(l.rows) > 0 && !m.covered && m.options.Seen != nil {
		m.options.Seen()
	}
	m.layout()
	return tea.Batch(m.readPane(), m.loadDetail(), m.Scope.After(betweenReads, waitAgain{}))
}

// showNewest lists the newest events alone: older ones are read when somebody goes there.
func (l *list) showNewest(head webhook.Found) {
	l.rows, l.more, l.newer, l.most = nil, head.More, 0, false
	l.older.Drop()
	for _, r := range head.Records {
		l.rows = append(l.rows, row{r, r.Number})
	}
}

// update shows what has changed in the rows where they stand, and counts what arrived.
func (l *list) update(r reading) {
	l.newer, l.most = 0, r.head.More
	for _, n := range r.head.Records {
		if n.Number <= l.rows[0].at {
			l.most = false
			break
		}
		l.newer++
	}
	for i := range l.rows {
		if now, read := r.visible[l.rows[i].ID]; read {
			l.rows[i].Record = now
		}
	}
}

// await waits until anything is stored or answered. From time to time it only looks whether webhooks are still received.
func (m *Model) await() tea.Cmd {
	if m.covered || m.off() {
		return nil
	}
	if m.list.problem != "" {
		return m.refresh()
	}
	store, version := m.options.Store, m.list.version
	return m.list.wait.Then(m.changed).Ask(m.Scope, func(ctx context.Context) (uint64, error) {
		ctx, stop := context.WithTimeout(ctx, receiverAge)
		defer stop()
		return store.Wait(ctx, version)
	})
}

func (m *Model) changed(a ui.Result[uint64]) tea.Cmd {
	m.readReceiver()
	switch {
	case errors.Is(a.Err, context.DeadlineExceeded):
		m.layout()
		return m.await()
	case a.Err != nil:
		m.list.problem = errorText(a.Err)
		m.layout()
		return m.Scope.After(afterProblem, waitAgain{})
	}
	m.list.version = a.Value
	return m.refresh()
}

// move moves the mark, which ends the following.
func (m *Model) move(k tea.KeyPressMsg) (tea.Cmd, bool) {
	l := &m.list
	cmd, used := m.panes.Update(m.Scope, k)
	if !used {
		return nil, false
	}
	m.stop()
	if name := k.String(); name == "end" || name == "G" {
		l.toEnd = l.more
	}
	return tea.Batch(cmd, m.readOlder()), true
}

// stop ends the following: the list stands still.
func (m *Model) stop() {
	if len(m.list.rows) > 0 {
		m.list.follow = false
	}
}

// atRest reads the marked event, and the rows that came into the window, which may have changed since they were read.
func (m *Model) atRest() tea.Cmd {
	if m.covered {
		return m.readPane()
	}
	return tea.Batch(m.readPane(), m.refresh())
}

// readOlder reads on before the mark reaches the end of what was read.
func (m *Model) readOlder() tea.Cmd {
	l := &m.list
	near := len(l.rows) - max(2*m.H, pageSize/4)
	if !l.more || l.older.Pending() || l.table.Selected() < near && !l.toEnd {
		return nil
	}
	store, q := m.options.Store, m.request()
	q.Before = l.rows[len(l.rows)-1].at
	return l.older.Then(m.receivedOlder).Ask(m.Scope, func(ctx context.Context) (webhook.Found, error) { return store.Find(ctx, q) })
}

// receivedOlder lists older events below the others.
func (m *Model) receivedOlder(a ui.Result[webhook.Found]) tea.Cmd {
	l := &m.list
	if a.Err != nil {
		l.problem, l.toEnd = errorText(a.Err), false
		m.layout()
		return m.Scope.After(afterProblem, waitAgain{})
	}
	for _, r := range a.Value.Records {
		l.rows = append(l.rows, row{r, r.Number})
	}
	l.more = a.Value.More && len(a.Value.Records) > 0
	l.table.Extend(len(l.rows))
	if !l.toEnd {
		return m.readOlder()
	}
	was := l.table.Selected()
	l.table.Select(len(l.rows) - 1)
	return tea.Batch(m.panes.Moved(m.Scope, was), m.readOlder())
}

// toggleFollow lets the list stand still, or marks the newest event again and follows what arrives.
func (m *Model) toggleFollow() tea.Cmd {
	l := &m.list
	if l.follow = !l.follow; !l.follow {
		return nil
	}
	l.table.Select(0)
	return m.refresh()
}

// errorText words an error of the store.
func errorText(err error) string {
	if errors.Is(err, webhook.ErrNotFound) {
		return "This event is no longer in the inbox: the oldest are dropped when it is full."
	}
	return present.Sentence(err.Error())
}
