package screens_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/sandbox/faulttest"
	"paydesk/screens/consoletest"
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

// A hostile text is one of the corpus: what a service, a payer or a gateway could put
// into an answer.
type hostile struct {
	class, name, text string
}

// most of a text is as much as leaves an answer of a usual size.
const most = 24 << 10

var corpus = sync.OnceValue(func() (all []hostile) {
	for _, h := range faulttest.Texts() {
		text := h.Text
		for end := most; len(text) > most; end-- {
			if text[end]&0xc0 != 0x80 {
				text = text[:end]
			}
		}
		all = append(all, hostile{h.Class, h.Name, text})
	}
	return all
})

// hostiles is the corpus.
func hostiles(t testing.TB) []hostile {
	t.Helper()
	if len(corpus()) < 300 {
		t.Fatalf("%d hostile texts", len(corpus()))
	}
	return corpus()
}

// written is a text as JSON writes it; bytes that are no UTF-8 stay.
func written(s string) []byte {
	var b bytes.Buffer
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == '"' || c == '\\':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.Bytes()
}

// spellings are the ways in which a screen writes a text of an answer: made safe to show, the same in ASCII
// alone, and as it stands in JSON.
var spellings = []func(line string) string{
	func(line string) string { return api.Clean(line).Line(0) },
	func(line string) string { return api.CleanASCII(line).Line(0) },
	func(line string) string {
		line = api.Clean(`"` + control.ReplaceAllString(line, "~~~~~~")).Line(0) // each is an escape of six characters
		return strings.TrimPrefix(line, `"`)
	},
}

var (
	control = regexp.MustCompile(`[\x00-\x1f]`)
	key     = regexp.MustCompile(`(?i)\b[sp]k_\w+`)
)

// shadow is a harmless text that takes the room of another one in a spelling: the same cells, blanks and
// punctuation, by which a line is wrapped. Where the harmless one is shown, nothing else may
// differ. It keeps what a refusal is placed by, the names of fields, and the ends of lines and of the sentence.
func shadow(s string, spell func(string) string) string {
	var b strings.Builder
	s = key.ReplaceAllString(card.Redact(s), "[key]")
	for {
		end := strings.IndexAny(s, "\r\n") // one that the service sent as such takes two cells in JSON, not three
		if end < 0 {
			b.WriteString(shadowLine(spell(s)))
			return b.String()
		}
		b.WriteString(shadowLine(spell(s[:end])) + s[end:end+1])
		s = s[end+1:]
	}
}

func shadowLine(line string) string {
	kept := meaningful.FindAllStringIndex(line, -1)
	var b strings.Builder
	for at := 0; at < len(line); {
		cluster, w := ansi.FirstGraphemeCluster(line[at:], ansi.GraphemeWidth)
		keep := slices.ContainsFunc(kept, func(span []int) bool { return span[0] <= at && at < span[1] })
		first, _ := utf8.DecodeRuneInString(cluster) // a mark stands on the character before the text
		if at += len(cluster); keep || unicode.IsMark(first) || strings.Contains(" !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}", cluster) {
			b.WriteString(cluster)
		} else {
			b.WriteString(strings.Repeat("~", w))
		}
	}
	return b.String()
}

// meaningful are the names of the fields of a payment and of a link, the ends of lines, which are blanks
// in a sentence, the end of a sentence, and the word of an accepted finalize, which is not said twice.
var meaningful = regexp.MustCompile(`(?i)(amount|link) ?type|amount|currency|description|channel|e-?mail|phone|(first|last)? ?name|` +
	`narration|meta ?data|\\[nr]|alias|card[. ]?number|cvv|cvc|security code|exp(month|year|iry|iration)|return ?url|[.!?]$|^completed$`)

// A fill says what to write into the n-th text of an answer that has a field's path, if
// anything.
type fill func(path string, n int) (text string, ok bool)

// into fills the answers of an operation.
func into(op operation, f fill) consoletest.Rewrite {
	return func(path string, status int, body []byte) (int, []byte) {
		if !op.is(path) {
			return status, body
		}
		if op.refusal != "" {
			status, body = op.status, []byte(op.refusal)
		}
		var doc any
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		if d.Decode(&doc) != nil {
			return status, body
		}
		op.complete(doc)
		n, fills := 0, [][]byte{}
		doc = leaves(doc, "", func(path string) any {
			text, ok := f(path, n)
			if n++; !ok {
				return nil
			}
			fills = append(fills, written(text))
			return fmt.Sprintf("@@%d@@", len(fills)-1)
		})
		out, _ := json.Marshal(doc)
		for i, text := range fills {
			out = bytes.Replace(out, fmt.Appendf(nil, `"@@%d@@"`, i), text, 1)
		}
		return status, out
	}
}

// leaves puts what at gives in the place of each text, number and null, unless it is nil.
func leaves(v any, path string, at func(path string) any) any {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			v[name] = leaves(v[name], strings.TrimPrefix(path+"."+name, "."), at)
		}
	case []any:
		for i := range v {
			v[i] = leaves(v[i], path+"[]", at)
		}
	case bool:
	default:
		if to := at(path); to != nil {
			return to
		}
	}
	return v
}
