package screens_test

import (
	"slices"
	"strings"
)

// An operation is one whose answers are filled.
type operation struct {
	name    string
	path    string // a part of its path
	fields  string // texts that the answer may have, and the sandbox leaves out
	refusal string // the answer in the place of its own, with its status
	status  int
}

func (o operation) is(path string) bool { return strings.Contains(path, o.path) }

// complete adds the fields that an answer can have.
func (o operation) complete(doc any) {
	for path := range strings.FieldsSeq(o.fields) {
		at, name := doc, path
		for {
			head, tail, more := strings.Cut(name, ".")
			here, is := at.(map[string]any)
			if !is {
				break
			}
			if !more {
				if here[name] == nil {
					here[name] = "as usual"
				}
				break
			}
			at, name = here[head], tail
		}
	}
}

// The operations of the service.
var (
	opInitiate = operation{name: "initiate", path: "/pay/initiate",
		fields: "message responseCode value.message value.bankAuthURL value.paymentItem.message value.paymentItem.reference value.paymentItem.channel value.paymentItem.currency"}
	opLink         = operation{name: "create link", path: "/payment-link", fields: "message responseCode value.environment"}
	opValidate     = operation{name: "validate channels", path: "/pay/validate", fields: "message"}
	opAuthenticate = operation{name: "authenticate", path: "/get-auth-3ds", fields: "message responseCode value.status value.message value.Recommendation"}
	opFinalize     = operation{name: "finalize", path: "/pay/finalize", fields: "message responseCode value.message"}
	opStatus       = operation{name: "status", path: "/api/payment/transactions/", fields: "message value.paymentReference"}
	opList         = operation{name: "list", path: "/v1/api/transactions", fields: "message"}
)

// refused is an operation that says no, in every field that can say why.
func (o operation) refused(status int) operation {
	o.name += " refused"
	o.status = status
	o.refusal = `{"isSuccess":false,"status":false,"message":"m","responseCode":"05","failures":["a","b"],"detail":"d","error":"e","title":"t","value":null}`
	o.fields = ""
	return o
}

// reasonless is an operation that says no in its message alone.
func (o operation) reasonless(status int) operation {
	o = o.refused(status)
	o.refusal = `{"isSuccess":false,"status":false,"message":"m","value":null}`
	return o
}

// deciding are the fields that decide something: where the answer goes, what it is taken
// for, what is copied. A text that is not one they can have is written out rune by rune or
// makes the answer one that cannot be used. The others are free text.
var deciding = []string{
	"paymentStatus", "status", "bankAuthURL", "paymentReference", "reference", "channel", "currency", "currencyCode", "amount", "fees",
	"account_number", "alias", "link", "linkType", "environment", "createdDate", "expiration", "isSuccess", "Recommendation", "IsAuthenticationEnabled",
	"authenticationhtml", "responseCode", "isValid", "page", "pageCount", "total", "perPage", "skipped", "type",
}

// decides reports whether the field of a path does.
func decides(path string) bool {
	name := path[strings.LastIndexByte(path, '.')+1:]
	return slices.Contains(deciding, strings.TrimSuffix(name, "[]"))
}
