package sandbox

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
)

const accountValid = 30 * time.Minute

// wireTime is ISO 8601 with a numeric offset (2.7, 2.8).
const wireTime = "2006-01-02T15:04:05-07:00"

// A transferPart holds the transfer-specific state of a payment.
type transferPart struct {
	account  string // its number comes from the seed and is not a real one
	due      int64  // hundredths
	received int64  // on demand, in hundredths; more than due when overpaid
	expires  time.Time
	arrives  time.Time // when the full amount arrives by itself; zero when it does not
}

// A wireAccount is transfer-info, the account to pay into (2.7).
type wireAccount struct {
	Note          string `json:"note"`
	Bank          string `json:"bank"`
	AccountNumber string `json:"account_number"`
	AccountName   string `json:"account_name"`
	Expiration    string `json:"expiration"`
	Mode          string `json:"mode"`
}

func (t *transferPart) wire() wireAccount {
	return wireAccount{
		Note:          "Pay the exact amount into this account before it expires.",
		Bank:          "Sandbox Bank",
		AccountNumber: t.account,
		AccountName:   "Sandbox Collections",
		Expiration:    t.expires.UTC().Format(wireTime),
		Mode:          "banktransfer",
	}
}

// The errors of Pay.
var (
	ErrNoPayment   = reason("there is no payment with this reference")
	ErrNotTransfer = reason("this payment is not a transfer")
	ErrPaid        = reason("this transfer has already been paid")
	ErrExpired     = reason("the account has expired")
)

// Pay pays an amount in major units, such as "12.50", into the account of a transfer. A
// part payment leaves the transfer waiting for the rest until the account expires; then it
// is FAILED, and the money is not returned. An overpayment is accepted like the exact
// amount. A payment on demand replaces the one that would have arrived by itself.
func (s *Sandbox) Pay(reference, amount string) error {
	n, problem := parseHundredths(amount)
	switch {
	case !isDecimal(amount):
		return errors.New("the amount must be a number such as 12.50")
	case problem != "":
		return errors.New("the amount " + problem)
	case n == 0:
		return errors.New("the amount must be more than zero")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now, p := s.now(), s.payments[reference]
	switch {
	case p == nil:
		return ErrNoPayment
	case p.transfer == nil:
		return ErrNotTransfer
	case p.transfer.arrived(now):
		return ErrPaid
	case !p.transfer.pay(n, now):
		return ErrExpired
	}
	s.step()
	return nil
}

// arrived reports whether the full amount arrived before the account expired.
func (t *transferPart) arrived(now time.Time) bool {
	return t.received >= t.due || t.comesByItself() && !now.Before(t.arrives)
}

// comesByItself reports whether the money arrives without Pay, and in time.
func (t *transferPart) comesByItself() bool {
	return !t.arrives.IsZero() && t.arrives.Before(t.expires)
}

// open reports whether the account is still waiting for money.
func (t *transferPart) open(now time.Time) bool {
	return !t.arrived(now) && now.Before(t.expires)
}

// pay pays into an open account. What would have arrived by itself does not come in
// addition.
func (t *transferPart) pay(n int64, now time.Time) bool {
	if !t.open(now) {
		return false
	}
	t.received += n
	t.arrives = time.Time{}
	return true
}

func (t *transferPart) expire(now time.Time) bool {
	if !t.open(now) {
		return false
	}
	t.expires = now
	return true
}

// PayByAccount and Interac take no card. The customer approves at the bank, as after a challenge: of
// PayByAccount at the bank URL of the response, of Interac from a request that is sent by e-mail.

// readAccount reads and validates what they take in paymentRequestProps, which may be nil: email is
// the customer's address when it has none. A return URL is also accepted in metaData, where
// integrations were seen to put it.
func readAccount(b, props *object, channel, email string) propsRequest {
	q := propsRequest{plan: plan{challenges: true}, email: email}
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
