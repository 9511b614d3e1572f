package home

import (
	"context"
	"time"

	"paydesk/api/ledger"
)

// Options of the screen.
type Options struct {
	Rooms   func() []Way // the other main screens of the console, which may become more
	Journal bool         // the profile has one: what is listed outlasts this run
	Team    bool         // several people share the journal: each row says whose it is
	// JournalProblem reports why the journal cannot be used, "" when it can.
	JournalProblem func() string
	// Here tells where the console is connected; nil where it does not matter.
	Here func() ledger.Destination
	// Watches asks about payments in progress; nil for nothing.
	Watches Watcher
	// Took tells how long the service took for its last answer, 0 where that is not known; nil for never.
	Took func() time.Duration
	// Disagree counts the webhooks that the service contradicts, once anything is stored or answered after a version. It
	// returns the new version; version 0 precedes everything. It is nil where there is no inbox.
	Disagree func(ctx context.Context, version uint64) (n int, now uint64, err error)
	// Tour is the four lines of the demo; nil elsewhere.
	Tour *Tour
}
