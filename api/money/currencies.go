package money

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
)

// minorDigits lists the active currencies of ISO 4217 (list one) by the number of decimal digits of
// their minor unit. Metals, funds units and test codes (XAU, XDR, XTS, XXX and the like) have no
// minor unit and are therefore unknown. Some processors deviate from ISO for a few codes; the
// specification mentions none, so ISO holds.
var minorDigits = [...]string{
	0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
	2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP " +
		"BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB " +
		"EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES " +
		"KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR " +
		"MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD " +
		"RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP " +
		"TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG",
	3: "BHD IQD JOD KWD LYD OMR TND",
	4: "CLF UYW",
}

// ErrCurrency is the error of a code that is not in the table.
var ErrCurrency = errors.New("unknown currency code")

// A Currency is an ISO 4217 code with a known exponent. The zero Currency is unknown.
type Currency struct {
	code     string
	exponent uint8
}

// currencies is [minorDigits] by code.
var currencies = sync.OnceValue(func() map[string]Currency {
	all := map[string]Currency{}
	for exponent, codes := range minorDigits {
		for code := range strings.FieldsSeq(codes) {
			all[code] = Currency{code, uint8(exponent)}
		}
	}
	return all
})

// ParseCurrency parses a three-letter code in any case. The error does not quote it.
func ParseCurrency(s string) (Currency, error) {
	c, known := currencies()[strings.ToUpper(s)]
	if !known || len(s) != 3 { // the upper case of a dotless i, which has two bytes, is I
		return Currency{}, ErrCurrency
	}
	return c, nil
}

// Code is the three letters in upper case.
func (c Currency) Code() string { return c.code }

// Exponent is the number of decimal digits of the minor unit: 2 for GBP. It is 0 for the unknown
// currency, so that nothing is scaled by a guess.
func (c Currency) Exponent() int { return int(c.exponent) }

// IsZero reports whether the currency is unknown.
func (c Currency) IsZero() bool { return c.code == "" }

// MarshalText implements [encoding.TextMarshaler].
func (c Currency) MarshalText() ([]byte, error) { return []byte(c.code), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. What is no currency is read as none.
func (c *Currency) UnmarshalText(code []byte) error {
	*c, _ = ParseCurrency(string(code))
	return nil
}

// String is the code.
func (c Currency) String() string { return c.code }

// Codes are the codes of all known currencies, in the order of the alphabet.
func Codes() []string { return slices.Sorted(maps.Keys(currencies())) }
