package card

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/quick"
	"text/template"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"paydesk/api/sandbox"
	"paydesk/api/timely"
)

const (
	visa  = "4242424242424242"
	verve = "5060990000000008"
	amex  = "378282246310005"
	code  = "9371"
)

// A holder keeps card data as screens do: in unexported fields, on which fmt calls no methods.
type holder struct {
	pan PAN
	cvv CVV
	ptr *PAN
}

type exported struct {
	PAN PAN
	CVV CVV
}

func TestNoFormattingRevealsTheDigits(t *testing.T) {
	// Printed pointers may contain any four digits by chance, but not those of three cards in
	// turn.
	cards := []struct{ pan, cvv string }{{visa, "9371"}, {amex, "6058"}, {"5555555555554444", "8264"}}
	leaking := map[string]int{}
	for _, c := range cards {
		shown := printRoutes(t, c.pan, c.cvv)
		if len(shown) < 40 {
			t.Fatalf("only %d routes were tried", len(shown))
		}
		for route, out := range shown {
			if leaks(out, c.pan[:5]) || leaks(out, c.cvv) {
				leaking[route]++
			}
		}
	}
	for route, n := range leaking {
		if n == len(cards) {
			t.Errorf("%s shows the digits", route)
		}
	}
	for _, bare := range []string{"CVV 9371", fmt.Sprint([]byte("9371")), fmt.Sprintf("%#v", [4]byte{'9', '3', '7', '1'}), fmt.Sprintf("%X", "9371")} {
		if !leaks(bare, "9371") {
			t.Errorf("the search itself misses %q", bare)
		}
	}
}

// leaks reports whether out contains digits as text, as decimal or hexadecimal bytes, or as a Go
// list.
func leaks(out, digits string) bool {
	out = strings.NewReplacer(" ", "", "-", "", ",", "", "0x", "", "\n", "").Replace(strings.ToLower(out))
	decimal := strings.NewReplacer(" ", "", "[", "", "]", "").Replace(fmt.Sprint([]byte(digits)))
	return strings.Contains(out, digits) || strings.Contains(out, decimal) || strings.Contains(out, fmt.Sprintf("%x", digits))
}

// printRoutes prints a card in every possible way, by the name of the way.
func printRoutes(t *testing.T, number, code string) map[string]string {
	pan, err1 := ParsePAN(number)
	cvv, err2 := ParseCVV(code)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	values := map[string]any{
		"PAN": pan, "CVV": cvv, "pointer to PAN": &pan, "pointer to CVV": &cvv,
		"unexported fields": holder{pan, cvv, &pan}, "pointer to them": &holder{pan, cvv, &pan},
		"exported fields": exported{pan, cvv}, "slice": []any{pan, cvv}, "array": [2]PAN{pan, pan},
		"map": map[string]PAN{"card": pan}, "map of holders": map[int]holder{1: {pan, cvv, &pan}},
		"function": pan.digits, "nested": struct{ h *exported }{&exported{pan, cvv}},
	}
	out := map[string]string{}
	for name, v := range values {
		for _, verb := range []string{
			"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%o", "%b", "%c", "%U", "%t", "%e", "%g", "%w", "%p", "%T", "%20v", "%-8.3s", "% x",
		} {
			out[name+" "+verb] = fmt.Sprintf(verb, v)
		}
		out[name+" Println"] = fmt.Sprintln(v)
		out[name+" panic"] = func() (text string) {
			defer func() { text = fmt.Sprintf("%v %#v", recover(), v) }()
			panic(v)
		}()
		for format, text := range marshalled(v) {
			out[name+" "+format] = text
		}
	}
	return out
}

// marshalled is what encoders, logs and templates write of a value.
func marshalled(v any) map[string]string {
	out := map[string]string{}
	write := func(name string, f func(*bytes.Buffer) error) {
		var b bytes.Buffer
		err := f(&b)
		out[name] = b.String() + fmt.Sprint(err)
	}
	write("json", func(b *bytes.Buffer) error { return json.NewEncoder(b).Encode(v) })
	write("xml", func(b *bytes.Buffer) error { return xml.NewEncoder(b).Encode(v) })
	write("gob", func(b *bytes.Buffer) error { return gob.NewEncoder(b).Encode(v) })
	write("slog text", func(b *bytes.Buffer) error {
		slog.New(slog.NewTextHandler(b, nil)).Info("card", "value", v)
		return nil
	})
	write("slog json", func(b *bytes.Buffer) error {
		slog.New(slog.NewJSONHandler(b, nil)).Info("card", "value", v)
		return nil
	})
	write("log", func(b *bytes.Buffer) error {
		log.New(b, "", 0).Printf("%v %+v", v, v)
		return nil
	})
	write("template", func(b *bytes.Buffer) error {
		return template.Must(template.New("").Parse(`{{.}} {{printf "%#v" .}}`)).Execute(b, v)
	})
	return out
}

