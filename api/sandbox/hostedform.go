package sandbox

import (
	"html"
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
	out := page{status: http.StatusOK, title: l.name, unframed: true, formAction: cspSources(s.origin, o.returnURL)}
	out.body = summary(wrong) + paragraph(l.description) + definitionList("Amount", amount, "This link", kind, "Link", l.alias) + "\n"
	switch {
	case l.used(now) && l.last.at(now) == initiated:
		out.body += paragraph("This link can be paid only once. A payment has been started and is waiting for the customer's bank.")
	case l.used(now):
		out.body += paragraph("This link has been used. It can be paid only once.")
	case !slices.ContainsFunc(channelsOf(l.currency), payable):
		out.body += paragraph("The sandbox accepts no payments in " + l.currency + ".")
	default:
		out.body += s.form(l, o, wrong, now)
	}
	if len(wrong) > 0 {
		out.status, out.invalid = http.StatusUnprocessableEntity, true
	}
	return out
}

// payable reports whether the sandbox accepts payments by a channel.
func payable(alias string) bool { return alias == channelCard || alias == channelTransfer }

// summary lists the errors, each linked to its field. It gets the focus.
func summary(wrong []formError) string {
	if len(wrong) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<div class="errors" role="alert" tabindex="-1" autofocus aria-labelledby="errors"><h2 id="errors">Nothing was paid</h2><ul>`)
	for _, m := range wrong {
		b.WriteString(`<li><a href="#` + m.id + `">` + html.EscapeString(m.text) + `</a></li>`)
	}
	b.WriteString("</ul></div>\n")
	return b.String()
}

// form needs no script: fields of choices that are not selected are hidden by CSS and
// ignored.
func (s *Sandbox) form(l *link, o formInput, wrong []formError, now time.Time) string {
	f := fieldWriter{wrong}
	label, amount := "Pay "+formatMajor(l.amount).String()+" "+l.currency, ""
	if l.dynamic {
		typed := o.amount
		if typed == "" && o.token == "" && l.amount > 0 { // the first visit
			typed = formatMajor(l.amount).String()
		}
		label, amount = "Pay", f.input("amount", "Amount in "+l.currency, typed, `inputmode="decimal" autocomplete="off" required`)
	}
	channel := o.channel
	if channel == "" {
		channel = channelCard
	}
	parts := []string{
		`<form method="post" action="` + html.EscapeString(linkURL(l, "")) + `" novalidate>`,
		hidden("token", s.formToken(l, o.returnURL, now)) + hidden("return", o.returnURL),
		amount,
		`<fieldset><legend>Your details</legend>` +
			f.input("first-name", "First name", o.firstName, `autocomplete="given-name" required`) +
			f.input("last-name", "Last name", o.lastName, `autocomplete="family-name" required`) +
			f.input("email", "E-mail address", o.email, `type="email" autocomplete="email" required`) +
			f.input("phone", "Telephone (optional)", o.phone, `type="tel" autocomplete="tel"`) + `</fieldset>`,
		s.channelField(f, l.currency, channel),
	}
	if slices.Contains(channelsOf(l.currency), channelCard) {
		parts = append(parts, cardFields(f, o))
	}
	parts = append(parts, `<p><button type="submit" id="pay">`+html.EscapeString(label)+`</button></p></form>`)
	return strings.Join(parts, "\n")
}

// channelField offers the channels of the currency.
func (s *Sandbox) channelField(f fieldWriter, currency, chosen string) string {
	var b strings.Builder
	b.WriteString(f.group("channel", "How do you want to pay?"))
	for _, c := range s.channels {
		if !slices.Contains(channelsOf(currency), c.Alias) {
			continue
		}
		does, more := "", ""
		if c.Description != nil {
			does = *c.Description
		}
		if !payable(c.Alias) {
			more = " disabled"
		}
		b.WriteString(radio("channel", c.Alias, c.Name, does, more, chosen))
	}
	b.WriteString(`</fieldset>`)
	return b.String()
}

// cardFields offers the test cards and a typed card. Typed card data is never shown again.
func cardFields(f fieldWriter, o formInput) string {
	var b strings.Builder
	b.WriteString(f.group("card", "Card"))
	chosen := o.card
	if chosen == "" && o.token == "" {
		chosen = Cards()[0].Name
	}
	for _, c := range Cards() {
		b.WriteString(radio("card", c.Name, grouped(c.Number), c.Does, "", chosen))
	}
	b.WriteString(radio("card", cardTyped, "Enter a card", "the sandbox accepts only the numbers above", "", chosen))
	b.WriteString(`<div class="typed">` +
		f.input("number", "Card number", "", `inputmode="numeric" autocomplete="off"`) +
		f.input("month", "Expiry month, such as 9", "", `inputmode="numeric" autocomplete="off" class="short"`) +
		f.input("year", "Expiry year, such as 2034", "", `inputmode="numeric" autocomplete="off" class="short"`) +
		f.input("cvv", "Security code (CVV)", "", `inputmode="numeric" autocomplete="off" class="short"`) +
		`</div></fieldset>`)
	return b.String()
}

// grouped formats a card number in groups of four.
func grouped(number string) string {
	var out []string
	for part := range slices.Chunk([]byte(number), 4) {
		out = append(out, string(part))
	}
	return strings.Join(out, " ")
}
