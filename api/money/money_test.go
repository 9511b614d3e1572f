package money

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"strconv"
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

// One currency for each exponent.
var byExponent = map[int]string{0: "JPY", 2: "GBP", 3: "KWD", 4: "CLF"}

func TestEveryAmountSurvivesARoundTrip(t *testing.T) {
	steps := int64(12_000) // 0.00 to 120.00 in hundredths, and as many minor units of the others
	if os.Getenv("PAYDESK_LONG") != "" {
		steps = 10_000_000
	}
	for exponent, code := range byExponent {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			c := currency(t, code)
			unit := int64(1)
			for range exponent {
				unit *= 10
			}
			for minor := int64(0); minor <= steps; minor++ {
				a := Amount{minor, c}
				want := strconv.FormatInt(minor/unit, 10)
				if exponent > 0 {
					want += "." + strconv.FormatInt(unit+minor%unit, 10)[1:]
				}
				if got := a.Major(); got != want {
					t.Fatalf("%d of %s is written %q, want %q", minor, code, got, want)
				}
				typed, err1 := Parse(want, c)
				wire, err2 := FromMajor(want, c)
				list, err3 := FromMinor(a.MinorText(), c)
				people, err4 := Parse(a.Grouped(), c)
				if err := errors.Join(err1, err2, err3, err4); err != nil {
					t.Fatalf("%s: %v", want, err)
				}
				if typed != a || wire != a || list != a || people != a {
					t.Fatalf("%s came back as %v, %v, %v, %v", want, typed, wire, list, people)
				}
			}
		})
	}
}

func TestAnyAmountSurvivesARoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, _ := ParseCurrency(rapid.SampledFrom([]string{"JPY", "GBP", "KWD", "CLF"}).Draw(t, "currency"))
		limit := int64(999_999_999_999_999) // 15 digits, the most that a literal may have
		a := Amount{rapid.Int64Range(-limit, limit).Draw(t, "minor"), c}
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
		{5, "GBP", "0.05", "0.05", "0.05 GBP"},
		{-5, "GBP", "-0.05", "-0.05", "-0.05 GBP"},
		{123450, "GBP", "1234.50", "1,234.50", "1,234.50 GBP"},
		{99999, "GBP", "999.99", "999.99", "999.99 GBP"},
		{1000, "JPY", "1000", "1,000", "1,000 JPY"},
		{1234567, "KWD", "1234.567", "1,234.567", "1,234.567 KWD"},
		{12345, "CLF", "1.2345", "1.2345", "1.2345 CLF"},
		{math.MaxInt64, "GBP", "92233720368547758.07", "92,233,720,368,547,758.07", "92,233,720,368,547,758.07 GBP"},
		{math.MinInt64, "JPY", "-9223372036854775808", "-9,223,372,036,854,775,808", "-9,223,372,036,854,775,808 JPY"},
		{123450, "", "123450", "123450", "123450 minor units"}, // never scaled by a guess
		{-1, "", "-1", "-1", "-1 minor units"},
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

func TestNoFloatTouchesMoney(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range floats(file) {
			t.Errorf("%s holds %s", name, found)
		}
	}
	sample := "package p\nimport \"math/big\"\nvar a float64 = 1.5\nvar b big.Float\nfunc f(x float32) complex128 { return 2i }"
	file, err := parser.ParseFile(token.NewFileSet(), "sample.go", sample, 0)
	if err != nil || len(floats(file)) != 6 {
		t.Errorf("the search itself finds %v, %v", floats(file), err)
	}
}

// floats lists the floating-point words and literals in a file.
func floats(file *ast.File) (found []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if lower := strings.ToLower(n.Name); strings.Contains(lower, "float") || strings.Contains(lower, "complex") {
				found = append(found, n.Name)
			}
		case *ast.BasicLit:
			if n.Kind == token.FLOAT || n.Kind == token.IMAG {
				found = append(found, n.Value)
			}
		}
		return true
	})
	return found
}

func BenchmarkParse(b *testing.B) {
	c := currency(b, "GBP")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = Parse("1,234.50", c)
	}
}

func BenchmarkFromMinor(b *testing.B) {
	c := currency(b, "GBP")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = FromMinor("123450", c)
	}
}

func BenchmarkGrouped(b *testing.B) {
	a := Amount{123456789, currency(b, "GBP")}
	b.ReportAllocs()
	for b.Loop() {
		_ = a.Grouped()
	}
}