func TestACardIsShownByItsLastFourDigits(t *testing.T) {
	for _, tt := range []struct{ typed, number, masked, brand string }{
		{visa, visa, "•••• 4242", Visa},
		{"4242 4242 4242 4242", visa, "•••• 4242", Visa},
		{amex, amex, "•••• 0005", AmericanExpress},
		{"5555555555554444", "5555555555554444", "•••• 4444", Mastercard},
		{"2223003122003222", "2223003122003222", "•••• 3222", Mastercard},
		{verve, verve, "•••• 0008", Verve},
		{"6500020000000000", "6500020000000000", "•••• 0000", Verve},
		{"6304000000000000000", "6304000000000000000", "•••• 0000", ""},
	} {
		p, err := ParsePAN(tt.typed)
		if err != nil || p.Expose() != tt.number || p.Masked() != tt.masked || p.Brand() != tt.brand || p.LastFour() != tt.number[len(tt.number)-4:] {
			t.Errorf("%q: %s %s %s, %v", tt.typed, p.Expose(), p.Masked(), p.Brand(), err)
		}
		if fmt.Sprint(p) != tt.masked {
			t.Errorf("printed as %v", p)
		}
	}
	if p := (PAN{}); p.Expose()+p.Masked()+p.LastFour()+p.Brand() != "" || !p.IsZero() {
		t.Error("no card shows as one")
	}
}

func TestAMistypedNumberIsRejectedWithoutBeingQuoted(t *testing.T) {
	for text, want := range map[string]error{
		"42424242420":          ErrPANLength,
		"42424242424242424242": ErrPANLength,
		"4242424242424241":     ErrPANCheck,
		"4242.4242.4242.4242":  ErrPANDigits,
		"４２４２４２４２４２４２４２４２": ErrPANDigits,
		"4242424242424242\n":     ErrPANDigits,
		"4242\u200b424242424242": ErrPANDigits,
	} {
		p, err := ParsePAN(text)
		if !errors.Is(err, want) || !p.IsZero() {
			t.Errorf("%q: %v", text, err)
		}
		if strings.Contains(err.Error(), "4242") {
			t.Errorf("the reason quotes: %v", err)
		}
	}
	for _, text := range []string{"", "12", "12345", "12a", "１２３", " 123", "-12", "1 3"} {
		if v, err := ParseCVV(text); !errors.Is(err, ErrCVV) || !v.IsZero() {
			t.Errorf("CVV %q: %v", text, err)
		}
	}
	for _, text := range []string{"000", "123", "1234"} {
		if v, err := ParseCVV(text); err != nil || v.Expose() != text || fmt.Sprint(v) != "•••" {
			t.Errorf("CVV %q: %v", text, err)
		}
	}
}

func TestWipingOneCopyWipesAll(t *testing.T) {
	p, _ := ParsePAN(visa)
	v, _ := ParseCVV(code)
	copies := exported{p, v}
	p.Wipe()
	v.Wipe()
	if copies.PAN.Expose()+copies.CVV.Expose()+fmt.Sprint(copies.PAN, copies.CVV) != " " || !copies.PAN.IsZero() || !copies.CVV.IsZero() {
		t.Errorf("a copy still holds %q", copies.PAN.Expose()+copies.CVV.Expose())
	}
	if held := *p.digits(); held.ascii != [19]byte{} || held.n != 0 {
		t.Error("the digits are still in memory")
	}
	PAN{}.Wipe()
	CVV{}.Wipe()
}

func TestOneWrongDigitOrOneSwapIsNoticed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := []byte(rapid.StringMatching(`[0-9]{11,18}`).Draw(t, "digits"))
		for check := byte('0'); check <= '9'; check++ {
			if Luhn(append(d[:len(d):len(d)], check)) {
				d = append(d, check)
				break
			}
		}
		if !Luhn(d) {
			t.Fatalf("no check digit fits %s", d)
		}
		i := rapid.IntRange(0, len(d)-1).Draw(t, "place")
		other := append([]byte{}, d...)
		other[i] = '0' + (d[i]-'0'+byte(rapid.IntRange(1, 9).Draw(t, "by")))%10
		if Luhn(other) {
			t.Fatalf("%s for %s goes unnoticed", other, d)
		}
	})
	for _, d := range []string{"", "424242424242424x", "４２"} {
		if Luhn([]byte(d)) {
			t.Errorf("%q passes", d)
		}
	}
}

