package sandbox

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// configure applies the switches that change how a request is parsed.
func (s switchValues) configure(c call) {
	if c.body != nil {
		c.body.reading.minor = s["units."+c.operation.name] == "minor" // finalize has no such switch
		c.body.reading.anyMetaData = s.is("initiate.metadata", "anything")
	}
}

// rewrite changes a response from the specification's shape to that of the switches, and
// returns the HTTP status.
func (s switchValues) rewrite(op operation, status int, doc *node) int {
	if v := doc.member(successName(doc)); v != nil && v.leaf == "false" {
		status = s.rewriteRefusal(op, status, doc)
	} else {
		s.rewriteWords(op, doc)
		s.rewriteCreated(op, doc)
		s.rewriteInitiation(op, doc)
		s.rewriteAmounts(op, doc)
		if doc.member("responseCode") != nil {
			doc.empty("responseCode", s.of("envelope.response-code"))
		}
		if status == http.StatusOK && s.is("http.success", "201") {
			status = http.StatusCreated
		}
	}
	s.rewriteEmpty(doc)
	if s.is("envelope.is-success", "missing") {
		doc.remove("isSuccess")
	}
	return status
}

// wordNode is the value of a switch as JSON: digits alone make a number.
func (s switchValues) wordNode(name string) node {
	if value := s.of(name); isDigits(value) {
		return leaf(value)
	}
	return stringNode(s.of(name))
}

// rewriteRefusal changes a refusal's body and returns its HTTP status.
func (s switchValues) rewriteRefusal(op operation, status int, doc *node) int {
	looksUp := op.name == "authenticate" || op.name == "finalize" || op.name == "transaction"
	if status == http.StatusNotFound && looksUp && s.is("error.not-found", "null") {
		*doc = objectNode(member{"value", leaf("null")}, member{"isSuccess", leaf("true")})
		return http.StatusOK
	}
	if fixed, err := strconv.Atoi(s.of("http.refusal")); err == nil && status/100 == 4 {
		status = fixed
		if !op.list {
			doc.set("status", leaf(strconv.Itoa(status)))
		}
	}
	detail := doc.member("detail")
	if op.list {
		detail = doc.member("message")
	}
	switch s.of("error.body") {
	case "A":
		*doc = problemDocument(status)
	case "B":
		*doc = failuresDocument(detail.stringValue())
	}
	return status
}

// problemDocument is error body A that has been seen: a bare problem document.
func problemDocument(status int) node {
	return objectNode(
		member{"type", stringNode("about:blank")},
		member{"title", stringNode(http.StatusText(status))},
		member{"status", leaf(strconv.Itoa(status))},
		member{"traceId", stringNode("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")},
	)
}

// failuresDocument is error body B that has been seen.
func failuresDocument(detail string) node {
	failures := arrayNode()
	for one := range strings.SplitSeq(detail, "; ") {
		failures.add("", stringNode(one))
	}
	return objectNode(
		member{"isSuccess", leaf("false")},
		member{"type", stringNode("ValidationException")},
		member{"title", stringNode("One or more validation failures have occurred.")},
		member{"failures", failures},
	)
}

// wordPaths lead to the words of answers that switches spell.
var wordPaths = []string{"value.paymentStatus", "data.status", "value.status", "value.linkType"}

// rewriteWords spells words. One that the specification has is the default of its switch.
func (s switchValues) rewriteWords(op operation, doc *node) {
	spell := func(v *node) {
		i := slices.IndexFunc(switchTable(), func(w Switch) bool { return w.Default != "" && w.Default == v.stringValue() })
		if i >= 0 {
			*v = s.wordNode(switchTable()[i].Name)
		}
	}
	status := doc.find("value.paymentStatus")
	switch {
	case op.name == "transaction" && status != nil && s.of("status.always") != "":
		*status = s.wordNode("status.always")
	case op.name == "initiate" && doc.find("value.bankAuthURL").stringValue() != "":
		*status = s.wordNode("status.challenge")
	default:
		for _, path := range wordPaths {
			doc.each(path, spell)
		}
	}
}

