package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
)

func TestAnAliasIsParsedFromThePageURLToo(t *testing.T) {
	for text, want := range map[string]Alias{
		"0-abc1234": "0-abc1234", " abc_1234 ": "abc_1234", strings.Repeat("a", 64): Alias(strings.Repeat("a", 64)),
		"https://pay.example/0-abc1234":            "0-abc1234",
		"https://pay.example/p/0-abc1234/":         "0-abc1234",
		" https://pay.example:8443/p/abc?x=/y#/z ": "abc",
		"https://pay.example":                      "",
		"https://pay.example/p/%61bc":              "",
		"https://pay.example/p//":                  "",
		"http://pay.example/p/abc":                 "",
		"pay.example/p/abc":                        "",
		"":                                         "",
		"../../x":                                  "",
		strings.Repeat("a", 65):                    "",
		"https://pay.example/p/abc\u200b":          "",
	} {
		got, err := ParseAlias(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
}

func FuzzIdentifiers(f *testing.F) {
	for _, s := range []string{
		"PAY-7h3k", " a1\n", "...", "..", ".", "a.b:c_d", strings.Repeat("r", 128), strings.Repeat("r", 129), "a/b", "a%2fb", "\u0430bc", "a\x00", "a\u200bb", "\u00a0abc", "[a", "@a", "`a", "{a",
		"https://pay.example/p/abc", "https://a/b/", "a\xff",
	} {
		f.Add(s)
	}
	for _, h := range hostileSamples(f, "injection", "bidi", "invisible", "confusable", "csi", "layout-spoof", "url") {
		f.Add(h.text())
	}
	reference, alias := regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,128}$`), regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	f.Fuzz(func(t *testing.T, s string) {
		bare := strings.Trim(s, " \t\r\n\v\f")
		r, err := ParseReference(s)
		if fits := reference.MatchString(bare) && bare != "." && bare != ".."; fits != (err == nil) || fits && string(r) != bare {
			t.Fatalf("%q is the reference %q, %v", s, r, err)
		}
		a, err := ParseAlias(s)
		if err == nil && (!alias.MatchString(string(a)) || !strings.Contains(s, string(a))) || alias.MatchString(bare) && string(a) != bare {
			t.Fatalf("%q is the alias %q, %v", s, a, err)
		}
	})
}

func TestAPageIsNeverPrinted(t *testing.T) {
	const page = "<form action=https://acs.bank.example><script>f.submit()</script></form>"
	m := NewMarkup(page)
	type held struct{ m, M Markup }
	for _, v := range []any{m, &held{m, m}, []Markup{m}, map[string]Markup{"page": m}} {
		var out bytes.Buffer
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&out, verb, v)
		}
		slog.New(slog.NewJSONHandler(&out, nil)).Info("", "v", v)
		if b, err := json.Marshal(v); err == nil {
			out.Write(b)
		}
		for _, secret := range []string{"acs.bank", fmt.Sprintf("%x", "acs.bank"), fmt.Sprintf("%X", "acs.bank"), "3c 66 6f", "97 99 115"} {
			if strings.Contains(out.String(), secret) {
				t.Errorf("%T shows %q", v, secret)
			}
		}
	}
	if m.String() != "[page of 72 bytes]" || fmt.Sprint(m) != m.String() || m.Size() != 72 || m.Expose() != page || m.IsZero() {
		t.Errorf("%v of %d bytes", m, m.Size())
	}
	if NewMarkup("abc").Sum() != "ba7816bf8f01" { // FIPS 180-2, appendix B.1
		t.Errorf("the sum of abc is %s", NewMarkup("abc").Sum())
	}
	if z := (Markup{}); !z.IsZero() || z.Size() != 0 || z.Expose() != "" {
		t.Error("no page is one")
	}
}
