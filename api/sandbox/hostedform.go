package sandbox

import (
	"cmp"
	crand "crypto/rand"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
)

// linkPage shows a link and the form to pay it, with the errors of the previous submission.
func (s *Sandbox) linkPage(l *link, o formInput, wrong []formError, now time.Time) page {
	amount := formatMajor(l.amount).String() + " " + l.currency
	if l.dynamic {
		amount = "your choice, in " + l.currency
	}
	kind := "can be paid once"
	if l.reusable {
		kind = "can be paid any number of times"
	}
	out := page{title: l.name, unframed: true}
	out.body = summary(wrong) + paragraph(l.description) +
		definitionList("Amount", amount, "This link", kind, "Link", l.alias) + "\n"
	switch {
	case l.used(now):
		out.body += paragraph("This link has been used. It can be paid only once.") + paragraph(l.last.outcome(now))
		if !l.last.ended(now) {
			out.lookAgain(linkURL(l, o["return"]))
		}
	case !s.acceptsCurrency(l.currency):
		out.body += paragraph(s.acceptsInstead(l.currency))
	default:
		out.body += s.form(l, o, wrong)
	}
	if len(wrong) > 0 {
		out.status, out.invalid = http.StatusUnprocessableEntity, true
	}
	return out
}

// summary lists the errors, each linked to its field. It gets the focus.
func summary(wrong []formError) markup {
	if len(wrong) == 0 {
		return ""
	}
	var errors markup
	for _, m := range wrong {
		errors += htmlf(`<li><a href="#%s">%s</a></li>`, m.id, m.text)
	}
	return `<div class="errors" role="alert" tabindex="-1" autofocus aria-labelledby="errors">` +
		`<h2 id="errors">Nothing was paid</h2><ul>` + errors + "</ul></div>\n"
}

// form needs no script: fields of choices that are not selected are hidden by CSS and
// ignored.
func (s *Sandbox) form(l *link, o formInput, wrong []formError) markup {
	f := fieldWriter{wrong}
	label, amount := "Pay "+formatMajor(l.amount).String()+" "+l.currency, markup("")
	if l.dynamic {
		typed := o["amount"]
		if typed == "" && o["token"] == "" && l.amount > 0 { // the first visit
			typed = formatMajor(l.amount).String()
		}
		label = "Pay"
		amount = f.input("amount", "Amount in "+l.currency, typed,
			`inputmode="decimal" autocomplete="off" required`)
	}
	customer := f.input("first-name", "First name", o["first-name"], `autocomplete="given-name" required`) +
		f.input("last-name", "Last name", o["last-name"], `autocomplete="family-name" required`) +
		f.input("email", "E-mail address", o["email"], `type="email" autocomplete="email" required`) +
		f.input("phone", "Telephone (optional)", o["phone"], `type="tel" autocomplete="tel"`)
	var card markup
	if slices.Contains(channelsOf[l.currency], channelCard) {
		card = cardFields(f, o) + "\n"
	}
	fields := hidden("token", crand.Text(), "return", o["return"])
	channel := s.channelField(f, l.currency, cmp.Or(o["channel"], channelsOf[l.currency][0]))
	return htmlf(asset("form.html"), linkURL(l, ""), fields, amount, customer, channel, card, label)
}

// channelField offers the channels of the currency.
func (s *Sandbox) channelField(f fieldWriter, currency, chosen string) markup {
	field := f.group("channel", "How do you want to pay?")
	for _, c := range s.channels {
		if !slices.Contains(channelsOf[currency], c.Alias) {
			continue
		}
		does, _ := c.Description.(string)
		var more markup
		if !s.accepts(c.Alias) {
			more = " disabled"
		}
		field += radio("channel", c.Alias, c.Name, does, more, chosen)
	}
	return field + `</fieldset>`
}

// cardFields offers the test cards: the sandbox knows no others.
func cardFields(f fieldWriter, o formInput) markup {
	chosen := o["card"]
	if chosen == "" && o["token"] == "" {
		chosen = testCards[0].Name
	}
	fields := f.group("card", "Card")
	for _, c := range testCards {
		fields += radio("card", c.Name, grouped(c.Number), c.Does, "", chosen)
	}
	return fields + `</fieldset>`
}

// grouped formats a card number in groups of four.
func grouped(number string) string {
	var out []string
	for part := range slices.Chunk([]byte(number), 4) {
		out = append(out, string(part))
	}
	return strings.Join(out, " ")
}

// A fieldWriter writes form fields, each with its error.
type fieldWriter struct{ errors []formError }

