package webhook

import (
	"context"

	"paydesk/api"
)

// An Asker asks the service about payments.
type Asker interface {
	// Known are those of the references that the journal or a pin has.
	Known(ctx context.Context, references []api.Reference) (map[api.Reference]bool, error)
	// Ask requests the status of a payment. known is what [Asker.Known] said of it: of one that is not known nothing but the
	// answer is kept.
	Ask(ctx context.Context, r api.Reference, known bool) Answer
}

// Verify asks about the payments of the events of a profile until ctx ends, and stores the answers. Of several processes that
// verify the same file, one asks about each reference.
func Verify(ctx context.Context, s *Store, profile string, a Asker) error { return errUnbuilt }
