package postgres_test

import (
	"strings"
	"testing"

	"paydesk/api/journal/postgres"
)

func TestAServerElsewhereHasToProveWhoItIs(t *testing.T) {
	t.Parallel()
	for url, why := range map[string]string{
		"postgres://ada@db.example.com/payments":                                "",
		"postgresql://ada@db.example.com:6432/payments?sslmode=verify-full":     "",
		"postgres://ada@db.example.com/payments?sslmode=disable":                "verify-full",
		"postgres://ada@db.example.com/payments?sslmode=prefer":                 "verify-full",
		"postgres://ada@localhost,db.example.com/payments?sslmode=prefer":       "verify-full",
		"postgres://ada@localhost/payments?host=db.example.com&sslmode=allow":   "verify-full",
		"postgres://ada@localhost/payments":                                     "",
		"postgres://ada@127.0.0.1:5433/payments?sslmode=disable":                "",
		"postgres://ada@localhost:5432,127.0.0.1:5433/payments?sslmode=disable": "",
		"postgres://ada@/payments?host=/run/postgresql":                         "",
		"postgres://ada:hunter2@localhost/payments":                             "password",
		"postgres://ada@localhost/payments?password=hunter2":                    "password",
		"host=localhost dbname=payments password=hunter2":                       "postgres://",
		"postgres://ada@localhost:port/payments":                                "postgres://",
		"postgres://ada@localhost/payments?sslmode=hunter2":                     "understood",
	} {
		err := postgres.Config{URL: url}.Check()
		switch {
		case why == "" && err != nil:
			t.Errorf("%s: %v", url, err)
		case why != "" && (err == nil || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "hunter2")):
			t.Errorf("%s: %v, not about %s", url, err, why)
		}
	}
}

func TestASchemaIsAPlainName(t *testing.T) {
	for _, name := range []string{"Team", "a b", `a"b`, "1a", "a;drop", strings.Repeat("a", 42)} {
		if err := (postgres.Config{URL: "postgres://localhost/x", Schema: name}).Check(); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
	if err := (postgres.Config{URL: "postgres://localhost/x", Schema: "team_2"}).Check(); err != nil {
		t.Error(err)
	}
}
