package api

import (
	"cmp"
	"context"
)

// An Authentication is the response to the authentication check (2.10).
type Authentication struct {
	Enabled        bool // IsAuthenticationEnabled
	HasEnabled     bool // IsAuthenticationEnabled was a boolean
	Recommendation Text
	Message        Text
	Page           Markup
}

// Authenticate checks whether a payment needs a challenge (endpoint 4). Its errors are [*Refusal]
// and [*Failure].
func (c *Client) Authenticate(ctx context.Context, r Reference) (Authentication, error) {
	r, err := ParseReference(string(r))
	if err != nil {
		return Authentication{}, notSent("this is not a payment reference")
	}
	a, f := c.get(ctx, request{origin: c.base, path: c.authenticate.expand(r), limit: pageBody})
	e, err := readOutcome(a, f, standardEnvelope)
	if err != nil {
		return Authentication{}, err
	}
	v := e.payload
	enabled := cmp.Or(v.field("IsAuthenticationEnabled"), v.field("isAuthenticationEnabled")) // the latter was observed
	page, _ := v.field("authenticationhtml").text()
	return Authentication{
		Enabled:        enabled.kind() == 't',
		HasEnabled:     enabled.kind() == 't' || enabled.kind() == 'f',
		Recommendation: cmp.Or(v.field("Recommendation"), v.field("recommendation")).displayASCII(),
		Message:        firstText(v.field("message"), e.top.field("message")),
		Page:           NewMarkup(page),
	}, nil
}
