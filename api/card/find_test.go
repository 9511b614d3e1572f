package card

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestACardNumberIsFoundInAnyText(t *testing.T) {
	for text, want := range map[string]string{
		"4242424242424242":                                     "4242424242424242",
		"4242 4242 4242 4242":                                  "4242 4242 4242 4242",
		"card 4242-4242-4242-4242 please":                      "4242-4242-4242-4242",
		"card4242424242424242x":                                "4242424242424242",
		"4.2.4.2.4.2.4.2.4.2.4.2.4.2.4.2":                      "4.2.4.2.4.2.4.2.4.2.4.2.4.2.4.2",
		"4242_4242:4242/4242":                                  "4242_4242:4242/4242",
		"4242, 4242, 4242, 4242":                               "4242, 4242, 4242, 4242",
		"４２４２ ４２４２ ４２４２ ４２４２":                                  "４２４２ ４２４２ ４２４２ ４２４２",
		"٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢":                                     "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢",
		"𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐":                                     "𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐",
		"4242\u200b4242\u00ad4242\u00a04242":                   "4242\u200b4242\u00ad4242\u00a04242",
		";4242424242424242=25121011000012300000?":              "4242424242424242",
		"%B4242424242424242^OBI/ADA^2512":                      "4242424242424242",
		"order 12 4242 4242 4242 4242":                         "4242 4242 4242 4242",
		"+44 4242 4242 4242 4242":                              "4242 4242 4242 4242",
		"4222222222222":                                        "4222222222222",
		"378282246310005":                                      "378282246310005",
		"5555555555554444":                                     "5555555555554444",
		"2223003122003222":                                     "2223003122003222",
		"6011111111111117":                                     "6011111111111117",
		"5060666666666666666":                                  "5060666666666666666",
		"30569309025904":                                       "30569309025904",
		"3530111333300000":                                     "3530111333300000",
		"6200000000000005":                                     "6200000000000005",
		"6759649826438453":                                     "6759649826438453",
		"a@4242424242424242.example":                           "4242424242424242",
		"https://shop.example/4242424242424242":                "4242424242424242",
		"550e8400-e29b-41d4-a716-446655440000 378282246310005": "378282246310005",

		"/tmp/4242424242424242/001": "4242424242424242",

		"⁴²⁴²⁴²⁴²⁴²⁴²⁴²⁴²":                     "⁴²⁴²⁴²⁴²⁴²⁴²⁴²⁴²",
		"₄₂₄₂ ④②④② 4242 ➍➋❹❷":                  "₄₂₄₂ ④②④② 4242 ➍➋❹❷",
		"4242%204242%204242%204242":            "4242%204242%204242%204242",
		"?q=4242%2D4242%c2%a04242%204242&x":    "4242%2D4242%c2%a04242%204242",
		"50%204242424242424242":                "4242424242424242",
		"424242424242424212280":                "", // no expiry
		"42424242424242421228":                 "42424242424242421228",
		"card 42424242424242421228123, thanks": "42424242424242421228123",
		"3782822463100051220301234":            "3782822463100051220301234",
		"4242 4242 4242 4242122034":            "4242 4242 4242 4242122034",
		"4242 4242 4242 4242 1228":             "4242 4242 4242 4242",
		"42424242424242421328":                 "", // no month
		"42424242424242421299":                 "", // no year of a card in use
		"4242 - 4242 - 4242 - 4242":            "4242 - 4242 - 4242 - 4242",
		"4242+4242|4242+4242":                  "4242+4242|4242+4242",
		"2201827364519289":                     "2201827364519289", // Mir
		"":                                     "",
		"4242424242424241":                     "", // a mistyped digit
		"42424242424242426":                    "", // no length of Visa
		"9999999999999995":                     "", // no scheme
		"1000000000000008":                     "",
		"+44 20 7946 0000":                     "",
		"+4915123456784":                       "",
		"+421 902 123 456":                     "",
		"0044 20 7946 0000":                    "",
		"(415) 555-2671":                       "",
		"XHCQVX9BB5":                           "",
		"41111111-1111-4111-8111-111111111111": "", // a UUID
		"550e8400-e29b-41d4-a716-446655440000": "",
		"2026-11-22 05:43:59":                  "",
		"20261122054359":                       "",
		"424242424242a4242":                    "",
		"4242 4242    4242 4242":               "",
		"1,234,567.50":                         "",
		"192.168.100.200":                      "",
		"4242":                                 "",
	} {
		if from, to := Find(text); text[from:to] != want {
			t.Errorf("in %q: %q, want %q", text, text[from:to], want)
		}
	}
}

