package card

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// asUUID is the UUID that s is a part of when its hyphens are put where they belong.
func asUUID(s string) string {
	b := []byte(s)
	for _, i := range []int{8, 13, 18, 23} {
		b[i] = '-'
	}
	return string(b)
}

// What is clear hides no number: not for [HideEncoded], which decodes it, and for no word that may not be in it.
func TestAUUIDThatIsClearHidesNothing(t *testing.T) {
	const hex = "0123456789abcdef"
	// Characters that stand for digits, for the rests of digits, and for what can be read, more often than others.
	alphabets := []string{hex, "2ac0", "2ac4005", "ab4567c048012345", "abcdef0123", "c048012345", "ae26-ab4567"}
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.SampledFrom(alphabets).Draw(t, "alphabet")
		var b strings.Builder
		for range 36 {
			c := of[rapid.IntRange(0, len(of)-1).Draw(t, "c")]
			if c == '-' {
				c = 'a'
			}
			b.WriteByte(c)
		}
		s := asUUID(b.String())
		found := 0
		for _, decoded := range unbase64(s) {
			digits := 0
			for _, r := range decoded {
				if decimal(r) >= 0 {
					digits++
				}
			}
			found = max(found, digits)
			if IsClear(s) && (digits >= shortestNumber || mayEncode(decoded)) {
				t.Fatalf("%s is clear, and decodes to %q", s, decoded)
			}
			for from := range decoded {
				if word := decoded[from:min(from+10, len(decoded))]; !MayBeInUUID(word) {
					t.Fatalf("%s decodes to %q, in which %q is", s, decoded, word)
				}
			}
		}
		if masked := HideEncoded(s, FindMasked); IsClear(s) && masked != s {
			t.Fatalf("%s became %s", s, masked)
		}
	})
}

func TestMostUUIDsAreClear(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	clear := 0
	for range 10_000 {
		a, b := r.Uint64(), r.Uint64()
		if IsClear(fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", a>>32, a>>16&0xffff, a&0xffff, b>>48, b&0xffffffffffff)) {
			clear++
		}
	}
	if clear < 9_500 {
		t.Errorf("%d of 10,000", clear)
	}
	number := base64.StdEncoding.EncodeToString([]byte("4242424242424242"))
	for _, s := range []string{"", number, "5E62C0AE-0000-4000-8000-000000000000", "5e62c0ae-0000-4000-8000-00000000000", "5e62c0ae-0000-4000-8000-00000000000g"} {
		if IsClear(s) {
			t.Errorf("%q is not a UUID in lower case", s)
		}
	}
}

func TestNoKeyIsInAUUID(t *testing.T) {
	for word, may := range map[string]bool{
		"sk_test_readme01": false, "SK_LIVE_x": false, "deadbeef": true, "DEAD-BEEF": true, "": true, "4242": true, "a service's key": false,
		"~~~": true,
	} {
		if MayBeInUUID(word) != may {
			t.Errorf("%q may be in one: %v", word, !may)
		}
	}
}
