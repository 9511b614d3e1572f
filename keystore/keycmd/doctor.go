package keycmd

import (
	"context"
	"path/filepath"
	"time"

	"github.com/charmbracelet/x/term"

	"paydesk/keystore/doctor"
)

// accepted is the name of the step in which the service takes the key.
const accepted = "key accepted"

// paper is the width of a report that is not written to a terminal.
const paper = 100

// doctor explains what works on this host.
func (d CLI) doctor(ctx context.Context, o options) int {
	e := doctor.Examination{
		Config: o.config, Profile: o.profile, Folder: d.State, Out: d.Out, Environ: d.Environ,
		Store: d.Sources(filepath.Dir(o.config)), Network: d.Network, Browser: d.Browser, Clean: d.Clean,
	}
	if d.atTerminal() {
		e.Ask = d.ask
	}
	r := e.Run(ctx)
	if r.Has(accepted, doctor.OK) {
		d.note(r.Profile, r.Key, time.Now())
	}
	var err error
	if o.json {
		err = r.WriteJSON(d.Out)
	} else {
		width, _, unknown := term.GetSize(d.Out.Fd())
		if unknown != nil || width <= 0 {
			width = paper
		}
		err = r.WriteText(d.Out, min(width, paper))
	}
	if err != nil || r.Count(doctor.Failed) > 0 {
		return exitFailed
	}
	return 0
}