func TestABrandIsNamedAsSoonAsItIsCertain(t *testing.T) {
	for digits, want := range map[string]string{
		"": "", "4": Visa, "5": "", "51": Mastercard, "50": "", "506099": Verve, "506098": "", "506198": Verve, "506199": "",
		"507865": Verve, "507964": Verve, "507965": "", "6": "", "65": "", "651": Discover, "650001": Discover,
		"650002": Verve, "650027": Verve, "650028": Discover, "6011": Discover, "644": Discover, "34": AmericanExpress,
		"37": AmericanExpress, "3": "", "2220": "", "2221": Mastercard, "272099": Mastercard, "272100": "", "4x": "", "\xff": "",
	} {
		if got := BrandOf([]byte(digits)); got != want {
			t.Errorf("%q is %q, want %q", digits, got, want)
		}
	}
	for i, r := range ranges {
		if r.first > r.last || i > 0 && ranges[i-1].last >= r.first {
			t.Errorf("range %d overlaps or is out of order", i)
		}
	}
	if CVVLength(AmericanExpress) != 4 || CVVLength(Visa) != 3 || CVVLength("") != 3 {
		t.Error("the length of a verification value is wrong")
	}
}

func TestAnExpiryIsAMonthOfThisCentury(t *testing.T) {
	for text, want := range map[string]Expiry{
		"01/39": {1, 2039}, "12/2027": {12, 2027}, "0130": {1, 2030}, " 07 / 28 ": {7, 2028}, "02/00": {2, 2000},
	} {
		if e, err := ParseExpiry(text); err != nil || e != want {
			t.Errorf("%q: %v, %v", text, e, err)
		}
	}
	for text, want := range map[string]error{
		"": ErrExpiry, "1/27": ErrExpiry, "13/27": ErrMonth, "00/27": ErrMonth, "0027": ErrMonth, "01/1999": ErrExpiry, "01/127": ErrExpiry,
		"01-27": ErrExpiry, "012027": ErrExpiry, "01/2/7": ErrExpiry, "１２/27": ErrExpiry, "aa/bb": ErrExpiry, "-1/27": ErrExpiry, "+1/27": ErrExpiry,
	} {
		if e, err := ParseExpiry(text); !errors.Is(err, want) || e != (Expiry{}) {
			t.Errorf("%q: %v, %v", text, e, err)
		}
	}
	e := Expiry{2, 2028}
	for when, want := range map[string]bool{
		"2028-02-29T23:59:59Z": false, "2028-03-01T00:00:00Z": true, "2027-12-31T23:59:59Z": false, "2029-01-01T00:00:00Z": true,
	} {
		now, err := time.Parse(time.RFC3339, when)
		if err != nil || e.Expired(now) != want {
			t.Errorf("at %s expired is %v, %v", when, e.Expired(now), err)
		}
	}
	if e.String() != "02/2028" {
		t.Errorf("shown as %s", e)
	}
}

func FuzzParsePAN(f *testing.F) {
	for _, s := range []string{visa, amex, "4242 4242", "４２", "4242-4242-4242-4241"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePAN(s)
		if err != nil {
			return
		}
		d := strings.NewReplacer(" ", "", "-", "").Replace(s)
		if p.Expose() != d || len(d) < 12 || len(d) > 19 || strings.Trim(d, "0123456789") != "" {
			t.Fatalf("%q was read as %q", s, p.Expose())
		}
		if again, err := ParsePAN(p.Expose()); err != nil || again.Expose() != d {
			t.Fatalf("%q came back as %q, %v", d, again.Expose(), err)
		}
	})
}

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

// inEncodings are the ways in which a service was seen to repeat a text.
func inEncodings(s string) map[string]string {
	all := map[string]string{
		"hex": hex.EncodeToString([]byte(s)), "upper-case hex": strings.ToUpper(hex.EncodeToString([]byte(s))),
		"hex after half a byte": "f" + hex.EncodeToString([]byte(s)), "hex in pairs": fmt.Sprintf("% x", s),
		"percent": "%" + strings.ReplaceAll(fmt.Sprintf("% x", s), " ", "%"), "escapes of JSON": `\u00` + strings.ReplaceAll(fmt.Sprintf("% x", s), " ", `\u00`),
		"base64 twice": base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(s)))),
		"UTF-16":       base64.StdEncoding.EncodeToString([]byte(strings.Join(strings.Split(s, ""), "\x00") + "\x00")),
	}
	for n := range 4 {
		for name, to := range map[string]*base64.Encoding{"base64": base64.StdEncoding, "URL base64": base64.RawURLEncoding} {
			all[fmt.Sprint(name, " at ", n)] = to.EncodeToString([]byte("\xfb\xff\xfe="[:n] + s + "\xff?>"[:n%3]))
			all[fmt.Sprint(name, " in a path, at ", n)] = "v2/c/"[:n] + "/" + to.EncodeToString([]byte(s)) + "/x"
		}
	}
	return all
}

