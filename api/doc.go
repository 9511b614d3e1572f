// Package api is the client of the payment-collection service and the words it
// speaks of.
//
// # One place per question
//
//   - the seven operations of the specification (section 4), one file each:
//     initiate.go link.go validate.go authenticate.go finalize.go
//     transaction.go transactions.go;
//   - send.go: how a request leaves (two transports: reads, and money POSTs
//     that cannot be replayed) and what is known when it fails;
//   - envelope.go: how an answer is opened, with every drift that was seen;
//   - errors.go: the three kinds of error and what each allows next;
//   - status.go: what a status word is taken to mean;
//   - units.go: which endpoint counts in major units and which in minor ones;
//   - clean.go: the one boundary between text from outside and a terminal.
//
// # Rules
//
// No float, ever. No POST is sent twice by itself. No redirect is followed.
// Nothing raw from an answer leaves this package: free text leaves as [Text],
// addresses as [Address], identifiers as [Reference] and [Alias], markup as
// [Markup].
package api
