package postgres

import (
	"context"
	"database/sql"
	"strconv"
	"time"
)

// A Report describes a team's journal and its server.
type Report struct {
	Server            string // the version of PostgreSQL
	Role              string // who is connected
	Version           int    // of the schema; 0 before [Init]
	Keyed             bool   // the key of the hashes was chosen
	Attempts          int
	Oldest, Newest    time.Time // attempts; zero without any
	SynchronousCommit string
	ReadOnly          bool
	Ahead             time.Duration // of the server's clock
	Problems          []string      // what would not work, why, and what to do
}

// Status looks at the server and at the journal, and changes nothing.
func Status(ctx context.Context, c Config) (r Report, err error) {
	err = c.as(ctx, func(on *sql.Conn) error {
		if err := c.examine(ctx, on, &r); err != nil || r.Version == 0 {
			return err
		}
		var oldest, newest int64
		err := on.QueryRowContext(ctx, `SELECT count(*), coalesce(min(at), 0), coalesce(max(at), 0),
			EXISTS (SELECT 1 FROM about WHERE name = 'key check') FROM attempts`).Scan(&r.Attempts, &oldest, &newest, &r.Keyed)
		if r.Attempts > 0 {
			r.Oldest, r.Newest = time.Unix(0, oldest), time.Unix(0, newest)
		}
		return err
	})
	return r, err
}

// muchAhead is from when on a difference of the clocks is worth a word. Times of attempts are the server's.
const muchAhead = 30 * time.Second

// examine looks at the server, and at the rights there.
func (c Config) examine(ctx context.Context, on *sql.Conn, r *Report) error {
	var encoding, fsync string
	var there, uses bool
	var micro int64
	asked := time.Now()
	err := on.QueryRowContext(ctx, "SELECT current_setting('server_version'), current_user, current_setting('server_encoding'), "+hasTables+", "+serverState, c.schema()).
		Scan(&r.Server, &r.Role, &encoding, &there, &r.SynchronousCommit, &fsync, &r.ReadOnly, &micro)
	ahead := time.UnixMicro(micro).Sub(asked.Add(time.Since(asked) / 2))
	if err == nil && there {
		err = on.QueryRowContext(ctx, `SELECT has_schema_privilege(relnamespace, 'USAGE') AND has_table_privilege(oid, 'SELECT') AND
				has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE')
			FROM pg_class WHERE relname = 'entries' AND relnamespace = to_regnamespace($1)`, c.schema()).Scan(&uses)
	}
	if err == nil && uses {
		r.Version, err = c.version(ctx, on)
	}
	r.Ahead = ahead.Round(time.Millisecond)
	for _, p := range []struct {
		is    bool
		words string
	}{
		{!there || uses && r.Version < Version, notSetUp},
		{there && !uses, "The user may not use the team's journal. Have the role " + c.useRole() + " granted."},
		{r.Version > Version, words(errNewer)},
		{encoding != "UTF8", "The database is not in UTF-8. Create one that is."},
		{r.ReadOnly, words(errReadOnly)},
		{!durable(r.SynchronousCommit, fsync), words(errNotDurable)},
		{ahead.Abs() > muchAhead, "The clocks of this machine and of the server differ by " +
			strconv.Itoa(int(ahead.Abs().Seconds())) + " seconds. Correct the one that is wrong."},
	} {
		if p.is {
			r.Problems = append(r.Problems, p.words)
		}
	}
	return err
}

// durable reports whether a server waits for its disk before it acknowledges a commit.
func durable(synchronous, fsync string) bool {
	return synchronous != "off" && synchronous != "local" && fsync != "off"
}
