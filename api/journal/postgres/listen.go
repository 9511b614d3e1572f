package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Listen implements [journal.Database], on a connection of its own.
func (d *DB) Listen(ctx context.Context, changed func()) error {
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		_ = d.config.as(ctx, func(conn *pgx.Conn) error {
			if _, err := conn.Exec(ctx, "LISTEN "+channel(d.config.schema())); err != nil {
				return err
			}
			wait = time.Second
			for {
				changed() // also after a connection was lost: nobody knows what happened meanwhile
				if _, err := conn.WaitForNotification(ctx); err != nil {
					return err
				}
			}
		})
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// channel is where changes are announced; see schema.sql.
func channel(schema string) string { return "paydesk_" + schema }
