package postgres

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

var (
	errNewer      = errors.New("the schema is newer")
	errReadOnly   = errors.New("the server is read-only")
	errNotDurable = errors.New("commits are not durable")
	errNotOwner   = errors.New("the user may not change the schema")
	errNone       = errors.New("there is no schema")
)

// ours are the words for what this package found.
var ours = []struct {
	err   error
	words string
}{
	{errNewer, "The team's journal was written by a newer version of paydesk. Use that version."},
	{errReadOnly, "The team's journal is read-only now: the server is a standby, or in maintenance. Try again later."},
	{errNotDurable, "The server of the team's journal does not wait for its disk: have synchronous_commit and fsync set to on."},
	{errNotOwner, "The user may not create or change the team's journal. Have the role that owns it granted: see paydesk journal init --print-sql."},
	{errNone, notSetUp},
	{errPassword, "The team's journal has no password: password_command failed."},
	{context.DeadlineExceeded, "The team's journal could not be reached in time. Try again."},
}

const notSetUp = "The team's journal is not set up, or its role is not granted to this user: see paydesk journal init."

// codes are the words for what the server reports, by the beginning of the code
// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
var codes = []struct{ code, words string }{
	{"42P01", notSetUp}, // undefined_table
	{"3F", notSetUp},    // invalid_schema_name
	{"3D", "The team's journal cannot be found: the server has no such database. Check url in [journal]."},
	{"28", "The server of the team's journal rejects the user or the password. Check url in [journal], and password_command or .pgpass."},
	{"42501", "The user may not use the team's journal. Have the role that uses it granted: see paydesk journal init."}, // insufficient_privilege
	{"PD001", "Only the owner of the team's journal can delete what is younger than 90 days. Nothing was deleted."},     // paydesk_purge
	{"25P03", "The connection to the team's journal broke: this console was suspended or too slow. Try again."},         // idle_in_transaction_session_timeout
	{"25006", "The team's journal is read-only now: the server is a standby, or in maintenance. Try again later."},
	{"53", "The server of the team's journal has no room: connections, memory or disk. Try again later."},
	{"57014", "The team's journal took too long. Try again."}, // query_canceled
	{"55P03", "The team's journal took too long: another console holds it. Try again."},
	{"40", "Other consoles kept changing the same records. Try again."},
	{"57P", "The server of the team's journal is shutting down or starting. Try again."},
	{"08", "The connection to the team's journal broke. Try again."},
}

// Problem implements [journal.Database]. Nothing that the server says is quoted: it may quote a row.
func (d *DB) Problem(err error) string { return words(err) + " (" + d.name + ")" }

// A NoPassword is why [Config.Password] returns none, in words for the operator that quote no password.
type NoPassword string

// Error returns the words.
func (n NoPassword) Error() string { return string(n) }

func words(err error) string {
	if why, is := errors.AsType[NoPassword](err); is {
		return "The team's journal has no password: " + strings.TrimSuffix(string(why), ".") + "."
	}
	if held, is := errors.AsType[*heldError](err); is && held.by != "" {
		return "The team's journal took too long: " + held.by + " holds it. Have that session ended if it stays."
	}
	for _, o := range ours {
		if errors.Is(err, o.err) {
			return o.words
		}
	}
	if e, is := errors.AsType[*pgconn.PgError](err); is {
		for _, c := range codes {
			if strings.HasPrefix(e.Code, c.code) {
				return c.words
			}
		}
		return "The team's journal reports the error " + e.Code + "."
	}
	return "The team's journal cannot be reached. Check the network and its server, and try again."
}
