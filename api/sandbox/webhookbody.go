package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A webhookStyle is a format of webhooks that has been seen: "spec" has the events and
// statuses of the specification (section 6, 3.1); "official" has PaymentSuccessful and
// PaymentFailed; "camel" is the same in the older format, in camelCase; "contradictory" says
// PaymentSuccessful even where PaymentStatus says Failed.
type webhookStyle string

// event returns the event of a final payment and its body, with the metaData that was given at
// initiation or without. The body is public: it describes the payment, without any card data.
// Amounts are in major units.
func (w webhookStyle) event(p *payment, now time.Time, given bool) (event, body string) {
	event, status := w.names(p.at(now) == successful)
	channel, source := "Account", "Api"
	switch p.channel {
	case channelCard:
		channel = "Card"
	case channelTransfer:
		channel = "Transfer"
	}
	if p.link != nil {
		source = "PaymentLink"
	}
	doc := objectNode("Event", event, "Data", objectNode(
		"Environment", environment,
		"Reference", p.reference,
		"AmountPaid", formatMajor(p.received(now)),
		"Amount", formatMajor(p.amount),
		"Currency", p.currency,
		"AppFee", formatMajor(p.fee(now)),
		"Narration", p.narration,
		"PaymentStatus", status,
		"ChannelType", channel,
		"RequestSource", source,
	))
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
		others := slices.DeleteFunc(all.members, func(m member) bool { return m.name == "alias" })
		all.members = slices.Insert(others, 0, member{"alias", stringNode(p.link.alias)})
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

// safeMetaData returns what may be sent out again of a merchant's metaData. It is stored, so that it may
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

const (
	maxSentBody = 64 << 10 // bytes of an edited body
	maxNamed    = 128      // bytes of the event and the reference that it names
)

// The errors of SendSample and Send.
var (
	ErrNoStyle    = reason("the style must be spec, official, camel or contradictory")
	ErrBodySize   = reason("the body must have from 1 to 65536 bytes")
	ErrBodySecret = reason("the body has what looks like a card number or the secret key; nothing was sent")
)

// SendSample sends an event of no payment to each URL, to try receivers with: payment.success or
// payment.failed, in the style of the switch webhook.style or, if style is not "", in another. It
// is delivered like any other.
func (s *Sandbox) SendSample(event, style string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	succeeds, _ := webhookStyle("spec").names(true)
	fails, _ := webhookStyle("spec").names(false)
	switch {
	case event != succeeds && event != fails:
		return ErrNoEvent
	case style != "" && checkSwitch("webhook.style", style) != nil:
		return ErrNoStyle
	case len(s.hooks.targets) == 0:
		return ErrNoWebhook
	}
	now := s.now()
	e := s.describe(&payment{
		request: request{
			amount: 12_50, channel: channelCard, currency: "GBP", narration: "A sample event",
			reference: fmt.Sprintf("SAMPLE%d", s.events.told+1),
		},
		bank: &bankPart{authorized: now, settled: true, declined: event == fails},
	}, now, style)
	e.Sample = true
	s.addEvent(e, now, s.hooks.urls())
	s.step()
	return nil
}

// Send sends a body that a person wrote, which may be anything but a secret, to one of the URLs that
// are set; "" stands for each. It is delivered like any other.
func (s *Sandbox) Send(body []byte, target string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	urls := s.hooks.urls()
	switch {
	case len(body) == 0 || len(body) > maxSentBody:
		return ErrBodySize
	case s.secretBody(body):
		return ErrBodySecret
	case len(urls) == 0:
		return ErrNoWebhook
	case target != "" && !slices.Contains(urls, target):
		return ErrNoTarget
	case target != "":
		urls = []string{target}
	}
	e := Delivery{Edited: true, Body: string(body)}
	e.Event, e.Reference = named(body)
	s.addEvent(e, s.now(), urls)
	s.step()
	return nil
}

// secretBody reports whether a body has the key or a card number, also where JSON escapes hide it or
// digits stand in groups.
func (s *Sandbox) secretBody(body []byte) bool {
	texts := []string{string(body)}
	if json.Valid(body) {
		doc := parseTree(body)
		texts = append(texts, string(doc.bytes()))
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		return s.secret(text) || holdsCardNumber(strings.NewReplacer(" ", "", "-", "").Replace(text))
	})
}

// named is the event and the reference in a body, of any style; "" for what it does not name in plain
// text.
func named(body []byte) (event, reference string) {
	if !json.Valid(body) {
		return "", ""
	}
	doc := parseTree(body)
	doc.camelCase()
	return nameText(doc.find("event")), nameText(doc.find("data.reference"))
}

func nameText(n *node) string {
	text := n.stringValue()
	if len(text) > maxNamed || strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }) {
		return ""
	}
	return text
}
