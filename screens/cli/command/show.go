package command

import (
	"context"
	"errors"
	"os"
	"time"

	"paydesk/keystore"
	"paydesk/keystore/doctor"
)

// Show describes the key without showing it. A key that is typed at each start is missing by design,
// so the command succeeds.
func (c Keys) Show(ctx context.Context, p keystore.Profile) error {
	s := c.Store(p)
	k, err := s.Get(ctx, p.Name)
	if err != nil && c.atTerminal() {
		k, err = c.Prompt(ctx, s, p, err)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.printf("profile      %s, environment %s", p.Name, p.Environment)
	c.printf("source       %s", p.Source)
	c.printf("sent to      %s", addresses(p))
	if errors.Is(err, keystore.ErrElsewhere) {
		c.printf("key          not used: %s", err)
		c.printf("             open the profile with paydesk, which asks about it; or correct the profile")
		return ErrReported
	}
	if err != nil {
		c.printf("key          none: %s", err)
		if errors.Is(err, keystore.ErrAsk) {
			return nil
		}
		return ErrReported
	}
	four := k.LastFour()
	if four == "" {
		four = "present; too short to show its last four"
	}
	c.printf("key          %s", four)
	if at, ok := c.workedAt(p.Name, k); ok {
		c.printf("last worked  %s, when paydesk key set or doctor verified it", at.UTC().Format(time.DateTime+" UTC"))
	} else {
		c.printf("last worked  not recorded; paydesk doctor verifies it")
	}
	return nil
}

// keyAccepted is the name of the check in which the service accepts the key.
const keyAccepted = "key accepted"

// Doctor checks what works on this host. It prompts only where standard input is a terminal. The profile
// may be one that does not exist: the doctor selects it, and reports what is wrong.
func (c Keys) Doctor(ctx context.Context, profile string) doctor.Report {
	out, _ := c.Out.(*os.File)
	e := doctor.Examination{
		Config: c.Config, Profile: profile, StateDir: c.State, Elsewhere: c.Others, Out: out,
		Store: c.Store, Network: c.Network, Browser: c.Browser, Clean: c.Clean,
	}
	if c.atTerminal() {
		e.Prompt = c.Prompt
	}
	r := e.Run(ctx)
	if r.Has(keyAccepted, doctor.OK) {
		c.recordWorked(r.Profile, r.Key, time.Now())
	}
	return r
}
