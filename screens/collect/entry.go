package collect

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/screens/present"
	"paydesk/ui"
)

// An Entry is a payment as it is entered, in the forms or as the options of a command, without its card.
type Entry struct {
	Amount    money.Amount
	Channel   string // as initiation sends it
	Customer  api.Customer
	Narration string
	Meta      string // "key=value, key=value"
	ReturnURL string
	Email     string // where Interac sends its request; the customer's where it is empty
	Link      api.Alias
}

// Initiation is the payment as it is sent. What its channel does not take is left out.
func (e Entry) Initiation() api.Initiation {
	meta, _ := pairs(e.Meta)
	in := api.Initiation{
		Amount: e.Amount, Channel: e.Channel, Customer: e.Customer, Narration: e.Narration, MetaData: meta, Link: e.Link,
	}
	switch in.Channel {
	case api.ChannelTransfer: // takes neither an e-mail nor a return URL
		return in
	case api.ChannelInterac:
		in.Email = cmp.Or(e.Email, e.Customer.Email)
	}
	in.ReturnURL = e.ReturnURL
	return in
}

// NeedsReturnURL reports whether a payment needs a return URL, as a card does in GBP (specification 2.2).
func NeedsReturnURL(channel string, c money.Currency) bool {
	return channel == api.ChannelCard && c.Code() == "GBP"
}

// LacksReturnURL is the problem of a payment without the return URL that it requires.
const LacksReturnURL = "A GBP card payment needs a return URL"

// A Field is the label of a text field, and the checks of its value.
type Field struct {
	Label  string
	Checks []ui.TextOption
}

// Fields are the text fields of a payment, by the names that options of a command have.
func Fields() map[string]Field {
	customer := func(label string, o ...ui.TextOption) Field {
		return Field{label, append([]ui.TextOption{ui.Required(), ui.Limit(customerLimit)}, o...)}
	}
	return map[string]Field{
		"first-name":    customer("First name"),
		"last-name":     customer("Last name"),
		"email":         customer("E-mail", ui.Checked(emailLike)),
		"phone":         customer("Phone", ui.Checked(phoneLike)),
		"return-url":    {"Return URL", []ui.TextOption{ui.Limit(maxReturnURL), ui.Checked(webAddress)}},
		"interac-email": {"Interac e-mail", []ui.TextOption{ui.Limit(customerLimit), ui.Checked(emailLike)}},
		"narration":     {"Narration", []ui.TextOption{ui.Limit(maxNarration)}},
		"meta":          {"Metadata", []ui.TextOption{ui.Checked(pairsLike)}},
		"link":          {"Link alias", []ui.TextOption{ui.Checked(aliasLike)}},
	}
}

// textField is one of [Fields] in a form.
func textField(t *ui.Theme, name, help string, more ...ui.TextOption) *ui.TextField {
	f := Fields()[name]
	return ui.NewTextField(t, f.Label, help, append(f.Checks, more...)...)
}

// CheckCard returns what is wrong with a card that can be parsed, as its fields say it: they are filled and
// wiped.
func CheckCard(c api.CardEntry, now time.Time) error {
	t := ui.NewTheme(true)
	pan := ui.NewPANField(t, "Card number", "")
	cvv := ui.NewCVVField(t, "CVV", "", pan)
	expiry := ui.NewExpiryField(t, "Expiry", "", func() time.Time { return now })
	defer pan.Wipe()
	defer cvv.Wipe()
	pan.Set(c.PAN)
	cvv.Set(c.CVV)
	expiry.Set(c.Expiry)
	if wrong := cmp.Or(pan.Check(), expiry.Check(), cvv.Check()); wrong != "" {
		return errors.New(wrong)
	}
	return nil
}

// Question asks whether to send a payment, and names the amount and the masked card, which a person must not get
// wrong.
func Question(in api.Initiation) string {
	if in.Card != nil {
		return "Charge " + in.Amount.String() + " to " + in.Card.PAN.Masked() + "?"
	}
	return "Request " + in.Amount.String() + " by " + present.ChannelWord(in.Channel) + "?"
}

// CardWords are a card as a review shows it, masked; "" for none.
func CardWords(c *api.CardEntry) string {
	if c == nil {
		return ""
	}
	return strings.TrimSpace(c.PAN.Brand() + " " + c.PAN.Masked() + " · " + c.Expiry.String())
}

// Unchecked is the doubt about a channel that the service was not asked about.
const Unchecked = "unchecked"

// ChannelWords are the name of a channel, and what is doubtful about it.
func ChannelWords(channel, doubt string) string {
	return strings.TrimSuffix(present.ChannelName(channel)+", "+doubt, ", ")
}

// Facts are a payment in readable form: labels, each followed by its value, "" for what was not entered. channel
// is [ChannelWords] and the card. The amount stands beside how it is sent, because the number in the request may
// have fewer decimals. It is no promise of a total: only the answer states fees.
func Facts(in api.Initiation, channel, customer string) []string {
	return []string{
		"Amount", in.Amount.String() + ", sent as " + api.SentAs(in.Amount) + "; fees may be added",
		"Channel", channel,
		"Customer", customer,
		"Link", string(in.Link),
		"Interac e-mail", in.Email,
		"Return URL", in.ReturnURL,
		"Narration", in.Narration,
		"Metadata", strings.Join(typed(in.MetaData), ", "),
	}
}
