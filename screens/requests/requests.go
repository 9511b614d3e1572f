// Package requests lists what the console asked and was answered since it was started, newest first.
// Support asks for the log: each line can be read whole, copied as a ticket, and all of them
// written to a file. The log has no secrets, since its type has no room for one: see [api.Exchange]. [Diagnostics] shows the [Bundle] for
// support, which has the requests too.
package requests

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/detail"
	"paydesk/screens/list"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Options of New.
type Options struct {
	Log     *Log
	Version string
	// Kept has the answers to a request that are kept.
	Kept func(profile string, about nav.Raw) []session.KeptAnswer
}

// A Model is the screen. It shows a request as soon as it has ended.
type Model struct {
	*list.Model[row]
	options Options
	entries []Entry
}

// A row is a request, or one that was answered the same again and again, as polls are, with the latest first: its line
// stands for all of them.
type row struct {
	Entry
	times int
	first Entry // of them, the oldest
}

// folded makes rows of entries. Only reads that were answered are folded, any pages of a list too, and none across another request:
// what was sent, or went wrong, keeps its place between them.
func folded(entries []Entry) (rows []row) {
	at := map[string]int{}
	for _, e := range entries {
		if e.Method != "GET" || e.Outcome != api.OutcomeAnswered || e.Try > 1 || e.Why != "" {
			clear(at)
			rows = append(rows, row{e, 1, e})
			continue
		}
		list, _, _ := strings.Cut(e.Path, "?")
		kind := fmt.Sprint(list, "\n", e.Host, "\n", e.Profile, "\n", e.Status)
		i, again := at[kind]
		if !again {
			at[kind], i = len(rows), len(rows)
			rows = append(rows, row{Entry: e})
		}
		rows[i].times, rows[i].first = rows[i].times+1, e
	}
	return rows
}

// New returns the screen.
func New(t *ui.Theme, o Options) *Model {
	m := &Model{options: o}
	m.Model = list.New(t, list.Of[row]{
		Title: "Requests", One: "request", Many: "requests", Columns: m.columns,
		ID:   func(r row) string { return fmt.Sprint(r.first.N) },
		Read: m.read, Wait: m.wait,
		Words: m.words, None: func() (string, key.Binding) {
			return "No request has ended since paydesk was started.", ui.Bind("i", "diagnostics")
		},
		Report: m.report, Below: func() int { return 4 }, Commands: m.commands,
	})
	return m
}

// read lists what is kept.
func (m *Model) read(list.Want[row]) list.Reading[row] {
	log := m.options.Log
	return func(context.Context) (list.Rows[row], error) {
		entries := log.Entries()
		rows := list.All(folded(entries))
		rows.Keep = func() { m.entries = entries }
		return rows, nil
	}
}

// wait waits for the next request.
func (m *Model) wait() list.Background {
	seen := 0
	if len(m.entries) > 0 {
		seen = m.entries[0].N
	}
	log := m.options.Log
	return func(ctx context.Context) (func(), error) { return nil, log.Wait(ctx, seen) }
}

// commands are the keys of the list.
func (m *Model) commands() ui.Commands {
	return slices.Concat(ui.Commands{m.On(ui.Bind("enter", "open"), nil, m.openRequest), m.Follow()}, m.requestCommands(), ui.Commands{
		{Key: ui.Bind("w", "file"), On: true, Do: m.openFile},
		{Key: ui.Bind("i", "diagnostics"), On: true, Do: func() tea.Cmd { return nav.Open(nav.Diagnostics{}) }},
	})
}

// requestCommands are the keys for the request that is open, or selected.
func (m *Model) requestCommands() ui.Commands {
	return ui.Commands{
		m.On(ui.Bind("y", "copy"), whyNoReference, func(r row) tea.Cmd { return m.CopyName("reference", r.Reference) }),
		m.On(ui.Bind("Y", "ticket"), nil, func(r row) tea.Cmd {
			return m.Copy("ticket", "paydesk "+m.options.Version+" | "+r.String())
		}),
		m.On(ui.Bind("v", "last raw answer"), m.whyNotRaw, func(r row) tea.Cmd { return nav.Open(raw(r)) }),
	}
}

func whyNoReference(r row) string {
	if r.Reference == "" {
		return "This request has no reference."
	}
	return ""
}

// raw is the last answer to the operation of a request, about the same subject.
func raw(r row) nav.Raw {
	return nav.Raw{Operation: r.Operation, Reference: api.Reference(r.Reference), Attempt: ledger.ID(r.Attempt)}
}

func (m *Model) whyNotRaw(r row) string {
	if len(m.options.Kept(r.Profile, raw(r))) == 0 {
		return "No answer to this request is kept."
	}
	return ""
}

// openFile asks where to write what is kept now.
func (m *Model) openFile() tea.Cmd {
	log, head := m.options.Log, "paydesk "+m.options.Version+", requests of one session, newest first, written "+m.Scope.Now().Format(time.RFC3339)+"\n\n"
	return m.Save(detail.TextFile(m.words(), "requests", ".txt", func(w io.Writer) error {
		_, err := io.WriteString(w, head+strings.Join(log.lines(), "\n")+"\n")
		return err
	}))
}

// Explain is the text of the help page.
func (m *Model) Explain() []string {
	return []string{
		"The requests that have ended since paydesk was started, newest first, each with its outcome.",
		"The newest " + present.Thousands(Capacity) + " are kept, in memory only. A read that is retried has a line for each try. Reads with the same answer share a line, with a count, " +
			"and so do the pages of a list. Of the pages that a search of all transactions reads, the newest " + present.Thousands(ScanCapacity) + " are kept.",
		"The log has no bodies, keys or card numbers. An answer beside its request is the one that v shows. " + present.Unresolved +
			": it is not known whether it was carried out.",
	}
}
