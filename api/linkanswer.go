package api

import (
	"strings"

	"paydesk/api/card"
	"paydesk/api/money"
)

// A LinkDifference is a part of a created link that is not as it was requested.
type LinkDifference struct {
	Part            Text // amount, currency, type, amount type, name or environment
	Asked, Answered Text
}

// String is the difference in one sentence without its end.
func (d LinkDifference) String() string {
	return d.Part.Line(0) + ": asked " + d.Asked.Line(0) + ", answered " + d.Answered.Line(0)
}

// Differences returns how the link differs from what was asked, on one line; "" when it does not, or of no link.
func (l *Link) Differences() string {
	if l == nil {
		return ""
	}
	var all []string
	for _, d := range l.Differs {
		all = append(all, d.String())
	}
	return strings.Join(all, "; ")
}

// InOtherEnvironment reports whether the service created the link in another environment than the declared one. Unknown words
// prove nothing.
func (l *Link) InOtherEnvironment(declared string) bool {
	return ModeOf(l.Environment.Line(0)).Contradicts(ModeOf(declared))
}

// The spellings of the types that were observed, in lower case without spaces and hyphens, and the
// integers of the request.
var (
	linkTypes   = map[string]LinkType{"onetime": OneTime, "0": OneTime, "reuseable": Reusable, "reusable": Reusable, "1": Reusable}
	amountTypes = map[string]AmountType{"static": Static, "0": Static, "dynamic": Dynamic, "1": Dynamic}
)

// String returns how often such a link can be paid.
func (t LinkType) String() string {
	if t == Reusable {
		return "many times"
	}
	return "once"
}

// String returns who chooses the amount.
func (t AmountType) String() string {
	if t == Dynamic {
		return "chosen by the customer"
	}
	return "fixed"
}

// In adds the currency of the amount; c may be none.
func (t AmountType) In(c money.Currency) string {
	if c.IsZero() {
		return t.String()
	}
	return t.String() + ", in " + c.Code()
}

// ParseLinkType reads the type of a link as the service spells it.
func ParseLinkType(word string) (t LinkType, ok bool) {
	t, ok = linkTypes[plainWord(word)]
	return t, ok
}

// plainWord is a word without what its spellings differ in.
func plainWord(s string) string { return strings.NewReplacer(" ", "", "-", "").Replace(LowerASCII(s)) }

// compare fills in how a link differs from the request, and what the response does not contain of
// what is compared. The amount type is not among that: it is no part of the response (2.8). An
// amount that the customer chooses is not compared.
func (d LinkDraft) compare(l *Link, v *value) {
	info := v.field("amountInfo")
	if d.AmountType == Static {
		raw := info.field("amount")
		answered, is := readAmount(raw, d.Amount.Currency, linkAmount) // its currency is compared apart
		l.check("amount", Clean(d.Amount.String()), readable(raw.displayID(), l.Amount, l.HasAmount), is && answered == d.Amount)
	}
	asked, answered := d.Amount.Currency.Code(), strings.Join(statedCurrencies(info, v), " ")
	l.check("currency", Clean(asked), CleanASCII(answered), answered == asked)
	uses, known := ParseLinkType(l.Type.Line(0))
	l.check("type", Clean(d.Type.String()), readable(l.Type, uses, known), known && uses == d.Type)
	l.AmountType = d.AmountType
	if word := v.field("amountType").displayASCII(); !word.Empty() {
		chosen, known := amountTypes[plainWord(word.Line(0))]
		l.check("amount type", Clean(d.AmountType.String()), readable(word, chosen, known), known && chosen == d.AmountType)
		if known {
			l.AmountType = chosen
		}
	}
	name := Clean(card.Redact(strings.TrimSpace(d.Name)))
	l.check("name", name, l.Name, strings.TrimSpace(l.Name.Line(0)) == name.Line(0))
	if !l.Page.IsZero() { // its last segment is the alias (2.8): else the customer pays another link
		named := Clean(lastSegment(l.Page))
		l.check("alias in URL", Clean(string(l.Alias)), named, named.Line(0) == string(l.Alias))
	}
}

// check notes a part that is not in the response, or not as requested.
func (l *Link) check(part string, asked, answered Text, same bool) {
	switch {
	case answered.Empty():
		l.Lacks = append(l.Lacks, Clean(part))
	case !same:
		l.Differs = append(l.Differs, LinkDifference{Clean(part), asked, answered})
	}
}

// readable is the word for a value that is known, else the text as received: of an amount or a type.
func readable(word Text, v interface{ String() string }, known bool) Text {
	if known {
		return Clean(v.String())
	}
	return word
}
