package api

import "time"

// Circumstances describe what is known of a payment beside its status. The same word means one thing for a
// card and another for a transfer: PENDING is also the status of a transfer that was not paid.
type Circumstances struct {
	Channel string    // "" when it is not known, as of a payment that was made elsewhere
	Account *Transfer // where a transfer goes; nil when it is not known
	// AwaitsFinalize is set for a payment of a link that is known not to be finalized: the bank settles it after that.
	AwaitsFinalize bool
	// Unpaid is set for a transfer of which neither a person nor the service has said that it was made.
	Unpaid  bool
	InDoubt bool // a mismatch that no person has accepted: nothing more may be charged
	Now     time.Time
}

// MayPay reports whether the customer may still be asked to pay into the account of a payment in a state. Where the answer to
// the initiation claims a final one, its status comes first.
func (c Circumstances) MayPay(s State) bool {
	return c.Account != nil && !c.Account.AccountNumber.Empty() && !s.Final() && s != Claimed && !c.InDoubt && !c.AccountExpired()
}

// AccountExpired reports whether the customer can no longer pay into the account.
func (c Circumstances) AccountExpired() bool { return c.Account.Expired(c.Now) }

// Expired reports whether the account is known to have expired. A time without a zone proves nothing.
func (t *Transfer) Expired(now time.Time) bool { return t.Expires() && t.Left(now) == 0 }

// Expires reports whether it is known when the account expires.
func (t *Transfer) Expires() bool {
	return t != nil && !t.Expiration.Time.IsZero() && t.Expiration.Zoned
}

// Left is the time until the account expires by the service's clock, where now is by this machine's: 0 once it has, and
// while that time is not known.
func (t *Transfer) Left(now time.Time) time.Duration {
	if !t.Expires() {
		return 0
	}
	return max(0, t.Expiration.Time.Sub(now)-t.Ahead)
}

// A meaning explains a status, and says what the merchant must do about it (3.1).
type meaning struct{ means, action string }

// meanings apply where the channel has none of its own.
var meanings = [...]meaning{
	Unrecognised: {
		"The service reported a status that is not in the specification.", "Do not charge again and do not release goods; keep checking.",
	},
	Initiated: {
		"The payment was initiated.", "Have the customer complete their part, if anything is required of them.",
	},
	ActionRequired: {
		"The customer must pay outside the service.", "Have the customer pay as they were told to.",
	},
	BankAuthRequired: {
		"The customer's bank must authenticate the payment.", "Have the customer complete the bank check.",
	},
	Pending: {
		"Not settled: the bank has not confirmed the money.", "Do not charge again. If it is a transfer, the customer may not have paid yet.",
	},
	Successful: {
		"Funds have been secured.", "Provide the goods or service.",
	},
	Claimed: {
		"Claimed by the answer to the initiation; only a status check says how it ends.", "Wait for the check. Do not charge again.",
	},
	Failed: {
		"The payment did not go through.", "Ask the customer for another payment method.",
	},
}

// authorised is PENDING where the customer authorises with their bank before anything settles.
var authorised = meaning{
	"The customer authorised; not settled yet.", "Treat it as processing. Do not charge again.",
}

// awaitingFinalize applies to a payment that settles only once it is finalized (1, flow 2).
var awaitingFinalize = meaning{
	"The customer authorised; it settles once it is finalized.", "Treat it as processing. Do not charge again.",
}

// channelMeanings holds those of the channels that were observed, by channel.
var channelMeanings = map[string]map[State]meaning{
	ChannelCard: {
		Initiated: {"The payment was initiated.", "Have the customer complete the bank check, if one is required."},
		Pending:   authorised,
		Failed:    {"The charge was rejected.", "Ask the customer for another payment method."},
	},
	ChannelAccount: {
		Initiated: {"The payment was initiated.", "Have the customer approve it with their bank."},
		Pending:   authorised,
	},
	ChannelInterac: {
		Initiated: {"The payment was initiated.", "Have the customer approve the request that Interac sent them by e-mail."},
		Pending:   authorised,
	},
	ChannelTransfer: {
		Initiated:      {"The payment was initiated.", "Have the customer pay into the account before it expires."},
		ActionRequired: {"The customer must pay into the account.", "Have the customer pay before the account expires."},
		Pending: {
			"The full amount has not been confirmed; the customer may not have paid yet.",
			"Provide nothing yet. Do not ask for a second transfer if they say they have paid.",
		},
		Failed: {
			"The full amount was not confirmed.",
			"Ask the customer whether they paid: if so, ask the provider; if not, collect again for a new account.",
		},
	},
}

// expired is what a transfer that is not final means once its account has expired.
var expired = meaning{
	"The account has expired, and the full amount has not been confirmed.",
	"Do not use this account now. If the customer paid in time, keep checking; if not, collect again for a new account.",
}

// Meaning returns what the state of a payment means, and what the merchant must do about it.
func (s State) Meaning(c Circumstances) (means, action string) {
	if int(s) >= len(meanings) {
		s = Unrecognised
	}
	m, own := channelMeanings[c.Channel][s]
	if !own {
		m = meanings[s]
	}
	if m == authorised && c.AwaitsFinalize {
		m = awaitingFinalize
	}
	if c.AccountExpired() && (s == Initiated || s == ActionRequired || s == Pending) {
		m = expired
	}
	return m.means, m.action
}

// A Mode says if real money moves.
type Mode uint8

// The modes. The zero Mode is no evidence.
const (
	UnknownMode Mode = iota
	TestMode
	LiveMode
)

// Contradicts reports whether one mode is live and the other is not.
func (m Mode) Contradicts(other Mode) bool {
	return m != UnknownMode && other != UnknownMode && m != other
}

// ModeOf is the meaning of a word: those of the specification (2.8), those the service was observed
// to use, and their usual synonyms.
func ModeOf(word string) Mode {
	switch LowerASCII(word) {
	case "live", "prod", "production":
		return LiveMode
	case "test", "sandbox", "staging":
		return TestMode
	}
	return UnknownMode
}
