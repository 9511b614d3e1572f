// Package nav names the screens as data. A screen opens another by its route, so that screens
// never import each other; one switch in package screens turns a route into a screen.
package nav

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/keystore"
	"paydesk/ui"
)

// A Route names a screen and what to show on it.
type Route interface{ route() }

// The routes.
type (
	// Home shows what needs attention, and the menu.
	Home struct{ plain }
	// Setup shows the options when there is no configuration.
	Setup struct{ plain }
	// Key gets the secret key of a profile from its source, or prompts for it.
	Key struct {
		Profile keystore.Profile
		Replace bool // the service rejected the key; the open screens wait below
		Return  bool // unlocks [IdleLock]; the key is read from its source again
		First   bool // the profile is in no file yet: it is opened by [Ready]
		Served  bool // a paydesk sandbox answers at its address
		// NoKeyring is set if this host is known to have no keyring, and NoFile if no file can be written: no key is stored there.
		NoKeyring, NoFile bool
	}
	// Ready writes the first profile, and says what works of it.
	Ready struct{ plain }
	// Profiles lists the profiles, to edit them and to open another.
	Profiles struct{ plain }
	// Doctor checks step by step what works on this host for a profile.
	Doctor struct{ Profile keystore.Profile }
	// NewLink creates a payment link. Sample is a test card: a made-up link is filled in where a sandbox is open, and the
	// card offered once it is paid.
	NewLink struct{ Sample string }
	// Share shows a link to pass to a customer. One that differs from what was asked is shown only
	// after its differences were read.
	Share struct {
		Link   api.Link
		Read   bool   // a person has read how it differs
		Found  bool   // a person found it: the service's answer never arrived
		Sample string // of [NewLink]
	}
	// Collect takes one payment, through Link if there is one; Paid is set if a customer paid through it already. Again is a
	// payment that came to nothing: what it asked for is filled in. Sample is a test card, which is offered for a made-up
	// payer where a sandbox is open.
	Collect struct {
		Link   *api.Link
		Paid   bool
		Again  *api.Initiation // without its card
		Sample string
	}
	// Challenge holds what the customer does at their bank: the check of a card, or an approval.
	Challenge struct{ Reference api.Reference }
	// Transfer shows the account that a customer must pay into.
	Transfer struct{ Reference api.Reference }
	// Finalize tells the service that the customer's part is complete.
	Finalize struct{ Reference api.Reference }
	// Payment watches one payment; without a reference it prompts for one. With Ask it prompts all the same, and offers the
	// reference: one that is pasted takes its place.
	Payment struct {
		Reference api.Reference
		Ask       bool
	}
	// Attempt is a request that was sent and what is known about it; an unresolved one is
	// resolved there. With Decide it lists the decisions that are possible first.
	Attempt struct {
		ID     ledger.ID
		Decide bool
	}
	// Links lists the links created in this console.
	Links struct{ plain }
	// Transactions is the paginated list of the service.
	Transactions struct{ plain }
	// Activity lists everything this console sent.
	Activity struct{ plain }
	// IdleLock hides all screens until the key was entered again.
	IdleLock struct{ plain }
	// Unlock unlocks sending for some minutes where real money may move.
	Unlock struct{ plain }
	// EnvCheck shows the evidence for the environment where it disagrees.
	EnvCheck struct{ plain }
	// Loss shows what the journal may be missing.
	Loss struct{ plain }
	// Raw shows the service's last answers about a payment, a link or an attempt as they came; with an
	// operation alone, the last answer to that.
	Raw struct {
		Operation api.Operation
		Reference api.Reference
		Link      api.Alias
		Attempt   ledger.ID
		Page      int // of the list, which is asked for ahead
	}
	// Requests lists what was asked since the console was started.
	Requests struct{ plain }
	// Diagnostics shows the diagnostic bundle, and writes it to a file.
	Diagnostics struct{ plain }
	// Sandbox shows the inside of the demo's service.
	Sandbox struct{ plain }
	// Inbox lists the webhooks that arrived. With a query it begins with that search.
	Inbox struct{ Query string }
	// Over is a part of a screen that stands over it: a form, a question, or one of its rows. The screen has made it.
	Over struct{ ui.Screen }
)

