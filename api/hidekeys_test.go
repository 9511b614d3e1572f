package api

import (
	"strings"
	"testing"
)

// TestAKeyInAnAnswerIsHidden has a service repeat a key, this profile's in any letter case or another's.
func TestAKeyInAnAnswerIsHidden(t *testing.T) {
	v := redactor{key: "Odd-Key.123"}
	for said, want := range map[string]string{
		"key Odd-Key.123!":                "key [key]!",
		"key ODD-KEY.123 odd-key.123":     "key [key] [key]",
		"of sk_live_4eC39HqLyjWDarjtT1zd": "of [key]",
		"RK_TEST_abc, Live-SK-abc":        "[key], [key]",
		"risk_test_case and odd-key.124":  "risk_test_case and odd-key.124",
		"":                                "",
		"Straße ODD-KEY":                  "Straße ODD-KEY",
	} {
		if got := v.redact(said); got != want {
			t.Errorf("%q is shown as %q", said, got)
		}
	}
	if got := (redactor{}).redact("sk_test_abc"); got != "[key]" {
		t.Errorf("without a key of one's own: %q", got)
	}
	if !v.tells("ref-odd-KEY.123") {
		t.Error("an identifier with the key in other letters is used")
	}
	for _, body := range []string{`{"message":"use SK_LIVE_4ec39"}`, `<p>use SK_LIVE_4ec39</p>`} {
		top, _ := readStrict([]byte(body), v)
		shown, _ := response{body: []byte(body), redactor: v}.plainText()
		if s := shown.String() + top.field("message").display().String(); strings.Contains(s, "4ec39") || !strings.Contains(s, "use [key]") {
			t.Error(s)
		}
	}
	bad := envelope{response: response{redactor: v}, malformed: &malformed{KindSchema, "it said SK_LIVE_4ec39 and 4242 4242 4242 4242"}}
	if s := bad.summary().String(); s != "it said [key] and <pan …4242>" {
		t.Errorf("why an answer is malformed is said as %q", s)
	}
}
