package card

import (
	"encoding/base64"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

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

// What makes it right to look into no UUID: digits in an encoding have letters that none has.
func TestNoEncodingOfANumberIsAUUID(t *testing.T) {
	for phase := range 3 {
		for _, of := range []base64.Encoding{*base64.StdEncoding, *base64.URLEncoding} {
			text := of.EncodeToString([]byte(strings.Repeat("x", phase) + "4242424242424242"))
			if strings.Trim(text, "0123456789abcdef-") == "" {
				t.Error(text)
			}
		}
	}
}
