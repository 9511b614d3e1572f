package money

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
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

func TestTypedAmountsAreParsedOrRejectedWithAReason(t *testing.T) {
	for _, tt := range []struct {
		text, code string
		minor      int64
		reason     string
	}{
		{"12", "GBP", 1200, ""},
		{"1,234.50", "GBP", 123450, ""},
		{"0.001", "KWD", 1, ""},
		{"1,234", "KWD", 0, "a comma can mean thousands or decimals here; write it without, as 1234 or 1.234"},
		{"", "GBP", 0, "enter an amount"},
		{"12.345", "GBP", 0, "GBP has 2 decimals, not 3"},
		{"12.5", "JPY", 0, "JPY has no decimals"},
		{"-12", "GBP", 0, "an amount cannot be negative"},
		{"1000,00", "GBP", 0, "commas may only separate thousands, as in 1,234.50"},
		{"0,123", "GBP", 0, "enter an amount such as 1234.50"},
		{"1e3", "GBP", 0, "enter an amount such as 1234.50"},
		{"1000000000000000", "GBP", 0, "the amount is too large"},
		{"999999999999999.9999", "CLF", 0, "the amount is too large"},
		{"12", "", 0, "unknown currency code"},
	} {
		var c Currency
		if tt.code != "" {
			c = currency(t, tt.code)
		}
		a, err := Parse(tt.text, c)
		if c.String() != c.Code() {
			t.Errorf("%s is shown as %s", c.Code(), c)
		}
		reason := ""
		if err != nil {
			reason = err.Error()
		}
		if reason != tt.reason || err == nil && a != (Amount{tt.minor, c}) || err != nil && a != (Amount{}) {
			t.Errorf("%q %s: %v, %q; want %d, %q", tt.text, tt.code, a, reason, tt.minor, tt.reason)
		}
	}
}

func TestNumbersInResponsesAreExactOrRejected(t *testing.T) {
	gbp, jpy := currency(t, "GBP"), currency(t, "JPY")
	for _, tt := range []struct {
		literal  string
		currency Currency
		minor    int64
		err      error
	}{
		{"12.00", jpy, 12, nil},
		{"999999999999999", gbp, 99999999999999900, nil},
		{"9e16", gbp, 9_000_000_000_000_000_000, nil},
		{"1000000000000000", gbp, 0, ErrTooLarge},
		{"0.001", gbp, 0, &DecimalsError{gbp, 3}},
		{"12.5", jpy, 0, &DecimalsError{jpy, 1}},
		{"0.1234567", gbp, 0, ErrNumber},
		{`"1"`, gbp, 0, ErrNumber},
		{"1", Currency{}, 0, ErrCurrency},
	} {
		a, err := FromMajor(tt.literal, tt.currency)
		if fmt.Sprint(err) != fmt.Sprint(tt.err) || err == nil && a != (Amount{tt.minor, tt.currency}) {
			t.Errorf("%s %s: %v, %v; want %d, %v", tt.literal, tt.currency, a, err, tt.minor, tt.err)
		}
	}
}

func TestMinorUnitsAreWholeNumbers(t *testing.T) {
	gbp := currency(t, "GBP")
	for _, tt := range []struct {
		literal  string
		currency Currency
		minor    int64
		err      error
	}{
		{"1250", gbp, 1250, nil},
		{"1250", Currency{}, 1250, nil},
		{"100.00", gbp, 100, nil},
		{"9007199254740993", gbp, 0, ErrTooLarge},
		{"900719925474099", gbp, 900719925474099, nil},
		{"100.5", gbp, 0, ErrFraction},
		{"1e19", gbp, 0, ErrTooLarge},
		{"null", gbp, 0, ErrNumber},
	} {
		a, err := FromMinor(tt.literal, tt.currency)
		if !errors.Is(err, tt.err) || err == nil && a != (Amount{tt.minor, tt.currency}) {
			t.Errorf("%s: %v, %v; want %d, %v", tt.literal, a, err, tt.minor, tt.err)
		}
	}
}

