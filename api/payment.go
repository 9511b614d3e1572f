package api

import (
	"cmp"
	"context"
	"strings"

	"paydesk/api/money"
)

// An Authentication is the response to the authentication check (2.10).
type Authentication struct {
	Enabled        bool // IsAuthenticationEnabled
	HasEnabled     bool // IsAuthenticationEnabled was a boolean
	Status         Text // of the check, not of the payment
	Recommendation Text
	Message        Text
	Code           Text   // responseCode
	Further        []Text // what the specification does not name, each as "name: value"
	Page           Markup
}

// AsksCustomer reports whether the customer has to authorise the payment.
func (a Authentication) AsksCustomer() bool { return a.Enabled || !a.Page.IsZero() }

// Authenticate checks whether a payment needs a challenge (endpoint 4). Its errors are [*Refusal]
// and [*Failure].
func (c *Client) Authenticate(ctx context.Context, r Reference) (Authentication, error) {
	return observe(ctx, c, OpAuthenticate, r, func(ctx context.Context) (Authentication, error) {
		r, err := c.forURL(ctx, r)
		if err != nil {
			return Authentication{}, err
		}
		a, f := c.get(ctx, request{origin: c.base, path: expand(c.config.AuthenticatePath, r), limit: pageBody})
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
			Status:         v.field("status").displayASCII(),
			Recommendation: cmp.Or(v.field("Recommendation"), v.field("recommendation")).displayASCII(),
			Message:        firstText(v.field("message"), e.top.field("message")),
			Code:           e.code(),
			Further:        append(further(e.top), further(v)...),
			Page:           NewMarkup(page),
		}, nil
	})
}

// specified are the parts of the response to the authentication check (2.10), in lower case.
var specified = map[string]bool{
	"type": true, "title": true, "detail": true, "instance": true, "status": true, "issuccess": true, "error": true,
	"message": true, "responsecode": true, "value": true, "isauthenticationenabled": true, "recommendation": true,
	markupKey: true,
}

// further are the texts of an object that the specification does not name: the response may have more
// (2.10).
func further(v *value) (all []Text) {
	if v.kind() != '{' {
		return nil
	}
	for i, key := range v.keys {
		if s, is := v.parts[i].text(); is && s != "" && !specified[LowerASCII(key)] {
			all = append(all, Clean(v.secrets.hide(key+": "+s)))
		}
	}
	return all
}

// A Finalization is the response to finalize (2.11). It is never the final status of a payment:
// only the status endpoint reports that.
type Finalization struct {
	Status  Text // e.g. completed
	Message Text
	Code    Text // 00 on success
}

// Finalize tells the service that the customer's part is complete (endpoint 5), once. Its errors
// are [*Refusal], [*Unresolved] and [*Failure].
func (c *Client) Finalize(ctx context.Context, r Reference) (Finalization, error) {
	return observe(ctx, c, OpFinalize, r, func(ctx context.Context) (Finalization, error) {
		r, err := c.forURL(ctx, r)
		if err != nil {
			return Finalization{}, err
		}
		body, err := encode(map[string]Reference{"paymentReference": r}, "")
		if err != nil {
			return Finalization{}, err
		}
		e, err := writeOutcome(c.post(ctx, request{origin: c.base, path: "/api/payment/pay/finalize", body: body, limit: smallBody}))
		status := e.payload.field("status").displayASCII()
		switch {
		case err != nil:
			return Finalization{}, e.contradicted(err, e.finalizedWord())
		case !status.Empty() && !saysFinalized(status.Line(40)):
			return Finalization{}, e.unresolved(contradiction(e.top, "the status "+status.Line(40)).text)
		}
		return Finalization{
			Status:  status,
			Message: firstText(e.payload.field("message"), e.top.field("message")),
			Code:    e.code(),
		}, nil
	})
}

// finalizedWord says by which word a response reports that the payment was finalized, "" when it does
// not: its status, or the code of success.
func (e envelope) finalizedWord() string {
	status := e.payload.field("status").displayASCII().Line(40)
	switch {
	case saysFinalized(status):
		return "says " + status
	case e.payload.kind() == '{' && e.code().Line(0) == "00":
		return "says 00"
	}
	return ""
}

