// Package listing reads the service's list of transactions and keeps what was read.
//
// The list comes in pages and may change while they are read: rows are added at its top, which moves all
// others back, and statuses move. A [Scanner] reads it to its end, several pages at once, and says afterwards
// what speaks for having all of it: a [Verdict]. [Rows] are a table in SQLite, since there may be a million of
// them, also while it is read; [Rows.Find], [Rows.Each] and [Rows.Totals] are SQL that a query was made of.
//
// What is known of rows elsewhere stands beside them: what they were in an earlier scan ([Rows.Know]), and which are
// payments that were made from here ([Rows.KnowLedger]). Terms of the query find them by that.
//
// A [Mirror] keeps a list that was read to its end in a file, so that the next scan can say what changed; a [Keeper] does so with
// each scan of a connection.
//
// Whatever this package says about rows applies to those that were read, never to all that exist.
package listing
