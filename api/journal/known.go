package journal

import (
	"context"

	"paydesk/api"
)

// KnownPayments returns those of the payments at a destination that were made or looked up from here, or are pinned.
func (j *Journal) KnownPayments(ctx context.Context, d Destination, payments []api.Reference) (map[api.Reference]bool, error) {
	return ask(ctx, j, func(t *readTx) (map[api.Reference]bool, error) {
		known := map[api.Reference]bool{}
		pinned, err := t.pins(d)
		if err != nil {
			return nil, err
		}
		for _, p := range pinned {
			known[p.Reference] = true
		}
		for _, r := range payments {
			if known[r] {
				continue
			}
			made, err := t.payments(d, r)
			if err != nil {
				return nil, err
			}
			known[r] = len(made) > 0
			if known[r] {
				continue
			}
			switch _, err := t.lookup(d, r); err {
			case nil:
				known[r] = true
			case ErrNotFound:
			default:
				return nil, err
			}
		}
		return known, nil
	})
}
