package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// An initiationValue is what came of an initiation (2.5).
type initiationValue struct {
	PaymentStatus string      `json:"paymentStatus"`
	Message       string      `json:"message"`
	BankAuthURL   *string     `json:"bankAuthURL"`
	PaymentItem   paymentItem `json:"paymentItem"`
}

// A paymentItem is 2.6. paymentReference is there on card initiation only.
type paymentItem struct {
	Channel          string      `json:"channel"`
	Message          string      `json:"message"`
	Amount           json.Number `json:"amount"`
	Fees             json.Number `json:"fees"`
	Reference        string      `json:"reference"`
	PaymentReference *string     `json:"paymentReference,omitempty"`
	MetaData         itemMeta    `json:"metaData"`
}

// An itemMeta is {} for cards and holds the account for transfers (2.6).
type itemMeta struct {
	Transfer *wireAccount `json:"transfer-info,omitempty"`
}

// A request is an initiation that was read (2.2).
type request struct {
	amount       int64
	channel      string
	currency     string
	link         *link
	ownReference string
	narration    string
	card         cardRequest
}

const (
	maxNarration    = 100 // facts page
	maxOwnReference = 20  // facts page
)

// initiate takes a payment (endpoint 1).
func (s *Sandbox) initiate(c call) answer {
	q := s.readInitiation(c.body, c.now)
	if no := c.verdict(); no != nil {
		return *no
	}
	p := s.take(q, c.now)
	if p.transfer != nil {
		return ok(nullEnvelope{Value: transferValue(p), IsSuccess: true, Message: "The payment was initiated."})
	}
	return ok(plainEnvelope{Value: s.cardValue(p), IsSuccess: true})
}

// readInitiation reads and checks the request; what is wrong is in its reading.
func (s *Sandbox) readInitiation(b *object, now time.Time) request {
	q := request{
		amount:   b.amount("amount", leastAmount),
		channel:  b.need("channel"),
		currency: b.need("currency"),
	}
	q.narration = b.short("narration", maxNarration)
	readCustomer(b.part("userInformation", true))
	readMetaData(b.part("metaData", false))
	q.ownReference = s.readOwnReference(b)
	usable := s.readChannel(b, q)
	if l := b.part("link", false); l != nil {
		q.link = s.readLink(b, l, q, now)
	}
	switch props := b.part("paymentRequestProps", q.channel == channelCard); {
	case usable && q.channel == channelCard && props != nil:
		q.card = readCard(props, q.currency, now)
	case q.channel == channelTransfer && props != nil:
		b.complain("paymentRequestProps", "must not be there for "+channelTransfer)
	}
	return q
}

// readCustomer reads userInformation (2.3).
func readCustomer(u *object) {
	if u == nil {
		return
	}
	u.need("firstName")
	u.need("lastName")
	if address := u.need("emailAddress"); address != "" {
		if name, host, is := strings.Cut(address, "@"); !is || name == "" || host == "" {
			u.complain("emailAddress", "must be an e-mail address")
		}
	}
	u.text("phone")
}

// readMetaData checks that metaData holds strings (2.2). Its keys come from
// outside, so they are not named.
func readMetaData(m *object) {
	if m == nil || m.reading.loose {
		return
	}
	for _, v := range m.values {
		if _, is := v.(string); !is {
			m.reading.wrong = append(m.reading.wrong, complaint{"metaData", "must have strings as values", true})
		}
	}
}

// readOwnReference reads the merchant's own reference (facts page, Idempotency).
func (s *Sandbox) readOwnReference(b *object) string {
	own := b.text("reference")
	switch {
	case own == "":
	case len(own) > maxOwnReference || strings.Trim(own, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") != "":
		b.complain("reference", "must be at most 20 letters and digits")
	case holdsCardNumber(own):
		b.complain("reference", "looks like a card number")
	case s.payments[own] != nil:
		b.complain("reference", "was used before")
	}
	return own
}

// readChannel checks the channel against the currency (facts page, Channels by
// currency) and reports whether the pair can be paid with here.
func (s *Sandbox) readChannel(b *object, q request) bool {
	if q.channel == "" || q.currency == "" {
		return false
	}
	known := channelsOf(q.currency)
	switch {
	case known == nil:
		b.complain("currency", "must be one of "+strings.Join(currencies, ", "))
	case !slices.Contains(known, q.channel):
		b.complain("channel", "must be one of "+strings.Join(known, ", ")+" for this currency")
	case q.channel != channelCard && q.channel != channelTransfer:
		b.complain("channel", "is listed for this currency, but the sandbox does not take payments by it")
	default:
		return true
	}
	return false
}

// take makes the payment.
func (s *Sandbox) take(q request, now time.Time) *payment {
	p := &payment{
		reference: q.ownReference,
		id:        uuid(s.random),
		amount:    q.amount,
		currency:  q.currency,
		narration: s.presentable(q.narration),
		made:      now,
		link:      q.link,
		settles:   s.settle,
	}
	draw := shortCode
	if q.channel == channelTransfer {
		draw = uuid
		p.transfer = newTransfer(s.random, q.amount, now, s.settle, s.manual || s.quirks.is(switchPaid, isOnDemand))
	} else {
		p.card = newCard(s.random, q.card, now)
		if p.card.plan.settles > 0 {
			p.settles = p.card.plan.settles
		}
	}
	if p.reference == "" {
		p.reference = fresh(s.payments, func() string { return draw(s.random) })
	}
	s.keep(p)
	return p
}

func (s *Sandbox) cardValue(p *payment) initiationValue {
	v := initiationValue{
		PaymentStatus: wordInitiated,
		Message:       "The payment was initiated.",
		PaymentItem:   p.item(channelCard, "Card ending in "+p.card.lastFour),
	}
	v.PaymentItem.PaymentReference = &p.reference
	switch {
	case p.card.declined:
		v.PaymentStatus = wordFailed
		v.Message = "The card was declined."
	case p.challenged():
		address := s.bankAddress(p)
		v.BankAuthURL = &address
		v.Message = "The customer's bank asks the customer to approve."
	}
	return v
}

func transferValue(p *payment) initiationValue {
	v := initiationValue{
		PaymentStatus: wordOffline,
		Message:       "The customer pays by bank transfer.",
		PaymentItem:   p.item(channelTransfer, "Pay into the account"),
	}
	account := p.transfer.describe()
	v.PaymentItem.MetaData.Transfer = &account
	return v
}

func (p *payment) item(channel, message string) paymentItem {
	return paymentItem{
		Channel:   channel,
		Message:   message,
		Amount:    major(p.amount),
		Fees:      major(fee(p.amount)),
		Reference: p.reference,
	}
}

// lookUp finds the payment of a reference, or says that there is none.
func (s *Sandbox) lookUp(c call, reference string) (*payment, *answer) {
	if p := s.payments[reference]; p != nil {
		return p, nil
	}
	a := c.refuse(http.StatusNotFound, "There is no payment with this reference.")
	return nil, &a
}
