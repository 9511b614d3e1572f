package api

import (
	"cmp"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAddressesByTheirParts(t *testing.T) {
	for text, want := range map[string]string{
		"https://bank.example":                  "",
		"https://bank.example:8443/3ds?a=b&c#d": "",
		"http://127.0.0.1:8099/bank/x":          "",
		"":                                      "there is no URL",
		"https://" + strings.Repeat("a", 2041):  "the URL is longer than 2048 characters",
		"http://localhost.evil.test/":           "the URL does not begin with https://",
		"https://:443/":                         "the URL has no valid host",
		"https://bank.example:65536/":           "the URL has no valid host",
		"https://u:p@bank.example/":             "the URL contains a user name",
		"https://bank.example/'x":               "the URL contains a space, a quote, a backslash or a non-ASCII character",
		"https://bank.example\\@evil.test/":     "the URL contains a space, a quote, a backslash or a non-ASCII character",
		"https://bank.example/%zz":              "the URL cannot be parsed",
	} {
		_, err := ParseAddress(text)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%.60q: %v, want %v", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "bank") {
			t.Errorf("the reason quotes: %v", err)
		}
	}
	a, _ := ParseAddress("https://bank.example:8443?x=/y#z")
	if a.Host() != "bank.example:8443" || (Address{}).Host() != "" || !(Address{}).IsZero() || a.IsZero() {
		t.Errorf("host %q", a.Host())
	}
}

// Each part of the query that is redirect=true or redirect=false is changed, and nothing else. The first of them is the value.
func TestWithRedirectChangesItsPartsAndNothingElse(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"redirect=true", "redirect=false", "a=%2F", "b=+", "redirect=", "redirect", "Redirect=true", "redirect=TRUE", "%72edirect=true", "a?redirect=true",
		"x", "", "redirect=true?", "c=redirect=true",
	})
	rapid.Check(t, func(t *rapid.T) {
		parts, first := rapid.SliceOfN(part, 0, 6).Draw(t, "parts"), ""
		fragment := rapid.SampledFrom([]string{"", "#", "#redirect=true", "#?redirect=true&"}).Draw(t, "fragment")
		address := func() string {
			if len(parts) == 0 {
				return "https://bank.example/redirect=true" + fragment
			}
			return "https://bank.example/redirect=true?" + strings.Join(parts, "&") + fragment
		}
		a, err := ParseAddress(address())
		if err != nil {
			t.Fatalf("%v", err)
		}
		for i, p := range parts {
			if p == "redirect=true" || p == "redirect=false" {
				first, parts[i] = cmp.Or(first, p), "redirect=false"
			}
		}
		value, present := a.Redirect()
		if off := a.WithRedirect(false).String(); off != address() || present != (first != "") || value != (first == "redirect=true") {
			t.Fatalf("%q is %v, %v, and off it is %q", a, value, present, off)
		}
		if on := a.WithRedirect(true); on.WithRedirect(false) != a.WithRedirect(false) || on.Host() != a.Host() {
			t.Fatalf("%q does not go back: %q", a, on)
		}
	})
}

func FuzzParseAddress(f *testing.F) {
	for _, h := range hostileSamples(f, "url") {
		f.Add(h.text())
	}
	for _, h := range hostileSamples(f, "bidi", "confusable", "csi", "osc8", "invisible") {
		f.Add("https://bank.example/" + h.text())
	}
	for _, s := range []string{"https://bank.example:8443/3ds?redirect=true&x=%20#y", "http://127.0.0.1:1/", "https://[::1]/"} {
		f.Add(s)
	}
	shape := regexp.MustCompile(`^(?i:https?)://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]*)?([/?#][!#-&(-\[\]-_a-~]*)?$`)
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAddress(s)
		if err != nil {
			if !a.IsZero() {
				t.Fatalf("%q is refused and given", s)
			}
			return
		}
		if a.String() != s || len(s) > 2048 || !shape.MatchString(s) || Clean(s).String() != s {
			t.Fatalf("%q is accepted as %q", s, a)
		}
	})
}
