package keystore_test

import (
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/keystore"
)

type secret string

func (s secret) Expose() string { return string(s) }

// TestAProfileTakesWhatTheClientTakes compares the two judges of a profile: what one lets through and the
// other does not would be reported only once the key is there.
func TestAProfileTakesWhatTheClientTakes(t *testing.T) {
	compare := func(part, value string, change func(*keystore.Profile)) {
		p := keystore.Profile{Name: "test", Environment: keystore.Test, BaseURL: "https://a.example", ListURL: "https://b.example"}.WithDefaults()
		change(&p)
		_, err := api.New(api.Config{
			BaseURL: p.BaseURL, ListURL: p.ListURL, Key: secret("sk_test_EXAMPLE"), KeyHeader: p.KeyHeader,
			AuthenticatePath: p.AuthenticatePath, StatusPath: p.StatusPath,
		})
		if words := p.Check()[part]; (words == "") != (err == nil) {
			t.Errorf("%s %q: the profile says %q, the client %v", part, value, words, err)
		}
	}
	for _, origin := range []string{
		"https://payments.example", "https://payments.example.", "https://payments.example:65535/base", "http://[::1]:80", "http://localhost",
		"https://payments.example:0", "https://payments.example:99999", "https://h..example", "https://.example", "https://example..", "https://.",
		"https://[fe80::1%25eth0]", "http://[::1%25lo]", "https://a%25b.example", "https://a%3ab.example", "https://" + strings.Repeat("a", 64),
		"https://" + strings.Repeat("a.", 124) + "example", "http://payments.example", "https://a.example/%2e%2e/b", "https://a.example/../b",
	} {
		compare("base_url", origin, func(p *keystore.Profile) { p.BaseURL = origin })
		compare("list_url", origin, func(p *keystore.Profile) { p.ListURL = origin })
	}
	for _, header := range []string{
		"X-Api", "X-API-Key", "Authorization", "Host", "cookie", "Content-Type", "TE", "Idempotency-Key", "X-Idempotency-Key", "Expect", "X Api", "X-Api:",
		strings.Repeat("x", 65),
	} {
		compare("key_header", header, func(p *keystore.Profile) { p.KeyHeader = header })
	}
	for _, path := range []string{"/{reference}", "/a/../{reference}", "/%2e%2e/{reference}", "//evil.example/{reference}", "/a b/{reference}", "/%zz/{reference}"} {
		compare("status_path", path, func(p *keystore.Profile) { p.StatusPath = path })
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
