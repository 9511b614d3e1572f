package sandbox

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// A string that is not encoded is as the encoder has it.
func TestStringsAreQuotedAsJSONHasThem(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~]{0,12}`), rapid.SampledFrom([]string{"", `"`, `\`, `a"b`, "\x7f", "\x1f", "<&>", "é", "\xff"}))
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		if got, want := quote(text)+"\n", string(encodeJSON(text)); got != want {
			t.Fatalf("%q is %s, not %s", text, got, want)
		}
		var want string
		n := leaf(rapid.SampledFrom([]string{quote(text), `"` + text + `"`, `"` + text}).Draw(t, "leaf"))
		json.Unmarshal([]byte(n.leaf), &want)
		if got := n.stringValue(); got != want {
			t.Fatalf("%s is read as %q, not %q", n.leaf, got, want)
		}
	})
}
