package sandbox

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
)

// An order is what came with the form of a link's page.
type order struct {
	amount, firstName, lastName, email, phone string
	channel                                   string
	card                                      string // the name of a test card, or cardTyped
	number, cvv, month, year                  string // of a card that was typed; never shown again
	back, token                               string
}

// cardTyped is the choice of a card that is not on the list but typed.
const cardTyped = "typed"

const cardPath = "paymentRequestProps.card."

// readOrder reads the form.
func readOrder(r *http.Request) (order, *page) {
	if err := r.ParseForm(); err != nil {
		status, text := http.StatusBadRequest, "The form cannot be read."
		if errors.As(err, new(*http.MaxBytesError)) {
			status, text = http.StatusRequestEntityTooLarge, "The form is too large."
		}
		return order{}, &page{http: status, title: "Nothing was paid", body: "<p>" + text + "</p>"}
	}
	get := func(name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }
	o := order{
		amount: get("amount"), firstName: get("first-name"), lastName: get("last-name"), email: get("email"), phone: get("phone"),
		channel: get("channel"), card: get("card"),
		number: strings.NewReplacer(" ", "", "-", "").Replace(get("number")), cvv: get("cvv"), month: get("month"), year: get("year"),
		back: get("return"), token: get("token"),
	}
	if len(o.year) == 2 && digits(o.year) {
		o.year = "20" + o.year
	}
	return o, nil
}

// initiation is the order as a request to endpoint 1, so that one set of checks holds
// for both.
func (o order) initiation(l *link, returnURL string) map[string]any {
	amount := any(major(l.amount))
	if l.dynamic {
		amount = numeral(o.amount)
	}
	values := map[string]any{
		"amount":   amount,
		"channel":  o.channel,
		"currency": l.currency,
		"link":     map[string]any{"alias": l.alias},
		"userInformation": map[string]any{
			"firstName": o.firstName, "lastName": o.lastName, "emailAddress": o.email, "phone": o.phone,
		},
		"metaData": map[string]any{},
	}
	if o.channel == channelCard {
		values["paymentRequestProps"] = map[string]any{"card": o.cardValues(), "returnUrl": returnURL}
	}
	return values
}

// cardValues are those of the test card that was chosen, or of what was typed.
func (o order) cardValues() map[string]any {
	for _, c := range Cards() {
		if c.Name == o.card {
			return map[string]any{"number": c.Number, "cvv": c.CVV, "expMonth": numeralOf(c.Month), "expYear": numeralOf(c.Year)}
		}
	}
	return map[string]any{"number": o.number, "cvv": o.cvv, "expMonth": numeral(o.month), "expYear": numeral(o.year)}
}

// numeral is typed text as a JSON value: nothing, a number, or a string, which the
// checks will refuse as such.
func numeral(typed string) any {
	if typed == "" {
		return nil
	}
	if whole, part, pointed := strings.Cut(typed, "."); digits(whole) && (!pointed || digits(part)) {
		return json.Number(typed)
	}
	return typed
}

// A mistake is one thing wrong with an order, and the field it is at.
type mistake struct{ id, says string }

// fields are those of the form, in their order, by the names endpoint 1 has for them.
var fields = []struct{ path, id, label string }{
	{"amount", "amount", "Amount"},
	{"userInformation.firstName", "first-name", "First name"},
	{"userInformation.lastName", "last-name", "Last name"},
	{"userInformation.emailAddress", "email", "E-mail address"},
	{"userInformation.phone", "phone", "Telephone"},
	{"channel", "channel", "The way to pay"},
	{"paymentRequestProps.card.number", "number", "Card number"},
	{"paymentRequestProps.card.expMonth", "month", "Expiry month"},
	{"paymentRequestProps.card.expYear", "year", "Expiry year"},
	{"paymentRequestProps.card.cvv", "cvv", "Security code"},
}

// mistakes says what endpoint 1 has against the order, in the words of the form and
// in its order, one a field.
func (o order) mistakes(wrong []complaint) []mistake {
	var out []mistake
	if problem := o.undecided(); problem != "" {
		wrong = slices.DeleteFunc(wrong, func(c complaint) bool { return strings.HasPrefix(c.field, cardPath) })
		out = append(out, mistake{"card", problem})
	}
	known := map[string]bool{}
	for _, f := range fields {
		known[f.path] = true
		if i := slices.IndexFunc(wrong, func(c complaint) bool { return c.field == f.path }); i >= 0 {
			m := mistake{f.id, f.label + " " + strings.ReplaceAll(wrong[i].text, "expMonth", "month") + "."}
			if o.card != cardTyped && strings.HasPrefix(f.path, cardPath) {
				m.id = "card"
			}
			out = append(out, m)
		}
	}
	for _, c := range wrong {
		if !known[c.field] {
			out = append(out, mistake{"pay", "This cannot be paid here: " + c.field + " " + c.text + "."})
		}
	}
	return out
}

// undecided says why it is not clear which card was meant.
func (o order) undecided() string {
	listed := slices.ContainsFunc(Cards(), func(c TestCard) bool { return c.Name == o.card })
	switch {
	case o.channel != channelCard:
	case !listed && o.card != cardTyped:
		return "Choose a test card, or type a card."
	case listed && o.number != "":
		return "Choose either a test card or the card that you typed."
	}
	return ""
}
