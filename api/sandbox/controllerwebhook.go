package sandbox

import (
	"context"
	"net/http"
	"net/url"
)

// SetWebhook sends events to one URL from now on, to none for "".
func (c *Controller) SetWebhook(ctx context.Context, target string) error {
	return c.post(ctx, "webhook", map[string]any{"address": target})
}

// SetWebhooks sends events to each of these URLs from now on, to none without any.
func (c *Controller) SetWebhooks(ctx context.Context, targets []string) error {
	return c.post(ctx, "webhook", map[string]any{"addresses": targets})
}

// Body returns the raw body of a delivery. Clean it before showing it.
func (c *Controller) Body(ctx context.Context, id string) ([]byte, error) {
	var v struct{ Base64 []byte }
	err := c.call(ctx, http.MethodGet, "webhooks/"+url.PathEscape(id)+"/body", nil, &v)
	return v.Base64, err
}

// Redeliver sends an event again.
func (c *Controller) Redeliver(ctx context.Context, id string) error {
	return c.post(ctx, "webhooks/"+url.PathEscape(id)+"/redeliver", nil)
}

// RedeliverFailed sends all events again that were not delivered, and returns how many.
func (c *Controller) RedeliverFailed(ctx context.Context) (int, error) {
	var v struct{ Sent int }
	err := c.call(ctx, http.MethodPost, "webhooks/redeliver", nil, &v)
	return v.Sent, err
}

// SendSample sends an event of no payment, in the style of the switch webhook.style for "".
func (c *Controller) SendSample(ctx context.Context, event, style string) error {
	body := map[string]any{"event": event}
	if style != "" {
		body["style"] = style
	}
	return c.post(ctx, "webhooks", body)
}

// Send sends a body that a person wrote to one URL, to each for "".
func (c *Controller) Send(ctx context.Context, body []byte, target string) error {
	return c.post(ctx, "webhooks/send", map[string]any{"base64": body, "target": target})
}
