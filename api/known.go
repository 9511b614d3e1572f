package api

import (
	"context"
	"strings"

	"paydesk/api/card"
)

// A reference goes into a URL, which proxies and servers log, so a card number or a key that was typed
// as one must not. A reference that looks like one is sent only when the service has named it itself,
// or when the caller knows it: the journal does.

type knownReference struct{}

// WithKnownReference allows requests about a reference that looks like a card number: the service
// assigned it in an earlier run.
func WithKnownReference(ctx context.Context, r Reference) context.Context {
	return context.WithValue(ctx, knownReference{}, r)
}

// LooksLikeCard reports whether a reference may be a card number.
func (r Reference) LooksLikeCard() bool { return card.In(string(r)) }

// String is the reference as it is shown, copied and exported: what looks like a card number is masked as one. Its payment
// is found by the ID of its attempt.
func (r Reference) String() string { return card.Hide(string(r)) }

// name remembers a reference that looks like a card number and that the service has named itself.
func (c *Client) name(text string) {
	if r, err := ParseReference(text); err == nil && r.LooksLikeCard() {
		c.named.Store(r, true)
	}
}

// forURL checks a reference before it goes into a URL or a request.
func (c *Client) forURL(ctx context.Context, r Reference) (Reference, error) {
	r, err := ParseReference(string(r))
	if err != nil {
		return "", notSent("this is not a payment reference")
	}
	if strings.Contains(string(r), c.config.Key.Expose()) {
		return "", notSent(ErrSecretKey.Error())
	}
	if _, named := c.named.Load(r); named || !r.LooksLikeCard() || ctx.Value(knownReference{}) == r {
		return r, nil
	}
	return "", notSent("this is a card number, not a payment reference")
}

type unrecordedContext struct{}

// Unrecorded returns a context in which a status is requested for a webhook that anybody may have made up, or by our own
// reference, which the answer about a payment need not have: whoever remembers what was looked up remembers nothing of it but
// what it says about the key, and the answer itself where the service has the payment.
func Unrecorded(ctx context.Context) context.Context {
	return context.WithValue(ctx, unrecordedContext{}, true)
}

// IsUnrecorded reports whether a context is one of [Unrecorded].
func IsUnrecorded(ctx context.Context) bool { return ctx.Value(unrecordedContext{}) != nil }