// grammar is the grammar of [FromMajor], written a second time as a regular expression.
var grammar = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?$`)

type fataler interface{ Fatalf(string, ...any) }

// agree checks a literal against big rationals.
func agree(t fataler, literal string, c Currency) {
	a, err := FromMajor(literal, c)
	if !grammar.MatchString(literal) {
		if err == nil {
			t.Fatalf("%q is outside the grammar and was read as %v", literal, a)
		}
		return
	}
	exact, _ := new(big.Rat).SetString(literal)
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.Exponent())), nil)
	exact.Mul(exact, new(big.Rat).SetInt(unit))
	holds := exact.IsInt() && exact.Num().IsInt64()
	if holds != (err == nil) {
		t.Fatalf("%q %s: %v, but can it be held? %v", literal, c, err, holds)
	}
	if holds && exact.Num().Int64() != a.Minor {
		t.Fatalf("%q %s was read as %d", literal, c, a.Minor)
	}
}

func TestNumbersAgreeWithRationalArithmetic(t *testing.T) {
	literal := rapid.StringMatching(`-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,7})?([eE][+-]?[0-9]{1,3})?`)
	rapid.Check(t, func(t *rapid.T) {
		c, _ := ParseCurrency(rapid.SampledFrom([]string{"JPY", "GBP", "KWD", "CLF"}).Draw(t, "currency"))
		agree(t, literal.Draw(t, "literal"), c)
	})
}

func FuzzFromMajor(f *testing.F) {
	for _, s := range []string{"0", "-12.50", "15e-1", "1e99", "1.2345678", "999999999999999.999999", "12.500000", "1E+2", "0e99", "0.000000e-99", "-0", "1e", "1e+", "1e-+1", "1e400", " 1", "1 ", "01", "1e-30"} {
		f.Add(s, uint8(1))
	}
	codes := []string{"JPY", "GBP", "KWD", "CLF"}
	f.Fuzz(func(t *testing.T, s string, which uint8) {
		agree(t, s, currency(t, codes[int(which)%len(codes)]))
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"12", "1,234.50", "-1", "1000,00", " 7.5\t", "٣", "--1", "-", "12,34.50", ",123", "1,234,", "1,2x4", "12 000", "1.2.3", "  "} {
		f.Add(s)
	}
	gbp := currency(f, "GBP")
	typed := regexp.MustCompile(`^[ \t\r\n]*([1-9][0-9]{0,2}(,[0-9]{3})+|[0-9]+)(\.[0-9]{1,2})?[ \t\r\n]*$`)
	f.Fuzz(func(t *testing.T, s string) {
		a, err := Parse(s, gbp)
		if err != nil {
			// Fixed texts only, so that no error can quote what was typed.
			var fine *DecimalsError
			if !errors.As(err, &fine) && !slices.Contains([]error{ErrEmpty, ErrNumber, ErrComma, ErrAmbiguous, ErrNegative, ErrTooLarge}, err) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		if a.Minor < 0 || !typed.MatchString(s) {
			t.Fatalf("%q was read as %v", s, a)
		}
		if again, err := Parse(a.Grouped(), gbp); err != nil || again != a {
			t.Fatalf("%v came back as %v, %v", a, again, err)
		}
	})
}

func TestASumGoesBeyondWhatAnAmountHolds(t *testing.T) {
	for name, c := range map[string]struct {
		code string
		all  []int64
		want string
	}{
		"nothing":            {"GBP", nil, "0.00 GBP"},
		"beyond 63 bits":     {"JPY", []int64{math.MaxInt64, math.MaxInt64, 2}, "18,446,744,073,709,551,616 JPY"},
		"an unknown one":     {"", []int64{1, 2}, "3 minor units"},
		"a nought in groups": {"JPY", []int64{5_000_000_000_000_000_000, 5_000_000_000_000_000_007}, "10,000,000,000,000,000,007 JPY"},
	} {
		var in Currency
		if c.code != "" {
			in = currency(t, c.code)
		}
		s := SumIn(in)
		for _, minor := range c.all {
			s.Add(minor)
		}
		if s.String() != c.want || s.Currency() != in {
			t.Errorf("%s: %s, want %s", name, s, c.want)
		}
	}
}

// Whatever is added, a sum is what unlimited integers say it is, and written as an amount is.
func TestASumIsExact(t *testing.T) {
	pound := currency(t, "GBP")
	rapid.Check(t, func(t *rapid.T) {
		s, want := SumIn(pound), new(big.Int)
		for _, minor := range rapid.SliceOf(rapid.Int64()).Draw(t, "all") {
			s.Add(minor)
			want.Add(want, big.NewInt(minor))
		}
		if s.MinorText() != want.String() {
			t.Fatalf("%s, not %s", s.MinorText(), want)
		}
		if a := (Amount{want.Int64(), pound}); want.IsInt64() && (s.Major() != a.Major() || s.Grouped() != a.Grouped() || s.String() != a.String()) {
			t.Fatalf("%s, not %s", s, a)
		}
	})
}
