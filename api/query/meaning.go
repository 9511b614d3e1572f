package query

import "strings"

// Meaning is the term in words: "status is FAILED or PENDING", "amount over 100", "ID begins with 5e62".
func (t Term) Meaning() string {
	switch t.Kind {
	case Words:
		return t.label + " is " + t.either(t.shown)
	case Amount:
		return t.amountMeaning()
	case Day:
		all := make([]string, len(t.Days))
		for i, d := range t.Days {
			all[i] = d.meaning(DayNumber.String, "", " or later", " or earlier")
		}
		return t.label + " is " + t.either(all)
	case Scan:
		return pick(t.Not, "not ", "") + t.label + " " + t.shown[0]
	case Exact:
		same := pick(t.same == "", "", t.same+" as ")
		return t.label + pick(t.Not, " is not ", " is ") + same + "what you typed"
	}
	return t.textMeaning()
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// either joins what may hold; of a negated term, none of it does.
func (t Term) either(all []string) string {
	switch {
	case !t.Not:
		return strings.Join(all, " or ")
	case len(all) == 1:
		return "not " + all[0]
	}
	return "neither " + strings.Join(all, " nor ")
}

// textMeaning explains a text. Without a field, the text is looked for anywhere.
func (t Term) textMeaning() string {
	if t.Field == "" {
		all := make([]string, len(t.Values))
		for i, v := range t.Values {
			all[i] = verbs[v.How].anywhere + t.shown[i]
		}
		amounts := make([]string, len(t.Amounts))
		for i, r := range t.Amounts {
			if amounts[i] = r.Low.At.Grouped(); r.High.Open {
				amounts[i] += " to under " + r.High.At.Grouped()
			}
		}
		also := ""
		if len(amounts) > 0 {
			also = pick(t.Not, ", nor is the amount ", " or the amount is ") + strings.Join(amounts, " or ")
		}
		return pick(t.Not, "no field ", "a field ") + strings.Join(all, " or ") + also
	}
	all := make([]string, len(t.Values))
	for i, v := range t.Values {
		all[i] = strings.TrimRight(pick(t.Not, verbs[v.How].not, verbs[v.How].is)+t.shown[i], " ")
	}
	return t.label + " " + strings.Join(all, pick(t.Not, " and ", " or "))
}

var verbs = [...]struct{ is, not, anywhere string }{
	Contains: {"contains ", "does not contain ", "contains "},
	Whole:    {"is ", "is not ", "is "},
	Begins:   {"begins with ", "does not begin with ", "begins with "},
	Ends:     {"ends with ", "does not end with ", "ends with "},
	Filled:   {"is not empty", "is empty", ""},
}

// amountMeaning explains an amount. A row whose amount is not known meets no term about amounts, negated or
// not.
func (t Term) amountMeaning() string {
	all := make([]string, len(t.Amounts))
	for i, r := range t.Amounts {
		all[i] = r.meaning(Decimal.Grouped, "exactly ", " or more", " or less")
	}
	return t.label + pick(t.Not, " known and ", " ") + t.either(all)
}

// meaning is the range in words: one value, from one to another, or more or less than one.
func (r span[T]) meaning(text func(T) string, one, more, less string) string {
	switch low, high := text(r.Low.At), text(r.High.At); {
	case r.single():
		return one + low
	case r.Low.Set && r.High.Set:
		return "from " + low + " to " + high
	case r.Low.Set:
		return pick(r.Low.Open, "over "+low, low+more)
	default:
		return pick(r.High.Open, "under "+high, high+less)
	}
}
