package api

import (
	"context"
	"net/url"
	"strings"
	"time"

	"paydesk/api/money"
)

// A Service is the seven operations of the specification (section 4). The client
// implements it, and so does every layer in front of it: the recorder of the journal, the gate, and
// the tracker of a session. Each layer forwards every method by hand, so that a new operation
// passes none of them before its author has decided how.
type Service interface {
	Initiate(context.Context, Initiation) (Payment, error)
	CreateLink(context.Context, LinkDraft) (Link, error)
	ValidateChannels(context.Context, money.Amount, ...string) (Channels, error)
	Authenticate(context.Context, Reference) (Authentication, error)
	Finalize(context.Context, Reference) (Finalization, error)
	Transaction(context.Context, Reference) (PaymentStatus, error)
	Transactions(ctx context.Context, page, perPage int) (Page, error)
}

var _ Service = (*Client)(nil)

// An Operation is the name of a method of [Service].
type Operation string

// The operations, as the specification numbers them.
const (
	OpInitiate         Operation = "Initiate"
	OpCreateLink       Operation = "CreateLink"
	OpValidateChannels Operation = "ValidateChannels"
	OpAuthenticate     Operation = "Authenticate"
	OpFinalize         Operation = "Finalize"
	OpTransaction      Operation = "Transaction"
	OpTransactions     Operation = "Transactions"
)

// A Condition says when the gate lets an operation through. The zero Condition is never.
type Condition uint8

// The conditions.
const (
	WithKey      Condition = iota + 1 // once there is a key; until then it waits
	WhenUnlocked                      // while nothing blocks sending: see package session
)

// A Rule says how an operation is handled on its way to the service. The zero Rule, that of an
// operation missing from the table, lets nothing through.
type Rule struct {
	// Records is the kind of attempt that the journal records before the operation is sent; "" for one that changes
	// nothing, whatever its HTTP method.
	Records string
	Allowed Condition
}

// Sends reports whether the operation changes something: it is recorded first, and never repeated automatically.
func (r Rule) Sends() bool { return r.Records != "" }

// rules is the one table of the operations. Channel validation changes nothing, but it is the first
// request of every payment: requiring an unlocked gate here tells people that nothing can be sent
// before they fill in a form.
var rules = map[Operation]Rule{
	OpInitiate:         {"initiate", WhenUnlocked},
	OpCreateLink:       {"link", WhenUnlocked},
	OpValidateChannels: {"", WhenUnlocked},
	OpAuthenticate:     {"", WithKey},
	OpFinalize:         {"finalize", WhenUnlocked},
	OpTransaction:      {"", WithKey},
	OpTransactions:     {"", WithKey},
}

// Rule returns the operation's rule.
func (o Operation) Rule() Rule { return rules[o] }

// FinalizeAgain sets how long after a finalize without an answer a person may repeat it.
const FinalizeAgain = 60 * time.Second

// expand puts a reference into a path such as /api/payment/transactions/{reference}, or into its query. What a query escapes
// may be escaped in a segment as well.
func expand(path string, r Reference) string {
	return strings.Replace(path, placeholder, url.QueryEscape(string(r)), 1)
}
