package cli

import (
	"context"
	neturl "net/url"

	"paydesk/api/journal"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/keystore/doctor"
)

// receiverCheck is whether webhooks are received on this machine. It makes no path: where there is none yet, nothing has
// ever received them.
func (p *program) receiverCheck(ctx context.Context, of keystore.Profile) doctor.Check {
	c, at := doctor.Check{Name: "webhooks", State: doctor.Skipped}, listensAt(of)
	dir, err := journal.Dir(p.global.state, p.Getenv)
	if of.Journal == "off" || err != nil {
		c.Words = "not checked: without a journal none are kept"
		return c
	}
	url := "http://" + at + "/"
	if used := webhook.HasPath(dir, of.Name); used {
		url, err = inbox{profile: of, dir: dir}.url(ctx)
	} else if of.WebhookListen == "" {
		c.Words = "not received here; paydesk listen would"
		return c
	}
	if err != nil {
		return doctor.Check{Name: c.Name, State: doctor.Failed, Words: err.Error(), Do: "until then no webhook is received"}
	}
	switch found := webhook.Probe(ctx, url); {
	case found == webhook.Ours:
		if u, err := neturl.Parse(url); err == nil { // which paydesk listen may have been told
			at = u.Host
		}
		c.State, c.Words = doctor.OK, "received at "+at
	case found == webhook.Other:
		c.State, c.Words, c.Do = doctor.Warning, "another program listens at "+at, "stop it, or choose another address: webhook_listen in the profile"
	case of.WebhookListen == "":
		c.Words = "nothing listens at " + at + "; paydesk listen receives there"
	default:
		c.State, c.Words, c.Do = doctor.Warning, "nothing listens at "+at, "start paydesk listen, or open the console with this profile"
	}
	return c
}
