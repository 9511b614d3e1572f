package sandbox

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Amounts are whole hundredths: every currency a payment can be made in (NGN, GBP,
// CAD) has two decimals, and there is no float.

const (
	leastAmount = 1_00             // facts page: at least 1.00
	mostAmount  = 1_000_000_000_00 // a thousand million; far from overflow
)

// hundredths reads a JSON number in major units. The second result says what is
// wrong with it, without quoting it; "" when nothing is.
func hundredths(literal string) (int64, string) {
	if strings.ContainsAny(literal, "eE") {
		return 0, "must be written without an exponent"
	}
	if strings.HasPrefix(literal, "-") {
		return 0, "must not be negative"
	}
	whole, part, _ := strings.Cut(literal, ".")
	part = strings.TrimRight(part, "0")
	if len(part) > 2 {
		return 0, "must have at most 2 decimals"
	}
	n, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if err != nil || n > mostAmount {
		return 0, "is too large"
	}
	return n, ""
}

// counted reads a JSON number that counts hundredths.
func counted(literal string) (int64, string) {
	if !digits(literal) {
		return 0, "must be a whole number of minor units"
	}
	n, err := strconv.ParseInt(literal, 10, 64)
	if err != nil || n > mostAmount {
		return 0, "is too large"
	}
	return n, ""
}

func minor(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// major writes hundredths as a JSON number in major units: 1250 is 12.50.
func major(n int64) json.Number {
	cents := strconv.FormatInt(n%100, 10)
	if n%100 < 10 {
		cents = "0" + cents
	}
	return json.Number(strconv.FormatInt(n/100, 10) + "." + cents)
}

// fee is 1.5 % of an amount, rounded half up.
func fee(n int64) int64 { return (n*15 + 500) / 1000 }

// A priced is a currencyCode and an amount, as links, validation and status
// carry them (2.8, 2.9, 2.12).
type priced struct {
	CurrencyCode string      `json:"currencyCode"`
	Amount       json.Number `json:"amount"`
}

// readMajor reads an amount in major units as a person types it: digits, and a point
// with at most two more. The second result is as that of hundredths.
func readMajor(text string) (int64, string) {
	whole, part, pointed := strings.Cut(text, ".")
	if !digits(whole) || pointed && !digits(part) {
		return 0, "must be a number such as 12.50"
	}
	return hundredths(text)
}
