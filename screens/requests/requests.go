// Package requests lists what the console asked and was answered since it was started, newest first.
// It is what support asks for: each line can be read whole, copied as a ticket, and all of them
// written to a file. Nothing secret is in the log, by its type: see [api.Exchange].
package requests

import (
	"context"
	"io"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/ledger"
	"paydesk/screens/fileform"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// Options of New.
type Options struct {
	Log     *Log
	Version string
	Folder  func() string // the default folder for files; it may read the file system
	// Kept reports whether the answer to a request is kept; nil where none is.
	Kept func(profile string, about nav.Raw) bool
}

// A Model is the screen. It shows a request as soon as it has ended.
type Model struct {
	ui.Body
	options Options
	entries []Entry
	rows    []row  // of the list
	place   string // the word for where each went, where they differ in that; "" otherwise
	placeOf func(Entry) string
	follow  bool // the newest stays selected
	next    ui.Call[[]Entry]
	table   *ui.Table
	panes   *ui.Panes
	open    *row   // nil unless a request is open, on its own screen
	written string // the path of the file, until the next key
}

// A row is a request, or one that was answered the same again and again, as polls are, with the latest first: its line
// stands for all of them.
type row struct {
	Entry
	times int
	first Entry // of them, the oldest
}

// folded makes rows of entries. Only reads that were answered are folded, and none across another request: what was sent, or
// went wrong, keeps its place between them.
func folded(entries []Entry) (rows []row) {
	type kind struct {
		method, path, host, profile string
		status                      int
	}
	at := map[kind]int{}
	for _, e := range entries {
		if e.Method != "GET" || e.Outcome != api.OutcomeAnswered || e.Try > 1 || e.Why != "" {
			clear(at)
			rows = append(rows, row{e, 1, e})
			continue
		}
		k := kind{e.Method, e.Path, e.Host, e.Profile, e.Status}
		i, again := at[k]
		if !again {
			at[k], i = len(rows), len(rows)
			rows = append(rows, row{Entry: e})
		}
		rows[i].times, rows[i].first = rows[i].times+1, e
	}
	return rows
}

// New returns the screen.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{Body: ui.Body{Theme: t}, options: o, follow: true}
	m.table = ui.NewTable(t, report.Heads(m.columns(), report.Screen)...)
	m.panes = ui.NewPanes(t, m.table)
	return m
}

// Init implements [ui.Screen].
func (m *Model) Init(s ui.Scope) tea.Cmd {
	m.Scope = s
	m.show(m.options.Log.Entries())
	return m.wait()
}

// wait waits for the next request.
func (m *Model) wait() tea.Cmd {
	seen := 0
	if len(m.entries) > 0 {
		seen = m.entries[0].N
	}
	log := m.options.Log
	return m.next.Then(m.added).Ask(m.Scope, func(ctx context.Context) ([]Entry, error) {
		err := log.Wait(ctx, seen)
		return log.Entries(), err
	})
}

func (m *Model) added(a ui.Result[[]Entry]) tea.Cmd {
	if a.Err != nil {
		return nil
	}
	m.show(a.Value)
	return m.wait()
}

// show lists entries. Unless the newest is followed, the same one stays selected.
func (m *Model) show(entries []Entry) {
	was, had := ui.Selected(m.table, m.rows)
	before := m.place
	m.place, m.placeOf = Places(entries)
	columns := m.columns()
	if m.place != before {
		m.table = ui.NewTable(m.Theme, report.Heads(columns, report.Screen)...)
		m.panes.Of(m.table)
	}
	m.entries, m.rows = entries, folded(entries)
	m.table.SetRows(len(m.rows), func(i int) []ui.Cell { return report.Cells(columns, m.rows[i], report.Screen) })
	at := slices.IndexFunc(m.rows, func(r row) bool { return r.first.N <= was.N && was.N <= r.N && r.Path == was.Path })
	if had && !m.follow {
		m.table.Select(max(at, 0))
	} else {
		m.table.Select(0)
	}
	m.layout()
}

// Update implements [ui.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if ok && m.written != "" {
		m.written = ""
		m.layout()
	}
	if !ok {
		return nil
	}
	if cmd, used := m.panes.Update(m.Scope, k); used {
		m.follow = false
		return cmd
	}
	return m.Press(msg, m.commands())
}

