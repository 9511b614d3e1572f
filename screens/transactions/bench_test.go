package transactions

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/listing"
	"paydesk/ui"
)

// run executes a command and what follows from it, beside each other as in the program, until the screen waits for nothing but time.
func run(m *Model, cmd tea.Cmd) {
	replies := make(chan ui.Reply, 100)
	var execute func(tea.Cmd)
	execute = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		go func() {
			switch msg := cmd().(type) {
			case tea.BatchMsg:
				for _, one := range msg {
					execute(one)
				}
			case ui.Reply:
				replies <- msg
			}
		}()
	}
	for execute(cmd); m.call.Pending() || m.prefetchCall.Pending() || m.Reading(); {
		execute((<-replies).Deliver())
	}
}

func opened(b *testing.B, rows int) (*Model, map[int]api.Page) {
	pages := map[int]api.Page{}
	for n := 1; (n-1)*100 < rows; n++ {
		pages[n] = honestPage(rows, n, 100)
	}
	l := &fakeLister{answer: func(page, per int) (api.Page, error) { return pages[page], nil }}
	m := New(ui.NewTheme(false), l, Options{})
	m.Resize(118, 104)
	var w ui.Work
	run(m, m.Init(ui.NewScope(b.Context(), &w, &ui.Clock{}, m)))
	return m, pages
}

var sink string

// BenchmarkPageTurn is a turn and the frame after it, with the page there already.
func BenchmarkPageTurn(b *testing.B) {
	m, _ := opened(b, 1000)
	next, first := tea.KeyPressMsg{Code: ']', Text: "]"}, tea.KeyPressMsg{Code: '{', Text: "{"}
	b.ReportAllocs()
	for b.Loop() {
		k := next
		if m.shown.number == 10 {
			k = first
		}
		run(m, m.Update(k))
		sink, _ = m.View()
	}
}

// BenchmarkTenThousandRows is a walk through a hundred pages of a hundred rows.
func BenchmarkTenThousandRows(b *testing.B) {
	next := tea.KeyPressMsg{Code: ']', Text: "]"}
	b.ReportAllocs()
	for b.Loop() {
		m, _ := opened(b, 0)
		m.lister = listOf(10_000)
		run(m, m.restart(100, 1, 0))
		for m.shown.number < 100 {
			run(m, m.Update(next))
			sink, _ = m.View()
		}
	}
}

// BenchmarkMove is one step of the selection and the frame after it.
func BenchmarkMove(b *testing.B) {
	m, _ := opened(b, 1000)
	down, up := tea.KeyPressMsg{Code: tea.KeyDown}, tea.KeyPressMsg{Code: tea.KeyUp}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k := down
		if i%20 >= 10 {
			k = up
		}
		m.Update(k)
		sink, _ = m.View()
	}
}

// read is the screen over a scan that has read some rows.
func read(b *testing.B, rows int) *Model {
	all := make([]api.Transaction, rows)
	for i := range all {
		all[i] = row(i)
	}
	s := listing.State{Phase: listing.Done, Rows: listing.Of(all...), Read: rows, Total: rows, Counted: true, Verdict: listing.Verdict{Trusted: true}}
	m := New(ui.NewTheme(false), listOf(rows), Options{Scans: fixedScanner{s}})
	m.Resize(118, 40)
	var w ui.Work
	run(m, m.Init(ui.NewScope(b.Context(), &w, &ui.Clock{}, m)))
	return m
}

// BenchmarkMoveInAHundredThousand is one step of the selection over what a scan has read, and the frame after it.
func BenchmarkMoveInAHundredThousand(b *testing.B) {
	m := read(b, 100_000)
	down, up := tea.KeyPressMsg{Code: tea.KeyPgDown}, tea.KeyPressMsg{Code: tea.KeyPgUp}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k := down
		if i%20 >= 10 {
			k = up
		}
		m.Update(k)
		sink, _ = m.View()
	}
}

// BenchmarkKeyOfASearch is a key typed into the search over a hundred thousand rows, and the frame after it; the rows are
// found meanwhile.
func BenchmarkKeyOfASearch(b *testing.B) {
	m := read(b, 100_000)
	m.Update(tea.KeyPressMsg{Code: '/', Text: "/"})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k := tea.KeyPressMsg{Code: '5', Text: "5"}
		if i%2 == 1 {
			k = tea.KeyPressMsg{Code: tea.KeyBackspace}
		}
		m.Update(k)
		sink, _ = m.View()
	}
}

// BenchmarkFind is all of what a key typed into the search does, with the rows that it finds.
func BenchmarkFind(b *testing.B) {
	m := read(b, 100_000)
	m.Update(tea.KeyPressMsg{Code: '/', Text: "/"})
	for i := 0; b.Loop(); i++ {
		k := tea.KeyPressMsg{Code: '5', Text: "5"}
		if i%2 == 1 {
			k = tea.KeyPressMsg{Code: tea.KeyBackspace}
		}
		run(m, m.Update(k))
		sink, _ = m.View()
	}
}
