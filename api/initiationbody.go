package api

import (
	"bytes"
	"encoding/json"
	"strings"

	"paydesk/api/card"
)

// initiationBody is the request of 2.2.
type initiationBody struct {
	Amount    json.Number      `json:"amount,omitempty"` // only a preview has none
	Channel   string           `json:"channel"`
	Currency  string           `json:"currency"`
	Narration string           `json:"narration,omitempty"`
	Link      map[string]Alias `json:"link,omitempty"` // its one key is alias
	Reference string           `json:"reference,omitempty"`
	User      Customer         `json:"userInformation"`
	Props     propsBody        `json:"paymentRequestProps,omitzero"`
	MetaData  pairs            `json:"metaData"`
}

type propsBody struct {
	Card      *cardBody `json:"card,omitempty"`
	ReturnURL string    `json:"returnUrl,omitempty"`
	Email     string    `json:"email,omitempty"`
}

type cardBody struct {
	Number   string `json:"number"`
	CVV      string `json:"cvv"`
	ExpMonth int    `json:"expMonth,omitempty"`
	ExpYear  int    `json:"expYear,omitempty"`
}

// pairs is a JSON object whose members keep their order. Without members it is {}, which the
// service accepts everywhere.
type pairs []Pair

// MarshalJSON writes the object.
func (p pairs) MarshalJSON() ([]byte, error) {
	members := make([]string, len(p))
	for i, pair := range p {
		key, _ := encode(pair.Key, "") // a string can always be encoded
		text, _ := encode(pair.Value, "")
		members[i] = string(key) + ":" + string(text)
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
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
	who := in.Customer
	if card.In(who.FirstName, who.LastName, who.Email, who.Phone, in.Narration, in.ReturnURL, in.Email, string(in.Link)) {
		return notSent("a text contains a card number")
	}
	var seen []string
	for _, p := range in.MetaData {
		if card.In(p.Key, p.Value) {
			return notSent("the metaData contain a card number")
		}
		if hasFold(seen, p.Key) {
			return notSent("two metaData entries have the same key")
		}
		seen = append(seen, p.Key)
	}
	return nil
}

// body is the request for in, with number and cvv in place of the card's.
func (in Initiation) body(number, cvv string) initiationBody {
	b := initiationBody{
		Amount: initiateAmount.encode(in.Amount), Channel: in.Channel, Currency: in.Amount.Currency.Code(),
		Narration: in.Narration, Reference: in.OwnReference, User: in.Customer, MetaData: in.MetaData,
	}
	if in.Link != "" {
		b.Link = map[string]Alias{"alias": in.Link}
	}
	if in.Card != nil {
		b.Props.Card = &cardBody{number, cvv, in.Card.Expiry.Month, in.Card.Expiry.Year}
	}
	if in.ReturnURL != "" && in.Channel != ChannelTransfer {
		b.Props.ReturnURL = in.ReturnURL
	}
	if in.Channel == ChannelInterac {
		b.Props.Email = in.Email
	}
	return b
}

// Preview is the JSON that [Client.Initiate] sends for in, indented and with the card
// masked, for review before it is sent. It has no amount, number, CVV or expiry that in does not have yet.
func (in Initiation) Preview() string {
	number, cvv := "", ""
	if in.Card != nil {
		number, cvv = in.Card.PAN.Masked(), in.Card.CVV.Masked()
	}
	b := in.body(number, cvv)
	if in.Amount.Minor == 0 {
		b.Amount = ""
	}
	return preview(b)
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
	b, err := encode(in.body(strings.Repeat("0", len(pan)), strings.Repeat("0", len(cvv))), "")
	if err != nil {
		return nil, redactor{}, err
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
	c.sent.Add(in.Card.PAN)
	clear(pan)
	return b, redactor{cvv: cvv}, nil
}
