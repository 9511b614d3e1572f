// Package webhook receives the webhooks of the service (section 6), keeps them, compares them with what the status
// endpoint says, and passes them on.
//
// A webhook has no signature and no ID. Anybody who learns the address can post one, so that it is a hint: it
// leads to a request of the status, and only the answer counts. Nothing here, and nothing that draws what is here, says of a
// payment that it is paid because an event says so.
//
//   - receiver.go, path.go, probe.go: the HTTP server, its secret path, and whether an address answers;
//   - store.go, keep.go, find.go: the file of the events, beside the journal;
//   - verdict.go, verify.go: what the service says about each event;
//   - target.go, forward.go: passing events on, as they arrive or again.
package webhook
