package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A request is a parsed initiation (2.2), as the payment made of it keeps it.
type request struct {
	amount    int64 // hundredths
	channel   string
	currency  string
	link      *link  // nil for a direct payment
	reference string // the merchant's own; "" until accept draws one
	narration string
	metaData  []member
	propsRequest
}

const (
	maxNarration    = 100     // characters
	maxMetaData     = 4 << 10 // bytes that come back in webhooks
	maxOwnReference = 20      // letters and digits
)

// initiate makes a payment (endpoint 1).
func (s *Sandbox) initiate(c call) *answer {
	q := s.readInitiation(c.body, c.now)
	if no := c.refusal(); no != nil {
		return no
	}
	p := s.accept(q, c.now)
	if p.transfer != nil {
		item := p.item("Pay into the account")
		item.add("metaData", objectNode("transfer-info", p.transfer.wire()))
		v := initiation(statusOffline, "The customer pays by bank transfer.", nil, item)
		return succeeded(v, "The payment was initiated.")
	}
	return ok(objectNode("value", s.bankValue(p), "isSuccess", true))
}

// readInitiation reads and validates the request; violations are collected in its reading.
func (s *Sandbox) readInitiation(b *object, now time.Time) request {
	q := request{
		amount:   b.amount("amount", minAmount),
		channel:  b.requiredText("channel"),
		currency: b.requiredText("currency"),
	}
	q.narration = b.limitedText("narration", maxNarration)
	email := readCustomer(b.part("userInformation", true))
	q.metaData = readMetaData(b)
	q.reference = s.readOwnReference(b)
	usable := s.readChannel(b, q)
	if l := b.part("link", false); l != nil {
		q.link = s.readLink(b, l, q, now)
	}
	switch props := b.part("paymentRequestProps", q.channel == channelCard); {
	case usable && q.channel == channelCard && props != nil:
		q.propsRequest = readCard(props, q.currency, now)
	case q.channel == channelTransfer && props != nil:
		b.invalid("paymentRequestProps", "must not be there for "+channelTransfer)
	case usable && (q.channel == channelAccount || q.channel == channelInterac):
		q.propsRequest = readAccount(b, props, q.channel, email)
	}
	return q
}

// readCustomer validates userInformation (2.3) and returns the e-mail address.
func readCustomer(u *object) string {
	if u == nil {
		return ""
	}
	u.requiredText("firstName")
	u.requiredText("lastName")
	u.text("phone")
	return readEmail(u, "emailAddress", u.requiredText("emailAddress"))
}

// readEmail validates an e-mail address, if there is one.
func readEmail(o *object, name, address string) string {
	if before, host, is := strings.Cut(address, "@"); address != "" && (!is || before == "" || host == "") {
		o.invalid(name, "must be an e-mail address")
	}
	return address
}

// readMetaData checks that metaData contains only strings (2.2), and returns it. Its keys come from
// outside, so they are not named in the error.
func readMetaData(b *object) []member {
	m := b.part("metaData", false)
	if m == nil {
		return nil
	}
	for _, v := range m.values.members {
		if !v.isString() && !b.reading.anyMetaData {
			b.malformed("metaData", "must have strings as values")
		}
	}
	return m.values.members
}

// readOwnReference reads the merchant's own reference, which a client repeats to be safe
// from paying twice.
func (s *Sandbox) readOwnReference(b *object) string {
	own := b.text("reference")
	switch {
	case own == "":
	case len(own) > maxOwnReference || strings.Trim(own, base36+upperCase) != "":
		b.invalid("reference", "must be at most 20 letters and digits")
	case holdsCardNumber(own):
		b.invalid("reference", "looks like a card number")
	case s.payments[own] != nil:
		b.invalid("reference", "was used before")
	}
	return own
}

// readChannel checks the channel against the currency and reports whether the sandbox
// accepts payments with both.
func (s *Sandbox) readChannel(b *object, q request) bool {
	if q.channel == "" || q.currency == "" {
		return false
	}
	known := channelsOf[q.currency]
	switch {
	case known == nil:
		b.invalid("currency", mustBeCurrency())
	case !slices.Contains(known, q.channel):
		b.invalid("channel", "must be one of "+strings.Join(known, ", ")+" for this currency")
	case !s.accepts(q.channel):
		b.invalid("channel", "is listed for this currency, but rejected at initiation")
	default:
		return true
	}
	return false
}

