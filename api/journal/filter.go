package journal

import (
	"time"

	"paydesk/api"
	"paydesk/api/money"
)

// A Filter chooses attempts; the zero Filter chooses all. Parts that are set must all hold.
type Filter struct {
	Text     string    // in id, reference, alias, link name, channel, card's last four; case aside
	State    string    // an [Outcome], a verdict, or a status word such as "SUCCESSFUL"; "" any
	Currency string    // code
	From, To time.Time // when it was sent: From at the earliest, before To; zero is open
	User     string    // the operator's
	Profile  string
	Kind     Kind
}

// Choices are the values that occur, for filters to offer; each sorted.
type Choices struct{ States, Currencies, Users, Profiles []string }

// A LinkRecord is a link that was created from here, and what was paid through it from here.
type LinkRecord struct {
	Attempt                 // the creation
	Paid     int            // payments through it that are SUCCESSFUL
	Tried    int            // payments through it that were taken
	Total    []money.Amount // of the successful ones, one for each currency
	LastUsed time.Time      // zero when it never was
}

// A Match is a row of the service's list that may be an unresolved attempt: no proof.
type Match struct {
	api.Row
	Page int
}

// A PurgeResult is what a purge takes, or took.
type PurgeResult struct {
	Attempts       int
	Oldest, Newest time.Time
	Kept           int // older ones that stay, because they are unresolved
}
