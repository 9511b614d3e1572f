package postgres

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"

	"paydesk/api/journal"
)

// Version is the version of the schema, which the table about has.
const Version = 1

//go:embed schema.sql
var schema string

// Init creates the schema of a team, owned by the role of [RolesSQL] where the user may. One that is there stays as it
// is.
func Init(ctx context.Context, c Config) error {
	return c.change(ctx, func(on *sql.Conn, v int) error {
		switch {
		case v > Version:
			return errNewer
		case v == Version:
			return nil
		}
		var there bool
		if err := on.QueryRowContext(ctx, "SELECT to_regnamespace($1) IS NOT NULL", c.schema()).Scan(&there); err != nil {
			return err
		}
		create := schema + journal.Indexes + setVersion
		if !there {
			create = "CREATE SCHEMA " + c.schema() + ";" + create
		}
		return exec(ctx, on, create)
	})
}

// change runs f in a transaction with the version of the schema, 0 for none, as the role that owns it where the user
// may. Others who create one wait. It takes the time that it takes.
func (c Config) change(ctx context.Context, f func(on *sql.Conn, version int) error) error {
	return ownersAlone(c.as(ctx, func(on *sql.Conn) error {
		const begin = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;" + lockExclusive
		return transact(ctx, on, fmt.Sprintf(begin, c.lock("")), func() error {
			var owns bool
			err := on.QueryRowContext(ctx, "SELECT coalesce((SELECT pg_has_role(oid, 'MEMBER') FROM pg_roles WHERE rolname = $1), false)", c.ownRole()).Scan(&owns)
			if err == nil && owns {
				err = exec(ctx, on, "SET LOCAL ROLE "+c.ownRole())
			}
			if err != nil {
				return err
			}
			v, err := c.version(ctx, on)
			if err == nil { // functions keep it: no temporary table stands for one of the schema
				err = exec(ctx, on, "SET LOCAL search_path = "+c.schema()+", public, pg_temp")
			}
			if err != nil {
				return err
			}
			return f(on, v)
		})
	}))
}

// ownersAlone words the error of a missing right: only the owner has it.
func ownersAlone(err error) error {
	if e, is := errors.AsType[*pgconn.PgError](err); is && e.Code == "42501" { // insufficient_privilege
		return errNotOwner
	}
	return err
}

var setVersion = `
	INSERT INTO about (name, value, checksum) VALUES ('version', '` + strconv.Itoa(Version) + `', '')
	ON CONFLICT (name) DO UPDATE SET value = excluded.value;`

// version returns the version of the schema in the database; 0 without a schema.
func (c Config) version(ctx context.Context, on *sql.Conn) (v int, err error) {
	var there bool
	if err := on.QueryRowContext(ctx, "SELECT "+hasTables, c.schema()).Scan(&there); err != nil || !there {
		return 0, err
	}
	err = on.QueryRowContext(ctx, "SELECT coalesce((SELECT CAST(convert_from(value, 'UTF8') AS INTEGER) FROM about WHERE name = 'version'), 0)").Scan(&v)
	return v, err
}

// hasTables asks whether a schema has its tables, also for a login that may not use it.
const hasTables = "EXISTS (SELECT 1 FROM pg_class WHERE relname = 'about' AND relnamespace = to_regnamespace($1))"

// as runs f on a connection of its own.
func (c Config) as(ctx context.Context, f func(*sql.Conn) error) error {
	db := sql.OpenDB(connector{c})
	defer db.Close()
	on, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer on.Close()
	return f(on)
}

func exec(ctx context.Context, on *sql.Conn, query string, args ...any) error {
	_, err := on.ExecContext(ctx, query, args...)
	return err
}

// ownRole and useRole are the roles of a team's schema.
func (c Config) ownRole() string { return c.schema() + "_own" }
func (c Config) useRole() string { return c.schema() + "_use" }

// RolesSQL returns what an administrator of the database runs once, before [Init]: a role that owns the schema
// of a team, and one that uses it. It can be run again.
func RolesSQL(c Config) string {
	schema, own, use := c.schema(), c.ownRole(), c.useRole()
	return `-- Run once by an administrator, in the database of the journal.
DO $$ BEGIN CREATE ROLE ` + own + ` NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
DO $$ BEGIN CREATE ROLE ` + use + ` NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
GRANT ` + own + ` TO CURRENT_USER; -- an administrator without all rights may give a schema only to a role of their own
CREATE SCHEMA IF NOT EXISTS ` + schema + ` AUTHORIZATION ` + own + `;
GRANT USAGE ON SCHEMA ` + schema + ` TO ` + use + `;
ALTER DEFAULT PRIVILEGES FOR ROLE ` + own + ` IN SCHEMA ` + schema + ` GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ` + use + `;

-- Then for whoever runs paydesk journal init and copy:
--   GRANT ` + own + ` TO …;
-- and for each colleague:
--   GRANT ` + use + ` TO …;
`
}
