package money

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

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