// saysFinalized reports whether a word is the status of success (2.11), or one that was observed. There is no list of the others.
func saysFinalized(status string) bool {
	return LowerASCII(trimSpace(status)) == "completed" || ParseStatus(status).State == Successful
}

// A PaymentStatus is the current status of a payment (2.12).
type PaymentStatus struct {
	Reference  Reference    `json:"reference,omitzero"` // as requested
	Status     Status       `json:"status,omitzero"`
	Amount     money.Amount `json:"amount,omitzero"`
	HasAmount  bool         `json:"has_amount,omitzero"`
	AmountText Text         `json:"amount_text,omitzero"` // amount and currency as received, when they cannot be read, or do not count (see [PaymentStatus.For])
	// Received holds what has been paid so far, where the response says: amountPaid, as it was observed in
	// webhooks. It is zero where the response does not, or where it cannot be read.
	Received     money.Amount `json:"received,omitzero"`
	ReceivedText Text         `json:"received_text,omitzero"` // as received, when it cannot be read
	// OtherReference is the reference in the response when it differs from the requested one: a
	// payment can also be found by our own reference.
	OtherReference Text `json:"other_reference,omitzero"`
	Message        Text `json:"-"` // the service's words, if any: the specification shows none
}

// Transaction requests the status of a payment (endpoint 6), without retries unless the context is one of [Retried],
// because its callers poll on a schedule of their own. Its errors are [*Refusal] and [*Failure]; a refusal is also the
// response for a payment that the service does not know. An answer without a reference (2.12) is a failure, since it
// may be about any payment. So is a rejection that states a status, since there is such a payment then.
func (c *Client) Transaction(ctx context.Context, r Reference) (PaymentStatus, error) {
	return observe(ctx, c, OpTransaction, r, func(ctx context.Context) (PaymentStatus, error) {
		r, err := c.forURL(ctx, r)
		if err != nil {
			return PaymentStatus{}, err
		}
		request := c.statusRequest(r)
		request.noRetry = ctx.Value(retriedContext{}) == nil
		a, f := c.get(ctx, request)
		e, err := readOutcome(a, f, standardEnvelope)
		v, named := e.payload, e.payload.field("paymentReference")
		stated := v.field("paymentStatus")
		status := ParseStatus(stated.redacted())
		unusable := func(words string) (PaymentStatus, error) {
			return PaymentStatus{}, &Failure{Kind: KindSchema, HTTP: a.status, Detail: Clean(words)}
		}
		switch {
		case Definite(err) && trimSpace(stated.plain()) != "": // half of it is wrong, and it cannot be known which half
			words := "the response reports a rejection, and the status " + status.Text.Line(40) + " of the payment: " + e.summary().Line(120)
			return unusable(strings.TrimSuffix(words, ": "))
		case err != nil:
			return PaymentStatus{}, err
		case named.plain() == "": // it could be the answer about any payment
			return unusable("the answer does not say which payment it is about")
		}
		t := PaymentStatus{Reference: r, Status: status, Message: firstText(v.field("message"), e.top.field("message"))}
		amount := readReported(v.field("amount"), v, statusAmount)
		t.Amount, t.HasAmount, t.AmountText = amount.Amount, amount.Readable(), amount.Text
		paid := cmp.Or(v.field("amountPaid"), v.field("AmountPaid"))
		if !paid.null() {
			received := readReported(paid, v.field("amount"), statusAmount)
			t.Received, t.ReceivedText = received.Amount, received.Text
		}
		if named.plain() != string(r) {
			t.OtherReference = CleanASCII(named.identifier())
			c.name(t.OtherReference.Line(0))
		}
		return t, nil
	})
}

// statusRequest asks for the status of a payment. r has passed [Client.forURL].
func (c *Client) statusRequest(r Reference) request {
	return request{origin: c.base, path: expand(c.config.StatusPath, r), limit: smallBody}
}
