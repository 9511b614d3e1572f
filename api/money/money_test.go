package money

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func currency(t testing.TB, code string) Currency {
	t.Helper()
	c, err := ParseCurrency(code)
	if err != nil {
		t.Fatalf("currency %s: %v", code, err)
	}
	return c
}

func TestAnyAmountSurvivesARoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, _ := ParseCurrency(rapid.SampledFrom([]string{"JPY", "GBP", "KWD", "CLF"}).Draw(t, "currency"))
		limit := int64(999_999_999_999_999) // 15 digits, the most that a literal may have
		a := Amount{rapid.OneOf(rapid.Int64Range(0, 12_000), rapid.Int64Range(-limit, limit)).Draw(t, "minor"), c}
		unit := []int64{1, 10, 100, 1_000, 10_000}[c.Exponent()]
		if want := big.NewRat(a.Minor, unit).FloatString(c.Exponent()); a.Major() != want {
			t.Fatalf("%d minor units of %s are written %q, not %q", a.Minor, c, a.Major(), want)
		}
		if got, err := FromMajor(a.Major(), c); err != nil || got != a {
			t.Fatalf("%s came back as %v, %v", a.Major(), got, err)
		}
		if got, err := FromMinor(a.MinorText(), c); err != nil || got != a {
			t.Fatalf("%s came back as %v, %v", a.MinorText(), got, err)
		}
		if got, err := Parse(a.Grouped(), c); a.Minor >= 0 && (err != nil || got != a) {
			t.Fatalf("%s came back as %v, %v", a.Grouped(), got, err)
		}
		if plain := strings.ReplaceAll(a.Grouped(), ",", ""); plain != a.Major() {
			t.Fatalf("%s is grouped as %s", a.Major(), a.Grouped())
		}
	})
}

func TestAmountsAreFormattedForPeople(t *testing.T) {
	for _, tt := range []struct {
		minor             int64
		code              string
		major, sum, whole string
	}{
		{0, "GBP", "0.00", "0.00", "0.00 GBP"},
		{123450, "GBP", "1234.50", "1,234.50", "1,234.50 GBP"},
		{1234567, "KWD", "1234.567", "1,234.567", "1,234.567 KWD"},
		{math.MaxInt64, "GBP", "92233720368547758.07", "92,233,720,368,547,758.07", "92,233,720,368,547,758.07 GBP"},
		{math.MinInt64, "JPY", "-9223372036854775808", "-9,223,372,036,854,775,808", "-9,223,372,036,854,775,808 JPY"},
		{123450, "", "123450", "123450", "123450 minor units"}, // never scaled by a guess
	} {
		var c Currency
		if tt.code != "" {
			c = currency(t, tt.code)
		}
		a := Amount{tt.minor, c}
		if a.Major() != tt.major || a.Grouped() != tt.sum || a.String() != tt.whole {
			t.Errorf("%d %s: %q %q %q, want %q %q %q", tt.minor, tt.code, a.Major(), a.Grouped(), a.String(), tt.major, tt.sum, tt.whole)
		}
		if fmt.Sprint(a) != tt.whole {
			t.Errorf("printed as %v", a)
		}
	}
}

func TestCurrencyCodesAreExactlyThreeASCIILetters(t *testing.T) {
	for code, exponent := range map[string]int{
		"NGN": 2, "GBP": 2, "CAD": 2, "ngn": 2, "gBp": 2, "JPY": 0, "KWD": 3, "CLF": 4, "UYW": 4,
		"CLP": 0, "CVE": 2, "HUF": 2, "ISK": 0, "UYI": 0, "MRU": 2, "XCG": 2, "ZWG": 2, "TND": 3,
	} {
		c, err := ParseCurrency(code)
		if err != nil || c.Exponent() != exponent || c.Code() != strings.ToUpper(code) || c.IsZero() {
			t.Errorf("%s: %v %d, %v", code, c, c.Exponent(), err)
		}
	}
	for _, code := range []string{"", "XXX", "XTS", "XAU", "XDR", "N\u0120N", "G\u0412P", "\uff27\uff22\uff30", "GB", "GBPP", " GBP", "GBP ", "D A", "NGN GBP", "1SD", "[SD", "FIN", "c\u0131f", "\x07BP"} {
		if c, err := ParseCurrency(code); err == nil || !c.IsZero() {
			t.Errorf("%q was accepted as %v", code, c)
		}
	}
}

func TestTheTableOfCurrenciesIsWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for exponent, codes := range minorDigits {
		for _, code := range strings.Fields(codes) {
			c, err := ParseCurrency(code)
			if seen[code] || err != nil || c.Exponent() != exponent || c.Code() != code {
				t.Errorf("%s: exponent %d, twice %v, %v", code, c.Exponent(), seen[code], err)
			}
			seen[code] = true
		}
	}
	if len(seen) != 165 {
		t.Errorf("%d currencies", len(seen))
	}
}
