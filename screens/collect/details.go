package collect

import (
	"net/url"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/ui"
)

// A detailsStep asks for the card, where one is charged, and for what may be sent with any
// payment.
type detailsStep struct {
	form      *ui.Form
	pan       *ui.PANField
	cvv       *ui.CVVField
	expiry    *ui.ExpiryField
	returnURL *returnField
	narration *ui.TextField
	meta      *ui.TextField
	alias     *ui.TextField // nil when the link is given
}

const (
	maxNarration = 100 // characters (facts page)
	maxReturnURL = 500
)

// newDetailsStep asks for a link's alias unless one is given. needed says whether a
// return URL is.
func newDetailsStep(t *ui.Theme, linked bool, needed func() bool) *detailsStep {
	d := &detailsStep{
		pan:    ui.NewPANField(t, "Card number", "12 to 19 digits; only the last four are shown"),
		cvv:    ui.NewCVVField(t, "CVV", "three digits, or four for American Express"),
		expiry: ui.NewExpiryField(t, "Expiry", "MM/YY", time.Now),
		returnURL: &returnField{
			TextField: ui.NewTextField(t, "Return URL", "", ui.Limit(maxReturnURL), ui.Checked(webAddress)),
			needed:    needed,
		},
		narration: ui.NewTextField(t, "Narration", "optional, up to 100 characters",
			ui.Limit(maxNarration), ui.Checked(noCard)),
		meta: ui.NewTextField(t, "Metadata", "optional: key=value, key=value",
			ui.Checked(noCard), ui.Checked(pairsLike)),
	}
	d.cvv.For(d.pan)
	if !linked {
		d.alias = ui.NewTextField(t, "Link alias", "optional: the alias of a payment link, or its address",
			ui.Checked(aliasLike))
	}
	d.form = ui.NewForm(t)
	d.form.SubmitLabel("review")
	d.lay(true)
	return d
}

// lay makes the form one for a card or for another channel; a transfer has neither a card
// nor a return URL (2.2).
func (d *detailsStep) lay(charges bool) {
	var fields []ui.Field
	if charges {
		fields = append(fields, d.pan, d.cvv, d.expiry, d.returnURL)
	}
	fields = append(fields, d.narration, d.meta)
	if d.alias != nil {
		fields = append(fields, d.alias)
	}
	d.form.SetFields(fields...)
}

// link is the alias that was typed, "" for none.
func (d *detailsStep) link() api.Alias {
	if d.alias == nil || d.alias.Empty() {
		return ""
	}
	a, err := api.ParseAlias(d.alias.Value())
	if err != nil {
		return ""
	}
	return a
}

// card is the card as far as it can be read.
func (d *detailsStep) card() *api.CardEntry {
	pan, _ := d.pan.Value() // what cannot be read is left out
	cvv, _ := d.cvv.Value()
	expiry, _ := d.expiry.Value()
	return &api.CardEntry{PAN: pan, CVV: cvv, Expiry: expiry}
}

// A returnField is a return URL, which some payments need.
type returnField struct {
	*ui.TextField
	needed func() bool
}

// Help says whether the address is needed.
func (f *returnField) Help() string {
	if f.needed() {
		return "needed for GBP: where the bank sends the customer"
	}
	return "optional: where the bank sends the customer"
}

// Check refuses an empty value where one is needed (2.2).
func (f *returnField) Check() string {
	if f.Empty() && f.needed() {
		return "A GBP card payment needs a return URL"
	}
	return f.TextField.Check()
}

func (m *Model) needsReturnURL() bool { return m.amount.currency().Code() == "GBP" }

func webAddress(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.Contains(s, " ") {
		return "Write it in full, such as https://shop.example/done"
	}
	return ""
}

func aliasLike(s string) string {
	if _, err := api.ParseAlias(s); err != nil {
		return "Letters, digits, - and _ only, at most 64; or the link's address"
	}
	return ""
}

// noCard keeps card numbers out of free text, which travels on and is kept (R22).
func noCard(s string) string {
	if card.Redact(s) != s {
		return "This looks like a card number; it does not belong here"
	}
	return ""
}

func pairsLike(s string) string {
	_, wrong := pairs(s)
	return wrong
}

// pairs reads "key=value, key=value"; wrong says what is not so.
func pairs(s string) (read []api.Pair, wrong string) {
	seen := map[string]bool{}
	for part := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		k, v, ok := strings.Cut(part, "=")
		p := api.Pair{Key: strings.TrimSpace(k), Value: strings.TrimSpace(v)}
		switch {
		case !ok || p.Key == "":
			return nil, "Write pairs as key=value, with commas between them"
		case seen[p.Key]:
			return nil, "The key " + p.Key + " is there twice"
		}
		seen[p.Key] = true
		read = append(read, p)
	}
	return read, ""
}