// A plain route needs no more than its name.
type plain struct{}

func (plain) route() {}

func (Key) route()       {}
func (Doctor) route()    {}
func (NewLink) route()   {}
func (Share) route()     {}
func (Collect) route()   {}
func (Challenge) route() {}
func (Transfer) route()  {}
func (Finalize) route()  {}
func (Payment) route()   {}
func (Attempt) route()   {}
func (Raw) route()       {}
func (Inbox) route()     {}
func (Over) route()      {}

// Messages from a screen to the console.
type (
	// Push puts a screen on the stack.
	Push struct{ To Route }
	// Replace replaces the top screen.
	Replace struct{ To Route }
	// Back takes the top screen off the stack; with Parts all that are parts of another one, see [Over].
	Back struct{ Parts bool }
	// Pin pins payments to [Home], or unpins them. The console says how that ended. With Leave the screen is left once they are pinned, and
	// the one that it is a part of.
	Pin struct {
		Payments      []api.Reference
		Remove, Leave bool
	}
	// Restart leaves every screen and opens one.
	Restart struct{ To Route }
	// Connect opens a profile with its key and starts at [Home]. Source names where the key came
	// from. First is set if [Ready] follows.
	Connect struct {
		Profile keystore.Profile
		Key     keystore.Key
		Source  string
		First   bool
	}
	// Rekey leaves the top screen with another key for the open profile. The screens below keep
	// their state.
	Rekey Connect
)

// SettleDelay sets how long a screen that replaced another ignores enter, so that a key meant for the
// earlier one does nothing on it.
const SettleDelay = 300 * time.Millisecond

// Open returns the command that puts a screen on the stack.
func Open(r Route) tea.Cmd { return func() tea.Msg { return Push{r} } }

// To returns the action of a key that opens a screen.
func To(r Route) func() tea.Cmd { return func() tea.Cmd { return Open(r) } }

// ReplaceWith returns the command that replaces the top screen.
func ReplaceWith(r Route) tea.Cmd { return func() tea.Msg { return Replace{r} } }

// ShareOf is the screen of the link that an attempt created.
func ShareOf(a ledger.Attempt) Share {
	return Share{Link: *a.CreatedLink, Read: a.Decision == ledger.DifferenceRead, Found: a.Outcome == ledger.Unresolved}
}

// RawOf is the raw answers about an attempt, and about the payment or the link that it made.
func RawOf(a ledger.Attempt) Raw {
	to := Raw{Reference: a.Reference, Attempt: a.ID}
	if a.CreatedLink != nil {
		to.Link = a.CreatedLink.Alias
	}
	return to
}

// Next is the screen for the next step of a payment.
func Next(a ledger.Attempt, r api.Reference) Route {
	switch next := a.NextStep(); {
	case next == ledger.ToAuthorise && a.IsTransfer():
		return Transfer{r}
	case next == ledger.ToAuthorise:
		return Challenge{r}
	case next == ledger.ToFinalize:
		return Finalize{r}
	}
	return Payment{Reference: r}
}

// Pinned reports whether a payment is pinned to Home. It is nil where none can be.
type Pinned func(api.Reference) bool

// Key returns the key that pins a payment, or unpins it.
func (p Pinned) Key(r api.Reference) key.Binding {
	if p.has(r) {
		return ui.Bind("p", "unpin")
	}
	return ui.Bind("p", "pin")
}

// Toggle is the command that pins a payment, or unpins it.
func (p Pinned) Toggle(r api.Reference) tea.Cmd {
	remove := p.has(r)
	return func() tea.Msg { return Pin{Payments: []api.Reference{r}, Remove: remove} }
}

func (p Pinned) has(r api.Reference) bool { return p != nil && p(r) }

// Pop is the command that takes the top screen off the stack.
func Pop() tea.Msg { return Back{} }

// PopParts is the command that leaves all parts of a screen.
func PopParts() tea.Msg { return Back{Parts: true} }
