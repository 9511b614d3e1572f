package card

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/quick"
	"unicode"

	"pgregory.net/rapid"

	"paydesk/api/sandbox"
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

func TestReferencesAreNotMistakenForCards(t *testing.T) {
	const n = 4_000
	r := rand.New(rand.NewPCG(1, 2))
	for _, length := range []int{8, 16, 20} {
		wrong := 0
		for range n {
			ref := make([]byte, length)
			for i := range ref {
				ref[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[r.IntN(36)]
			}
			if Redact(string(ref)) != string(ref) {
				wrong++
			}
		}
		if wrong*1000 > n {
			t.Errorf("of %d characters %d of %d are taken for cards", length, wrong, n)
		}
	}
}

func TestNoSpellingOfACardNumberEscapesRedaction(t *testing.T) {
	gap := rapid.SampledFrom([]string{"", "", "", " ", "-", ".", "\u00a0", "\u200b", "\ufeff", "\n", " - ", "\u2013"})
	rapid.Check(t, func(t *rapid.T) {
		var typed strings.Builder
		for _, d := range visa {
			if rapid.Bool().Draw(t, "wide") {
				d += '０' - '0'
			}
			typed.WriteRune(d)
			typed.WriteString(gap.Draw(t, "gap"))
		}
		before := rapid.SampledFrom([]string{"", "for card ", "é", "ref x1 "}).Draw(t, "before")
		if got := Redact(before + typed.String() + "thanks"); !strings.HasPrefix(got, before+"<pan …4242>") || !strings.HasSuffix(got, "thanks") {
			t.Fatalf("%q became %q", before+typed.String(), got)
		}
	})
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{visa, "737 4242 4242 4242 4242", "４２４２\xff", "41111111-1111-4111-8111-111111111111"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Redact(s)
		if again := Redact(once); again != once {
			t.Fatalf("%q became %q and then %q", s, once, again)
		}
	})
}

func parse(t *testing.T, s string) PAN {
	t.Helper()
	p, err := ParsePAN(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestOnlyTheNumbersOfTheSetAreRecognised(t *testing.T) {
	var k Numbers
	p := parse(t, "4242424242424242")
	if s := p.Expose(); k.Find(s) != "" || k.Hide(s) != s || k.Has(p) {
		t.Error("it knows a number that was not added")
	}
	k.Add(p)
	if !k.Has(p) || k.Has(parse(t, "4111111111111111")) || k.Has(PAN{}) {
		t.Error("it has other numbers than the one that was added")
	}
	k.Add(parse(t, "378282246310005"))
	k.Add(PAN{})
	p.Wipe()
	for s, want := range map[string]string{
		"4242424242424242":                   "<pan …4242>",
		"424242424242424242424":              "<pan …4242>42424", // the first of those that overlap
		"a 4242-4242-4242-4242b":             "a <pan …4242>b",
		"3782 822463 10005 and 4111 1111":    "<pan …0005> and 4111 1111",
		"\x004\x002\x004\x002 4242 42424242": "\x00<pan …4242>",
		"\xff4242\xff42424242\xff4242":       "\xff4242\xff42424242\xff4242",
	} {
		if got := k.Hide(s); got != want || (k.Find(s) != "") != (s != want) {
			t.Errorf("%q: %q, want %q; found %q", s, got, want, k.Find(s))
		}
	}
	if s := fmt.Sprintf("%+v %#v", &k, k.numbers); strings.Contains(s, "42424242") {
		t.Errorf("what is kept has the number: %s", s)
	}
}

func TestTheLastOfManyNumbersAreKnown(t *testing.T) {
	var k Numbers
	number := func(i int) string {
		for c := range 10 {
			if s := fmt.Sprintf("4%014d%d", i, c); Luhn([]byte(s)) {
				return s
			}
		}
		return ""
	}
	var all sync.WaitGroup
	for i := range 2 * maxNumbers {
		k.Add(parse(t, number(i)))
		all.Go(func() { k.Hide(number(i)) })
	}
	all.Wait()
	if k.Find(number(2*maxNumbers-1)) == "" || k.Find(number(maxNumbers)) == "" || k.Find(number(0)) != "" || len(k.numbers) != maxNumbers {
		t.Errorf("%d are known", len(k.numbers))
	}
}

func TestHidingChangesNothingElse(t *testing.T) {
	var k Numbers
	k.Add(parse(t, "4242424242424242"))
	if err := quick.Check(func(s string) bool { return k.Hide(s) == s }, nil); err != nil {
		t.Error(err)
	}
	if err := quick.Check(func(a, b string) bool {
		return strings.HasPrefix(k.Hide(a+"x4242424242424242x"+b), a+"x<pan ")
	}, nil); err != nil {
		t.Error(err)
	}
}

func TestPublishedTestNumbersAreKnownAndOthersAreNot(t *testing.T) {
	for _, n := range testNumbers {
		if p, err := ParsePAN(n); err != nil || !p.IsTest() {
			t.Errorf("%s: %v", n, err)
		}
	}
	for _, c := range sandbox.Cards() {
		if p, err := ParsePAN(c.Number); err != nil || !p.IsTest() {
			t.Errorf("the sandbox's %s: %v", c.Name, err)
		}
	}
	for _, n := range []string{"4242424242424200", "4539148803436467", "5425233430109903", "4242424242424242424"} {
		if p, _ := ParsePAN(n); p.IsTest() {
			t.Errorf("%s is taken for a test number", n)
		}
	}
	if (PAN{}).IsTest() {
		t.Error("no number is taken for one")
	}
}

func TestAUUIDIsKnownAndStaysAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).Draw(t, "uuid")
		if !IsUUID(s) {
			t.Fatalf("%s is none", s)
		}
		if got := HideEncoded(Redact(s), FindMasked); got != s {
			t.Fatalf("%s became %s", s, got)
		}
		changed := []byte(s)
		changed[rapid.IntRange(0, len(s)-1).Draw(t, "at")] = rapid.SampledFrom([]byte("Gg-_ A\x00")).Draw(t, "to")
		if got := string(changed); got != s && IsUUID(got) {
			t.Fatalf("%q is taken for a UUID in lower case", got)
		}
	})
}
