// Package api is the client of the payment-collection service. It owns everything that depends on
// the service's protocol: requests, responses, units, status words and errors.
//
// # Files
//
//   - initiate.go (with initiationbody.go), link.go, validate.go, authenticate.go, finalize.go,
//     transaction.go, transactions.go: the seven operations of the specification (section 4);
//   - service.go: the operations as an interface, and the table of how each is handled;
//   - judge.go: what an error means: was the request carried out, and may it be repeated;
//   - client.go, origin.go: the configuration of a client, and where its key may go;
//   - send.go, network.go: how a request is sent, within bounds of time and size, over one
//     transport for reads and one for POSTs, which cannot repeat a request;
//   - retry.go: which reads are retried, and when;
//   - diagnose.go: names for network failures;
//   - strict.go, value.go: JSON that is unambiguous, or rejected;
//   - envelope.go: parsing a response, with every deviation that was seen;
//   - outcome.go: which error a response, or its absence, becomes;
//   - errors.go: the three kinds of error;
//   - redact.go: keeps the card and the key of a request out of its response;
//   - clean.go: makes text from outside safe for a terminal;
//   - status.go: the meaning of status words;
//   - units.go: which endpoints use major units and which minor units;
//   - testdata/wire: every known shape of a response, with its source.
//
// The packages around it have no screen either: api/session is one open connection, api/gate
// decides whether a request may be sent, api/journal records what is sent, api/watch polls
// statuses until payments settle, and api/flow knows the order of the steps.
//
// # Rules
//
//   - Money is never a float.
//   - A POST is never repeated automatically. A POST that may have been carried out ends in an
//     [Unresolved] error.
//   - Redirects are never followed, and the key goes only to the two configured origins.
//   - Nothing raw from a response leaves this package: free text leaves it as [Text], URLs as
//     [Address], identifiers as [Reference] and [Alias], markup as [Markup].
//
// Numbers such as (2.6) in comments are sections of the specification. "Observed" behaviour is what
// the service and its public clients do beyond it; testdata/wire has a sample of each case.
package api
