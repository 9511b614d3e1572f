package api

import "context"

// An Authentication is the answer to the authentication check (2.10).
type Authentication struct {
	Status         Text
	Enabled        bool // IsAuthenticationEnabled
	HasEnabled     bool // the answer said so in a readable way
	Recommendation Text
	Message        Text
	Code           Text // responseCode
	Page           Markup
}

// Authenticate asks whether a payment needs a challenge (endpoint 4).
func (c *Client) Authenticate(ctx context.Context, r Reference) (Authentication, error) {
	panic("contract")
}
