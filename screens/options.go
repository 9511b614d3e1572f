package screens

import (
	"context"
	"fmt"
	"time"

	"paydesk/api/journal"
	"paydesk/api/session"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens/activity"
	"paydesk/screens/collect"
	"paydesk/screens/home"
	"paydesk/screens/keys"
	"paydesk/screens/links"
	"paydesk/screens/nav"
	"paydesk/screens/requests"
	"paydesk/screens/transactions"
)

// The options of the screens that need many. What a session does not have stays nil: a nil pointer would be no nil
// interface.

func (a *App) profilesOptions() keys.ProfilesOptions {
	o := keys.ProfilesOptions{Folder: keystore.Folder(a.env.ConfigPath), Store: a.env.Store, Keyring: a.env.Keyring}
	if a.conn.open() && a.conn.profile.Environment != keystore.Sandbox {
		o.Open = a.conn.profile.Name
	}
	return o
}

func (a *App) collectOptions(r nav.Collect, s *session.Session) collect.Options {
	place := a.conn.target()
	o := collect.Options{
		Collect: r, Last: s.Tracker.LastCustomer(), Target: place, Doubts: s.Gate,
		NoCards: place.Live() && !a.conn.profile.AllowCardEntry, SendReference: a.conn.profile.SendReference, Preview: journal.Preview,
	}
	if a.demo.open() {
		o.Cards = testCards()
	} else {
		o.Sample = ""
	}
	return o
}

// newLink returns the screen that creates a link, with a sample filled in where a sandbox is open.
func (a *App) newLink(r nav.NewLink, c links.Creator) *links.Form {
	if !a.demo.open() {
		r.Sample = ""
	}
	return links.NewForm(a.env.Theme, c, a.conn.target(), r.Sample)
}

// served returns the function that reports whether a sandbox serves an address on this machine; nil where none is looked for.
func (a *App) served() func(context.Context, string) bool {
	find := a.env.FindSandbox
	if find == nil {
		return nil
	}
	return func(ctx context.Context, address string) bool {
		_, err := find(ctx, address)
		return err == nil
	}
}

// readyOptions returns the options of the screen that ends the first run.
func (a *App) readyOptions() keys.ReadyOptions {
	p, held, network := a.conn.profile, a.conn.key, a.env.Network
	return keys.ReadyOptions{
		Profile: p, Source: a.conn.source, Folder: keystore.Folder(a.env.ConfigPath), Sandbox: a.demo.open,
		Network: func(ctx context.Context) []keystore.Finding {
			return keystore.ExamineNetwork(ctx, network, p, held.Key())
		},
	}
}

func (a *App) activityOptions(s *session.Session) activity.Options {
	return activity.Options{
		Journal: s.Journal, Off: !a.conn.recorded(), Team: s.Journal.Shared(), Here: s.Here, Again: s.Tracker.Again, Pinned: s.Tracker.IsPinned,
		Check: s.Watches.CheckOnce,
	}
}

func (a *App) transactionsOptions(s *session.Session) transactions.Options {
	o := transactions.Options{Scans: s.Scans, Pinned: s.Tracker.IsPinned}
	if o.Made = s.Recorder.Payment; a.conn.recorded() {
		o.Payments = s.Recorder.EachPayment
	}
	if s.Mirror != nil {
		o.Memory = s.Mirror
	} else {
		o.NoMemory = NotRemembered(a.conn.profile)
	}
	return o
}

// homeOptions returns the options of home over a session.
func (a *App) homeOptions(s *session.Session) home.Options {
	o := home.Options{
		Rooms: a.otherRooms, Journal: a.conn.recorded(), JournalProblem: a.conn.trouble, Here: s.Here, Tour: a.tour,
		Team: s.Journal.Shared(), Watches: s.Watches,
	}
	if store, profile := s.Events, a.conn.profile.Name; store != nil {
		o.Disagree = func(ctx context.Context, version uint64) (home.Disagreement, error) {
			now, err := store.Wait(ctx, version)
			if err != nil {
				return home.Disagreement{}, err
			}
			found, err := store.Find(ctx, webhook.Search{Profile: profile, Limit: 1})
			return home.Disagreement{N: found.Disagree, Version: now}, err
		}
	}
	return o
}

// gather returns the function that makes the text of the diagnostic bundle.
func (a *App) gather() func(context.Context) string {
	from := requests.Sources{
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
		return requests.Bundle(ctx, from)
	}
}
