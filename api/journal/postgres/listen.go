package postgres

import (
	"context"
	"math/rand/v2"
	"time"
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
		_ = d.config.as(ctx, func(c *conn) error {
			if err := c.Exec(ctx, "LISTEN "+channel(d.config.schema())); err != nil {
				return err
			}
			for {
				changed() // also after a connection was lost: nobody knows what happened meanwhile
				if err := c.hear(ctx); err != nil {
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
func (c *conn) hear(ctx context.Context) error {
	for !c.notified {
		waiting, stop := context.WithTimeout(ctx, quiet)
		err := c.WaitForNotification(waiting)
		silent := waiting.Err() != nil && ctx.Err() == nil
		stop()
		if err == nil {
			break
		}
		if !silent || c.IsClosed() {
			return err
		}
		asking, stop := context.WithTimeout(ctx, answersWithin)
		err = c.Ping(asking)
		stop()
		if err != nil {
			return err
		}
	}
	c.notified = false
	return nil
}

// channel is where changes are announced; see schema.sql.
func channel(schema string) string { return "paydesk_" + schema }