func TestAnEncodedNumberThatNobodySentIsHidden(t *testing.T) {
	for number, mask := range map[string]string{
		"4242424242424242": "<pan …4242>", "378282246310005": "<pan …0005>", "6205500000000000004": "<pan …0004>",
		"5555 5555-5555 4444": "<pan …4444>", `{"card":"5060666666666666666"}`: "<pan …6666>",
	} {
		for how, encoded := range inEncodings(number) {
			for _, text := range []string{"X " + encoded + " .", "é\x00" + encoded + "\xffé"} {
				got := Redact(text)
				if strings.Contains(got, encoded) || !strings.Contains(got, mask) || Redact(got) != got {
					t.Errorf("%s %s: %q", number, how, got)
				}
			}
		}
	}
	for _, other := range []string{"4242424242424241", "9999999999999995", "1234567890128", "+447700900123", "SUCCESSFUL"} {
		for how, encoded := range inEncodings(other) {
			if got := HideEncoded(encoded, FindMasked); got != encoded {
				t.Errorf("%s %s: %q became %q", other, how, encoded, got)
			}
		}
	}
}

// An escape may be of one digit among others, and its backslash escaped itself. Twelve digits are too few, and twenty too many.
func TestANumberWithEscapesInItIsHidden(t *testing.T) {
	for text, want := range map[string]string{
		`card 4111\u0031111 1111 1111 ok`: "card <pan …1111> ok", `x \\u00341\\u0031\\u0031 1111 1111 111\\u0031.`: "x <pan …1111>.",
		"4111 11%311 1111 1111": "<pan …1111>", "4111 11&#49;1 1111 1111": "<pan …1111>", `4111\n1111\t1111\u00a01111`: "<pan …1111>",
		"4242424242424242,378282246310005 x": "<pan …4242>,<pan …0005> x", "424242424242": "424242424242", "42424242424242424242": "42424242424242424242",
		`4111\u0031111 1111 1112`: `4111\u0031111 1111 1112`, `9\u0034111 1111 1111 1111`: `9\u0034111 1111 1111 1111`, `C:\new\u00e9 100%25 &#233;`: `C:\new\u00e9 100%25 &#233;`,
	} {
		if got := Redact(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestNoRandomIdentifierIsHidden measures false alarms, on identifiers of the usual lengths.
func TestNoRandomIdentifierIsHidden(t *testing.T) {
	const many = 2_000 // none of 100,000 was one
	random, alarms, tried := rand.New(rand.NewChaCha8([32]byte{7})), 0, 0
	hides := func(s string) {
		if tried++; HideEncoded(s, FindMasked) != s {
			alarms++
			t.Log(s)
		}
	}
	for range many / 5 {
		b := make([]byte, []int{12, 16, 20, 24, 32, 48, 64, 96}[random.IntN(8)])
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		h := hex.EncodeToString(b)
		hides(h)
		hides(base64.StdEncoding.EncodeToString(b))
		hides("https://bank.example/auth/" + base64.RawURLEncoding.EncodeToString(b) + "?id=" + h[:8] + "%20x")
		hides(h[:4] + "-" + h[4:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:24])
		var digits strings.Builder
		for range len(b) {
			digits.WriteByte('0' + b[digits.Len()]%10)
		}
		hides(digits.String())
	}
	if tried != many || alarms > 0 {
		t.Errorf("%d false alarms in %d identifiers", alarms, tried)
	}
}

func TestALongTextIsSearchedInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes twenty times as long")
	}
	const size = 16 << 10
	plain := strings.Repeat("4 2 4 ", size/6)
	for how, s := range map[string]string{
		"digits": strings.Repeat("4", size), "spaced digits": plain, "escapes": strings.Repeat("%34", size/3), "escapes of JSON": strings.Repeat(`4\u0034 `, size/8), "backslashes": strings.Repeat(`\`, size),
		"base64 of digits": base64.StdEncoding.EncodeToString([]byte(plain[:size*3/4])), "hex of digits": hex.EncodeToString([]byte(plain[:size/2])),
		"words": strings.Repeat("payment_reference ", size/18), "pairs": strings.Repeat("34 ", size/3),
	} {
		t.Run(how, func(t *testing.T) { timely.Within(t, time.Second, timely.Took(func() { Redact(s) })) })
	}
}
