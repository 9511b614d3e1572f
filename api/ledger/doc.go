// Package ledger says what is known of the payments, links and finalizes that were sent, and what may be done next.
//
// A [Fact] is one thing that happened: sent, answered, checked, decided … Facts are only ever added. An [Entry] is one
// attempt as it stands, which [Apply] makes of its facts, and an [Event] is what a fact adds to its history.
//
// A rule is a method of [Console], the one that asks: Begin, End, Decide, Take. It takes the entries that are
// concerned, and returns the fact that follows, or why nothing may happen. Rules and facts do no I/O, ask for no time
// and know no database: package journal keeps the entries, finds those that are concerned, and applies the facts in the
// same transaction.
//
// Which step of a payment is next, and why another may not be taken, follows from its attempt (steps.go).
//
// One table has what each [Kind] of attempt needs (kinds.go). It has no default: a kind without a row cannot begin.
package ledger
