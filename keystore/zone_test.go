package keystore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestWithoutADatabaseOfTimeZonesTheErrorSaysWhatToInstall(t *testing.T) {
	loadLocation = func(name string) (*time.Location, error) {
		if name == "UTC" {
			return time.UTC, nil
		}
		return nil, errors.New("unknown time zone " + name)
	}
	t.Cleanup(func() { loadLocation = time.LoadLocation })
	load := func(zone string) error {
		path := filepath.Join(t.TempDir(), "config.toml")
		text := "time_zone = \"" + zone + "\"\n[profiles.test]\nenvironment = \"test\"\nbase_url = \"https://payments.example\"\nlist_url = \"https://sandbox.example\"\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path)
		return err
	}
	if err := load("Europe/Paris"); err == nil || !strings.Contains(err.Error(), `1: expected time_zone to be "local" or "UTC"`) || !strings.Contains(err.Error(), "Install tzdata") {
		t.Errorf("got %v", err)
	}
	for _, zone := range []string{"UTC", "local"} {
		if err := load(zone); err != nil {
			t.Errorf("%s: %v", zone, err)
		}
	}
}
