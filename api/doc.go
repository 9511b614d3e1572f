// Package api is the client of the payment-collection service. It owns everything that depends on
// the service's protocol: requests, responses, units, status words and errors.
//
// # Files
//
//   - service.go: the operations as an interface, and the table of how each is handled;
//   - initiate.go (with initiationbody.go), link.go (with linkanswer.go), validate.go, payment.go, transactions.go: the
//     seven operations of the specification (section 4);
//   - client.go: the configuration of a client, and where its key may go;
//   - send.go, network.go, retry.go: how a request is sent, within bounds of time and size, over one
//     transport for reads and one for POSTs, which cannot repeat a request; which reads are retried;
//     a request as the arguments of curl;
//   - strict.go, value.go, envelope.go: JSON that is unambiguous, or rejected, and the response in it,
//     with every deviation that was seen;
//   - exchange.go: what a request log has of each request;
//   - answer.go: the whole of a response as people read it;
//   - outcome.go, errors.go, judge.go, diagnose.go: which error a response, or its absence, becomes;
//     whether the request was carried out, and may be repeated;
//   - units.go, status.go, address.go, identifiers.go: the values in a response; origin.go: what a person writes about a service; meaning.go and difference.go: what a
//     status means, and how an answer differs from what was asked; stored.go: values in files;
//   - event.go: what the body of a webhook claims; mask.go: card numbers, their codes and keys in it, masked;
//   - ping.go: who answers at an address, without the key;
//   - known.go: what keeps a card number out of URLs and of texts that are sent;
//   - redact.go, clean.go: what keeps secrets and control sequences out of texts for people;
//   - testdata/wire: every known shape of a response, with its source.
//
// # The packages below
//
// None of them has a screen. Each may import api and text, unless it is said otherwise, and those in brackets;
// a test of package screens checks every import of the project.
//
//   - card (not api): card numbers and codes that cannot be printed by accident, what finds them in
//     what a person types, and what hides them in the text of others;
//   - text (nothing): where a script requires invisible joiners, and which characters take one cell on every terminal;
//   - money (not api): exact amounts and the currencies of ISO 4217. api itself imports only card,
//     money and text;
//   - statefile (not api): how SQLite's files are opened, locked and kept from others;
//   - export (card, statefile): writes rows to files that other programs read;
//   - query (money, not api): the language in which people search lists; query/querytest (query) is help
//     for tests of what matches it;
//   - ledger (money): what is known of each attempt, and what may be done next, as rules without I/O;
//   - journal (ledger, money, query, statefile): records what is sent, before it is sent; journal/postgres keeps
//     that of a team;
//   - listing (card, journal, ledger, money, query, statefile): reads the list of transactions to its end into a table, finds and orders
//     its rows, and remembers what changed since it was last read;
//   - httpserver (nothing): runs the servers of webhook, browser and sandbox;
//   - webhook (httpserver, money, query, statefile): receives events, keeps them, and passes them on;
//   - session (card, journal, ledger, listing, money, webhook): one open connection: whether a request may be sent, the steps of one
//     payment, and the polling of statuses until they settle. session/simulationtest (nothing) checks its promises on a
//     record, and simulates teams that make one;
//   - browser (httpserver): opens URLs, and serves the page of a challenge;
//   - sandbox (httpserver; not api, since it must be able to disagree with the client): a service for tests and
//     demonstrations;
//   - servicetest (money), timely (nothing): help for tests.
//
// # Rules
//
// Tests hold each of these:
//
//   - Money is never a float.
//   - A POST is never repeated automatically. A POST that may have been carried out ends in an
//     [Unresolved] error; a request that changes nothing never does.
//   - Redirects are never followed. The key goes only to the two configured origins, which are https,
//     or this machine.
//   - Nothing raw from a response leaves this package: free text leaves it as [Text], URLs as
//     [Address], identifiers as [Reference] and [Alias], markup as [Markup].
//   - No card number, card code or key is in a text, an error or a log, and the buffer of a payment
//     is wiped after it.
//   - A document that two readers could read differently is rejected. Of a status word only the
//     documented spellings count, and a final status stays.
//   - An operation without a rule in the table is never let through.
//
// Numbers such as (2.6) in comments are sections of the specification. "Observed" behaviour is what
// the service and its public clients do beyond it; testdata/wire has a sample of each case.
package api
