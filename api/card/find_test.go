package card

import (
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
		"4242, 4242, 4242, 4242":                               "4242, 4242, 4242, 4242",
		"４２４２ ４２４２ ４２４２ ４２４２":                                  "４２４２ ４２４２ ４２４２ ４２４２",
		"4242\u200b4242\u00ad4242\u00a04242":                   "4242\u200b4242\u00ad4242\u00a04242",
		";4242424242424242=25121011000012300000?":              "4242424242424242",
		"378282246310005":                                      "378282246310005",
		"5060666666666666666":                                  "5060666666666666666",
		"https://shop.example/4242424242424242":                "4242424242424242",
		"550e8400-e29b-41d4-a716-446655440000 378282246310005": "378282246310005",
		"⁴²⁴²⁴²⁴²⁴²⁴²⁴²⁴²":                                     "⁴²⁴²⁴²⁴²⁴²⁴²⁴²⁴²",
		"4242%204242%204242%204242":                            "4242%204242%204242%204242",
		"?q=4242%2D4242%c2%a04242%204242&x":                    "4242%2D4242%c2%a04242%204242",
		"424242424242424212280":                                "", // no expiry
		"card 42424242424242421228123, thanks":                 "42424242424242421228123",
		"3782822463100051220301234":                            "3782822463100051220301234",
		"4242 4242 4242 4242 1228":                             "4242 4242 4242 4242",
		"42424242424242421328":                                 "", // no month
		"4242 - 4242 - 4242 - 4242":                            "4242 - 4242 - 4242 - 4242",
		"2201827364519289":                                     "2201827364519289", // Mir
		"":                                                     "",
		"4242424242424241":                                     "", // a mistyped digit
		"42424242424242426":                                    "", // no length of Visa
		"9999999999999995":                                     "", // no scheme
		"41111111-1111-4111-8111-111111111111":                 "", // a UUID
		"2026-11-22 05:43:59":                                  "",
		"20261122054359":                                       "",
		"424242424242a4242":                                    "",
		"4242 4242    4242 4242":                               "",
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
