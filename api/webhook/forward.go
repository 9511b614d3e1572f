package webhook

import "context"

// A Target is where events are passed on to.
type Target struct{}

// ParseTarget checks a URL: http or https, on loopback, or one of those that the profile names.
func ParseTarget(url string, named []string) (Target, error) { return Target{}, errBusy }

// String is the URL.
func (t Target) String() string { return "" }

// Send sends an event to a target exactly as it came, once. It does not store the result. A masked event is not sent: the
// problem of the result says so.
func (t Target) Send(ctx context.Context, d Detail) Forward { return Forward{} }

// Pass sends each delivery after one to all targets, in order, until ctx ends, stores the results and reports each. A sending that
// fails is not repeated.
func Pass(ctx context.Context, s *Store, profile string, after int64, targets []Target, report func(Delivered, Forward)) error {
	return errBusy
}

// Replay sends stored events to a target again, in the order given, and stores and reports the results. It ends early with ctx.
func Replay(ctx context.Context, s *Store, profile string, t Target, ids []int64, report func(Record, Forward)) error {
	return errBusy
}
