package screens

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A rekey is the feature that replaces a key the service rejects, on every screen. What is below
// stays as it is.
type rekey struct {
	app *App
}

var anotherKey = ui.Bind("ctrl+g", "another key")

// offered reports whether another key is to be offered: the service rejects the present one, and
// no other is being asked for already.
func (r *rekey) offered() bool {
	return !r.app.topMount().isOf(nav.Key{}) && r.app.conn.refused()
}

// Commands are the key for another one.
func (r *rekey) Commands() ui.Commands {
	if !r.offered() {
		return nil
	}
	return ui.Commands{{Key: anotherKey, On: true, Do: r.replace}}
}

func (r *rekey) replace() tea.Cmd {
	if r.app.work.Busy() {
		return r.app.warn("A request is in progress. Change the key once it has been answered.")
	}
	return r.app.push(nav.Key{Profile: r.app.conn.profile, Replace: true})
}

// Notice says that the service rejects the key.
func (r *rekey) Notice() ui.Notice {
	if !r.offered() {
		return ui.Notice{}
	}
	return ui.Notice{Tone: ui.ToneBad, Text: rejectedNotice}
}

const rejectedNotice = present.KeyRejected + ": ctrl+g to enter another."

// once leaves out the notice where the body says it already: the first key below says what comes next.
func (r *rekey) once(n ui.Notice, body string) ui.Notice {
	if n.Text == rejectedNotice && strings.Contains(body, present.KeyRejected) {
		return ui.Notice{}
	}
	return n
}

// renew goes on with another key. Each screen may take up again what it gave up.
func (r *rekey) renew(msg nav.Rekey) tea.Cmd {
	r.app.conn.renew(r.app.env, msg)
	all := []tea.Cmd{r.app.idle.unlock()}
	for _, m := range r.app.stack {
		if s, ok := m.screen.(ui.Renewer); ok {
			all = append(all, fromScreen(m.screen, s.Renewed()))
		}
	}
	return tea.Batch(all...)
}
