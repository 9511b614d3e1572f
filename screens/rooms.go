package screens

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/activity"
	"paydesk/screens/collect"
	"paydesk/screens/home"
	"paydesk/screens/inbox"
	"paydesk/screens/keys"
	"paydesk/screens/links"
	"paydesk/screens/lock"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/sandbox"
	"paydesk/screens/transactions"
	"paydesk/ui"
)

// A rooms is the feature that leads from one of the main screens to another by its number. What is
// typed or half done stays below, and esc leads back to it. A list with nothing open over it is kept, and opens with its search and
// its mark. Everything else is left.
type rooms struct {
	plain
	app *App
}

// A room is a main screen.
type room struct {
	key, name, short string
	to               nav.Route
	shows            func(ui.Screen) bool
}

// all returns the rooms, numbered without gaps: those that are not always there come last. The menu of home
// has the same order.
func (r *rooms) all() []room {
	all := []room{
		{"", "Home", "", nav.Home{}, shows[*home.Model]},
		{"", "Transactions", "Trans.", nav.Transactions{}, shows[*transactions.Model]},
		{"", "Activity", "Act.", nav.Activity{}, shows[*activity.Model]},
		{"", "Links", "", nav.Links{}, shows[*links.Model]},
	}
	if r.app.env.Events != nil {
		all = append(all, room{"", "Inbox", "", nav.Inbox{}, shows[*inbox.Model]})
	}
	if r.app.env.ConfigPath != "" {
		all = append(all, room{"", "Profiles", "Prof.", nav.Profiles{}, shows[*keys.Profiles]})
	}
	if r.app.conn.profile.Environment == keystore.Sandbox && r.app.env.Sandbox != nil || r.app.demo.open() {
		all = append(all, room{"", "Sandbox", "Sandb.", nav.Sandbox{}, shows[*sandbox.Model]})
	}
	for i := range all {
		all[i].key = strconv.Itoa(i + 1)
	}
	return all
}

func shows[S ui.Screen](s ui.Screen) bool {
	_, is := s.(S)
	return is
}

// offered reports whether the numbers lead anywhere: a profile is open, and what is shown is not
// there to be filled in.
func (r *rooms) offered() bool {
	a := r.app
	if a.idle.hidden || len(a.stack) == 0 {
		return false
	}
	if a.start.home != nil { // the numbers are kept until it is open
		return true
	}
	switch a.whole().(type) {
	case *collect.Model, *links.Form, *keys.Entry, *lock.Unlock, *lock.Environment:
		return false
	}
	return a.conn.open() && shows[*home.Model](a.stack[0].screen)
}

// list returns them as the frame draws them.
func (r *rooms) list() []ui.Room {
	if !r.offered() {
		return nil
	}
	all := r.all()
	here := r.here(all)
	list := make([]ui.Room, len(all))
	for i, to := range all {
		list[i] = ui.Room{Key: to.key, Name: to.name, Short: to.short, Here: to.key == here}
	}
	return list
}

// Commands implements [feature]. The frame shows the numbers, and the help page lists them apart.
func (r *rooms) Commands() (cs ui.Commands) {
	if !r.offered() || r.app.top().Typing() {
		return nil
	}
	for _, to := range r.all() {
		cs = append(cs, ui.Command{Key: ui.Bind(to.key, to.name), On: true, Do: func() tea.Cmd { return r.open(to) }})
	}
	return cs
}

// here returns the number of the room that the screen on top was reached from.
func (r *rooms) here(all []room) string {
	for _, m := range slices.Backward(r.app.stack) {
		for _, to := range all {
			if to.shows(m.screen) {
				return to.key
			}
		}
	}
	return all[0].key
}

// open goes to a room.
func (r *rooms) open(to room) tea.Cmd {
	a := r.app
	if to.shows(a.top()) {
		a.hint = "This is " + to.name + " already."
		return nil
	}
	keep := 1 // home
	for at := range a.stack {
		if a.stack[at].holds(to.to == nav.Route(nav.Home{})) {
			keep = at + 1
		}
	}
	for covered := false; len(a.stack) > keep; a.pop() {
		top := a.stack[len(a.stack)-1]
		if !covered {
			r.keep(top)
		}
		covered = top.part
	}
	if to.to == nav.Route(nav.Home{}) && keep == 1 {
		return a.uncover(true)
	}
	return a.push(to.to)
}

// keep keeps the list of a room that is left, in place of another that was.
func (r *rooms) keep(m mount) {
	_, isList := m.screen.(ui.Pauser)
	if !isList || !slices.ContainsFunc(r.all()[1:], func(r room) bool { return r.to == m.route }) {
		return
	}
	endNews(m.screen)
	r.app.drafts.take(m.route)
	r.app.drafts.left = append(r.app.drafts.left, m)
}

// holds reports whether leaving a screen would lose something: what was typed, what is being
// sent or, unless the way leads home, which lists it, the place in a payment that is not
// final.
func (m mount) holds(home bool) bool {
	switch s := m.screen.(type) {
	case *collect.Model, *links.Form:
		return true
	case *payment.BankCheck, *payment.Transfer, *payment.Finalize:
		if !home {
			return true
		}
	case *payment.Model:
		if !home && s.UnderWay() {
			return true
		}
	case ui.Holder:
		if s.Holds() {
			return true
		}
	}
	l, is := m.screen.(ui.Leaver)
	return is && l.WhyStay() != ""
}