// rewriteCreated changes when a link was created.
func (s switchValues) rewriteCreated(op operation, doc *node) {
	created := doc.find("value.createdDate")
	if op.name != "link" || created == nil {
		return
	}
	moment := created.stringValue() // wireTime
	second, offset := moment[:len("2006-01-02T15:04:05")], moment[len("2006-01-02T15:04:05"):]
	if n, _ := strconv.Atoi(s.of("link.created-digits")); n > 0 {
		second += "." + "1234567"[:n] // invented
	}
	if s.is("link.created-offset", "missing") {
		offset = ""
	}
	*created = stringNode(second + offset)
}

// rewriteInitiation adds fields observed in initiation responses.
func (s switchValues) rewriteInitiation(op operation, doc *node) {
	item := doc.find("value.paymentItem")
	if op.name != "initiate" || item == nil || s.is("initiate.extras", "off") {
		return
	}
	amount, _ := parseHundredths(item.member("amount").leaf)
	fees, _ := parseHundredths(item.member("fees").leaf)
	item.add("totalAmount", leaf(formatMajor(amount+fees).String()))
	bank := doc.find("value.bankAuthURL").stringValue()
	if u, err := url.Parse(bank); err == nil && item.member("channel").stringValue() == channelAccount {
		item.set("metaData", objectNode(
			member{"AuthUrl", stringNode(bank)}, member{"token", stringNode(u.Query().Get("token"))}))
	}
	doc.member("value").add("requiresAction", leaf(strconv.FormatBool(bank != ""))) // invalidates item
}

// rewriteAmounts changes the units and the notation of amounts.
func (s switchValues) rewriteAmounts(op operation, doc *node) {
	if op.list {
		if s.is("units."+op.name, "major") {
			s.rewriteRows(doc.find("data"))
		}
		return
	}
	eachAmount(doc, func(v *node) {
		if s.is("units."+op.name, "minor") {
			n, _ := parseHundredths(v.leaf)
			v.leaf = formatMinor(n).String()
		}
		s.rewriteNumber(v)
	})
}

// eachAmount visits the amounts of an answer that is no list.
func eachAmount(doc *node, visit func(*node)) {
	for _, path := range []string{
		"value.paymentItem.amount", "value.paymentItem.fees", "value.paymentItem.totalAmount",
		"value.amountInfo.amount", "value.amount.amount",
	} {
		doc.each(path, visit)
	}
}

// rewriteRows writes the amounts of rows in major units.
func (s switchValues) rewriteRows(data *node) {
	for _, row := range data.members {
		v := row.member("amount")
		v.leaf = decimal(v.leaf, exponent(row.member("currency").stringValue()))
		s.rewriteNumber(v)
	}
}

func (s switchValues) rewriteNumber(v *node) {
	switch s.of("numbers") {
	case "short":
		if strings.Contains(v.leaf, ".") {
			v.leaf = strings.TrimRight(strings.TrimRight(v.leaf, "0"), ".")
		}
	case "quoted":
		v.leaf = quote(v.leaf)
	}
}

// exponent is the number of decimals of a currency in the list.
func exponent(currency string) int {
	if places, is := map[string]int{"JPY": 0, "KWD": 3}[currency]; is {
		return places
	}
	return 2
}

// decimal inserts a point before the last digits of a number.
func decimal(number string, places int) string {
	number = strings.Repeat("0", max(places+1-len(number), 0)) + number
	return strings.TrimSuffix(number[:len(number)-places]+"."+number[len(number)-places:], ".")
}

// rewriteEmpty writes empty fields in one way: null, "" or not at all.
func (s switchValues) rewriteEmpty(doc *node) {
	names := []string{"error", "message", "type", "title", "status", "detail", "instance", "responseCode"}
	for _, name := range names {
		if v := doc.member(name); v != nil && (v.leaf == "null" || v.leaf == `""`) {
			doc.empty(name, s.of("envelope.empty"))
		}
	}
}

// empty writes a member as null, "" or not at all, or leaves it as it is.
func (n *node) empty(name, how string) {
	switch {
	case how == "null":
		n.set(name, leaf("null"))
	case how == "text" && name != "status": // which is a number or null
		n.set(name, stringNode(""))
	case how == "absent":
		n.remove(name)
	}
}
