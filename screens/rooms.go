package screens

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/home"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/ui"
)

// A rooms is the feature that leads from one of the main screens to another by its number. What is
// typed or half done stays below, and esc leads back to it. A list with nothing open over it is kept, and opens with its search and
// its mark. Everything else is left.
type rooms struct {
	app *App
}

// A room is a main screen, which home lists in its menu and the frame by its name, in a narrow window by the short one.
type room struct {
	home.Way
	short string
}

// all returns the rooms, numbered without gaps: those that are not always there come last.
func (r *rooms) all() (all []room) {
	add := func(to nav.Route, name, short, about, more string) {
		number := ui.Bind(strconv.Itoa(len(all)+1), name)
		all = append(all, room{home.Way{Key: number, To: to, Name: name, About: about, More: more}, short})
	}
	add(nav.Home{}, "Home", "", "", "")
	add(nav.Transactions{}, "Transactions", "Trans.", "all of them, as one list",
		"The service's own list of payments. Those made from here and from elsewhere are in it.")
	add(nav.Activity{}, "Activity", "Act.", "everything sent from paydesk",
		"What was sent from this machine, what came of it, and what was decided about it.")
	add(nav.Links{}, "Links", "", "payment links created here",
		"The links that were created from here, and how often each was paid.")
	if r.app.env.Events != nil {
		add(nav.Inbox{}, "Inbox", "", "webhooks that arrived",
			"What the service has posted to this machine, and whether its answers say the same.")
	}
	if r.app.env.ConfigPath != "" {
		add(nav.Profiles{}, "Profiles", "Prof.", "switch, add or change profiles",
			"A profile is an address of the service, and where its secret key is kept.")
	}
	if r.app.conn.profile.Environment == keystore.Sandbox || r.app.demo.open() {
		add(nav.Sandbox{}, "Sandbox", "Sandb.", "decide how payments end",
			"Play the bank and the customer: approve, decline, settle, and make the service fail on purpose.")
	}
	return all
}

// ways are the rooms that home leads to.
func (r *rooms) ways() (all []home.Way) {
	for _, to := range r.all()[1:] {
		all = append(all, to.Way)
	}
	return all
}

// offered reports whether the numbers lead anywhere: a profile is open, and what is shown is not
// there to be filled in.
func (r *rooms) offered() bool {
	a := r.app
	if len(a.stack) == 0 {
		return false
	}
	if a.start.home != nil { // the numbers are kept until it is open
		return true
	}
	filledIn := a.wholeMount().isOf(nav.Collect{}, nav.NewLink{}, nav.Key{}, nav.Unlock{}, nav.EnvCheck{}, nav.IdleLock{})
	return !filledIn && a.conn.open() && a.stack[0].isOf(nav.Home{})
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
		list[i] = ui.Room{Key: to.Key.Help().Key, Name: to.Name, Short: to.short, Here: i == here}
	}
	return list
}

// Commands are the numbers. The frame shows them, and the help page lists them apart.
func (r *rooms) Commands() (cs ui.Commands) {
	if !r.offered() || r.app.top().Typing() {
		return nil
	}
	for _, to := range r.all() {
		cs = append(cs, ui.Command{Key: to.Key, On: true, Do: func() tea.Cmd { return r.open(to) }})
	}
	return cs
}

// here returns the index of the room that the screen on top was reached from.
func (r *rooms) here(all []room) int {
	for _, m := range slices.Backward(r.app.stack) {
		if at := slices.IndexFunc(all, func(to room) bool { return m.isOf(to.To) }); at >= 0 {
			return at
		}
	}
	return 0
}

// open goes to a room.
func (r *rooms) open(to room) tea.Cmd {
	a := r.app
	if a.topMount().isOf(to.To) {
		return a.warn("This is " + to.Name + " already.")
	}
	toHome := to.To == nav.Route(nav.Home{})
	keep, isHome := 1, true // what is kept, up to a home or to a screen over which another is opened
	for at, m := range a.stack {
		if is := m.isOf(nav.Home{}); m.holds(toHome) || toHome && is {
			keep, isHome = at+1, is
		}
	}
	for covered := false; len(a.stack) > keep; a.pop() {
		top := a.topMount()
		if !covered {
			r.keep(top)
		}
		covered = top.part
	}
	if toHome && isHome {
		return a.uncover(true)
	}
	return a.push(to.To)
}

// keep keeps the list of a room that is left, in place of another that was.
func (r *rooms) keep(m mount) {
	_, isList := m.screen.(ui.Pauser)
	if !isList || !slices.ContainsFunc(r.all()[1:], func(r room) bool { return r.To == m.route }) {
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
	if m.isOf(nav.Collect{}, nav.NewLink{}) || !home && m.isOf(nav.Challenge{}, nav.Transfer{}, nav.Finalize{}) {
		return true
	}
	if p, is := m.screen.(*payment.Model); is && !home && p.UnderWay() {
		return true
	}
	if h, is := m.screen.(ui.Holder); is && h.Holds() {
		return true
	}
	l, is := m.screen.(ui.Leaver)
	return is && l.WhyStay() != ""
}
