// Package listing reads the service's list of transactions and keeps what was read.
//
// The list comes in pages and may change while they are read: rows are added at its top, which moves all
// others back, and statuses move. A [Scanner] reads it to its end, several pages at once, and says afterwards
// what speaks for having all of it: a [Verdict]. [Rows] are the rows in columns, since there may be a
// million of them. [Rows.Match] finds and orders them.
// A [Reconciler] compares them with the payments that a journal has.
//
// All that is said about rows here is about those that were read, never about all there are.
package listing
