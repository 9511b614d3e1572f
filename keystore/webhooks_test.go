package keystore

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheSettingsOfWebhooksAreChecked(t *testing.T) {
	const head = "-- profiles/test.toml --\n" + required // lines 1 to 3
	for _, c := range []struct{ text, want string }{
		{"webhook_listen = \"8425\"\n", "4: webhook_listen must be an address and a port"},
		{"webhook_listen = \"127.0.0.1:0\"\n", "4: webhook_listen must have a port from 1 to 65535"},
		{"webhook_listen = \"a..b:1\"\nwebhook_any_address = true\n", "4: webhook_listen must be an address of this machine, such as"},
		{"webhook_listen = \"192.0.2.1:8425\"\n", "4: webhook_listen must be an address of this machine only"},
		{"webhook_listen = \":8425\"\n", "4: webhook_listen must be an address of this machine only"},
		{"webhook_listen = \"sk_test_a1b2c3d4e5\"\n", "4: expected no secret key"},
		{"webhook_targets = \"https://a.example\"\n", "4: webhook_targets must be a list of strings"},
		{"webhook_targets = [\"ftp://a.example\"]\n", "4: webhook_targets must be a URL in ASCII"},
		{"webhook_targets = [\"https://u:p@a.example/\"]\n", "4: webhook_targets must not contain a user"},
		{"webhook_targets = [" + strings.Repeat("\"http://a.example\", ", 17) + "]\n", "4: webhook_targets must have at most 16"},
		{"webhook_limit = \"off\"\n", `4: webhook_limit must be a size from "1 MB"`},
	} {
		if _, err := load(t, head+c.text); err == nil || !strings.Contains(err.Error(), "profiles/test.toml:"+c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// What names a receiver is often all that it takes to post to it.
func TestATargetIsSharedWithoutItsPath(t *testing.T) {
	p := usual
	p.WebhookTargets = NewList("https://a.example/hooks/secret-path", "https://a.example/other?token=secret", "http://b.example:3000")
	got := strings.Join(p.Shareable(), "\n")
	if !strings.Contains(got, `webhook_targets = ["https://a.example/…", "http://b.example:3000/…"]`) || strings.Contains(got, "secret-path") {
		t.Error(got)
	}
	if d := cmp.Diff([]string{"https://a.example/hooks/secret-path", "https://a.example/other?token=secret", "http://b.example:3000"}, p.WebhookTargets.All()); d != "" {
		t.Error(d)
	}
}
