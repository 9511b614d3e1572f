package card

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

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
