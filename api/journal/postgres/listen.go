package postgres

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// quiet is how long nothing may be heard before the connection is checked: a server that has vanished closes nothing.
	quiet = 10 * time.Second
	// answersWithin is how long the server has to answer that.
	answersWithin = 5 * time.Second
)

// Listen implements [journal.Database], on a connection of its own.
func (d *DB) Listen(ctx context.Context, changed func()) error {
	for {
		_ = d.config.as(ctx, func(conn *pgx.Conn) error {
			if _, err := conn.Exec(ctx, "LISTEN "+channel(d.config.schema())); err != nil {
				return err
			}
			for {
				changed() // also after a connection was lost: nobody knows what happened meanwhile
				if err := hear(ctx, conn); err != nil {
					return err
				}
			}
		})
		select {
		case <-time.After(time.Second + rand.N(time.Second)): // fifty consoles come back one after the other
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hear waits for a notification. Its error is that the connection is lost.
func hear(ctx context.Context, conn *pgx.Conn) error {
	for {
		waiting, stop := context.WithTimeout(ctx, quiet)
		_, err := conn.WaitForNotification(waiting)
		silent := waiting.Err() != nil && ctx.Err() == nil
		stop()
		if err == nil || !silent || conn.IsClosed() {
			return err
		}
		asking, stop := context.WithTimeout(ctx, answersWithin)
		err = conn.Ping(asking)
		stop()
		if err != nil {
			return err
		}
	}
}

// channel is where changes are announced; see schema.sql.
func channel(schema string) string { return "paydesk_" + schema }
