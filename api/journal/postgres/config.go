package postgres

import (
	"cmp"
	"context"
	"crypto/tls"
	"database/sql/driver"
	"errors"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"paydesk/api/text"
)

// A Config says where a team's journal is.
type Config struct {
	// URL is postgres://user@host:port/database with what libpq's URLs have, but no password. Unless the host is this
	// machine or a folder of sockets, sslmode is verify-full.
	URL    string
	Schema string // of the team; "" for paydesk
	// Password returns the password; nil where .pgpass (PGPASSFILE) has it, or there is none. Of its errors only a [NoPassword] is
	// quoted.
	Password func(context.Context) (string, error)
}

// A Mistake says what is wrong with a [Config], in words for whoever wrote it.
type Mistake string

// Error returns the words.
func (m Mistake) Error() string { return string(m) }

var schemaName = text.Pattern(`^[a-z_][a-z0-9_]{0,40}$`)

func (c Config) schema() string { return cmp.Or(c.Schema, "paydesk") }

// Check returns a [Mistake] when the configuration cannot be used, or not safely.
func (c Config) Check() error {
	_, err := c.parse()
	return err
}

const (
	limit        = 10 * time.Second // of a statement
	connectLimit = 5 * time.Second
)

// parse returns the configuration of a connection. Errors of the parser may quote the URL, so they are not passed on.
func (c Config) parse() (*pgconn.Config, error) {
	if !schemaName().MatchString(c.schema()) {
		return nil, Mistake("schema must be lower-case letters, digits and underscores, at most 41, not a digit first")
	}
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql":
		return nil, Mistake("url must begin with postgres://")
	case u.Query().Has("password") || u.Query().Has("sslpassword") || hasPassword(u):
		return nil, Mistake("url must not have a password: use password_command, or .pgpass")
	}
	query, modes := u.RawQuery, []string{""}
	if !u.Query().Has("sslmode") {
		modes = []string{"&sslmode=prefer", "&sslmode=verify-full"}
	}
	for _, mode := range modes {
		u.RawQuery = strings.TrimPrefix(query+mode, "&")
		p, err := pgconn.ParseConfig(u.String())
		if err != nil {
			return nil, Mistake("url cannot be understood: expected postgres://user@host:port/database")
		}
		if verifies(p) {
			p.ConnectTimeout = connectLimit
			return p, nil
		}
	}
	return nil, Mistake("url must have sslmode=verify-full, since the host is not this machine")
}

func hasPassword(u *url.URL) bool {
	_, has := u.User.Password()
	return has
}

// isHere reports whether a host is this machine: a loopback address, or a folder of sockets.
func isHere(host string) bool {
	ip := net.ParseIP(host)
	return strings.HasPrefix(host, "/") || host == "localhost" || ip != nil && ip.IsLoopback()
}

// verifies reports whether every server that may be asked is this machine, or has to prove who it is.
func verifies(c *pgconn.Config) bool {
	proves := func(host string, t *tls.Config) bool { return isHere(host) || t != nil && !t.InsecureSkipVerify }
	if !proves(c.Host, c.TLSConfig) {
		return false
	}
	for _, f := range c.Fallbacks {
		if !proves(f.Host, f.TLSConfig) {
			return false
		}
	}
	return true
}

// connect returns a connection that is set up. It asks for the password each time: it may have been replaced.
func (c Config) connect(ctx context.Context) (*conn, error) {
	p, err := c.parse()
	if err != nil {
		return nil, err
	}
	if c.Password != nil {
		if p.Password, err = c.Password(ctx); err != nil {
			return nil, errors.Join(errPassword, err)
		}
	}
	to := &conn{}
	p.OnNotification = func(*pgconn.PgConn, *pgconn.Notification) { to.notified = true }
	if to.pg, err = pgconn.ConnectConfig(ctx, p); err != nil {
		return nil, err
	}
	if err := c.prepare(ctx, to.pg); err != nil {
		_ = to.Close()
		return nil, err
	}
	return to, nil
}

// A connector opens the connections of package sql.
type connector struct{ Config }

// Connect implements [driver.Connector].
func (c connector) Connect(ctx context.Context) (driver.Conn, error) { return c.connect(ctx) }

// Driver implements [driver.Connector]. Nothing is opened by a name.
func (connector) Driver() driver.Driver { return nil }

var errPassword = errors.New("no password")

// prepare sets up a connection. Sequential scans are switched off, since every query has an index; the planner still
// makes one where there is no other way. A plan is made for the values that are asked for,
// since partial indexes cover some of them, and is not compiled, which takes longer than it runs. Bytes are written as
// decode reads them. A console that is suspended while it holds the lock loses its connection before the others give up.
func (c Config) prepare(ctx context.Context, to *pgconn.PgConn) error {
	return to.Exec(ctx, `SET search_path = `+c.schema()+`, public; SET statement_timeout = '10s'; SET lock_timeout = '5s';
		SET idle_in_transaction_session_timeout = '4s'; SET enable_seqscan = off; SET jit = off; SET plan_cache_mode = force_custom_plan;
		SET bytea_output = hex; SET application_name = 'paydesk'`).Close()
}
