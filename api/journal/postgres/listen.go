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
		_ = d.listen(ctx, changed)
		select {
		case <-time.After(time.Second + rand.N(time.Second)): // fifty consoles come back one after the other
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (d *DB) listen(ctx context.Context, changed func()) error {
	c, err := d.config.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	for err = c.pg.Exec(ctx, "LISTEN "+channel(d.config.schema())).Close(); err == nil; err = c.hear(ctx) {
		changed() // also after a connection was lost: changes of that time were not announced
	}
	return err
}

// hear waits for a notification. Its error is that the connection is lost.
func (c *conn) hear(ctx context.Context) error {
	for !c.notified {
		waiting, stop := context.WithTimeout(ctx, quiet)
		err := c.pg.WaitForNotification(waiting)
		silent := waiting.Err() != nil && ctx.Err() == nil
		stop()
		if err == nil {
			break
		}
		if !silent || c.pg.IsClosed() {
			return err
		}
		asking, stop := context.WithTimeout(ctx, answersWithin)
		err = c.pg.Ping(asking)
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
