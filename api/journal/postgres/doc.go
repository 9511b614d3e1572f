// Package postgres keeps the journal of a team in PostgreSQL, where many consoles on many hosts share it.
//
// The rules are those of package journal, which runs them here as it does in its file. What is stored is the same too:
// no card number, CVV, secret key or markup of a bank, and e-mail addresses and phone numbers as hashes. The key of the
// hashes is the team's and never in the database.
//
// # Schema and roles
//
// One schema per team, named in [journal] of the configuration, with two roles: paydesk_own owns it,
// paydesk_use adds facts under its own login, at the end of their chain, which a trigger checks; it changes none, and
// deletes nothing younger than 90 days. A database administrator runs [RolesSQL].
//
// # Connections
//
// A console has at most three: two for its work, which are made when they are needed, and one that listens for the
// changes of others. The server proves who it is (sslmode=verify-full) unless it is this machine. PgBouncer works in
// session mode alone: settings of a connection and LISTEN outlive a transaction.
//
// # What is guaranteed
//
// Two consoles that would send the same payment cannot both see that none has: whoever writes holds locks of the server
// (pg_advisory_xact_lock) until the commit. A new attempt locks those of its kind and amount in its environment, an
// accepted answer and a status their reference; all else locks the whole journal, as
// a file is locked. Serializable transactions were tried: their locks are on pages of indexes, of which a journal has few
// that all read, and with fifty consoles most of them failed again and again. What is too old is deleted beside all of these.
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
// Measured with a million attempts and three million events on two cores that had other work, consoles and server on one
// machine: a start takes 60 to 110 ms once it is connected; at the server, the first page of the activity takes 2 to 8 ms,
// the check for duplicates below 1 ms, a search by text, reference, customer, status or day 1 to 20 ms. A search that no
// index can help, such as for an amount, goes through 8,192 rows in a statement of 1 to 20 ms, and is shown as it goes.
// Fifty consoles that record twenty payments a second, and read each other's once a second, need both cores; the server has
// fewer than half of that work.
//
// An attempt takes 1.3 kB in its table and indexes, 0.5 of it the row, and its events 0.5 kB: ten million are 18 GB, which
// still fit the memory of a usual server. Deleting 1,000 attempts took 120 ms, since each is in up to 25 indexes and
// has three events; no console waits for it. From about fifty million (90 GB, at 20 payments a second a month) tables by month
// pay: what is too old is then dropped with its table. They need the month in the unique key of an attempt, which is why
// there are none before. A replica may answer searches, from then on or where many search; it may not answer the check for
// duplicates, since it is behind.
package postgres
