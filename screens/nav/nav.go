// Package nav names the screens as data. Screens ask for each other by route
// and never import each other; one switch in package screens turns a route
// into a screen.
package nav

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/keystore"
)

// A Route names a screen and what it shall show.
type Route interface{ route() }

// The routes.
type (
	// Home is what needs attention and the ways in.
	Home struct{}
	// Setup explains the ways on when there is no configuration.
	Setup struct{}
	// Key gets the secret key of a profile: from its source, or by asking. Replace is for
	// one that the service refused, while what is being done waits below.
	Key struct {
		Profile keystore.Profile
		Replace bool
		// Return is for the key of a console that was hidden: its source is asked again.
		Return bool
	}
	// Profiles lists the profiles, to change them and to open another.
	Profiles struct{}
	// Doctor says step by step what works on this host for a profile, and what does not.
	Doctor struct{ Profile keystore.Profile }
	// NewLink asks for a payment link and creates it.
	NewLink struct{}
	// Share shows a link to be handed on.
	Share struct{ Link api.Link }
	// Collect takes one payment; with Link, through that link.
	Collect struct{ Link *api.Link }
	// Challenge is the bank's check of a card payment made from here.
	Challenge struct{ Reference api.Reference }
	// Transfer is the account a customer shall pay into.
	Transfer struct{ Reference api.Reference }
	// Finalize says that the customer's part is complete.
	Finalize struct{ Reference api.Reference }
	// Payment watches one payment; without a reference it asks for one.
	Payment struct{ Reference api.Reference }
	// Attempt is something that was sent and what is known of it, above all when
	// nobody knows what became of it.
	Attempt struct{ ID journal.ID }
	// Links is the book of the links that were created from here.
	Links struct{}
	// Transactions is the paginated list.
	Transactions struct{}
	// Activity is everything this console did.
	Activity struct{}
	// Away hides what is open until the key was got again.
	IdleLock struct{}
	// Unlock opens sending for a while, where real money may move.
	Unlock struct{}
	// Mismatch shows what is known of the environment, when that disagrees.
	EnvCheck struct{}
	// Sandbox is the demo's service from the inside.
	Sandbox struct{}
)

func (Home) route()         {}
func (Setup) route()        {}
func (Key) route()          {}
func (Profiles) route()     {}
func (Doctor) route()       {}
func (NewLink) route()      {}
func (Share) route()        {}
func (Collect) route()      {}
func (Challenge) route()    {}
func (Transfer) route()     {}
func (Finalize) route()     {}
func (Payment) route()      {}
func (Attempt) route()      {}
func (Links) route()        {}
func (Transactions) route() {}
func (Activity) route()     {}
func (IdleLock) route()     {}
func (Unlock) route()       {}
func (EnvCheck) route()     {}
func (Sandbox) route()      {}

// What a screen asks of the console.
type (
	// Go puts a screen on the stack.
	Push struct{ To Route }
	// Replace puts a screen in the place of the top one.
	Replace struct{ To Route }
	// Back takes the top screen off the stack.
	Back struct{}
	// Restart leaves every screen and begins with one.
	Restart struct{ To Route }
	// Unlocked is said by the screen of [Unlock] alone: the name was typed.
	Unlocked struct{}
	// Acknowledged is said by the screen of [EnvCheck] alone: so many claims were shown,
	// and the word was typed.
	Acknowledged struct{ Evidence int }
	// Connect opens a profile with its key and begins at Home. Source is the
	// word for where the key came from.
	Connect struct {
		Profile keystore.Profile
		Key     keystore.Key
		Source  string
	}
	// Renew leaves the top screen with another key for the service that is open. What
	// the screens below have stays.
	Rekey Connect
)

// SettleDelay is how long a screen that was put in the place of another keeps enter out, so that
// a key meant for the former does nothing here (R43).
const SettleDelay = 300 * time.Millisecond

// Open is the command that puts a screen on the stack.
func Open(r Route) tea.Cmd { return func() tea.Msg { return Push{r} } }

// ReplaceWith is the command that puts a screen in the place of the top one.
func ReplaceWith(r Route) tea.Cmd { return func() tea.Msg { return Replace{r} } }

// Pop is the command that takes the top screen off the stack.
func Pop() tea.Msg { return Back{} }
