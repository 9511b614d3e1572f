package sandbox

import "encoding/base64"

// The calls of the control API about webhooks.

// showWebhooks has the bodies of deliveries too, which hold a merchant's own texts as they are.
func showWebhooks(s *Sandbox, _ call) any {
	return map[string]any{"targets": s.Webhooks(), "deliveries": s.Deliveries()}
}

// showDeliveries has no bodies.
func showDeliveries(s *Sandbox, _ call) any {
	return map[string]any{"targets": s.Webhooks(), "deliveries": withoutBodies(s.Deliveries())}
}

func withoutBodies(all []Delivery) []Delivery {
	for i := range all {
		all[i].Body = ""
	}
	return all
}

func (s *Sandbox) findBody(c call) func() error {
	return func() error {
		if s.Body(c.reference) == "" {
			return ErrNoDelivery
		}
		return nil
	}
}

// showBody encodes the body, which may be any bytes.
func showBody(s *Sandbox, c call) any { return map[string]any{"base64": []byte(s.Body(c.reference))} }

func (s *Sandbox) redeliver(c call) func() error {
	return func() error { return s.Redeliver(c.reference) }
}

// redeliverFailed sends and counts in one, so that the count is of what was sent.
func redeliverFailed(s *Sandbox, _ call) any { return map[string]any{"sent": s.RedeliverFailed()} }

func (s *Sandbox) sendSample(c call) func() error {
	event, style := c.body.requiredText("event"), c.body.text("style")
	return func() error { return s.SendSample(event, style) }
}

// sendBody takes a body as text or, since it may be any bytes, in base64.
func (s *Sandbox) sendBody(c call) func() error {
	body, target := []byte(c.body.text("body")), c.body.text("target")
	if coded := c.body.text("base64"); coded != "" {
		var err error
		if body, err = base64.StdEncoding.DecodeString(coded); err != nil {
			c.body.invalid("base64", "must be base64")
		}
	}
	return func() error { return s.Send(body, target) }
}

// setWebhook changes the URLs of webhooks: to one, to several, or to none, when sending stops.
func (s *Sandbox) setWebhook(c call) func() error {
	var urls []string
	if one := c.body.text("address"); one != "" {
		urls = append(urls, one)
	}
	if all := c.body.typed("addresses", isTexts, "must be an array of strings"); all != nil {
		for _, m := range all.members {
			urls = append(urls, m.stringValue())
		}
	}
	return func() error { return s.SetWebhooks(urls) }
}

func isTexts(n *node) bool {
	for _, m := range n.members {
		if !m.isString() {
			return false
		}
	}
	return n.isArray()
}
