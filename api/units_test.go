package api

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"paydesk/api/card"
	"paydesk/api/money"
)

func currency(t testing.TB, code string) money.Currency {
	c, err := money.ParseCurrency(code)
	noError(t, err)
	return c
}

// Every amount survives encoding and decoding, in both units.
func TestAnAmountSurvivesTheWire(t *testing.T) {
	for _, code := range []string{"JPY", "GBP", "NGN", "KWD"} {
		c := currency(t, code)
		rapid.Check(t, func(t *rapid.T) {
			a := money.Amount{Minor: rapid.Int64Range(0, 1e12).Draw(t, "minor"), Currency: c}
			major := majorUnits.encode(a).String()
			if back, err := majorUnits.parse(major, c); err != nil || back != a {
				t.Fatalf("%v went out as %s and came back as %v: %v", a, major, back, err)
			}
			minor := minorUnits.encode(a).String()
			if back, err := minorUnits.parse(minor, c); err != nil || back != a {
				t.Fatalf("%v went out as %s and came back as %v: %v", a, minor, back, err)
			}
			if !json.Valid([]byte(major)) || strings.ContainsAny(major, "eE") || strings.Contains(major, ".") && strings.HasSuffix(major, "0") {
				t.Fatalf("%v goes out as %s", a, major)
			}
		})
	}
}

func TestAnAmountThatIsNoHundredfoldIsNotCalledOne(t *testing.T) {
	pound, yen := currency(t, "GBP"), currency(t, "JPY")
	asked := money.Amount{Minor: 1250, Currency: pound}
	for name, test := range map[string]struct {
		requested, reported money.Amount
		want                string // "" when they agree
	}{
		"no currency":        {asked, money.Amount{Minor: 1250}, "unknown currency"},
		"yen a hundredfold":  {money.Amount{Minor: 5, Currency: yen}, money.Amount{Minor: 500, Currency: yen}, "the service reports"},
		"more than can fold": {money.Amount{Minor: 1 << 62, Currency: pound}, money.Amount{Minor: 1, Currency: pound}, "the service reports"},
	} {
		got := Mismatch(test.requested, test.reported)
		if (test.want == "") != got.Empty() || !strings.Contains(got.String(), test.want) {
			t.Errorf("%s: %q does not say %q", name, got, test.want)
		}
	}
}

// sent knows a card number.
func sent(t *testing.T, number string) *card.Numbers {
	t.Helper()
	p, err := card.ParsePAN(number)
	noError(t, err)
	s := new(card.Numbers)
	s.Add(p)
	return s
}
