package api_test

import (
	"strings"
	"testing"

	"paydesk/api"
)

func TestAnAddressIsHTTPSOrOnThisMachine(t *testing.T) {
	for s, want := range map[string]string{
		"https://payments.example":                        "",
		"HTTPS://payments.example":                        "",
		"http://127.0.0.1:8080":                           "",
		"http://[::1]:80":                                 "",
		"https://payments.example.":                       "",
		"":                                                "such as",
		"payments.example":                                "add https://",
		"127.0.0.1:1":                                     "add http://",
		"javascript:alert(1)":                             "begin with https",
		"https://":                                        "name a host",
		"http://payments.example":                         "this machine only",
		"http://2130706433":                               "this machine only",
		"https://user@payments.example":                   "a user or password",
		"https://payments.example#x":                      "or fragment",
		"https://payments.example?a=b":                    "a query",
		"https://payments.example/a/../b":                 "..",
		"https://payments.example/a/%2e%2e/b":             "..",
		"https://payments.example/a b":                    "spaces",
		"https://päyments.example":                        "ASCII",
		`https://payments.example\x`:                      "ASCII",
		"http://127.0.0.1@evil.example":                   "a user or password",
		"https://payments.example:0":                      "a valid port",
		"https://payments..example":                       "name a host",
		"https://[fe80::1%25eth0]":                        "name a host",
		"https://" + strings.Repeat("a", 64) + ".example": "name a host",
	} {
		got := check(func(s string) error { _, err := api.ParseOrigin(s); return err }, s)
		if (want == "") != (got == "") || !strings.Contains(got, want) || strings.Contains(got, "evil") || strings.Contains(got, "pw") {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestAPathHasOnePlaceForTheReference(t *testing.T) {
	for s, want := range map[string]string{
		"/{reference}":               "",
		"/a/{reference}/b":           "",
		"":                           "begin with one /",
		"//host/{reference}":         "begin with one /",
		"/a":                         "exactly once",
		"/{reference}?r={reference}": "exactly once",
		"/{reference}#x":             "no #",
		"/../{reference}":            "such as",
	} {
		got := check(api.CheckPath, s)
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func check(do func(string) error, s string) string {
	if err := do(s); err != nil {
		return err.Error()
	}
	return ""
}

// A name for this machine is not followed to another one.
func TestLocalhostIsThisMachine(t *testing.T) {
	d := api.Dialer("localhost:1")
	for at, ok := range map[string]bool{
		"127.0.0.1:1": true, "[::1]:1": true, "[::ffff:127.0.0.1]:1": true, "192.0.2.1:1": false, "10.0.0.1:80": false, "[2001:db8::1]:1": false, "x": false, "": false,
	} {
		if err := d.Control("tcp", at, nil); (err == nil) != ok {
			t.Errorf("%s: %v", at, err)
		}
	}
	if api.Dialer("payments.example:443").Control != nil {
		t.Error("another host must be this machine")
	}
}