// accept creates the payment.
func (s *Sandbox) accept(q request, now time.Time) *payment {
	if s.secret(q.narration) { // which events would send out again
		q.narration = ""
	}
	q.metaData = s.safeMetaData(q.metaData)
	q.plan.settleTime = cmp.Or(q.plan.settleTime, s.options.Settle)
	p := &payment{request: q, id: uuid(s.random), made: now}
	draw := shortCode
	if q.channel == channelTransfer {
		draw = uuid
		account := "99" + pick(s.random, "0123456789", 8)
		p.transfer = &transferPart{account: account, due: q.amount, expires: now.Add(accountValid)}
		if !s.options.ManualTransfers && !s.switches.is("transfer.paid", "on-demand") {
			p.transfer.arrives = now.Add(s.options.Settle)
		}
	} else {
		p.bank = newBankPart(s.random, q.plan, now)
		p.bank.byEmail = q.channel == channelInterac && s.switches.is("interac.asks", "e-mail")
	}
	if p.reference == "" {
		p.reference = drawUnused(s.payments, func() string { return draw(s.random) })
	}
	s.keep(p)
	return p
}

// bankValue answers the initiation of a payment that a bank decides.
func (s *Sandbox) bankValue(p *payment) node {
	says := map[string]string{
		channelCard:    "Card ending in " + p.lastFour,
		channelAccount: "Pay from the account",
		channelInterac: "Interac",
	}
	item := p.item(says[p.channel])
	if p.channel == channelCard {
		item.add("paymentReference", p.reference)
	}
	item.add("metaData", objectNode())
	switch {
	case p.bank.declined:
		return initiation(failed, declinedMessage, nil, item)
	case p.challenged() && p.bank.byEmail:
		return initiation(statusOffline, "The customer approves the request that was sent by e-mail.", nil, item)
	case p.challenged():
		return initiation(initiated, "The customer's bank asks the customer to approve.", s.bankURL(p), item)
	}
	return initiation(initiated, "The payment was initiated.", nil, item)
}

const declinedMessage = "The card was declined."

// initiation is the value of the response to an initiation (2.5). bankURL is nil where no bank asks.
func initiation(is state, message string, bankURL any, item node) node {
	return objectNode("paymentStatus", is, "message", message, "bankAuthURL", bankURL, "paymentItem", item)
}

// item is what the items of all channels have (2.6).
func (p *payment) item(message string) node {
	return objectNode(
		"channel", p.channel,
		"message", message,
		"amount", formatMajor(p.amount),
		"fees", formatMajor(p.fee(p.made)),
		"reference", p.reference,
	)
}

// lookUp returns the payment of a reference, or the answer that it does not exist.
func (s *Sandbox) lookUp(c call, reference string) (*payment, *answer) {
	if p := s.payments[reference]; p != nil {
		return p, nil
	}
	return nil, c.refuse(http.StatusNotFound, "There is no payment with this reference.")
}

// authenticate reports whether a card payment needs a challenge (endpoint 4). Two names of the response start with a capital (2.10).
func (s *Sandbox) authenticate(c call) *answer {
	references := c.query["referenceId"]
	if len(references) != 1 || references[0] == "" {
		return c.refuse(http.StatusUnprocessableEntity, "referenceId is required, once")
	}
	p, no := s.lookUp(c, references[0])
	if no != nil {
		return no
	}
	if p.channel != channelCard {
		return c.refuse(http.StatusBadRequest, "referenceId is not the reference of a card payment")
	}
	v := objectNode(
		"status", "AUTHENTICATION_NOT_REQUIRED", "IsAuthenticationEnabled", false, "Recommendation", "DO_NOT_AUTHENTICATE",
		"message", "No challenge is open for this payment.", "authenticationhtml", "",
	)
	if p.challenged() {
		v = objectNode(
			"status", "AUTHENTICATION_REQUIRED", "IsAuthenticationEnabled", true, "Recommendation", "PROCEED_WITH_AUTHENTICATION",
			"message", "Present the challenge to the customer.", "authenticationhtml", s.challengeForm(p),
		)
	}
	return coded(v, "", "The authentication check was carried out.")
}

// finalize records that the customer's part is complete (endpoint 5). Repeating it changes
// nothing and gets the same response.
func (s *Sandbox) finalize(c call) *answer {
	reference := c.body.requiredText("paymentReference")
	if no := c.refusal(); no != nil {
		return no
	}
	p, no := s.lookUp(c, reference)
	if no != nil {
		return no
	}
	switch p.at(c.now) {
	case initiated:
		return c.refuse(http.StatusBadRequest,
			"paymentReference belongs to a payment that the customer has not authorized yet")
	case failed:
		return c.refuse(http.StatusBadRequest, "paymentReference belongs to a payment that has failed")
	}
	p.finalize(c.now)
	s.step()
	v := objectNode("status", "completed", "message", "The customer's part is complete.") // 2.11
	return coded(v, nil, "The payment was finalized.")
}
