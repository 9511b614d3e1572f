// Package watch requests the status of payments until each settles: any number of them,
// through one [Scheduler], without a screen.
//
//   - backoff.go: how long to wait between two requests (R47);
//   - payment.go: what an answer changes, and when requesting ends;
//   - history.go: every change that was seen; a final status never goes back;
//   - amount.go: the amount that is reported, compared with the one requested (R32);
//   - scheduler.go: whose turn it is, within the bounds for all of them.
//
// A screen with one payment, a board of twenty and a command that prints lines follow the same
// [Watch]: what differs is only what they draw. See the example of package session.
package watch
