package sandbox

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
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
	if v := cmp.Or(doc.member("isSuccess"), doc.member("status")); v != nil && v.leaf == "false" {
		return s.rewriteRefusal(op, status, doc)
	}
	s.rewriteWords(op, doc)
	s.rewriteInitiation(op, doc)
	if s["units."+op.name] == "minor" {
		eachAmount(doc, func(v *node) {
			n, _ := parseHundredths(v.leaf)
			v.leaf = formatMinor(n).String()
		})
	}
	return status
}

// wordNode is the value of a switch as JSON: digits alone make a number, unless a zero precedes others.
func (s switchValues) wordNode(name string) node {
	value := s.of(name)
	if isDigits(value) && (value == "0" || value[0] != '0') {
		return leaf(value)
	}
	return stringNode(value)
}

// rewriteRefusal changes a refusal's body and returns its HTTP status.
func (s switchValues) rewriteRefusal(op operation, status int, doc *node) int {
	looksUp := op.name == "authenticate" || op.name == "finalize" || op.name == "transaction"
	if status == http.StatusNotFound && looksUp && s.is("error.not-found", "null") {
		*doc = objectNode("value", nil, "isSuccess", true)
		return http.StatusOK
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
		"type", "about:blank",
		"title", http.StatusText(status),
		"status", status,
		"traceId", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
	)
}

// failuresDocument is error body B that has been seen.
func failuresDocument(detail string) node {
	failures := node{open: '['}
	for one := range strings.SplitSeq(detail, "; ") {
		failures.add("", one)
	}
	return objectNode(
		"isSuccess", false,
		"type", "ValidationException",
		"title", "One or more validation failures have occurred.",
		"failures", failures,
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

// rewriteInitiation adds fields observed in initiation responses.
func (s switchValues) rewriteInitiation(op operation, doc *node) {
	item := doc.find("value.paymentItem")
	if op.name != "initiate" || item == nil || s.is("initiate.extras", "off") {
		return
	}
	amount, _ := parseHundredths(item.member("amount").leaf)
	fees, _ := parseHundredths(item.member("fees").leaf)
	item.add("totalAmount", formatMajor(amount+fees))
	bank := doc.find("value.bankAuthURL").stringValue()
	if u, err := url.Parse(bank); err == nil && item.member("channel").stringValue() == channelAccount {
		*item.member("metaData") = objectNode("AuthUrl", bank, "token", u.Query().Get("token"))
	}
	doc.member("value").add("requiresAction", bank != "") // invalidates item
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
