package sandbox

import (
	"testing"

	"pgregory.net/rapid"
)

// A string that is not encoded is as the encoder has it.
func TestStringsAreQuotedAsJSONHasThem(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~]{0,12}`), rapid.SampledFrom([]string{`"`, `\`, "\x7f", "\x1f", "\xff"}))
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		if got, want := quote(text)+"\n", string(encodeJSON(text)); got != want {
			t.Fatalf("%q is %s, not %s", text, got, want)
		}
	})
}
