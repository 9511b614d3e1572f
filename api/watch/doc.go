// Package watch polls the status of payments until each settles: any number of them, through one
// [Scheduler], without a screen.
//
//   - backoff.go: how long to wait between two requests;
//   - payment.go: what an answer changes, and when polling ends;
//   - history.go: every observed change; a final status never changes back;
//   - amount.go: the reported amount, compared with the requested one;
//   - scheduler.go: which request is next, within the bounds for all of them.
//
// A screen with one payment, a board of twenty and a command that prints lines use the same [Watch]
// and differ only in what they draw. See the example of package session.
package watch
