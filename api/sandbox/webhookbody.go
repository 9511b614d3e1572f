package sandbox

import (
	"encoding/json"
	"strings"
	"time"
)

// A webhookStyle is a format of webhooks that has been seen.
type webhookStyle string

const (
	webhookSpec          webhookStyle = "spec"          // events and statuses of the specification (section 6, 3.1)
	webhookOfficial      webhookStyle = "official"      // PaymentSuccessful and PaymentFailed (facts page)
	webhookCamel         webhookStyle = "camel"         // the same in the older format, in camelCase
	webhookContradictory webhookStyle = "contradictory" // PaymentSuccessful even where PaymentStatus says Failed
)

// An eventBody is the public body of a webhook (facts page).
type eventBody struct {
	Event string
	Data  eventData
}

// An eventData describes the payment, without any card data. Amounts are in major units.
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
	Metadata      *eventMeta // null without a link
}

type eventMeta struct {
	Alias string `json:"alias"`
}

// event returns the event of a final payment and its body.
func (w webhookStyle) event(p *payment, now time.Time) (event, body string) {
	succeeded := p.at(now) == successful
	event, status := w.names(succeeded)
	d := eventData{
		Environment:   "Test",
		Reference:     p.reference,
		AmountPaid:    formatMajor(p.received(now)),
		Amount:        formatMajor(p.amount),
		Currency:      p.currency,
		AppFee:        formatMajor(fee(p.amount)),
		Narration:     p.narration,
		PaymentStatus: status,
		ChannelType:   "Card",
		RequestSource: "Api",
	}
	if p.transfer != nil {
		d.ChannelType = "Transfer"
	}
	if p.link != nil {
		d.RequestSource = "PaymentLink"
		d.Metadata = &eventMeta{p.link.alias}
	}
	doc := parseTree(encodeJSON(eventBody{event, d}))
	if w == webhookCamel {
		doc.camelCase()
	}
	return event, strings.TrimSuffix(string(doc.bytes()), "\n")
}

// names are the event and the status for an outcome.
func (w webhookStyle) names(succeeded bool) (event, status string) {
	switch {
	case w == webhookSpec:
		if succeeded {
			return "payment.success", "SUCCESSFUL"
		}
		return "payment.failed", "FAILED"
	case succeeded:
		return "PaymentSuccessful", "Successful"
	case w == webhookContradictory:
		return "PaymentSuccessful", "Failed"
	}
	return "PaymentFailed", "Failed"
}

// safeNarration is a merchant's narration, or "" when it contains the key or what can be a
// card number, which must not be sent out again.
func (s *Sandbox) safeNarration(narration string) string {
	if holdsCardNumber(narration) || strings.Contains(narration, s.key) {
		return ""
	}
	return narration
}
