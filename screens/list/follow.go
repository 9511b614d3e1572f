package list

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/present"
	"paydesk/ui"
)

const (
	betweenReads = 250 * time.Millisecond // however fast rows arrive
	afterProblem = 5 * time.Second        // until they are read again
)

// An again says that the rows may be read again.
type again struct{}

// await waits until there are other rows, and reads them.
func (m *Model[R]) await() tea.Cmd {
	if m.of.Wait == nil || m.covered || m.waiting.Pending() {
		return nil
	}
	return m.waiting.Then(func(a ui.Result[func()]) tea.Cmd {
		if a.Value != nil {
			a.Value()
		}
		switch early := betweenReads - m.Scope.Now().Sub(m.read.at); {
		case a.Err != nil:
			return m.failed(a.Err)
		case early > 0:
			return m.Scope.After(early, again{})
		}
		return m.Refresh()
	}).Ask(m.Scope, m.of.Wait())
}

// failed says why the rows, or new ones, cannot be read. A list that follows tries it again.
func (m *Model[R]) failed(err error) tea.Cmd {
	if m.problem = (present.Problem{What: present.Sentence(err.Error())}); m.of.Problem != nil {
		m.problem = m.of.Problem(err)
	}
	m.Layout()
	if m.of.Wait == nil {
		return nil
	}
	return m.Scope.After(afterProblem, again{})
}

// Stop ends the following: the marked row stays where it is.
func (m *Model[R]) Stop() {
	if m.follows && m.rows.Count > 0 {
		m.follows, m.stopped = false, m.all()
	}
}

// Follow is the key that lets the list stand still, or marks the newest row again and follows what arrives.
func (m *Model[R]) Follow() ui.Command {
	does := "follow"
	if m.follows {
		does = "pause"
	}
	return ui.Command{Key: ui.Bind("space", does), On: m.rows.Count > 0, Do: func() tea.Cmd {
		if m.follows {
			m.Stop()
			return nil
		}
		m.follows = true
		m.table.Select(0)
		return m.Refresh()
	}}
}

// all returns how many rows there are, whatever the query finds.
func (m *Model[R]) all() int { return max(m.rows.Count, m.rows.Whole.Count) }

// Covered reports whether another screen is on top.
func (m *Model[R]) Covered() bool { return m.covered }
