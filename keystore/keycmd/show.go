package keycmd

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"paydesk/keystore"
)

// show tells about the key, and never the key.
func (d CLI) show(ctx context.Context, o options) int {
	p, ok := d.profile(o)
	if !ok {
		return exitUsage
	}
	k, err := d.get(ctx, o, p)
	if errors.As(err, &signalled{}) {
		return exitFailed
	}
	d.printf("profile      %s, declared %s", p.Name, p.Environment)
	d.printf("source       %s", p.Source)
	if err != nil {
		d.printf("key          none: %s", err)
		if errors.Is(err, keystore.ErrAsk) {
			return 0
		}
		return exitFailed
	}
	four := k.LastFour()
	if four == "" {
		four = "there; too short for its last four to be shown"
	}
	d.printf("key          %s", four)
	if at, ok := d.workedAt(p.Name, k); ok {
		d.printf("last worked  %s, when paydesk key set or doctor tried it", at.UTC().Format(time.DateTime+" UTC"))
	} else {
		d.printf("last worked  not recorded; paydesk key doctor tries it")
	}
	return 0
}

// get gives the key, with the help of a person where there is one.
func (d CLI) get(ctx context.Context, o options, p keystore.Profile) (keystore.Key, error) {
	s := d.Sources(filepath.Dir(o.config))(p)
	k, err := s.Get(ctx, p.Name)
	if err != nil && d.atTerminal() {
		return d.prompt(ctx, s, p, err)
	}
	return k, err
}
