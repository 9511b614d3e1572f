package api

import (
	"strconv"
	"strings"

	"paydesk/api/money"
)

// The unit of the amounts of each operation: the one place that decides it, one
// line per operation. A line can be changed to the other type and everything
// follows.
//
// The sources contradict each other. The specification's list section (2.13) says
// that list amounts are integer minor units "and amounts sent in requests are also
// in subunits"; its other sections say number, and every public page and sample of
// those uses major units with decimals. The reading here (facts page,
// contradiction 1): minor units belong to the list alone. A wrong reading would
// show on the first payment as a difference by 10 to the exponent, which
// [Mismatch] names.
type (
	initiateAmount = WireMajor // 2.2 amount; 2.6 amount, fees
	linkAmount     = WireMajor // 2.8 amountInfo.amount
	validateAmount = WireMajor // 2.9 amount.amount
	statusAmount   = WireMajor // 2.12 amount.amount
	listAmount     = WireMinor // 2.13 amount
)

// WireMajor is a JSON number that counts major units: 12.5 for 12.50 GBP. It and
// [WireMinor] share no numeric type, so that neither can be taken for the other
// (R31).
type WireMajor struct{ literal string }

// of is how a is written: a plain decimal without exponent and without zeros at
// its end, exactly.
func (WireMajor) of(a money.Amount) WireMajor {
	s := a.Major()
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return WireMajor{s}
}

// read is what a literal means in c. It errs when c cannot hold it exactly.
func (WireMajor) read(literal string, c money.Currency) (money.Amount, error) {
	return money.FromMajor(literal, c)
}

// MarshalJSON writes the number.
func (w WireMajor) MarshalJSON() ([]byte, error) { return []byte(w.literal), nil }

// WireMinor is a JSON number that counts minor units: 1250 for 12.50 GBP.
type WireMinor struct{ literal string }

// of is how a is written: an integer.
func (WireMinor) of(a money.Amount) WireMinor { return WireMinor{a.MinorText()} }

// read is what a literal means in c. It errs when it is no whole number.
func (WireMinor) read(literal string, c money.Currency) (money.Amount, error) {
	return money.FromMinor(literal, c)
}

// MarshalJSON writes the number.
func (w WireMinor) MarshalJSON() ([]byte, error) { return []byte(w.literal), nil }

// SentAs is the very number that [Client.Initiate] sends for a, for people to
// compare with the amount they mean: "1500" for 1,500.00 NGN (R31).
func SentAs(a money.Amount) string { return initiateAmount{}.of(a).literal }

// Mismatch says in words how the amount the service says differs from the one that
// was asked, and names a factor of 10 to the exponent, which is what a wrong
// reading of the units looks like (R32). It is empty when they agree.
func Mismatch(asked, said money.Amount) Text {
	switch {
	case asked == said:
		return Text{}
	case said.Currency.IsZero():
		return Clean("asked for " + asked.String() + ", and the service names a currency that is not known")
	case asked.Currency != said.Currency:
		return Clean("asked for " + asked.String() + ", and the service says " + said.String() + ": another currency")
	}
	words := "asked for " + asked.String() + ", and the service says " + said.String()
	factor := int64(1)
	for range asked.Currency.Exponent() {
		factor *= 10
	}
	switch {
	case factor > 1 && isMultiple(asked.Minor, factor, said.Minor):
		words += ": " + strconv.FormatInt(factor, 10) + " times as much"
	case factor > 1 && isMultiple(said.Minor, factor, asked.Minor):
		words += ": " + strconv.FormatInt(factor, 10) + " times less"
	}
	return Clean(words)
}

// isMultiple reports whether a·f is b, without multiplying.
func isMultiple(a, f, b int64) bool { return b != 0 && b%f == 0 && b/f == a }
