package card

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"strings"
	"testing"
	"text/template"
	"time"

	"pgregory.net/rapid"
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
