package sandbox

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// A formInput is a submitted form of a link's page.
type formInput struct {
	amount, firstName, lastName, email, phone string
	channel                                   string
	card                                      string // the name of a test card, or cardTyped
	number, cvv, month, year                  string // of a typed card; never shown again
	returnURL, token                          string
}

// cardTyped is the choice to type a card.
const cardTyped = "typed"

const cardPath = "paymentRequestProps.card."

// readFormInput parses the submitted form.
func readFormInput(r *http.Request) (formInput, *page) {
	if err := r.ParseForm(); err != nil {
		status, text := http.StatusBadRequest, "The form could not be read."
		if errors.As(err, new(*http.MaxBytesError)) {
			status, text = http.StatusRequestEntityTooLarge, "The form is too large."
		}
		return formInput{}, &page{status: status, title: "Nothing was paid", body: "<p>" + text + "</p>"}
	}
	get := func(name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }
	o := formInput{
		amount: get("amount"), firstName: get("first-name"), lastName: get("last-name"), email: get("email"), phone: get("phone"),
		channel: get("channel"), card: get("card"),
		number: strings.NewReplacer(" ", "", "-", "").Replace(get("number")), cvv: get("cvv"), month: get("month"), year: get("year"),
		returnURL: get("return"), token: get("token"),
	}
	if len(o.year) == 2 && isDigits(o.year) {
		o.year = "20" + o.year
	}
	return o, nil
}

// initiation is the input as a request to endpoint 1, so that the same checks apply to
// both.
func (o formInput) initiation(l *link, returnURL string) map[string]any {
	amount := any(formatMajor(l.amount))
	if l.dynamic {
		amount = jsonValue(o.amount)
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

// cardValues are those of the chosen test card, or of the typed one.
func (o formInput) cardValues() map[string]any {
	for _, c := range Cards() {
		if c.Name == o.card {
			return map[string]any{"number": c.Number, "cvv": c.CVV, "expMonth": json.Number(strconv.Itoa(c.Month)), "expYear": json.Number(strconv.Itoa(c.Year))}
		}
	}
	return map[string]any{"number": o.number, "cvv": o.cvv, "expMonth": jsonValue(o.month), "expYear": jsonValue(o.year)}
}

// jsonValue converts typed text to nil, a JSON number, or a string that validation will
// reject.
func jsonValue(typed string) any {
	if typed == "" {
		return nil
	}
	if whole, part, pointed := strings.Cut(typed, "."); isDigits(whole) && (!pointed || isDigits(part)) {
		return json.Number(typed)
	}
	return typed
}

// A formError is an error in the input and the id of its field.
type formError struct{ id, text string }

// fields are the form's fields in order, with their names at endpoint 1.
var fields = []struct{ path, id, label string }{
	{"amount", "amount", "Amount"},
	{"userInformation.firstName", "first-name", "First name"},
	{"userInformation.lastName", "last-name", "Last name"},
	{"userInformation.emailAddress", "email", "E-mail address"},
	{"userInformation.phone", "phone", "Telephone"},
	{"channel", "channel", "Payment method"},
	{"paymentRequestProps.card.number", "number", "Card number"},
	{"paymentRequestProps.card.expMonth", "month", "Expiry month"},
	{"paymentRequestProps.card.expYear", "year", "Expiry year"},
	{"paymentRequestProps.card.cvv", "cvv", "Security code"},
}

// formErrors converts endpoint 1's violations to the form's words and order, one per field.
func (o formInput) formErrors(violations []violation) []formError {
	var out []formError
	if problem := o.cardChoiceProblem(); problem != "" {
		violations = slices.DeleteFunc(violations, func(c violation) bool { return strings.HasPrefix(c.field, cardPath) })
		out = append(out, formError{"card", problem})
	}
	known := map[string]bool{}
	for _, f := range fields {
		known[f.path] = true
		if i := slices.IndexFunc(violations, func(c violation) bool { return c.field == f.path }); i >= 0 {
			m := formError{f.id, f.label + " " + strings.ReplaceAll(violations[i].text, "expMonth", "month") + "."}
			if o.card != cardTyped && strings.HasPrefix(f.path, cardPath) {
				m.id = "card"
			}
			out = append(out, m)
		}
	}
	for _, c := range violations {
		if !known[c.field] {
			out = append(out, formError{"pay", "This cannot be paid here: " + c.field + " " + c.text + "."})
		}
	}
	return out
}

// cardChoiceProblem says why it is unclear which card is meant; "" when it is clear.
func (o formInput) cardChoiceProblem() string {
	listed := slices.ContainsFunc(Cards(), func(c TestCard) bool { return c.Name == o.card })
	switch {
	case o.channel != channelCard:
	case !listed && o.card != cardTyped:
		return "Choose a test card, or enter a card."
	case listed && o.number != "":
		return "Choose either a test card or the card you entered."
	}
	return ""
}
