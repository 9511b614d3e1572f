//go:build !windows

package keystore

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// team is a journal with all settings.
const team = "[journal]\nstore = \"postgres\"\nurl = \"postgres://paydesk@db.example/payments\" # of the team\nschema = \"shop_1\"\n" +
	"password_command = [\"pass\", \"show\", \"a b\"]\nkey_file = \"/run/team.key\"\nkeep_days = 14\n\n"

func TestEverySettingOfATeamsJournalIsRead(t *testing.T) {
	c, err := load(t, team+"-- profiles/test.toml --\n"+required)
	must(t, err)
	want := Journal{
		Store: "postgres", URL: "postgres://paydesk@db.example/payments", Schema: "shop_1",
		PasswordCommand: NewList("pass", "show", "a b"), KeyFile: "/run/team.key",
	}
	if d := cmp.Diff(want, c.Journal); d != "" || c.KeepDays != 14 {
		t.Error(d)
	}
	shown := strings.Join(want.Shareable(), "\n")
	if strings.Contains(shown, "pass\"") || strings.Contains(shown, "team.key") || !strings.Contains(shown, `schema = "shop_1"`) {
		t.Error(shown)
	}
}

func TestAWrongSettingOfATeamsJournalIsNamed(t *testing.T) {
	const store, address = "[journal]\nstore = \"postgres\"\n", "url = \"postgres://paydesk@db.example/payments\"\n"
	for _, c := range []struct{ text, want string }{
		{"[journal]\nstore = \"mysql\"\n", `2: journal.store must be "sqlite" or "postgres"`},
		{"[journal]\n" + address, `2: journal.url is of a journal that a team shares: add store = "postgres", or remove it`},
		{"[journal]\npassword_command = [\"pass\"]\n", "2: journal.password_command is of a journal that a team shares"},
		{store + "url = \"postgres://ada:PASSWORD@db.example/x\"\n", "3: journal.url must not contain a password: keep it in .pgpass, or name a program that prints it"},
		{store + "url = \"postgres://db.example/x?password=PASSWORD\"\n", "3: journal.url must not contain a password"},
		{store + "url = \"postgres://db.example?sslmode=verify-full&%70assword=PASSWORD\"\n", "3: journal.url must not contain a password"},
		{store + "url = \"host=db.example password=PASSWORD\"\n", "3: journal.url must begin with postgres://"},
		{store + "url = \"postgres://db.example/a b\"\n", "3: journal.url must be a valid URL in ASCII"},
		{store + address + "schema = \"a\\\"; drop\"\n", "4: journal.schema must be 1 to 41 lower-case letters"},
		{store + address + "password_command = \"pass show x\"\n", "4: journal.password_command must be a list of strings"},
	} {
		_, err := load(t, c.text)
		if err == nil || !strings.Contains(err.Error(), "config.toml:"+c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q:\n got %v\nwant one line: %s", c.text, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "PASS") {
			t.Errorf("quoted: %v", err)
		}
	}
	for _, address := range []string{
		"postgresql://paydesk@db.example:5433/payments?sslmode=verify-full&connect_timeout=3", "postgres:///payments?host=/run/postgresql",
		"postgres://a.example,b.example/payments?target_session_attrs=primary", "postgres://a.example:1,b.example:2/payments", "postgres://[::1]:5432/x",
	} {
		if _, err := load(t, store+"url = \""+address+"\"\n"); err != nil {
			t.Error(err)
		}
	}
}

// printing is a journal whose password a script prints.
func printing(script string) Journal { return Journal{PasswordCommand: NewList("sh", "-c", script)} }

func TestAPasswordIsTheFirstLineOfItsCommand(t *testing.T) {
	for script, want := range map[string]string{
		"echo 'a b: c'":           "a b: c",
		"printf 'x\\r\\nmore\\n'": "x",
	} {
		if got, err := printing(script).Password(t.Context()); got != want || err != nil {
			t.Errorf("%s: %q %v", script, got, err)
		}
	}
	for script, c := range map[string]struct {
		kind error
		want string
	}{
		"echo secret; echo secret >&2; exit 3":   {ErrFailed, "the password command failed with exit code 3"},
		"printf 'secret\\033[2J\\n'":             {ErrNotAKey, "is not a password"},
		"yes secret | head -c 2000 | tr '\\n' x": {ErrNotAKey, "is not a password"},
	} {
		got, err := printing(script).Password(t.Context())
		var p *Problem
		if got != "" || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || !errors.As(err, &p) || strings.Contains(err.Error()+p.Stderr(), "secret") {
			t.Errorf("%s: %q %v %q", script, got, err, p.Stderr())
		}
	}
}
