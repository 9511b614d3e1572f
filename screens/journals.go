package screens

import (
	"context"
	"os"
	"strings"
	"sync"
	"time"

	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/listing"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens/present"
)

// Journals are the journals of this run: one for all profiles, which is a file of this user or the database of a team,
// and one in memory for the demo. Each is opened on first use.
type Journals struct {
	State    string // --state-dir
	Operator ledger.Operator
	Keep     time.Duration // the retention of attempts; 0 for the default
	// Elsewhere are folders where outcomes wait while the disk of the journal is full.
	Elsewhere []string
	// Shared returns the journal of a team; nil where the journal is a file.
	Shared     func(journal.Options) *journal.Journal
	own, demo  *journal.Journal
	off        *journal.Journal         // of the profiles whose journal is off: in memory
	remembered *listing.Mirror          // of the demo
	mu         sync.Mutex               // guards the events: they are opened on several goroutines
	events     map[int64]*webhook.Store // by the limit of the file's size
	demoEvents *webhook.Store
}

// ForProfile returns the journal for a profile. It is in memory where the profile's journal is off; so is that of a sandbox,
// apart from real payments.
func (b *Journals) ForProfile(p keystore.Profile) *journal.Journal {
	switch {
	case p.Environment == keystore.Sandbox:
		if b.demo == nil {
			b.demo = journal.New(journal.Options{Operator: b.Operator})
		}
		return b.demo
	case p.Journal == "off":
		if b.off == nil {
			b.off = journal.New(journal.Options{Operator: b.Operator})
		}
		return b.off
	case b.own == nil:
		dir, err := journal.Dir(b.State, os.Getenv)
		if err != nil {
			return journal.NewUnavailable(err)
		}
		open := journal.New
		if b.Shared != nil {
			open = b.Shared
		}
		b.own = open(journal.Options{Dir: dir, Operator: b.Operator, Retention: b.Keep, Elsewhere: b.Elsewhere})
	}
	return b.own
}

// Mirror returns where the scans of a profile's list are kept, beside the journal: one file for all profiles, each
// with a limit of its own; nil when the profile has none.
func (b *Journals) Mirror(p keystore.Profile) *listing.Mirror {
	switch {
	case p.MirrorLimit() == 0:
		return nil
	case p.Environment == keystore.Sandbox:
		if b.remembered == nil {
			b.remembered = listing.NewMirror(listing.MirrorOptions{Limit: p.MirrorLimit()})
		}
		return b.remembered
	}
	dir, err := journal.Dir(b.State, os.Getenv)
	if err != nil {
		return nil
	}
	return listing.NewMirror(listing.MirrorOptions{Dir: dir, Limit: p.MirrorLimit()})
}

// Events returns where the webhooks of a profile are kept, beside the journal: one file for all profiles, each with a limit
// of its own for it. Those of a sandbox inside the program stay in memory; nil when the journal is off or has no folder.
func (b *Journals) Events(p keystore.Profile) *webhook.Store {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case p.Journal == "off":
		return nil
	case p.Environment == keystore.Sandbox:
		if b.demoEvents == nil {
			b.demoEvents = webhook.New(webhook.Options{Limit: p.EventsLimit()})
		}
		return b.demoEvents
	}
	limit := p.EventsLimit()
	if b.events[limit] == nil {
		dir, err := journal.Dir(b.State, os.Getenv)
		if err != nil {
			return nil
		}
		if b.events == nil {
			b.events = map[int64]*webhook.Store{}
		}
		b.events[limit] = webhook.New(webhook.Options{Dir: dir, Limit: limit})
	}
	return b.events[limit]
}

// Receive receives the webhooks of a profile until ctx ends, and keeps them where [Journals.Events] has them: at the
// address that the profile names, for the demo at any on this machine; nil where it names none. Where paydesk listen
// receives them, the error is a [webhook.InUse].
func (b *Journals) Receive(ctx context.Context, p keystore.Profile) (*webhook.Receiver, error) {
	store, dir, address := b.Events(p), "", p.WebhookListen
	if p.Environment == keystore.Sandbox {
		address = "127.0.0.1:0"
	} else {
		var err error
		if dir, err = journal.Dir(b.State, os.Getenv); err != nil || store == nil {
			return nil, err // a folder that is not known has no store either
		}
		if address == "" {
			if running := webhook.Announced(ctx, dir, p.Name); running != "" {
				return nil, &webhook.InUse{Address: running, Ours: true}
			}
			return nil, nil
		}
	}
	path, err := webhook.Path(dir, p.Name)
	if err != nil {
		return nil, err
	}
	return store.Receive(ctx, p.Name, webhook.ReceiverOptions{Address: address, AnyAddress: p.WebhookAnyAddress, Path: path})
}

// JournalLoss words the losses of the journal that await an acknowledgement; "" for none. It does no I/O.
func JournalLoss(j *journal.Journal) string {
	if j == nil {
		return ""
	}
	var words []string
	for _, l := range j.KnownLosses() {
		words = append(words, present.Plain(l.Words()))
	}
	return strings.Join(words, " ")
}

// Close closes what was opened. It need not run: a journal that is not closed loses nothing.
func (b *Journals) Close() {
	for _, j := range []*journal.Journal{b.own, b.demo, b.off} {
		if j != nil {
			j.Close()
		}
	}
	if b.remembered != nil {
		b.remembered.Close()
	}
	for _, e := range b.events {
		e.Close()
	}
	if b.demoEvents != nil {
		b.demoEvents.Close()
	}
}
