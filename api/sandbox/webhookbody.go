package sandbox

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// A webhookStyle is a format of webhooks that has been seen: "spec" has the events and
// statuses of the specification (section 6, 3.1); "official" has PaymentSuccessful and
// PaymentFailed; "camel" is the same in the older format, in camelCase; "contradictory" says
// PaymentSuccessful even where PaymentStatus says Failed.
type webhookStyle string

// An eventData is the public body of a webhook: it describes the payment, without any card
// data. Amounts are in major units.
type eventData struct {
	Environment   string
	Reference     string
	AmountPaid    json.Number
	Amount        json.Number
	Currency      string
	AppFee        json.Number
	Narration     string
	PaymentStatus string
	ChannelType   string
	RequestSource string
	// Metadata follows; see metadata.
}

// event returns the event of a final payment and its body, with the metaData that was given at
// initiation or without.
func (w webhookStyle) event(p *payment, now time.Time, given bool) (event, body string) {
	succeeded := p.at(now) == successful
	event, status := w.names(succeeded)
	d := eventData{
		Environment:   "Test",
		Reference:     p.reference,
		AmountPaid:    formatMajor(p.received(now)),
		Amount:        formatMajor(p.amount),
		Currency:      p.currency,
		AppFee:        formatMajor(p.fee(now)),
		Narration:     p.narration,
		PaymentStatus: status,
		ChannelType:   "Account",
		RequestSource: "Api",
	}
	switch p.channel {
	case channelCard:
		d.ChannelType = "Card"
	case channelTransfer:
		d.ChannelType = "Transfer"
	}
	if p.link != nil {
		d.RequestSource = "PaymentLink"
	}
	doc := parseTree(encodeJSON(struct {
		Event string
		Data  eventData
	}{event, d}))
	name := "Metadata"
	if w == "camel" {
		doc.camelCase()
		name = "metadata"
	}
	doc.members[1].add(name, p.metadata(given)) // after camelCase: its names are the merchant's
	return event, strings.TrimSuffix(string(doc.bytes()), "\n")
}

// metadata is the alias of the payment's link, and what the merchant gave; null when there is
// nothing.
func (p *payment) metadata(given bool) node {
	all := objectNode()
	if given {
		all.members = slices.Clone(p.metaData)
	}
	if p.link != nil {
		all.remove("alias")
		alias := member{"alias", stringNode(p.link.alias)}
		all.members = slices.Insert(all.members, 0, alias)
	}
	if len(all.members) == 0 {
		return leaf("null")
	}
	return all
}

// names are the event and the status for an outcome.
func (w webhookStyle) names(succeeded bool) (event, status string) {
	switch {
	case w == "spec" && succeeded:
		return "payment.success", "SUCCESSFUL"
	case w == "spec":
		return "payment.failed", "FAILED"
	case succeeded:
		return "PaymentSuccessful", "Successful"
	case w == "contradictory":
		return "PaymentSuccessful", "Failed"
	}
	return "PaymentFailed", "Failed"
}

// safeNarration is a merchant's narration, or "" when it must not be sent out again.
func (s *Sandbox) safeNarration(narration string) string {
	if s.secret(narration) {
		return ""
	}
	return narration
}

// safeMetaData is what may be sent out again of a merchant's metaData. It is stored, so that it may
// not be large.
func (s *Sandbox) safeMetaData(given []member) []member {
	left := maxMetaData
	safe := slices.DeleteFunc(slices.Clone(given), func(m member) bool {
		text := quote(m.name) + string(m.bytes())
		left -= len(text)
		return s.secret(text)
	})
	if left < 0 {
		return nil
	}
	return safe
}

// secret reports whether a text contains the key or what can be a card number.
func (s *Sandbox) secret(text string) bool {
	return holdsCardNumber(text) || strings.Contains(text, s.options.Key) ||
		strings.Contains(text, strings.Trim(quote(s.options.Key), `"`)) // as JSON has it
}
