package postgres

import (
	"context"
	"database/sql"

	"paydesk/api/journal"
	"paydesk/api/ledger"
)

// Glance is [journal.GlanceShared] on a connection of its own, which ends with it.
func Glance(ctx context.Context, c Config, d ledger.Destination, of journal.Names, beginning string, n int) (all []journal.Named, err error) {
	err = c.as(ctx, func(c *sql.Conn) error {
		all, err = journal.GlanceShared(ctx, c, d, of, beginning, n)
		return err
	})
	return all, err
}
