package sandbox

import (
	"cmp"
	"slices"
	"strings"
)

// PayByAccount and Interac take no card. The customer approves at the bank, as after a challenge: of
// PayByAccount at the bank URL of the response, of Interac from a request that is sent by e-mail.

// planAccount is how a payment by them goes.
var planAccount = plan{challenges: true}

// readAccount reads and validates what they take in paymentRequestProps, which may be nil: email is
// the customer's address when it has none. A return URL is also accepted in metaData, where
// integrations were seen to put it.
func readAccount(b, props *object, channel, email string) propsRequest {
	q := propsRequest{plan: planAccount, email: email}
	q.returnURL = b.values.find("metaData.return-url").stringValue()
	if q.returnURL != "" && !returnable(q.returnURL) {
		b.invalid("metaData.return-url", "must be an http or https address")
	}
	if props != nil {
		if props.value("card") != nil {
			props.invalid("card", "must not be there for "+channel)
		}
		q.returnURL = cmp.Or(readReturnURL(props, ""), q.returnURL)
		q.email = cmp.Or(readEmail(props, "email", props.text("email")), email)
	}
	if holdsCardNumber(q.email) {
		q.email = ""
	}
	return q
}

// accepts reports whether payments by a channel are accepted.
func (s *Sandbox) accepts(channel string) bool { return !s.switches.is("channels.rejected", channel) }

// acceptsCurrency reports whether a currency has a channel by which payments are accepted.
func (s *Sandbox) acceptsCurrency(code string) bool {
	return slices.ContainsFunc(channelsOf[code], s.accepts)
}

// acceptsInstead says which currencies are accepted instead of one that is not.
func (s *Sandbox) acceptsInstead(code string) string {
	others := slices.DeleteFunc(slices.Clone(currencies), func(c string) bool { return !s.acceptsCurrency(c) })
	return "The sandbox accepts no payments in " + code + ". It accepts payments in " +
		strings.Join(others, " and ") + "."
}
