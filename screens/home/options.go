package home

import (
	"time"

	"paydesk/api/ledger"
)

// Options of the screen.
type Options struct {
	Sandbox  func() bool // reports whether to offer the sandbox, which may be found later; nil for never
	Profiles bool        // offer the profiles: they are in a file
	Journal  bool        // offer the activity and the links, which are read from the journal
	Team     bool        // several people share the journal: each row says whose it is
	// JournalProblem reports why the journal cannot be used, "" when it can.
	JournalProblem func() string
	// Here tells where the console is connected; nil where it does not matter.
	Here func() ledger.Destination
	// Watches asks about payments in progress; nil for nothing.
	Watches Watcher
	// Took tells how long the service took for its last answer, 0 where that is not known; nil for never.
	Took func() time.Duration
	// Events are the webhooks that arrived; nil where there is no inbox.
	Events Events
	// Tour is the four lines of the demo; nil elsewhere.
	Tour *Tour
}
