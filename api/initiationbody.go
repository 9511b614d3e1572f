package api

import (
	"bytes"
	"strings"
)

// initiationBody is the request of 2.2.
type initiationBody struct {
	Amount    initiateAmount `json:"amount"`
	Channel   string         `json:"channel"`
	Currency  string         `json:"currency"`
	Narration string         `json:"narration,omitempty"`
	Link      *aliasBody     `json:"link,omitempty"`
	Reference string         `json:"reference,omitempty"`
	User      userBody       `json:"userInformation"`
	Props     *propsBody     `json:"paymentRequestProps,omitempty"`
	MetaData  pairs          `json:"metaData"`
}

type aliasBody struct {
	Alias Alias `json:"alias"`
}

type userBody struct {
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	Email     string `json:"emailAddress"`
	Phone     string `json:"phone"`
}

type propsBody struct {
	Card      *cardBody `json:"card,omitempty"`
	ReturnURL string    `json:"returnUrl,omitempty"`
}

type cardBody struct {
	Number   string `json:"number"`
	CVV      string `json:"cvv"`
	ExpMonth int    `json:"expMonth"`
	ExpYear  int    `json:"expYear"`
}

// pairs is a JSON object whose members keep their order. Without members it is {}, which the
// service accepts everywhere.
type pairs []Pair

// MarshalJSON writes the object.
func (p pairs) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, pair := range p {
		if i > 0 {
			out = append(out, ',')
		}
		key, err := encode(pair.Key, "")
		if err != nil {
			return nil, err
		}
		val, err := encode(pair.Value, "")
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, key...), ':'), val...)
	}
	return append(out, '}'), nil
}

// check rejects invalid requests before anything is sent.
func (in Initiation) check() error {
	switch {
	case in.Amount.Currency.IsZero():
		return notSent("the currency is unknown")
	case in.Amount.Minor <= 0:
		return notSent("the amount must be greater than zero")
	case in.Channel == "":
		return notSent("no channel was given")
	case in.Channel == ChannelCard && in.Card == nil:
		return notSent("no card was given")
	case in.Channel != ChannelCard && in.Card != nil:
		return notSent("a card was given for a channel other than card")
	case in.OwnReference != "" && !isToken(in.OwnReference, 20, ""):
		return notSent("our own reference must be at most 20 letters and digits")
	}
	seen := keySet{}
	for _, p := range in.MetaData {
		if !seen.add(p.Key) {
			return notSent("two metaData entries have the same key")
		}
	}
	return nil
}

// body is the request for in, with number and cvv in place of the card's.
func (c *Client) body(in Initiation, number, cvv string) initiationBody {
	b := initiationBody{
		Amount: initiateAmount{}.of(in.Amount), Channel: in.Channel, Currency: in.Amount.Currency.Code(),
		Narration: in.Narration,
		User:      userBody{in.Customer.FirstName, in.Customer.LastName, in.Customer.Email, in.Customer.Phone},
		MetaData:  in.MetaData,
	}
	if in.Link != "" {
		b.Link = &aliasBody{in.Link}
	}
	if c.sendReference {
		b.Reference = in.OwnReference
	}
	if in.Card != nil {
		e := in.Card.Expiry
		b.Props = &propsBody{Card: &cardBody{number, cvv, e.Month, e.Year}}
	}
	if in.ReturnURL != "" && in.Channel != ChannelTransfer {
		if b.Props == nil {
			b.Props = &propsBody{}
		}
		b.Props.ReturnURL = in.ReturnURL
	}
	return b
}

// InitiationBody is the JSON that [Client.Initiate] sends for in, indented and with the card
// masked, for review before it is sent.
func (c *Client) InitiationBody(in Initiation) string {
	number := ""
	if in.Card != nil {
		number = in.Card.PAN.Masked()
	}
	b, err := encode(c.body(in, number, "•••"), "  ")
	if err != nil {
		return ""
	}
	return string(b)
}

// initiationBytes returns the body to send and a redactor for the card data in it, which the caller
// wipes. encoding/json keeps the buffers it works in, so the body is encoded with zeros, and the
// PAN and the CVV are copied over them in the finished buffer, which is wiped after use.
func (c *Client) initiationBytes(in Initiation) ([]byte, redactor, error) {
	var pan, cvv []byte
	if in.Card != nil {
		if pan, cvv = in.Card.PAN.ExposeBytes(), in.Card.CVV.ExposeBytes(); len(pan) == 0 || len(cvv) == 0 {
			return nil, redactor{}, notSent("the card is incomplete")
		}
	}
	b, err := encode(c.body(in, strings.Repeat("0", len(pan)), strings.Repeat("0", len(cvv))), "")
	if err != nil {
		return nil, redactor{}, notSent("the payment cannot be encoded as JSON")
	}
	if in.Card == nil {
		return b, redactor{}, nil
	}
	// No string in the document can contain these quotes unescaped, so the first match is the
	// only one.
	_, rest, found := bytes.Cut(b, []byte(`"card":{"number":"`))
	if !found {
		return nil, redactor{}, notSent("the card cannot be encoded")
	}
	copy(rest, pan)
	copy(rest[len(pan)+len(`","cvv":"`):], cvv)
	return b, redactor{pan: pan, masked: in.Card.PAN.Masked(), cvv: cvv}, nil
}
