package journal

import (
	"strconv"
	"strings"

	"paydesk/api"
)

// A Kind is what was attempted.
type Kind string

// The kinds: the three calls that change something.
const (
	Initiate   Kind = "initiate"
	CreateLink Kind = "link"
	Finalize   Kind = "finalize"
)

// kindRules are what the journal has to know of a kind before it lets one be sent. A kind has all of them, and a kind
// without them is not sent: it would be sent twice.
type kindRules struct {
	effect string // completes "It is not known whether …"
	noun   string // completes "a … like this one"

	about    func(*row) []string                           // what [Journal.Begin] asks about, nil for all
	refer    func(*writeTx, *row, api.Reference) error     // gives it the reference that it has before it is sent
	conflict func(*writeTx, *row, payerHashes, []ID) error // why it must not be sent, for what was sent before

	checkFound func(*writeTx, *row, api.Reference) error // why it cannot have been found as a reference
	setFound   func(*row, api.Reference)                 // notes what it was found as
	found      func(*row) string                         // what it was found as
	forget     func(*row)                                // removes that
}

var kinds = map[Kind]kindRules{
	Initiate: {
		effect: "this payment was made", noun: "payment",
		about: alikeOn, refer: assigned,
		conflict: func(t *writeTx, r *row, whole payerHashes, allowed []ID) error {
			if err := t.rejectUnread(r); err != nil {
				return err
			}
			return t.rejectDuplicates(r, whole, allowed, (*row).likePayment)
		},
		checkFound: (*writeTx).checkFoundPayment,
		setFound:   func(r *row, found api.Reference) { r.Reference = found },
		found:      func(r *row) string { return string(r.Reference) },
		forget:     (*row).forgetPayment,
	},
	CreateLink: {
		effect: "this link was created", noun: "link",
		about: alikeOn, refer: assigned,
		conflict: func(t *writeTx, r *row, whole payerHashes, allowed []ID) error {
			return t.rejectDuplicates(r, whole, allowed, (*row).likeLink)
		},
		checkFound: func(*writeTx, *row, api.Reference) error { return nil }, // its alias is checked
		setFound:   func(*row, api.Reference) {},                             // [Journal.FoundLink] does
		found:      func(r *row) string { return string(r.Link) },
		forget:     func(r *row) { r.Link, r.CreatedLink = "", nil },
	},
	Finalize: {
		effect: "it was finalized", noun: "finalize",
		about: func(*row) []string { return nil }, // all that is known of its payment
		refer: (*writeTx).referToPayment,
		conflict: func(t *writeTx, r *row, _ payerHashes, _ []ID) error {
			return t.rejectFinalize(r)
		},
		checkFound: func(_ *writeTx, r *row, _ api.Reference) error {
			if r.Decision == Found {
				return errRecorded
			}
			return nil
		},
		setFound: func(*row, api.Reference) {}, // it has its payment's reference
		found:    func(r *row) string { return string(r.Reference) },
		forget:   func(*row) {},
	},
}

// Effect is what an attempt of this kind was to bring about. It completes "It is not known
// whether …" on the screens and in files, so that both say the same.
func (k Kind) Effect() string { return kinds[k].effect }

var errNoKind = rejected("The journal has no rules for this kind of request, so it was not sent.")

// alikeOn is that attempts of the same kind and amount in the same environment are asked about. Of a link it
// is read whether somebody has to read it first, which it is not before it is created.
func alikeOn(r *row) []string {
	return []string{"alike " + strings.Join([]string{r.Environment, string(r.Kind), r.Amount.Currency.Code(), strconv.FormatInt(r.Amount.Minor, 10)}, " ")}
}

// assigned leaves the reference to the service.
func assigned(*writeTx, *row, api.Reference) error { return nil }
