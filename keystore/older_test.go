package keystore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// olderConfigurations are in testdata/older, each written by an older paydesk and, where it had such settings,
// the person before it. A name is what that version was the first to have.
func olderConfigurations() map[string]Profile {
	p := Profile{
		Name: "shop", Environment: Test, BaseURL: "https://payments.example", ListURL: "https://sandbox.example",
		Source: "env", KeyHeader: "X-Key", AuthenticatePath: "/a?r={reference}", StatusPath: "/s/{reference}/now", SendReference: true,
		Journal: "on", Mirror: "200 MB", UnlockMinutes: 15, WebhookLimit: "50 MB",
	}
	all := map[string]Profile{"1-first": p, "2-journal": p}
	p.Source, p.KeyCommand, p.UnlockMinutes, p.IdleLock, p.CAFile = "command", NewCommand("pass", "show", "paydesk/shop"), 5, 30, "/etc/ca.pem"
	all["3-sources"], all["4-zone"] = p, p
	p.Mirror = "25 MB"
	all["5-mirror"] = p
	p.WebhookListen, p.WebhookTargets, p.WebhookLimit = "127.0.0.1:8425", NewTargets("https://staging.example/hooks"), "9 MB"
	all["6-webhooks"] = p
	return all
}

func TestAConfigurationOfEachOlderVersionIsReadAndChanged(t *testing.T) {
	for name, want := range olderConfigurations() {
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join("testdata", "older", name+".toml"))
			if err != nil {
				t.Fatal(err)
			}
			path := file(t, string(b))
			checkOlder(t, path, name, want)
			want.IdleLock = 45
			if err := File(path).Edit(want); err != nil {
				t.Fatal(err)
			}
			checkOlder(t, path, name, want)
			if after, err := os.ReadFile(path); err != nil || strings.Contains(string(b), "# the shop") != strings.Contains(string(after), "# the shop") {
				t.Errorf("the comment is lost: %v\n%s", err, after)
			}
		})
	}
}

func checkOlder(t *testing.T, path, name string, want Profile) {
	t.Helper()
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Select("")
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
	keep := defaultKeepDays
	if name != "1-first" && name != "3-sources" {
		keep = 14
	}
	if zone, err := c.TimeZone.Location(); c.KeepDays != keep || err != nil || name >= "4" && zone.String() != "Europe/London" {
		t.Errorf("%d days, %v, %v", c.KeepDays, zone, err)
	}
}
