// Package journal keeps what was attempted and what came of it, in one SQLite file, so
// that nothing is charged twice and nothing is forgotten.
//
// The service has no idempotency key and makes the reference itself (specification 2.5): an
// answer that is lost leaves nothing to ask after. So every POST is written down durably
// before its first byte leaves, and its outcome durably after (R40). What cannot be
// written down is not sent.
//
// Rows are events, which are only ever added, and one line for each attempt, which says
// what follows from them (R100). Never in it: a card number beyond its last four, a CVV, a
// secret key, markup; e-mail and phone are keyed hashes (R104).
package journal
