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
//
// # The file
//
// journal.db lies in a folder with mode 0700, made with 0600 before SQLite sees it;
// looser modes are refused with the chmod to run. Beside it lie SQLite's -wal and -shm while it is open,
// .lock, which holds the folder while a journal is made or put aside, .suspect after
// damage was met, and .damaged-TIME, a journal that was put aside (R101).
//
// What was committed is on the disk and in the file itself, not only in the log before
// it. Every row carries a sum of its values: SQLite checks the shape of a file, and a bit
// that flips in an amount has no shape. A small file is looked through before it is
// used; a large one while it is used, and damage that is found then blocks sending until the next
// start, which puts the file aside.
//
// On the disk of another machine (statfs) there is no log: its memory is not shared.
//
// # When it cannot be written
//
// Every error is a [*Blocked] with sentences for a person, a [*LookAlike], a [*TooEarly]
// or [ErrNone]. After a failed write the handle is let go, and each write opens another
// first (R102). An outcome that could not be written is kept in memory and written before
// anything else; what never is becomes unresolved 100 seconds after the sending, as does
// at once what was sent by a process that is gone.
//
// # Tests of endurance
//
// PAYDESK_LONG=60s makes eight consoles write and be killed for as long, and does all
// kills, cuts, flipped bits and failing writes that are asked for; without it go test
// does some of each. BenchmarkLarge asks a journal of 100,000 attempts.
package journal
