// Package api is the client of the payment-collection service and the words it
// speaks of.
//
// # One place per question
//
//   - the seven operations of the specification (section 4), one file each:
//     initiate.go link.go validate.go authenticate.go finalize.go
//     transaction.go transactions.go;
//   - service.go: the operations as an interface, and the one table of how each is treated;
//   - judge.go: what an error says was done, and what may follow;
//   - client.go origin.go: what a client is made of, and where the key may go;
//   - send.go network.go: how a request leaves (two transports: reads, and POSTs
//     that cannot be replayed), bounded in time and size;
//   - retry.go: which reads are asked again, and when; no POST ever is;
//   - diagnose.go: what a fault of the network is called;
//   - strict.go value.go: JSON read so that it means one thing or is refused;
//   - envelope.go: how an answer is opened, with every drift that was seen;
//   - outcome.go: which error an answer, or its absence, ends in;
//   - errors.go: the three kinds of error;
//   - veil.go: that the card and the key do not come back in an answer;
//   - status.go: what a status word is taken to mean;
//   - units.go: which endpoint counts in major units and which in minor ones;
//   - testdata/wire: every shape of an answer that is known, with its source;
//   - clean.go: the one boundary between text from outside and a terminal.
//
// Around it, without a screen: api/session is one opened connection, api/gate decides whether
// a request may leave, api/journal writes down what is sent, api/watch requests statuses until
// payments settle, api/flow keeps the order of the steps.
//
// # Rules
//
// No float, ever. No POST is sent twice by itself. No redirect is followed.
// Nothing raw from an answer leaves this package: free text leaves as [Text],
// addresses as [Address], identifiers as [Reference] and [Alias], markup as
// [Markup].
package api
