package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"paydesk/api/journal"
)

// Glance is [journal.GlanceShared] on a connection of its own, which ends with it.
func Glance(ctx context.Context, c Config, d journal.Destination, of journal.Names, beginning string, n int) (all []journal.Named, err error) {
	err = c.as(ctx, func(conn *pgx.Conn) error {
		all, err = journal.GlanceShared(ctx, reader{conn}, d, of, beginning, n)
		return err
	})
	return all, err
}
