package screens

import (
	"context"
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/bundle"
	"paydesk/screens/nav"
	"paydesk/screens/requests"
	"paydesk/ui"
)

// A requestsKey is the feature that opens the request log over any screen, which stays as it is: what
// just failed is there. Only the help page lists its key.
type requestsKey struct {
	plain
	app *App
}

var toRequests = ui.Bind("f2", "requests")

func (r *requestsKey) offered() bool { return r.app.env.Requests != nil && !r.app.idle.hidden }

// open reports whether the log is open already.
func (r *requestsKey) open() bool {
	return slices.ContainsFunc(r.app.stack, func(m mount) bool {
		_, is := m.screen.(*requests.Model)
		return is
	})
}

// arrange adds the key to those of the help page.
func (r *requestsKey) arrange(keys []key.Binding) []key.Binding {
	if !r.offered() || r.open() {
		return keys
	}
	return append(keys, toRequests)
}

// Press implements [feature].
func (r *requestsKey) Press(k tea.KeyPressMsg) (tea.Cmd, bool) {
	if !key.Matches(k, toRequests) || !r.offered() {
		return nil, false
	}
	return r.app.openOver(nav.Requests{}, r.open()), true
}

// gather returns the function that makes the text of the diagnostic bundle.
func (a *App) gather() func(context.Context) string {
	from := bundle.Sources{
		Version: a.env.Version, Config: a.env.ConfigPath, Profile: a.conn.profile,
		Requests: a.env.Requests, Reports: a.env.Reports,
		Terminal: append([]string{fmt.Sprintf("size: %d×%d", a.w, a.h)}, a.answers.lines...),
	}
	if a.conn.open() {
		from.Journal, from.Secret = a.conn.Journal, a.conn.key.Expose()
	}
	if a.conn.profile.Name != "" && a.conn.profile.Environment != keystore.Sandbox {
		from.Doctor = a.env.Doctor
	}
	return func(ctx context.Context) string {
		from.Now = time.Now()
		return bundle.Text(ctx, from)
	}
}
