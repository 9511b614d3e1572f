package ledger

import "paydesk/api"

// A Kind says what was attempted.
type Kind string

// The kinds: the three calls that change something.
const (
	Initiate   Kind = "initiate"
	CreateLink Kind = "link"
	Finalize   Kind = "finalize"
)

// Known is a payment that was looked up or pinned here. It has no rules, as it is never sent: an attempt that made it is
// an entry of its own.
const Known Kind = "payment"

// kindRules holds what must be known of a kind before one can be sent. A kind has all of it, and a kind
// without it is not sent: it would be sent twice.
type kindRules struct {
	effect string // completes "It is not known whether …"
	noun   string // completes "a … like this one"

	conflict func(Console, *Entry, []Entry, []ID) error // why it must not be sent, for those concerned

	name     string                       // what it is found by
	parse    func(string) (string, error) // reads such a name
	setFound func(*Entry, Deciding)       // notes what it was found as
	found    func(Entry) string           // what it was found as
	forget   func(*Entry)                 // removes that
}

var kinds map[Kind]kindRules

func init() { // the rules ask the table for those of other entries
	kinds = map[Kind]kindRules{
		Initiate: {
			effect: "this payment was made", noun: "payment",
			conflict: func(c Console, e *Entry, concerned []Entry, allowed []ID) error {
				if err := e.rejectUnread(concerned); err != nil {
					return err
				}
				return c.rejectDuplicates(e, concerned, allowed, (*Entry).likePayment)
			},
			name: "reference", parse: parseReference,
			setFound: func(e *Entry, d Deciding) { e.Reference = api.Reference(d.As) },
			found:    func(e Entry) string { return string(e.Reference) },
			forget:   (*Entry).forgetPayment,
		},
		CreateLink: {
			effect: "this link was created", noun: "link",
			conflict: func(c Console, e *Entry, concerned []Entry, allowed []ID) error {
				return c.rejectDuplicates(e, concerned, allowed, (*Entry).likeLink)
			},
			name: "alias", parse: parseAlias,
			setFound: (*Entry).setFoundLink,
			found:    func(e Entry) string { return string(e.Link) },
			forget:   func(e *Entry) { e.Link, e.CreatedLink = "", nil },
		},
		Finalize: {
			effect: "it was finalized", noun: "finalize",
			conflict: func(c Console, e *Entry, concerned []Entry, _ []ID) error {
				e.refer(concerned)
				return c.rejectFinalize(e, concerned)
			},
			name: "reference", parse: parseReference,
			setFound: func(*Entry, Deciding) {}, // it has its payment's reference
			found:    func(e Entry) string { return string(e.Reference) },
			forget:   func(*Entry) {},
		},
	}
}

func parseReference(text string) (string, error) {
	r, err := api.ParseReference(text)
	return string(r), err
}

func parseAlias(text string) (string, error) {
	a, err := api.ParseAlias(text)
	return string(a), err
}

// Effect says what an attempt of this kind was to bring about. It completes "It is not known
// whether …" on the screens and in files, so that both say the same.
func (k Kind) Effect() string { return kinds[k].effect }

var errNoKind = Rejected("The journal has no rules for this kind of request, so it was not sent.")
