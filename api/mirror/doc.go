// Package mirror remembers the list of transactions as it was last read, in a SQLite file of its own, so
// that the next scan can say what changed.
//
// The file holds one current row for each id of each service, and a log of changes: new, moved, gone. A
// scan that found nothing changed adds a line. The rows are keyed by the service as the guard against
// duplicates is: see [journal.Destination.IsSameService].
//
// What is in the list is the service's word alone. A scan that is not trusted ([listing.Verdict]) adds and
// moves rows, and removes none; one that was stopped is not kept.
//
// Nothing waits for the mirror. It has a file, a lock and a connection of its own, so that the journal can
// be written at any time, and what goes wrong with it is said and holds up nothing.
//
//   - mirror.go: a mirror, and how its file is opened; schema.sql: what is in it;
//   - keep.go: a scan is compared with the rows and kept; limit.go: the file stays below its limit;
//   - row.go: rows as they are stored; memory.go: which rows belong to a service;
//   - history.go: what changed since; keeper.go: keeps each scan of a session.
package mirror
