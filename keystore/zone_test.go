package keystore

import (
	"errors"
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
	zoned := func(zone string) error {
		_, err := load(t, "time_zone = \""+zone+"\"\n-- profiles/test.toml --\n"+required)
		return err
	}
	if err := zoned("Europe/Paris"); err == nil || !strings.Contains(err.Error(), `config.toml:1: time_zone must be "local" or "UTC"`) || !strings.Contains(err.Error(), "Install tzdata") {
		t.Errorf("got %v", err)
	}
	for _, zone := range []string{"UTC", "local"} {
		if err := zoned(zone); err != nil {
			t.Errorf("%s: %v", zone, err)
		}
	}
}