func TestNoTelephoneNumberIsACard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.StringMatching(`\+[1-9][0-9]{6,14}`).Draw(t, "number")
		if _, to := Find("call " + number + " today"); to > 0 {
			t.Fatalf("%s is taken for a card", number)
		}
	})
}

func TestFewReferencesAreTakenForCards(t *testing.T) {
	taken, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		all++
		if _, to := Find(rapid.StringMatching(`[A-Z0-9]{10}|[A-Z]{3}-[0-9]{14}|20[0-9]{16}|[0-9]{8}-[0-9]{4}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).Draw(t, "reference")); to > 0 {
			taken++
		}
	})
	if taken*50 > all {
		t.Errorf("%d of %d", taken, all)
	}
}

// Each script has its ten digits in one row, in order; the raised ones have theirs in pieces.
func TestDigitsOfEveryScriptHaveTheirValue(t *testing.T) {
	n := 0
	for r := range rune(unicode.MaxRune) {
		if unicode.Is(unicode.No, r) {
			continue
		}
		if d := decimal(r); (d >= 0) != unicode.Is(unicode.Nd, r) || d >= 0 && d != n%10 {
			t.Fatalf("%U is %d", r, d)
		} else if d >= 0 {
			n++
		}
	}
	if n < 600 || n%10 != 0 {
		t.Errorf("%d digits", n)
	}
	for value, row := range []string{"⁰₀⓪⓿", "¹₁①⑴⒈⓵❶➀➊", "²₂②⑵⒉⓶❷➁➋", "³₃③⑶⒊⓷❸➂➌", "⁴₄④⑷⒋⓸❹➃➍", "⁵₅⑤⑸⒌⓹❺➄➎", "⁶₆⑥⑹⒍⓺❻➅➏", "⁷₇⑦⑺⒎⓻❼➆➐", "⁸₈⑧⑻⒏⓼❽➇➑", "⁹₉⑨⑼⒐⓽❾➈➒"} {
		for _, r := range row {
			if d := decimal(r); d != value {
				t.Errorf("%c is %d", r, d)
			}
		}
	}
}

func TestAGroupedCardIsFoundWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		zero := rapid.SampledFrom([]rune("0０٠০")).Draw(t, "script")
		for i, d := range "4242424242424242" {
			if i > 0 && rapid.Bool().Draw(t, "gap") {
				b.WriteString(rapid.SampledFrom([]string{" ", "-", ".", "  ", " - "[:2], "_", ":", "\u2011"}).Draw(t, "separator"))
			}
			fmt.Fprintf(&b, "%c", zero+d-'0')
		}
		text := "a " + b.String() + " b"
		if from, to := Find(text); text[from:to] != b.String() {
			t.Fatalf("in %q: %q", text, text[from:to])
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add("card 4242 4242 4242 4242 please")
	f.Add("41111111-1111-4111-8111-111111111111")
	f.Fuzz(func(t *testing.T, s string) {
		from, to := Find(s)
		if from < 0 || to > len(s) || from > to {
			t.Fatalf("%d, %d of %d", from, to, len(s))
		}
		if to > 0 && (decimal([]rune(s[from:])[0]) < 0 || !strings.Contains(Redact(s), "<pan") && strings.Trim(s, "0123456789 ") == "") {
			t.Fatalf("%q", s[from:to])
		}
	})
}
