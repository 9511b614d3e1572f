package sandbox

import (
	"slices"
	"strings"
)

// The faults of a true answer that is well-formed, and wrong.

// references finds where an answer names its payment or link.
func references(doc *node) (all []*node) {
	for _, path := range []string{"value.paymentItem.paymentReference", "value.paymentItem.reference", "value.paymentReference", "value.reference", "value.alias"} {
		if v := doc.find(path); v != nil && v.isString() {
			all = append(all, v)
		}
	}
	return all
}

// declinePayment makes the payment of the answer fail, as its issuer would.
func declinePayment(s *Sandbox, doc *node) {
	for _, v := range references(doc) {
		if p := s.payments[v.stringValue()]; p != nil && p.decline(s.now()) {
			s.wakeSenders()
		}
	}
	doc.each("value.paymentStatus", func(v *node) { *v = stringNode(string(failed)) })
}

func changeReference(s *Sandbox, doc *node) { nameAll(doc, shortCode(s.random)) }

func nameAll(doc *node, reference string) {
	for _, v := range references(doc) {
		*v = stringNode(reference)
	}
}

// repeatReference answers with the reference of the payment that was made before, if there is one.
func repeatReference(s *Sandbox, doc *node) {
	all := references(doc)
	for _, p := range slices.Backward(s.ordered) {
		if len(all) > 0 && p.reference != all[0].stringValue() {
			nameAll(doc, p.reference)
			return
		}
	}
}

// addToAmounts adds 1.00 to what the answer says that is paid.
func addToAmounts(_ *Sandbox, doc *node) {
	eachAmount(doc, func(v *node) {
		n, _ := parseHundredths(v.leaf)
		v.leaf = formatMajor(n + 100).String()
	})
	doc.each("data.amount", func(v *node) {
		n, _ := parseMinor(v.leaf)
		v.leaf = formatMinor(n + 100).String()
	})
}

// driftSpelling writes status words as they have been seen elsewhere.
func driftSpelling(_ *Sandbox, doc *node) {
	for _, path := range []string{"value.paymentStatus", "value.status", "data.status"} {
		doc.each(path, func(v *node) {
			if word := v.stringValue(); word != "" {
				word = strings.ToUpper(word[:1]) + strings.ToLower(word[1:])
				*v = stringNode(strings.TrimSuffix(strings.Replace(word, "ssfull", "ssful", 1), "_"))
			}
		})
	}
}

// successName is the name of the member that reports success.
func successName(doc *node) string {
	if doc.member("isSuccess") == nil && doc.member("status") != nil {
		return "status"
	}
	return "isSuccess"
}
