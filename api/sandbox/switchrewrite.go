package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// configure applies the switches that change how a request is parsed.
func (s switchValues) configure(c call) {
	if c.body != nil {
		c.body.reading.minor = s.is(switchUnits+c.operation.name, isMinor)
		c.body.reading.anyMetaData = s.is(switchMetaData, "anything")
	}
}

// rewrite changes a response from the specification's shape to that of the switches, and
// returns the HTTP status.
func (s switchValues) rewrite(op operation, status int, doc *node) int {
	if v := doc.member(successName(doc)); v != nil && v.leaf == "false" {
		status = s.rewriteRefusal(op, status, doc)
	} else {
		s.rewriteStatus(op, doc)
		s.rewriteLink(op, doc)
		s.rewriteInitiation(op, doc)
		s.rewriteAmounts(op, doc)
		if v := doc.find("value.status"); op.name == "finalize" && v != nil {
			*v = s.wordNode(switchFinalized)
		}
		s.rewriteResponseCode(doc)
		if status == http.StatusOK && s.is(switchSuccess, "201") {
			status = http.StatusCreated
		}
	}
	s.rewriteEmpty(doc)
	if s.is(switchIsSuccess, isMissing) {
		doc.remove("isSuccess")
	}
	return status
}

// wordNode is the value of a switch as JSON: digits alone make a number.
func (s switchValues) wordNode(name string) node {
	if value := s.of(name); !isDigits(value) {
		return stringNode(value)
	}
	return leaf(s.of(name))
}

// rewriteRefusal changes a refusal's body and returns its HTTP status.
func (s switchValues) rewriteRefusal(op operation, status int, doc *node) int {
	if status == http.StatusNotFound && s.is(switchNotFound, isNull) && slices.Contains([]string{"authenticate", "finalize", "transaction"}, op.name) {
		*doc = node{open: '{'}
		doc.add("value", leaf("null"))
		doc.add("isSuccess", leaf("true"))
		return http.StatusOK
	}
	if fixed, err := strconv.Atoi(s.of(switchRefusal)); err == nil && status/100 == 4 {
		status = fixed
		if !op.list {
			doc.set("status", leaf(strconv.Itoa(status)))
		}
	}
	detail := doc.member("detail")
	if op.list {
		detail = doc.member("message")
	}
	switch s.of(switchErrorBody) {
	case "A":
		*doc = problemDocument(status)
	case "B":
		*doc = failuresDocument(detail.stringValue())
	}
	return status
}

