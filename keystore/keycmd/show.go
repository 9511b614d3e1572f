package keycmd

import (
	"context"
	"errors"
	"time"

	"github.com/charmbracelet/x/term"

	"paydesk/keystore"
	"paydesk/keystore/doctor"
)

// show describes the key without showing it. A key that is typed at each start is missing by design,
// so the command succeeds.
func (c CLI) show(ctx context.Context, o options, p keystore.Profile) int {
	s := c.stores(o)(p)
	k, err := s.Get(ctx, p.Name)
	if err != nil && c.atTerminal() {
		k, err = c.Prompt(ctx, s, p, err)
	}
	if errors.As(err, &signalled{}) {
		return exitFailed
	}
	c.printf("profile      %s, environment %s", p.Name, p.Environment)
	c.printf("source       %s", p.Source)
	c.printf("sent to      %s", addresses(p))
	if errors.Is(err, keystore.ErrElsewhere) {
		c.printf("key          not used: %s", err)
		c.printf("             open the profile with paydesk, which asks about it; or correct the profile")
		return exitFailed
	}
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

// keyAccepted is the name of the check in which the service accepts the key.
const keyAccepted = "key accepted"

// maxReportWidth is the width of a report, and its width where the output is not a terminal.
const maxReportWidth = 100

// doctor checks what works on this host. Nobody can be prompted unless standard input is a terminal.
// The exit code tells a script whether a check failed; warnings do not count.
func (c CLI) doctor(ctx context.Context, o options) int {
	e := doctor.Examination{
		Config: o.config, Profile: o.profile, StateDir: c.State, Out: c.Out,
		Store: c.stores(o), Network: c.Network, Browser: c.Browser, Clean: c.Clean,
	}
	if c.atTerminal() {
		e.Prompt = c.Prompt
	}
	r := e.Run(ctx)
	if r.Has(keyAccepted, doctor.OK) {
		c.recordWorked(r.Profile, r.Key, time.Now())
	}
	var err error
	if o.json {
		err = r.WriteJSON(c.Out)
	} else {
		width, _, unknown := term.GetSize(c.Out.Fd())
		if unknown != nil || width <= 0 {
			width = maxReportWidth
		}
		err = r.WriteText(c.Out, min(width, maxReportWidth))
	}
	if err != nil || r.Count(doctor.Failed) > 0 {
		return exitFailed
	}
	return 0
}
