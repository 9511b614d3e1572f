package keycmd

import (
	"context"
	"time"

	"github.com/charmbracelet/x/term"

	"paydesk/keystore/doctor"
)

// keyAccepted is the name of the check in which the service accepts the key.
const keyAccepted = "key accepted"

// maxReportWidth is the width of a report, and its width where the output is not a terminal.
const maxReportWidth = 100

// doctor checks what works on this host.
func (c CLI) doctor(ctx context.Context, o options) int {
	e := doctor.Examination{
		Config: o.config, Profile: o.profile, StateDir: c.State, Out: c.Out, Environ: c.Environ,
		Store: c.stores(o), Network: c.Network, Browser: c.Browser, Clean: c.Clean,
	}
	if c.atTerminal() {
		e.Prompt = c.prompt
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
