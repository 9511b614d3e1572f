package card

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"paydesk/api/timely"
)

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

// What is searched by hand, since that is faster, is what the patterns of the encodings match.
func TestARunIsWhatItsPatternMatches(t *testing.T) {
	pieces := []string{"4", "aF", "g+", "34 ", "34-", "é", "\xff", " ", "\n", "=", "\"", "34 34:34,34.34-34 34 34 34 34 34 34\"", "019a0000-7a1f-7000-8a4e-0123456789ab"}
	some := rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(rapid.SampledFrom(pieces).Draw(t, "piece"), rapid.SampledFrom([]int{1, 2, 8, 11, 12, 15, 16, 23, 24}).Draw(t, "times"))
	})
	for pattern, runs := range map[string]func(string) [][]int{
		`[0-9A-Fa-f]{24,}`: hexRuns, `\b[0-9A-Fa-f]{2}(?:[ :,.-][0-9A-Fa-f]{2}){11,}\b`: pairRuns, `[A-Za-z0-9+/_\r\n-]{16,}={0,2}`: base64Runs,
	} {
		matches := regexp.MustCompile(pattern)
		rapid.Check(t, func(t *rapid.T) {
			s := strings.Join(rapid.SliceOfN(some, 1, 6).Draw(t, "pieces"), "")
			if got, want := fmt.Sprint(runs(s)), fmt.Sprint(matches.FindAllStringIndex(s, -1)); got != want {
				t.Errorf("%q has runs of %s at %s, searched by hand at %s", s, pattern, want, got)
			}
		})
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
