package screens

import (
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/keystore"
	"paydesk/screens/home"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/ui"
)

// A room is a main screen, which the frame lists by its name, in a narrow window by the short one. Its number leads there from any
// other. What is typed or half done stays below, and esc leads back to it. A list with nothing open over it is
// kept, and opens with its search and its mark. Everything else is left.
type room struct {
	Key                key.Binding
	To                 nav.Route
	Name, short, About string
}

// rooms returns all of them, numbered without gaps: those that are not always there come last.
func (a *App) rooms() (all []room) {
	add := func(to nav.Route, name, short, about string) {
		all = append(all, room{ui.Bind(strconv.Itoa(len(all)+1), name), to, name, short, about})
	}
	add(nav.Home{}, "Home", "", "what needs a person")
	add(nav.Transactions{}, "Transactions", "Trans.", "the service's own list")
	add(nav.Activity{}, "Activity", "Act.", "everything sent from paydesk")
	add(nav.Links{}, "Links", "", "payment links created here")
	if a.env.Events != nil {
		add(nav.Inbox{}, "Inbox", "", "webhooks that arrived")
	}
	if a.env.ConfigPath != "" {
		add(nav.Profiles{}, "Profiles", "Prof.", "services and their keys")
	}
	if a.conn.profile.Environment == keystore.Sandbox || a.demo.open() {
		add(nav.Sandbox{}, "Sandbox", "Sandb.", "decide how payments end")
	}
	return all
}

// otherRooms are what home lists below its menu.
func (a *App) otherRooms() (all []home.Way) {
	for _, to := range a.rooms()[1:] {
		all = append(all, home.Way{Key: to.Key, Name: to.Name, About: to.About})
	}
	return all
}

// numbered reports whether the numbers lead anywhere: a profile is open, and what is shown is not
// there to be filled in.
func (a *App) numbered() bool {
	if len(a.stack) == 0 {
		return false
	}
	if a.start.home != nil { // the numbers are kept until it is open
		return true
	}
	filledIn := a.wholeMount().isOf(nav.Collect{}, nav.NewLink{}, nav.Key{}, nav.Unlock{}, nav.EnvCheck{})
	return !filledIn && !a.idle.hidden && a.conn.open() && a.stack[0].isOf(nav.Home{})
}

// roomList returns them as the frame draws them.
func (a *App) roomList() []ui.Room {
	if !a.numbered() {
		return nil
	}
	all := a.rooms()
	here := a.here(all)
	list := make([]ui.Room, len(all))
	for i, to := range all {
		list[i] = ui.Room{Key: to.Key.Help().Key, Name: to.Name, Short: to.short, Here: i == here}
	}
	return list
}

// numbers are the keys of the rooms. The frame shows them, and the help page lists them apart.
func (a *App) numbers() (cs ui.Commands) {
	if !a.numbered() || a.top().Typing() {
		return nil
	}
	for _, to := range a.rooms() {
		cs = append(cs, ui.Command{Key: to.Key, On: true, Do: func() tea.Cmd { return a.openRoom(to) }})
	}
	return cs
}

// here returns the index of the room that the screen on top was reached from.
func (a *App) here(all []room) int {
	for _, m := range slices.Backward(a.stack) {
		if at := slices.IndexFunc(all, func(to room) bool { return m.isOf(to.To) }); at >= 0 {
			return at
		}
	}
	return 0
}

// openRoom goes to a room.
func (a *App) openRoom(to room) tea.Cmd {
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
			a.keepList(top)
		}
		covered = top.part
	}
	if toHome && isHome {
		uncovered := a.uncover(true)
		if h, is := a.top().(*home.Model); is {
			h.MarkUrgent()
		}
		return uncovered
	}
	return a.push(to.To)
}

// keepList keeps the list of a room that is left, in place of another that was. The sandbox begins anew each time, at its newest payment.
func (a *App) keepList(m mount) {
	_, isList := m.screen.(ui.Pauser)
	if !isList || m.isOf(nav.Sandbox{}) || !slices.ContainsFunc(a.rooms()[1:], func(r room) bool { return r.To == m.route }) {
		return
	}
	endNews(m.screen)
	a.drafts.take(m.route)
	a.drafts.left = append(a.drafts.left, m)
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
