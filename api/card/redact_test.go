package card

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCardNumbersAreFoundAnywhere(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"4242 4242 4242 4242 12/27 123":    "<pan …4242> 12/27 123",
		"4242424242424242,378282246310005": "<pan …4242>,<pan …0005>",
		"4242424242424242 378282246310005": "<pan …4242> <pan …0005>",
		"4242 – 4242 — 4242\u2060 4242":    "<pan …4242>",
		"\xff4242424242424242\xff":         "\xff<pan …4242>\xff",
		"4242-4242\r\n4242-4242 é":         "<pan …4242> é",
		"424242424242":                     "424242424242",         // twelve digits are too few for the net
		"42424242424242424242":             "42424242424242424242", // and twenty too many
		"Ada 42424242424242421228123 Obi":  "Ada <pan …4242> Obi",
	} {
		if got := Redact(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestReferencesAreNotMistakenForCards(t *testing.T) {
	const n = 4_000
	r := rand.New(rand.NewPCG(1, 2))
	wrong := map[string]int{}
	for range n {
		for shape, ref := range map[string]string{
			"uuid":    fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", r.Uint32(), r.Uint32()&0xffff, r.Uint32()&0xffff, r.Uint32()&0xffff, r.Uint64()&0xffffffffffff),
			"code":    code36(r, 20),
			"short":   code36(r, 8),
			"sixteen": code36(r, 16),
		} {
			if Redact(ref) != ref {
				wrong[shape]++
			}
		}
	}
	for shape, times := range wrong {
		t.Logf("%s: %d of %d", shape, times, n)
		if times*1000 > n {
			t.Errorf("%s is taken for a card %d times of %d", shape, times, n)
		}
	}
}

func code36(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte("0123456789abcdefghijklmnopqrstuvwxyz"[r.IntN(36)])
	}
	return b.String()
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
