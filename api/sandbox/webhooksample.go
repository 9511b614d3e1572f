package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

const (
	maxSentBody = 64 << 10 // bytes of an edited body
	maxNamed    = 128      // bytes of the event and the reference that it names
)

// The errors of SendSample and Send.
var (
	ErrNoStyle    = errors.New("the style must be spec, official, camel or contradictory")
	ErrBodySize   = errors.New("the body must have from 1 to 65536 bytes")
	ErrBodySecret = errors.New("the body has what looks like a card number or the secret key; nothing was sent")
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
	case style != "" && !slices.Contains(webhookStyles(), style):
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
	return nil
}

// webhookStyles are what the switch webhook.style accepts.
func webhookStyles() []string {
	i := slices.IndexFunc(switchTable(), func(w Switch) bool { return w.Name == "webhook.style" })
	return switchTable()[i].Values
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
