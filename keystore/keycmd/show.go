package keycmd

import (
	"context"
	"errors"
	"time"

	"paydesk/keystore"
)

// show describes the key without showing it.
func (c CLI) show(ctx context.Context, o options, p keystore.Profile) int {
	s := c.stores(o)(p)
	k, err := s.Get(ctx, p.Name)
	if err != nil && c.atTerminal() {
		k, err = c.prompt(ctx, s, p, err)
	}
	if errors.As(err, &signalled{}) {
		return exitFailed
	}
	c.printf("profile      %s, environment %s", p.Name, p.Environment)
	c.printf("source       %s", p.Source)
	if err != nil {
		c.printf("key          none: %s", err)
		if errors.Is(err, keystore.ErrAsk) {
			return 0
		}
		return exitFailed
	}
	four := k.LastFour()
	if four == "" {
		four = "present; too short to show its last four"
	}
	c.printf("key          %s", four)
	if at, ok := c.workedAt(p.Name, k); ok {
		c.printf("last worked  %s, when paydesk key set or doctor verified it", at.UTC().Format(time.DateTime+" UTC"))
	} else {
		c.printf("last worked  not recorded; paydesk key doctor verifies it")
	}
	return 0
}
