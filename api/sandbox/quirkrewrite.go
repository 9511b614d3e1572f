package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// explain tells a request how it is to be read.
func (s quirks) explain(c call) {
	if c.body != nil {
		c.body.reading.minor = s.is(switchUnits+c.operation.name, isMinor)
		c.body.reading.loose = s.is(switchMetaData, "anything")
	}
}

// phrase brings an answer from the shape of the specification into that of the
// switches. It gives the HTTP status.
func (s quirks) phrase(op operation, status int, doc *node) int {
	if v := doc.member(verdict(doc)); v != nil && v.leaf == "false" {
		status = s.phraseRefusal(op, status, doc)
	} else {
		s.phraseStatus(op, doc)
		s.phraseLink(op, doc)
		s.phraseInitiation(op, doc)
		s.phraseAmounts(op, doc)
		if v := doc.at("value.status"); op.name == "finalize" && v != nil {
			*v = s.word(switchFinalized)
		}
		s.phraseCode(doc)
		if status == http.StatusOK && s.is(switchSuccess, "201") {
			status = http.StatusCreated
		}
	}
	s.phraseEmpty(doc)
	if s.is(switchIsSuccess, isMissing) {
		doc.drop("isSuccess")
	}
	return status
}

// word is the value of a switch as JSON: digits alone make a number.
func (s quirks) word(name string) node {
	if value := s.of(name); !digits(value) {
		return text(value)
	}
	return leaf(s.of(name))
}

// phraseRefusal gives a refusal its body and its HTTP status.
func (s quirks) phraseRefusal(op operation, status int, doc *node) int {
	if status == http.StatusNotFound && s.is(switchNotFound, isNull) && slices.Contains([]string{"authenticate", "finalize", "transaction"}, op.name) {
		*doc = node{open: '{'}
		doc.add("value", leaf("null"))
		doc.add("isSuccess", leaf("true"))
		return http.StatusOK
	}
	if fixed, err := strconv.Atoi(s.of(switchRefusal)); err == nil && status/100 == 4 {
		status = fixed
		if !op.list {
			doc.put("status", leaf(strconv.Itoa(status)))
		}
	}
	said := doc.member("detail")
	if op.list {
		said = doc.member("message")
	}
	switch s.of(switchErrorBody) {
	case "A":
		*doc = problem(status)
	case "B":
		*doc = failures(said.says())
	}
	return status
}