// commands are the keys of the list.
func (m *Model) commands() ui.Commands {
	follow := "follow"
	if m.follow {
		follow = "pause"
	}
	return append(ui.Commands{
		{Key: ui.Bind("enter", "open"), On: len(m.entries) > 0, Do: m.openRequest},
		{Key: ui.Bind("space", follow), On: true, Do: m.toggleFollow},
	}, append(m.requestCommands(),
		ui.Command{Key: ui.Bind("w", "file"), On: true, Do: m.openFile},
		ui.Command{Key: ui.Bind("i", "diagnostics"), On: true, Do: func() tea.Cmd { return nav.Open(nav.Diagnostics{}) }},
	)...)
}

// requestCommands are the keys for the request that is open, or selected. Those that are shown are for the one in the pane:
// the bar stays as it is while the mark moves.
func (m *Model) requestCommands() ui.Commands {
	e, known := m.shown()
	some := known || len(m.entries) > 0
	_, kept := m.raw(e.Entry)
	return ui.Commands{
		{Key: ui.Bind("y", "copy"), On: some && !(known && e.Reference == ""), Do: m.copyReference},
		{Key: ui.Bind("Y", "ticket"), On: some, Do: m.copyTicket},
		{Key: ui.Bind("v", "last raw answer"), On: known && kept, Do: m.openRaw},
	}
}

// shown is the request that is open, or else in the pane.
func (m *Model) shown() (r row, some bool) {
	if m.open != nil {
		return *m.open, true
	}
	if _, h := m.panes.PaneSize(); h == 0 || m.panes.Row() < 0 {
		return r, false
	}
	return m.rows[m.panes.Row()], true
}

// raw is the last answer to the operation of a request, about the same subject.
func (m *Model) raw(e Entry) (about nav.Raw, kept bool) {
	about = nav.Raw{Operation: e.Operation, Reference: api.Reference(e.Reference), Attempt: ledger.ID(e.Attempt)}
	return about, m.options.Kept != nil && m.options.Kept(e.Profile, about)
}

func (m *Model) openRaw() tea.Cmd {
	e, some := m.current()
	about, kept := m.raw(e.Entry)
	if !some || !kept {
		return m.Notify("No answer to this request is kept.")
	}
	return nav.Open(about)
}

func (m *Model) toggleFollow() tea.Cmd {
	if m.follow = !m.follow; m.follow {
		m.table.Select(0)
	}
	return nil
}

// current is the request that is open, or else selected.
func (m *Model) current() (row, bool) {
	if m.open != nil {
		return *m.open, true
	}
	return ui.Selected(m.table, m.rows)
}

func (m *Model) copyReference() tea.Cmd {
	e, _ := m.current()
	switch ref := e.Reference; {
	case ref == "":
		return m.Notify("This request was about no reference.")
	case !present.Copyable(ref):
		return m.Notify("Cannot copy this reference: it is too long or has unusual characters.")
	default:
		return m.Copy("reference", ref)
	}
}

func (m *Model) copyTicket() tea.Cmd {
	e, ok := m.current()
	if !ok {
		return m.Notify("There is nothing to copy.")
	}
	return m.Copy("ticket", "paydesk "+m.options.Version+" | "+e.String())
}

// openFile asks where to write what is kept now.
func (m *Model) openFile() tea.Cmd {
	log, version, now := m.options.Log, m.options.Version, m.Scope.Now()
	file := fileform.Text(export.FileName("requests", ".txt", now), func(w io.Writer) error {
		head := "paydesk " + version + ", requests of one session, newest first, written " +
			now.Format(time.RFC3339) + "\n\n"
		if _, err := io.WriteString(w, head); err != nil {
			return err
		}
		return Write(w, log.Entries())
	})
	file.Folder, file.Head = m.options.Folder, func(int) []string { return []string{m.heading(), ""} }
	return fileform.Open(m.Theme, file, func(f fileform.Written) {
		m.written = present.Plain(f.Path)
		m.layout()
	})
}

// Title implements [ui.Screen].
func (m *Model) Title() string { return "Requests" }

// Keys implements [ui.Screen].
func (m *Model) Keys() []key.Binding { return append(m.commands().Keys(), m.table.Keys()...) }

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"The requests that ended since paydesk was started, newest first, with what came of each.",
		"The newest " + present.Thousands(Capacity) + " are kept, in memory only. A read that is tried again has a line for each try; reads that were answered the same again have one for all of them, with how many. Of the pages that are read for a " +
			"search of all transactions, the newest " + present.Thousands(ScanCapacity) + " are kept.",
		"No bodies, keys or card numbers are recorded. " + present.Unresolved +
			": it is not known whether it was carried out.",
	}
}
