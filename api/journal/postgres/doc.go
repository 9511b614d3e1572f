// Package postgres keeps the journal of a team in PostgreSQL, where many consoles on many hosts share it.
//
// The rules are those of package journal, which runs them here as it does in its file. What is stored is the same too:
// no card number, CVV, secret key or markup of a bank, and e-mail addresses and phone numbers as hashes. The key of the
// hashes is the team's and never in the database.
//
// # Schema and roles
//
// One schema per team, named in [journal] of the configuration, with two roles: paydesk_own owns and migrates it,
// paydesk_use reads and writes rows. [RolesSQL] is what a database administrator runs. The extension pg_trgm, which
// comes with PostgreSQL, finds texts; it stands in the schema public.
//
// # Connections
//
// A console has at most three: two for its work, which are made when they are needed, and one that listens for the
// changes of others. The server proves who it is (sslmode=verify-full) unless it is this machine. PgBouncer works in
// session mode alone: settings of a connection, prepared statements and LISTEN all outlive a transaction.
//
// # What is guaranteed
//
// Two consoles that would send the same payment cannot both see that nobody has: who writes holds locks of the server
// (pg_advisory_xact_lock) until the commit. A new attempt is about those of its kind and amount in its environment, an
// accepted answer about the attempt and its reference, a status about its reference; all else locks the whole journal, as
// a file is locked. Serializable transactions were tried: their locks are on pages of indexes, of which a journal has few
// that all read, and with fifty consoles most of them failed again and again. What is too old is deleted without a lock.
// A console that is suspended in the middle of a transaction loses it after four seconds, and the others go on.
//
// A server that would acknowledge a commit before it is on a disk (synchronous_commit off or local), is a standby, or has
// another version of the schema is refused at each write, and then nothing is sent. A commit whose answer is lost counts
// as not made: what it would have allowed is not sent, and an outcome is written again, which changes nothing if it was
// there.
//
// A standby that is promoted goes on where the server ended when it was synchronous (synchronous_standby_names); name
// both in the URL, with target_session_attrs=read-write. Of an asynchronous one the last commits may be missing, and no
// console can tell. A server that was replaced must not come back beside the other.
//
// # How large
//
// FIGURES
package postgres