// problem is error body A of the facts page: a bare problem document.
func problem(status int) node {
	n := node{open: '{'}
	n.add("type", text("about:blank"))
	n.add("title", text(http.StatusText(status)))
	n.add("status", leaf(strconv.Itoa(status)))
	n.add("traceId", text("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
	return n
}

// failures is error body B of the facts page.
func failures(said string) node {
	n := node{open: '{'}
	n.add("isSuccess", leaf("false"))
	n.add("type", text("ValidationException"))
	n.add("title", text("One or more validation failures have occurred."))
	all := list()
	for one := range strings.SplitSeq(said, "; ") {
		all.add("", text(one))
	}
	n.add("failures", all)
	return n
}

// phraseStatus spells the words of section 3.1.
func (s quirks) phraseStatus(op operation, doc *node) {
	spell := func(v *node) {
		names := map[string]string{
			wordInitiated: switchInitiated, wordOffline: switchOffline, wordPending: switchPending,
			wordSuccessful: switchSuccessful, wordFailed: switchFailed,
		}
		if name, is := names[v.says()]; is {
			*v = s.word(name)
		}
	}
	v := doc.at("value.paymentStatus")
	switch {
	case op.list:
		for i := range doc.at("data").members {
			spell(doc.at("data").members[i].member("status"))
		}
	case v == nil:
	case op.name == "transaction" && s.of(switchStatus) != "":
		*v = s.word(switchStatus)
	case op.name == "initiate" && doc.at("value.bankAuthURL").says() != "":
		*v = s.word(switchChallenge)
	default:
		spell(v)
	}
}

// phraseLink changes the answer to creating a link.
func (s quirks) phraseLink(op operation, doc *node) {
	value := doc.member("value")
	if op.name != "link" || value == nil {
		return
	}
	*value.member("status") = s.word(switchLinkStatus)
	name := switchOneTime
	if value.member("linkType").says() == wordReusable {
		name = switchReusable
	}
	*value.member("linkType") = s.word(name)
	moment := value.member("createdDate").says() // wireTime
	second, offset := moment[:len("2006-01-02T15:04:05")], moment[len("2006-01-02T15:04:05"):]
	if n, _ := strconv.Atoi(s.of(switchFraction)); n > 0 {
		second += "." + "1234567"[:n] // made up
	}
	if s.is(switchOffset, isMissing) {
		offset = ""
	}
	value.put("createdDate", text(second+offset))
}

// phraseInitiation adds what was seen of initiation answers (facts page).
func (s quirks) phraseInitiation(op operation, doc *node) {
	item := doc.at("value.paymentItem")
	if op.name != "initiate" || item == nil || s.is(switchInitiation, isOff) {
		return
	}
	amount, _ := hundredths(item.member("amount").leaf)
	fees, _ := hundredths(item.member("fees").leaf)
	item.add("totalAmount", leaf(major(amount+fees).String()))
	asks := doc.at("value.bankAuthURL").says() != ""
	doc.member("value").add("requiresAction", leaf(strconv.FormatBool(asks))) // moves item
}

// phraseAmounts writes amounts in the units and the form asked for.
func (s quirks) phraseAmounts(op operation, doc *node) {
	if op.list {
		if s.is(switchUnits+op.name, isMajor) {
			s.phraseRows(doc.at("data"))
		}
		return
	}
	for _, path := range []string{
		"value.paymentItem.amount", "value.paymentItem.fees", "value.paymentItem.totalAmount", "value.amountInfo.amount", "value.amount.amount",
	} {
		if v := doc.at(path); v != nil {
			if s.is(switchUnits+op.name, isMinor) {
				n, _ := hundredths(v.leaf)
				v.leaf = minor(n).String()
			}
			s.phraseNumber(v)
		}
	}
}

// phraseRows writes the amounts of rows in major units.
func (s quirks) phraseRows(data *node) {
	for i := range data.members {
		row := &data.members[i].node
		v := row.member("amount")
		v.leaf = decimal(v.leaf, exponent(row.member("currency").says()))
		s.phraseNumber(v)
	}
}

func (s quirks) phraseNumber(v *node) {
	switch s.of(switchNumbers) {
	case "short":
		if strings.Contains(v.leaf, ".") {
			v.leaf = strings.TrimRight(strings.TrimRight(v.leaf, "0"), ".")
		}
	case "quoted":
		v.leaf = quote(v.leaf)
	}
}

// exponent is how many decimals a currency of the list has.
func exponent(currency string) int {
	switch currency {
	case "JPY":
		return 0
	case "KWD":
		return 3
	}
	return 2
}

// decimal puts a point before the last places of a number of digits.
func decimal(number string, places int) string {
	if places == 0 {
		return number
	}
	number = strings.Repeat("0", max(places+1-len(number), 0)) + number
	return number[:len(number)-places] + "." + number[len(number)-places:]
}

// phraseCode changes the responseCode of a success.
func (s quirks) phraseCode(doc *node) {
	v := doc.member("responseCode")
	switch {
	case v == nil:
	case s.is(switchCode, isNull):
		*v = leaf("null")
	case s.is(switchCode, "absent"):
		doc.drop("responseCode")
	}
}

// phraseEmpty writes what says nothing in one way: null, "" or not at all.
func (s quirks) phraseEmpty(doc *node) {
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
				*v = text("")
			}
		case "absent":
			doc.drop(name)
		}
	}
}
