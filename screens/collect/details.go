package collect

import (
	"net/url"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/screens/detail"
	"paydesk/screens/nav"
	"paydesk/screens/present"
	"paydesk/ui"
)

// A detailsStep is the form for the card, if one is charged, and the optional fields of a payment.
type detailsStep struct {
	form      *ui.Form
	pan       *ui.PANField
	cvv       *ui.CVVField
	expiry    *ui.ExpiryField
	returnURL *ui.TextField
	email     *ui.TextField // where Interac sends its request
	narration *ui.TextField
	meta      *ui.TextField
	alias     *ui.TextField // nil if the link is known
}

const (
	maxNarration = 100 // characters (facts page)
	maxReturnURL = 500
)

// newDetailsStep makes the form. linked leaves out the link alias; lacks is the error of an empty return URL now, and now the time
// that tells whether a card has expired.
func newDetailsStep(t *ui.Theme, linked bool, lacks func() string, now func() time.Time) *detailsStep {
	pan := ui.NewPANField(t, "Card number", "12 to 19 digits. Only the last four are shown.")
	d := &detailsStep{
		pan:    pan,
		cvv:    ui.NewCVVField(t, "CVV", "Three digits, or four for American Express.", pan),
		expiry: ui.NewExpiryField(t, "Expiry", "MM/YY", now),
		returnURL: textField(t, "return-url",
			"Where the bank sends the customer afterwards, such as https://shop.example/done", ui.RequiredWhile(lacks)),
		email:     textField(t, "interac-email", "Where Interac sends its request; the customer's e-mail if this is empty."),
		narration: textField(t, "narration", "Optional, up to 100 characters."),
		meta:      textField(t, "meta", "Optional: key=value, key=value"),
	}
	if !linked {
		d.alias = textField(t, "link", "Optional: the alias or the URL of a payment link.")
	}
	d.form = ui.NewForm(t)
	d.form.SubmitLabel("review")
	d.setFields(api.ChannelCard)
	return d
}

// setFields shows the fields of a channel. A transfer has neither a card nor a return URL
// (specification 2.2); what the others take is observed.
func (d *detailsStep) setFields(channel string) {
	var fields []ui.Field
	switch channel {
	case api.ChannelTransfer:
	case api.ChannelCard:
		fields = append(fields, d.pan, d.cvv, d.expiry, d.returnURL)
	case api.ChannelInterac:
		fields = append(fields, d.email, d.returnURL)
	default:
		fields = append(fields, d.returnURL)
	}
	fields = append(fields, d.narration, d.meta)
	if d.alias != nil {
		fields = append(fields, d.alias)
	}
	d.form.SetFields(fields...)
}

// link is the alias in the form, "" for none.
func (d *detailsStep) link() api.Alias {
	if d.alias == nil {
		return ""
	}
	a, _ := api.ParseAlias(d.alias.Value())
	return a
}

// card is the card as far as it can be parsed.
func (d *detailsStep) card() *api.CardEntry {
	pan, _ := d.pan.Value() // zero if it cannot be parsed
	cvv, _ := d.cvv.Value()
	expiry, _ := d.expiry.Value()
	return &api.CardEntry{PAN: pan, CVV: cvv, Expiry: expiry}
}

// lacksReturnURL is the error of an empty return URL, "" where the payment needs none.
func (m *Model) lacksReturnURL() string {
	if NeedsReturnURL(m.channel.chosen, m.amount.currency()) {
		return LacksReturnURL
	}
	return ""
}

// webAddress says why a return URL is not one that a browser can open; "" when it is.
func webAddress(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.Contains(s, " ") {
		return "Enter a full URL, such as https://shop.example/done."
	}
	return ""
}

// aliasLike says why a text is neither an alias nor the URL of a link; "" when it is.
func aliasLike(s string) string {
	if _, err := api.ParseAlias(s); err != nil {
		return "Enter up to 64 letters, digits, - or _; or the link's URL"
	}
	return ""
}

// pairsLike returns what is wrong with the metadata; "" when nothing is.
func pairsLike(s string) string {
	_, wrong := pairs(s)
	return wrong
}

// pairs parses "key=value, key=value"; wrong is the error in words.
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
			return nil, "Enter key=value pairs, separated by commas"
		case seen[p.Key]:
			return nil, "The key " + p.Key + " appears twice"
		case p.Key == journal.AttemptKey:
			return nil, "The key " + p.Key + " is paydesk's own"
		}
		seen[p.Key] = true
		read = append(read, p)
	}
	return read, ""
}

// typed returns pairs as a person types them.
func typed(all []api.Pair) (words []string) {
	for _, p := range all {
		words = append(words, p.Key+"="+p.Value)
	}
	return words
}

// offersCards reports whether a test card can be picked now: in the demo, at the card.
func (m *Model) offersCards() bool {
	return m.stage == stageDetails && m.channel.chosen == api.ChannelCard && len(m.options.Cards) > 0
}

// openPicker lists the test cards of the demo, with the sample marked. Nothing is sent: the card still has to be reviewed.
func (m *Model) openPicker() tea.Cmd {
	return detail.NewChooser(&m.Body, detail.Rows[TestCard]{
		Title: "Test cards", About: "Test card", Help: m.Explain(), Cells: TestCard.cells,
		All: func() []TestCard { return m.options.Cards },
		Columns: func() []ui.Column {
			return []ui.Column{{Title: "Test card", Width: 17}, {Title: "Ends in", Width: 7}, {Title: "What it does", Width: 12, Grow: true}}
		},
		Says: func(c TestCard, _ bool, w, _ int) []present.Line {
			return present.Rows(0, ui.Wrap(c.Name+": "+c.Does+".", w)...)
		},
		Commands: func(c TestCard, _ bool) ui.Commands {
			return ui.Commands{
				{Key: ui.Bind("enter", "choose"), On: true, Do: func() tea.Cmd {
					m.fillCard(c)
					return nav.Pop
				}},
				{Key: keyCards, Do: func() tea.Cmd { return nav.Pop }},
			}
		},
	}).Open(max(m.options.sample(), 0))
}

func (c TestCard) cells() []ui.Cell {
	pan, _ := card.ParsePAN(c.Number) // an invalid one has no last four
	return []ui.Cell{{Text: c.Name}, {Text: pan.LastFour()}, {Text: c.Does}}
}

// sample returns the place of the sample among the test cards, -1 for none.
func (o Options) sample() int {
	return slices.IndexFunc(o.Cards, func(c TestCard) bool { return c.Name == o.Sample })
}

// offerSample lists the test cards where there is a sample, until a card is entered.
func (m *Model) offerSample() tea.Cmd {
	if m.options.sample() < 0 || !m.offersCards() || !m.details.pan.Empty() {
		return nil
	}
	return m.openPicker()
}

// fillCard puts a test card into the form, and a return URL where one is needed and none is typed.
func (m *Model) fillCard(c TestCard) {
	d := m.details
	pan, err := card.ParsePAN(c.Number)
	if err != nil {
		m.Warn("The test card " + c.Name + " has no usable number.")
		return
	}
	d.pan.Set(pan)
	if cvv, err := card.ParseCVV(c.CVV); err == nil {
		d.cvv.Set(cvv)
	}
	d.expiry.Set(card.Expiry{Month: c.Month, Year: c.Year})
	if d.returnURL.Required() && d.returnURL.Empty() {
		d.returnURL.SetValue(sampleReturnURL)
	}
	d.form.FocusOn(d.returnURL)
	d.form.CheckFilled()
}
