package screens

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"paydesk/api/session"
	"paydesk/keystore"
	"paydesk/screens/activity"
	"paydesk/screens/attempt"
	"paydesk/screens/collect"
	"paydesk/screens/detail"
	"paydesk/screens/home"
	"paydesk/screens/inbox"
	"paydesk/screens/keys"
	"paydesk/screens/links"
	"paydesk/screens/lock"
	"paydesk/screens/nav"
	"paydesk/screens/payment"
	"paydesk/screens/present"
	"paydesk/screens/requests"
	"paydesk/screens/sandbox"
	"paydesk/screens/transactions"
	"paydesk/ui"
)

// build turns a route into its screen: the one list of screens.
func (a *App) build(r nav.Route) ui.Screen {
	t, place, s := a.env.Theme, a.conn.target(), a.conn.Session
	if s == nil { // the key of the profile is asked for
		s = &session.Session{}
	}
	d := s.Tracker
	switch r := r.(type) {
	case nav.Over:
		if f, is := r.Screen.(*detail.FileForm); is { // where one file went, the next will
			f.Offer(a.env.Folder, func(folder string) { a.env.Folder = func() string { return folder } })
		}
		return r.Screen
	case nav.Setup:
		folder := keystore.Folder(a.env.ConfigPath)
		return keys.NewSetup(t, keys.SetupOptions{Folder: folder, Writable: folder.Writable, Served: a.served(), Demo: a.env.Demo, Keyring: a.env.Keyring})
	case nav.Key:
		return a.keys(r)
	case nav.Ready:
		return keys.NewReady(t, a.readyOptions())
	case nav.Profiles:
		return keys.NewProfiles(t, a.profilesOptions())
	case nav.Doctor:
		return keys.NewDoctor(t, r.Profile.Name, func(ctx context.Context) []keystore.Finding { return a.env.Doctor(ctx, r.Profile) })
	case nav.NewLink:
		return a.newLink(r, d)
	case nav.Share:
		return links.NewShare(t, s.Recorder, r)
	case nav.Collect:
		return collect.New(t, d, a.collectOptions(r, s))
	case nav.Challenge:
		return payment.NewBankCheck(t, d, d, a.env.Browser, r.Reference)
	case nav.Transfer:
		return payment.NewTransfer(t, d, r.Reference)
	case nav.Finalize:
		return payment.NewFinalize(t, d, d, place, r.Reference)
	case nav.Payment:
		if r.Ask || r.Reference == "" {
			return payment.NewPrompt(t, d, r)
		}
		m := payment.New(t, s.Watches, d, a.alerts, s.Here(), r.Reference)
		m.Inbox = s.Events != nil
		return m
	case nav.Attempt:
		return attempt.New(t, s.Journal, d, s.Here(), s.Scans.State, r)
	case nav.Activity:
		return activity.New(t, a.activityOptions(s))
	case nav.Links:
		return links.New(t, s.Recorder)
	case nav.Transactions:
		return transactions.New(t, d, a.transactionsOptions(s))
	case nav.IdleLock:
		return lock.NewIdle(t, a.conn.profile, s.Gate.Live())
	case nav.Unlock:
		return lock.NewUnlock(t, a.conn.profile, place, a.sendLock.unlock)
	case nav.EnvCheck:
		seen := s.Gate.Evidence()
		return lock.NewEnvironment(t, place, seen, func() tea.Cmd { return a.sendLock.acknowledge(len(seen)) })
	case nav.Loss:
		seen := s.Journal.KnownLosses()
		return lock.NewLoss(t, seen, func() tea.Cmd { return a.sendLock.acknowledgeLosses(seen) })
	case nav.Raw:
		return detail.NewRaw(t, d, session.Subject(r))
	case nav.Requests:
		return requests.New(t, requests.Options{Log: a.env.Requests, Version: a.env.Version, Kept: a.answersKept})
	case nav.Diagnostics:
		return requests.NewDiagnostics(t, requests.DiagnosticsOptions{Gather: a.gather(), Limit: keystore.DoctorLimit})
	case nav.Sandbox:
		return sandbox.New(t, a.demo.sandbox())
	case nav.Inbox:
		return inbox.New(t, a.inboxOptions(r, s))
	case nav.Home:
		return home.New(t, d, a.homeOptions(s))
	}
	panic(fmt.Sprintf("there is no screen for the route %T", r))
}

// answersKept are the answers about a subject that the open session has.
func (a *App) answersKept(profile string, about nav.Raw) []session.KeptAnswer {
	if !a.conn.open() || a.conn.profile.Name != profile {
		return nil
	}
	return a.conn.Kept(session.Subject(about))
}

// keys asks for the key of a profile. One that is opened again has no connection yet; the
// frame says whose key is asked for.
func (a *App) keys(r nav.Key) *keys.Entry {
	o := keys.EntryOptions{Key: r, Store: a.env.Store, Folder: a.env.ConfigPath, Keyring: a.env.Keyring}
	o.Verify = func(ctx context.Context, p keystore.Profile, k keystore.Key) error {
		service, err := a.env.Dial(p, keystore.NewKeyHolder(k))
		if err == nil {
			_, err = service.Transactions(ctx, 1, 1)
		}
		return err
	}
	if a.env.ConfigPath != "" && !r.First && r.Profile.Environment != keystore.Sandbox {
		o.SetSource = keystore.Folder(a.env.ConfigPath).SetSource
	}
	switch {
	case r.Replace:
		o.Refused = a.conn.lastFour
	case r.Return:
	default:
		a.disconnect()
		a.conn.profile = r.Profile
	}
	return keys.NewEntry(a.env.Theme, o)
}

// connect opens a profile and begins at home.
func (a *App) connect(c nav.Connect) tea.Cmd {
	conn, err := a.env.connect(a.ctx, c)
	if err != nil {
		a.start.giveUp()
		if k, is := a.whole().(*keys.Entry); is {
			return fromScreen(k, k.Unusable(err))
		}
		return a.warn(present.Sentence(err.Error()))
	}
	a.disconnect()
	a.conn = conn
	a.tour = a.newTour(conn.Session)
	a.leave.opened(conn)
	a.clear()
	a.idle.hidden = false
	home := a.push(nav.Home{})
	if c.First {
		home = tea.Batch(home, a.push(nav.Ready{}))
	}
	a.start.rest = tea.Batch(a.demo.find(), a.receiving.opened(conn.Session))
	return tea.Batch(home, a.idle.wait(), a.pins.opened(conn.Session), a.following.opened(conn.Session), a.start.connected())
}

// disconnect ends the session that is open, and what goes on for it beside its screens.
func (a *App) disconnect() {
	if a.conn.open() {
		a.conn.end()
	}
	a.conn = connection{}
	a.pins.closed()
	a.receiving.closed()
	a.sendLock.tick.stop()
	a.idle.due.stop()
	a.demo.found = nil
}
