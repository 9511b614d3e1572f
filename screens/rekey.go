package screens

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

var anotherKey = ui.Bind("ctrl+g", "another key")

// wantsKey reports whether another key is to be offered, on whichever screen: the service rejects the present one, and
// no other is being asked for already.
func (a *App) wantsKey() bool { return !a.topMount().isOf(nav.Key{}) && a.conn.refused() }

// rekey replaces a key that the service rejects. What is below stays as it is.
func (a *App) rekey() ui.Commands {
	if !a.wantsKey() {
		return nil
	}
	return ui.Commands{{Key: anotherKey, On: true, Do: a.replaceKey}}
}

func (a *App) replaceKey() tea.Cmd {
	if a.work.Busy() {
		return a.warn("A request is in progress. Change the key once it has been answered.")
	}
	return a.push(nav.Key{Profile: a.conn.profile, Replace: true})
}

// rejectedNews says that the service rejects the key.
func (a *App) rejectedNews() ui.Notice {
	if !a.wantsKey() {
		return ui.Notice{}
	}
	return ui.Notice{Tone: ui.ToneBad, Text: rejectedNotice}
}

const rejectedNotice = present.KeyRejected + ": ctrl+g to enter another."

// once leaves out that notice where the body says it already: the first key below says what comes next.
func (a *App) once(n ui.Notice, body string) ui.Notice {
	if n.Text == rejectedNotice && strings.Contains(body, present.KeyRejected) {
		return ui.Notice{}
	}
	return n
}

// renew goes on with another key. Each screen may take up again what it gave up.
func (a *App) renew(msg nav.Rekey) tea.Cmd {
	a.conn.renew(a.env, msg)
	all := []tea.Cmd{a.idle.unlock()}
	for _, m := range a.stack {
		if s, ok := m.screen.(ui.Renewer); ok {
			all = append(all, fromScreen(m.screen, s.Renewed()))
		}
	}
	return tea.Batch(all...)
}
