package card

import (
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
