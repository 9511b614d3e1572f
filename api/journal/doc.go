// Package journal records every payment, link and finalize that was attempted, and its
// outcome, in one SQLite file.
//
// The service has no idempotency key and assigns the reference itself (specification 2.5),
// so a POST whose answer is lost cannot be looked up. Therefore every POST is recorded
// durably before its first byte is sent, and its outcome durably afterwards. A POST that
// cannot be recorded is not sent.
//
// What happens is a fact (package ledger), which is only ever added. Facts are a chain: each has a hash of itself and of
// the head before it (facts.go). Attempts, and payments that were looked up or pinned, are entries: each has a row with what its facts
// amount to, to be searched by; [Journal.Audit] compares the two. An answer that was given again extends its fact. The
// file never holds a card number beyond its last four digits, a CVV, a secret key or markup; e-mail
// addresses and phone numbers are stored as keyed hashes.
//
// # The file
//
// journal.db is created with mode 0600 in a folder with mode 0700. Looser modes are rejected
// with the chmod command to run. Beside it is journal.key, the key of the hashes, with the same
// mode. There are also SQLite's -wal and -shm while it is open, .lock, which guards the folder
// while a journal is created or set aside, and .damaged-TIME, a journal that was set
// aside.
//
// A commit is synced to the disk in SQLite's log, which is written into the file itself once the console has a moment, at
// the latest when it ends. Each row carries a checksum of its values, because SQLite's own check does not notice a flipped
// bit in an amount. A small file is verified as a whole before it is used; a large one in the background, once a day and
// after the machine was started. Damage found then blocks sending until the next start, which sets the file aside and
// creates a new one.
//
// [Journal.Backup] copies it while consoles use it; [Journal.Restore] puts a copy in its place, and
// keeps what was there as .replaced-TIME. Neither has the key of the hashes.
//
// Attempts are searched by the columns of their rows, which lie apart from the rest of each: [Journal.Find] and
// [Journal.FindLinks] make one step of some milliseconds at a time in a journal of any size.
//
// journal.head has the number and the head of the last fact: a journal that does not have that fact lost its log or is an
// older copy. It stays, and nothing is sent until a person has acknowledged that: journal.head also has the time, in case
// the file that says so is deleted, and a journal that has a key and no journal.head is a loss too. Of a team's journal that is
// not noticed: a user who deletes team-*.head and team-*.losses lifts a loss unread, and then counts as one who never used it. A file of
// an earlier version is set aside in the same way. A purge removes what the facts say, and leaves the chain.
//
// On a network file system (statfs) the file is used without a write-ahead log, which needs
// memory shared by all its users.
//
// # When it cannot be written
//
// Every error is a [*ledger.Unavailable] with sentences for the operator, a [*ledger.Duplicate], a
// [ledger.ErrTooEarly] or [ledger.ErrNotFound]. After a failed write the database handle is closed, and the next
// write opens a new one. An outcome that could not be written is kept in memory and written
// before anything else. An attempt without an outcome becomes unresolved 100 seconds after it
// was sent, or at once when the process that sent it has ended.
//
// # Endurance tests
//
// PAYDESK_LONG=60s makes eight consoles write and be killed for that long, and runs all
// kills, truncations, bit flips and failing writes; without it go test runs a few of each.
// .ci/long scale queries a team's journal of 50,000 attempts, and by night of a million.
package journal
