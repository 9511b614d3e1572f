package activity

import (
	"context"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

// run executes a command and passes its messages to the screen, until there are none left.
func run(m *Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			run(m, c)
		}
	case ui.Reply:
		run(m, msg.Deliver())
	}
}

// openSync is the screen after its first results, without a terminal.
func openSync(t testing.TB, b Journal) (*Model, string) {
	m := New(screentest.Theme, Options{Journal: b, Here: func() ledger.Destination { return here }})
	m.Resize(ui.BodySize(120, 40))
	var w ui.Work
	run(m, m.Init(ui.NewScope(context.Background(), &w, &ui.Clock{}, m)))
	view, _ := m.View()
	return m, view
}

// hundredThousand is created once, which takes a minute or two.
var hundredThousand = sync.OnceValues(func() (*journal.Journal, error) { return filled(100_000, time.Minute) })

func large(b *testing.B) *journal.Journal {
	j, err := hundredThousand()
	if err != nil {
		b.Fatal(err)
	}
	return j
}

// BenchmarkFirstFrame opens the screen on a journal of 100,000 attempts, reads what it
// needs and draws one frame.
func BenchmarkFirstFrame(b *testing.B) {
	j := large(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, view := openSync(b, j); len(view) < 1000 {
			b.Fatal(view)
		}
	}
}

// BenchmarkEndAndBack goes to the oldest of 100,000 attempts and back to the newest.
func BenchmarkEndAndBack(b *testing.B) {
	m, _ := openSync(b, large(b))
	b.ReportAllocs()
	for b.Loop() {
		run(m, m.Update(tea.KeyPressMsg{Code: tea.KeyEnd}))
		run(m, m.Update(tea.KeyPressMsg{Code: tea.KeyHome}))
		m.View()
	}
}

// BenchmarkPageDown turns pages through 100,000 attempts, with the reading.
func BenchmarkPageDown(b *testing.B) {
	m, _ := openSync(b, large(b))
	b.ReportAllocs()
	for b.Loop() {
		run(m, m.Update(tea.KeyPressMsg{Code: tea.KeyPgDown}))
		m.View()
	}
}
