// Package query is the language in which people search lists: what they type becomes terms, each with
// its meaning in words, or a problem with the place of what is wrong. It knows amounts, days and sets of
// words; the words of statuses are the service's. A [Language] is what can be searched, [Columns] say where in a table
// it is found, and [Columns.Where] makes a condition of the terms.
//
// # Grammar
//
//	query   = { term }                     all of them must hold
//	term    = [ "-" ] ( field ":" values | values )
//	values  = value { "," value }          any of them must hold
//	value   = word | '"' text '"' | [ "*" ] part [ "*" ] | comparison | range
//	compare = ( ">" | ">=" | "<" | "<=" | "=" ) number
//	range   = number ".." number           either may be left out
//
// Letter case is ignored. In quotation marks \" and \\ stand for a quotation mark and a backslash.
// A value without a field is a word of a field with such words, a comparison or a range of amounts, a day or a
// range of days, or else text that is looked for anywhere.
//
// Amounts are exact decimals in major units ([Decimal]): there are no floats here.
package query

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Query is what to look for: a row must meet all terms. The zero Query finds every row.
type Query struct{ Terms []Term }

// A Term is one condition. A row meets it when any of its values, ranges, days or secrets fits the row. It has
// one kind of these alone, but for text anywhere, whose values may be amounts as well.
type Term struct {
	Not     bool
	Field   string // the name of its field; "" for text anywhere
	Kind    Kind
	Values  []Value    // of Text, Words and Scan
	Amounts []Range    // of Amount
	Days    []DayRange // of Day
	Secrets []Secret   // of Exact

	Start, End int // where it was typed, in bytes

	label string   // of the field, in meanings
	same  string   // the [Field.Same] of it
	shown []string // the values in meanings
}

// A How tells how a text is compared. Letter case is ignored in every comparison.
type How uint8

// The comparisons.
const (
	Contains How = iota // the text holds it
	Whole               // the text is it
	Begins              // the text begins with it
	Ends                // the text ends with it
	Known               // it is the name of a [Word]
	Filled              // the text is not empty
)

// A Value is a text and how it is compared.
type Value struct {
	Text string
	How  How
}

// A Secret is a value that is compared, and not shown: an e-mail address or a telephone number.
type Secret struct{ value func() string }

// NewSecret wraps a value so that formatting cannot reach it.
func NewSecret(value string) Secret { return Secret{func() string { return value }} }

// Expose returns the value, for whoever compares it.
func (s Secret) Expose() string {
	if s.value == nil {
		return ""
	}
	return s.value()
}

const hidden = "[hidden]"

// String says that there is something.
func (s Secret) String() string { return hidden }

// Format implements [fmt.Formatter], so that no verb prints the value.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText implements [encoding.TextMarshaler] and so covers JSON, XML and log/slog.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Empty reports whether every row meets the query.
func (q Query) Empty() bool { return len(q.Terms) == 0 }

// Asks reports whether a term asks for a field.
func (q Query) Asks(field string) bool {
	return slices.ContainsFunc(q.Terms, func(t Term) bool { return t.Field == field })
}

// String is what the query means, without its secrets: for people and logs. Two queries with the same meaning find the same rows, secrets
// aside.
func (q Query) String() string {
	terms := make([]string, len(q.Terms))
	for i, t := range q.Terms {
		terms[i] = t.Meaning()
	}
	return strings.Join(terms, " · ")
}