// problemDocument is error body A of the facts page: a bare problem document.
func problemDocument(status int) node {
	n := node{open: '{'}
	n.add("type", stringNode("about:blank"))
	n.add("title", stringNode(http.StatusText(status)))
	n.add("status", leaf(strconv.Itoa(status)))
	n.add("traceId", stringNode("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
	return n
}

// failuresDocument is error body B of the facts page.
func failuresDocument(detail string) node {
	n := node{open: '{'}
	n.add("isSuccess", leaf("false"))
	n.add("type", stringNode("ValidationException"))
	n.add("title", stringNode("One or more validation failures have occurred."))
	all := arrayNode()
	for one := range strings.SplitSeq(detail, "; ") {
		all.add("", stringNode(one))
	}
	n.add("failures", all)
	return n
}

// rewriteStatus changes the status words of section 3.1.
func (s switchValues) rewriteStatus(op operation, doc *node) {
	spell := func(v *node) {
		names := map[string]string{
			wordInitiated: switchInitiated, wordOffline: switchOffline, wordPending: switchPending,
			wordSuccessful: switchSuccessful, wordFailed: switchFailed,
		}
		if name, is := names[v.stringValue()]; is {
			*v = s.wordNode(name)
		}
	}
	v := doc.find("value.paymentStatus")
	switch {
	case op.list:
		for i := range doc.find("data").members {
			spell(doc.find("data").members[i].member("status"))
		}
	case v == nil:
	case op.name == "transaction" && s.of(switchStatus) != "":
		*v = s.wordNode(switchStatus)
	case op.name == "initiate" && doc.find("value.bankAuthURL").stringValue() != "":
		*v = s.wordNode(switchChallenge)
	default:
		spell(v)
	}
}

// rewriteLink changes the response to creating a link.
func (s switchValues) rewriteLink(op operation, doc *node) {
	value := doc.member("value")
	if op.name != "link" || value == nil {
		return
	}
	*value.member("status") = s.wordNode(switchLinkStatus)
	name := switchOneTime
	if value.member("linkType").stringValue() == wordReusable {
		name = switchReusable
	}
	*value.member("linkType") = s.wordNode(name)
	moment := value.member("createdDate").stringValue() // wireTime
	second, offset := moment[:len("2006-01-02T15:04:05")], moment[len("2006-01-02T15:04:05"):]
	if n, _ := strconv.Atoi(s.of(switchFraction)); n > 0 {
		second += "." + "1234567"[:n] // invented
	}
	if s.is(switchOffset, isMissing) {
		offset = ""
	}
	value.set("createdDate", stringNode(second+offset))
}

// rewriteInitiation adds fields observed in initiation responses (facts page).
func (s switchValues) rewriteInitiation(op operation, doc *node) {
	item := doc.find("value.paymentItem")
	if op.name != "initiate" || item == nil || s.is(switchInitiation, isOff) {
		return
	}
	amount, _ := parseHundredths(item.member("amount").leaf)
	fees, _ := parseHundredths(item.member("fees").leaf)
	item.add("totalAmount", leaf(formatMajor(amount+fees).String()))
	challenged := doc.find("value.bankAuthURL").stringValue() != ""
	doc.member("value").add("requiresAction", leaf(strconv.FormatBool(challenged))) // invalidates item
}

// rewriteAmounts changes the units and the notation of amounts.
func (s switchValues) rewriteAmounts(op operation, doc *node) {
	if op.list {
		if s.is(switchUnits+op.name, isMajor) {
			s.rewriteRows(doc.find("data"))
		}
		return
	}
	for _, path := range []string{
		"value.paymentItem.amount", "value.paymentItem.fees", "value.paymentItem.totalAmount", "value.amountInfo.amount", "value.amount.amount",
	} {
		if v := doc.find(path); v != nil {
			if s.is(switchUnits+op.name, isMinor) {
				n, _ := parseHundredths(v.leaf)
				v.leaf = formatMinor(n).String()
			}
			s.rewriteNumber(v)
		}
	}
}

// rewriteRows writes the amounts of rows in major units.
func (s switchValues) rewriteRows(data *node) {
	for i := range data.members {
		row := &data.members[i].node
		v := row.member("amount")
		v.leaf = decimal(v.leaf, exponent(row.member("currency").stringValue()))
		s.rewriteNumber(v)
	}
}

func (s switchValues) rewriteNumber(v *node) {
	switch s.of(switchNumbers) {
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
	switch currency {
	case "JPY":
		return 0
	case "KWD":
		return 3
	}
	return 2
}

// decimal inserts a point before the last digits of a number.
func decimal(number string, places int) string {
	if places == 0 {
		return number
	}
	number = strings.Repeat("0", max(places+1-len(number), 0)) + number
	return number[:len(number)-places] + "." + number[len(number)-places:]
}

// rewriteResponseCode changes the responseCode of a success.
func (s switchValues) rewriteResponseCode(doc *node) {
	v := doc.member("responseCode")
	switch {
	case v == nil:
	case s.is(switchCode, isNull):
		*v = leaf("null")
	case s.is(switchCode, "absent"):
		doc.remove("responseCode")
	}
}

// rewriteEmpty writes empty fields in one way: null, "" or not at all.
func (s switchValues) rewriteEmpty(doc *node) {
	for _, name := range []string{"error", "message", "type", "title", "status", "detail", "instance", "responseCode"} {
		v := doc.member(name)
		if v == nil || v.leaf != "null" && v.leaf != `""` {
			continue
		}
		switch s.of(switchEmpty) {
		case isNull:
			*v = leaf("null")
		case "text":
			if name != "status" { // which is a number or null
				*v = stringNode("")
			}
		case "absent":
			doc.remove(name)
		}
	}
}
