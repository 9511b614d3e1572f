package screens

import (
	"context"
	"slices"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens/inbox"
	"paydesk/screens/nav"
)

// inboxOptions returns the options of the inbox over a session.
func (a *App) inboxOptions(r nav.Inbox, s *session.Session) inbox.Options {
	p := a.conn.profile
	o := inbox.Options{
		Wired: p.Environment == keystore.Sandbox, Profile: p.Name, Query: r.Query, Targets: p.WebhookTargets.All(), Receiver: a.receiving.where,
	}
	if s.Events == nil {
		o.Off = NoInbox(p)
		return o
	}
	o.Store = comparedStore{s.Events, s.Tracker}
	if a.tour != nil {
		o.Seen = a.tour.SawEvent
	}
	o.Replay = func(ctx context.Context, ids []int64, to string, report func(webhook.Forward)) error {
		target, err := webhook.ParseTarget(to, p.WebhookTargets.All())
		if err != nil {
			return err
		}
		return webhook.Replay(ctx, s.Events, p.Name, target, ids, func(_ webhook.Record, f webhook.Forward) { report(f) })
	}
	o.Made = s.Recorder.Payment
	return o
}

// NoInbox returns why a profile has no inbox.
func NoInbox(p keystore.Profile) string {
	if p.Journal == "off" {
		return "Webhooks are kept beside the journal, and the journal of this profile is off: journal = \"off\"."
	}
	return "Webhooks are kept beside the journal, which has no folder. Choose one with --state-dir."
}

// A comparedStore marks the answers of payments about which an answer was not what was asked: they are no success here either.
type comparedStore struct {
	*webhook.Store
	tracker *session.Tracker
}

// Find implements [inbox.Store].
func (c comparedStore) Find(ctx context.Context, q webhook.Search) (webhook.Found, error) {
	f, err := c.Store.Find(ctx, q)
	CompareAnswers(ctx, f.Records, c.tracker.Differing)
	return f, err
}

// Get implements [inbox.Store].
func (c comparedStore) Get(ctx context.Context, profile string, id int64) (webhook.Detail, error) {
	d, err := c.Store.Get(ctx, profile, id)
	one := []webhook.Record{d.Record}
	CompareAnswers(ctx, one, c.tracker.Differing)
	d.Record = one[0]
	return d, err
}

// CompareAnswers marks the successes among what the service answered that are none, because an answer about the payment was not what
// was asked, or that may be none, because differing cannot tell of which payments that is known.
func CompareAnswers(ctx context.Context, all []webhook.Record, differing func(context.Context) (map[api.Reference]ledger.Mismatch, error)) {
	paid := func(r webhook.Record) bool { return r.Answer.Status.State == api.Successful }
	if !slices.ContainsFunc(all, paid) {
		return
	}
	differ, err := differing(ctx)
	for i, r := range all {
		_, is := differ[r.Reference]
		all[i].Answer.Mismatch, all[i].Answer.Unchecked = is && paid(r), err != nil && paid(r)
	}
}
