package postgres

import (
	"context"
	_ "embed"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// Version is that of the schema, which facts has.
const Version = 1

//go:embed schema.sql
var schema string

// Init creates the schema of a team. One that is there stays as it is; see [Migrate]. It needs the right to create a
// schema in the database, and the extension pg_trgm, which it creates where it may.
func Init(ctx context.Context, c Config) error {
	return c.as(ctx, func(conn *pgx.Conn) error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if err := lockSchemas(ctx, tx); err != nil {
				return err
			}
			switch v, err := c.version(ctx, tx); {
			case err != nil || v == Version:
				return err
			case v > Version:
				return errNewer
			case v > 0:
				return errOlder
			}
			_, err := tx.Exec(ctx, `CREATE SCHEMA IF NOT EXISTS `+c.schema()+`; CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;`+
				schema+setVersion)
			return err
		})
	})
}

// lockSchemas makes those wait who create or migrate a schema at the same time.
func lockSchemas(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext('paydesk'))")
	return err
}

var setVersion = `
	INSERT INTO facts (name, value, checksum) VALUES ('version', '` + strconv.Itoa(Version) + `', '')
	ON CONFLICT (name) DO UPDATE SET value = excluded.value;`

// version is that of the schema in the database; 0 for none.
func (c Config) version(ctx context.Context, q interface {
	QueryRow(context.Context, string, ...any) pgx.Row
}) (v int, err error) {
	var there bool
	if err := q.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", c.schema()+".facts").Scan(&there); err != nil || !there {
		return 0, err
	}
	err = q.QueryRow(ctx, "SELECT coalesce((SELECT CAST(convert_from(value, 'UTF8') AS INTEGER) FROM facts WHERE name = 'version'), 0)").Scan(&v)
	return v, err
}

// as runs f on a connection of its own, outside the pool.
func (c Config) as(ctx context.Context, f func(*pgx.Conn) error) error {
	p, err := c.parse()
	if err != nil {
		return err
	}
	if err := p.BeforeConnect(ctx, p.ConnConfig); err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, p.ConnConfig)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := p.AfterConnect(ctx, conn); err != nil {
		return err
	}
	return f(conn)
}
