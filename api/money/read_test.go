package money

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

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
