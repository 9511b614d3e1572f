package screens

import (
	"time"

	"paydesk/api/journal"
	"paydesk/screens/guard"
	"paydesk/screens/nav"
	"paydesk/screens/show"
)

// gate is the gate of a connection: what is declared, and what the key and the hosts tell.
func gate(next journal.Service, c nav.Connect) *guard.Gate {
	return guard.Keep(next, guard.Options{
		Claims: claims(c),
		Unlock: time.Duration(c.Profile.UnlockMinutes) * time.Minute,
		Cards:  c.Profile.AllowCardEntry,
	})
}

// claims is what is known of the environment before anything was sent. A key without a
// prefix claims nothing, and so does a host that is called nothing.
func claims(c nav.Connect) []guard.Claim {
	declared, inferred := string(c.Profile.Environment), string(c.Key.Environment())
	return []guard.Claim{
		{By: guard.ByProfile, Word: declared, Says: guard.Read(declared)},
		{By: guard.ByKey, Word: inferred, Says: guard.Read(inferred)},
		guard.Host(guard.ByHost, c.Profile.BaseURL),
		guard.Host(guard.ByList, c.Profile.ListURL),
	}
}

// spot is where a payment would be made, and what may be closed against it.
func (c connection) spot() show.Place {
	p := show.Place{Environment: c.environment(), Host: c.host()}
	if c.gate != nil { // a nil *Gate would be no nil Gate
		p.Gate = c.gate
	}
	return p
}
