package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"paydesk/api/card"
	"paydesk/api/money"
	"paydesk/api/text"
)

// A value is one value of a document. The nil value is absent, and so are all its parts, so that a
// path can be walked without checks at each step.
type value struct {
	raw     string   // the source text
	decoded string   // of a string
	keys    []string // the decoded keys of an object, one for each of its parts
	parts   []*value // the elements of an array or the values of an object
	secrets *redactor
}

// kind is the first byte of the value, one of { [ " t f n, or 0 for every number. It is NUL when
// the value is absent.
func (v *value) kind() byte {
	switch {
	case v == nil:
		return 0
	case v.raw[0] == '-' || '0' <= v.raw[0] && v.raw[0] <= '9':
		return '0'
	}
	return v.raw[0]
}

// items are the elements of an array or the values of an object.
func (v *value) items() []*value {
	if v == nil {
		return nil
	}
	return v.parts
}

// field is the member of an object with exactly this key; absent when there is none or v is not an
// object.
func (v *value) field(key string) *value {
	if v != nil {
		if i := slices.Index(v.keys, key); i >= 0 {
			return v.parts[i]
		}
	}
	return nil
}

// null reports whether v is absent or null.
func (v *value) null() bool { return v == nil || v.kind() == 'n' }

// text returns the decoded string; false when v is none.
func (v *value) text() (string, bool) {
	if v.kind() != '"' {
		return "", false
	}
	return v.decoded, true
}

// plain is the decoded string, or the source text of any other value. Absent, null and "" are the
// same, because the service uses all three for "none".
func (v *value) plain() string {
	if v.null() {
		return ""
	}
	if s, ok := v.text(); ok {
		return s
	}
	return v.raw
}

// redacted is [value.plain] without the secrets of the request.
func (v *value) redacted() string {
	if v.null() {
		return ""
	}
	return v.secrets.redact(v.plain())
}

// tells reports whether the value repeats a secret of the request: see [redactor.tells].
func (v *value) tells() bool { return v != nil && v.secrets.tells(v.plain()) }

// display returns the value as text for people. Payers type card numbers into free text, so those
// are hidden too.
func (v *value) display() Text { return Clean(card.Redact(v.redacted())) }

// identifier returns the value as an identifier or an amount. One such number in ten looks like a card's, so it hides only
// a number in groups, as cards are written and neither of these is.
func (v *value) identifier() string {
	s := v.redacted()
	if strings.ContainsFunc(s, unicode.IsSpace) {
		s = card.Redact(s)
	}
	return s
}

// displayID is [value.identifier] as text for people.
func (v *value) displayID() Text { return Clean(v.identifier()) }

// displayASCII is [value.display] for words that decide something: see [CleanASCII].
func (v *value) displayASCII() Text { return CleanASCII(card.Redact(v.redacted())) }

// indented is the value as received, indented.
func (v *value) indented() Text {
	var out bytes.Buffer
	_ = json.Indent(&out, []byte(v.raw), "", "  ") // which has been read before
	return Clean(v.secrets.hide(out.String()))
}

// Readers of the parts of a payload. A part of the wrong type counts as unreadable; the rest of the
// response stands.

// firstText is the first value that has any text.
func firstText(of ...*value) Text {
	for _, v := range of {
		if t := v.display(); !t.Empty() {
			return t
		}
	}
	return Text{}
}

// firstReference is the first value that is a valid reference, "" when none is; tells reports that one of
// the values, valid or not, repeats a secret.
func firstReference(of ...*value) (first Reference, tells bool) {
	for _, v := range of {
		s, _ := v.text()
		r, _ := ParseReference(s)
		first = cmp.Or(first, r)
		tells = tells || v.tells()
	}
	return first, tells
}

// readAmount reads a number in a currency known from elsewhere. The number may be quoted, as the
// service was observed to send it.
func readAmount(v *value, c money.Currency, u unit) (money.Amount, bool) {
	a, err := u.parse(v.plain(), c)
	return a, err == nil && !v.tells()
}

// readReported reads the amount of a payment or a link: a number, or an object with one. Its currency is
// where the service states it: in the object, or beside it. Without any, or with several that differ,
// the amount is only text.
func readReported(amount, beside *value, u unit) Reported {
	number := amount
	if amount.kind() == '{' {
		number = amount.field("amount")
	}
	codes := statedCurrencies(amount, beside)
	if len(codes) == 1 {
		c, _ := money.ParseCurrency(codes[0])
		if a, readable := readAmount(number, c, u); readable && !c.IsZero() {
			return Reported{Amount: a}
		}
	}
	words := append([]string{number.displayASCII().Line(0)}, codes...)
	return Reported{Text: CleanASCII(strings.TrimSpace(strings.Join(words, " ")))}
}

// statedCurrencies are the currencies in an amount and beside it, as received, each once. Events name them in other letter
// cases.
func statedCurrencies(amount, beside *value) (codes []string) {
	for _, v := range []*value{amount, beside} {
		for _, name := range []string{"currencyCode", "currency"} {
			code := strings.ToUpper(v.member(name).displayASCII().Line(0))
			if code != "" && !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// wholeNumber is an integer as JSON writes it, with or without decimals that are zero.
var wholeNumber = text.Pattern(`^(-?(?:0|[1-9]\d*))(?:\.0+)?$`)

// readCount reads a non-negative integer, written as 12, 12.0 or "12".
func readCount(v *value) (int, bool) {
	part := wholeNumber().FindStringSubmatch(v.plain())
	if part == nil {
		return 0, false
	}
	n, err := strconv.Atoi(part[1])
	return n, err == nil && part[1][0] != '-' && !v.tells()
}

// A Timestamp is a time from a response. The specification promises an offset, but the service was
// observed to leave it out: then the time is read as UTC, and Zoned is false.
type Timestamp struct {
	Time  time.Time // zero when the text could not be parsed
	Zoned bool
	Text  Text // as received
}

// timestampPattern is RFC 3339 with a space allowed for the T, a fraction of up to nine digits, and
// an optional offset. The time package alone accepts more: a comma, a one-digit hour, an offset of
// 99 hours.
var timestampPattern = text.Pattern(`^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$`)

// ParseTimestamp parses a time as responses contain it: RFC 3339 with up to nine fractional digits,
// with or without an offset. It guesses nothing: a text it cannot parse leaves Time zero and is
// only displayed.
func ParseTimestamp(s string) Timestamp {
	m := Timestamp{Text: Clean(s)}
	part := timestampPattern().FindStringSubmatch(s)
	if part == nil {
		return m
	}
	if at, err := time.Parse(time.RFC3339, part[1]+"T"+part[2]+cmp.Or(part[3], "Z")); err == nil {
		m.Time, m.Zoned = at, part[3] != ""
	}
	return m
}