// problem returns the first error of a field, as HTML and as attributes of the field.
func (f fieldWriter) problem(id string) (text, attributes markup) {
	for _, m := range f.errors {
		if m.id == id {
			return htmlf(`<p class="error" id="%s-error">%s</p>`, id, m.text),
				htmlf(` aria-invalid="true" aria-describedby="%s-error"`, id)
		}
	}
	return "", ""
}

// input is a text field. A value that contains what can be a card number is not shown
// again.
func (f fieldWriter) input(id, label, value string, attributes markup) markup {
	if holdsCardNumber(value) {
		value = ""
	}
	problem, described := f.problem(id)
	return htmlf(`<label for="%s">%s</label>%s`, id, label, problem) +
		htmlf(`<input id="%[1]s" name="%[1]s" value="%[2]s" %[3]s%[4]s>`+"\n", id, value, attributes, described)
}

// group starts a group of choices.
func (f fieldWriter) group(id, legend string) markup {
	problem, described := f.problem(id)
	return htmlf(`<fieldset id="%s" tabindex="-1"%s><legend>%s</legend>%s`, id, described, legend, problem)
}

// radio is one choice of a group.
func radio(name, value, label, does string, attributes markup, chosen string) markup {
	id := name + "-" + strings.ToLower(value)
	if value == chosen {
		attributes += " checked"
	}
	var described, note markup
	if does != "" {
		described = htmlf(` aria-describedby="%s-does"`, id)
		note = htmlf(`<p class="does" id="%s-does">%s</p>`, id, does)
	}
	attributes += described
	input := htmlf(`<input type="radio" id="%s" name="%s" value="%s"%s>`, id, name, value, attributes)
	return `<div class="choice">` + input + htmlf(`<label for="%s">%s</label>%s</div>`+"\n", id, label, note)
}

// A formInput is a submitted form of a link's page, by the names of its fields.
type formInput map[string]string

// readFormInput parses the submitted form.
func readFormInput(r *http.Request) (formInput, *page) {
	if err := r.ParseForm(); err != nil {
		status, text := http.StatusBadRequest, "The form could not be read."
		if errors.As(err, new(*http.MaxBytesError)) {
			status, text = http.StatusRequestEntityTooLarge, "The form is too large."
		}
		return nil, &page{status: status, title: "Nothing was paid", body: htmlf("<p>%s</p>", text)}
	}
	o := formInput(firstValues(r.PostForm))
	for name, value := range o {
		o[name] = strings.TrimSpace(value)
	}
	return o, nil
}

// initiation is the input as a request to endpoint 1, so that the same checks apply to
// both.
func (o formInput) initiation(l *link, returnURL string) node {
	amount := leaf(formatMajor(l.amount).String())
	if l.dynamic {
		amount = typedNode(o["amount"])
	}
	doc := objectNode(
		"amount", amount,
		"channel", o["channel"],
		"currency", l.currency,
		"link", objectNode("alias", l.alias),
		"userInformation", objectNode(
			"firstName", o["first-name"],
			"lastName", o["last-name"],
			"emailAddress", o["email"],
			"phone", o["phone"],
		),
	)
	props := objectNode("returnUrl", returnURL)
	if o["channel"] == channelCard {
		props.add("card", o.cardNode())
	}
	if o["channel"] != channelTransfer { // which takes none
		doc.add("paymentRequestProps", props)
	}
	return doc
}

// cardNode is the chosen test card; null where none was chosen.
func (o formInput) cardNode() node {
	c, is := testCard(func(c TestCard) bool { return c.Name == o["card"] })
	if !is {
		return leaf("null")
	}
	return objectNode("number", c.Number, "cvv", c.CVV, "expMonth", c.Month, "expYear", c.Year)
}

// typedNode converts typed text to null, a number, or a string that validation will reject.
func typedNode(typed string) node {
	switch {
	case typed == "":
		return leaf("null")
	case isDecimal(typed):
		return leaf(typed)
	}
	return stringNode(typed)
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
	{"paymentRequestProps.card", "card", "Test card"},
}

// formErrors converts endpoint 1's violations to the form's words and order, one per field.
func (o formInput) formErrors(violations []violation) []formError {
	var out []formError
	known := map[string]bool{}
	for _, f := range fields {
		known[f.path] = true
		if i := slices.IndexFunc(violations, func(c violation) bool { return c.field == f.path }); i >= 0 {
			out = append(out, formError{f.id, f.label + " " + violations[i].text + "."})
		}
	}
	for _, c := range violations {
		if !known[c.field] {
			out = append(out, formError{"pay", "This cannot be paid here: " + c.field + " " + c.text + "."})
		}
	}
	return out
}
