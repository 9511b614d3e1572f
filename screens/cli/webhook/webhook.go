// Package webhook has the commands for webhooks: listen.go and arriving.go receive them; the others list, show and replay what came,
// and check for the doctor whether any can come.
package webhook

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	neturl "net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// Webhook shows what listen and the console received.
func (p Commands) Webhook() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "webhook", Short: "List, show and replay received webhooks",
		Long: "paydesk listen and the console receive them. A webhook is not signed; the verdict says what the status endpoint says\n" +
			"about it (paydesk help webhooks).",
	}, p.listCommand(), p.showCommand(), p.replayCommand(), p.pathCommand())
}

// An inbox keeps the webhooks of a profile.
type inbox struct {
	*webhook.Store
	profile keystore.Profile
	dir     string           // keeps the secret path too
	journal *journal.Journal // opened when it is first used
}

// inbox opens where the webhooks of the profile are kept: without its key, and without the network.
func (p Commands) inbox() (inbox, error) {
	c, profile, err := p.Selected()
	if err != nil {
		return inbox{}, err
	}
	return p.inboxOf(profile, p.Journals(c))
}

func (p Commands) inboxOf(profile keystore.Profile, js *screens.Journals) (inbox, error) {
	s := js.Events(profile)
	if s == nil {
		return inbox{}, command.Sentence(screens.NoInbox(profile))
	}
	return inbox{s, profile, p.Folder(), js.ForProfile(profile)}, nil
}

// compare looks up whether a success that the service reported for an event counts: it does not where an answer about the payment
// differed.
func (in inbox) compare(ctx context.Context, r *webhook.Record) {
	one := []webhook.Record{*r}
	screens.CompareAnswers(ctx, one, func(ctx context.Context) (map[api.Reference]ledger.Mismatch, error) {
		return in.journal.Differing(ctx, command.DestinationOf(in.profile))
	})
	*r = one[0]
}

// listensAt returns the address that the profile gives webhooks.
func listensAt(profile keystore.Profile) string {
	return cmp.Or(profile.WebhookListen, webhook.DefaultAddress)
}

// pathCommand prints where webhooks are to be sent.
func (p Commands) pathCommand() *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Print the URL for webhooks", Annotations: command.Takes("config", "profile", "state-dir"),
		Long: "paydesk listen and the console receive them there, on this machine. Whoever knows it can post, so give it to the\n" +
			"sender alone; it stays the same. The sender reaches it through a proxy or ssh -R (paydesk help webhooks).",
		Example: "  paydesk webhook path",
		RunE: func(c *cobra.Command, _ []string) error {
			in, err := p.inbox()
			if err != nil {
				return err
			}
			url, err := in.url(c.Context())
			if err == nil {
				p.Data.Line(url)
			}
			return err
		},
	}
}

// url returns the URL for webhooks on this machine.
func (in inbox) url(ctx context.Context) (string, error) {
	path, err := webhook.Path(in.dir, in.profile.Name)
	if err != nil {
		return "", err
	}
	if running := webhook.Announced(ctx, in.dir, in.profile.Name); running != "" {
		return "http://" + running + path, nil
	}
	host, port, err := net.SplitHostPort(listensAt(in.profile))
	if ip, no := netip.ParseAddr(host); host == "" || no == nil && ip.IsUnspecified() { // it listens there too
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + path, err
}

// event returns the event that an argument names.
func (in inbox) event(ctx context.Context, arg string) (d webhook.Detail, err error) {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id <= 0 {
		return d, command.Wrong("The ID of an event is a number, as paydesk webhook list prints it.")
	}
	if d, err = in.Get(ctx, in.profile.Name, id); errors.Is(err, webhook.ErrNotFound) {
		err = command.Toward(command.WhyNotFound, "There is no such event in the inbox of this profile.", "paydesk webhook list", "lists them")
	}
	return d, err
}

// sendingObject returns a sending to a target as JSON.
func sendingObject(f webhook.Forward) output.Sending {
	return output.Sending{
		At: output.Time(f.At), Target: present.Plain(f.Target), Replay: f.Replay, Accepted: f.Problem == "", Answer: f.Status,
		Milliseconds: f.Took.Milliseconds(), Problem: masked(f.Problem),
	}
}

// masked returns text from outside on one line, with what looks like a card number masked.
func masked(s string) string { return card.Redact(present.Plain(s)) }

// headersOf returns the lines of a header, sorted by name.
func headersOf(h map[string][]string) []output.Header {
	all := []output.Header{}
	for name, values := range h {
		for _, v := range values {
			all = append(all, output.Header{Name: masked(name), Value: masked(v)})
		}
	}
	slices.SortStableFunc(all, func(a, b output.Header) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Check tells the doctor whether this machine receives webhooks. It makes no path: where there is none yet, nothing has
// ever received them.
func (p Commands) Check(ctx context.Context, of keystore.Profile) keystore.Finding {
	c, at := keystore.Finding{Name: "webhooks", State: keystore.Skipped}, listensAt(of)
	dir, err := journal.Dir(p.Global.State, p.Getenv)
	if of.Journal == "off" || err != nil {
		c.Message = "not checked: without a journal none are kept"
		return c
	}
	url := "http://" + at + "/"
	if used := webhook.HasPath(dir, of.Name); used {
		url, err = inbox{profile: of, dir: dir}.url(ctx)
	} else if of.WebhookListen == "" {
		c.Message = "not received here; paydesk listen would"
		return c
	}
	if err != nil {
		return keystore.Finding{Name: c.Name, State: keystore.Failed, Message: err.Error(), Fix: "until then no webhook is received"}
	}
	switch found := webhook.Probe(ctx, url); {
	case found == webhook.Ours:
		if u, err := neturl.Parse(url); err == nil { // which paydesk listen may have been told
			at = u.Host
		}
		c.State, c.Message = keystore.OK, "received at "+at
	case found == webhook.Other:
		c.State, c.Message, c.Fix = keystore.Warning, "another program listens at "+at, "stop it, or choose another address: webhook_listen in the profile"
	case of.WebhookListen == "":
		c.Message = "nothing listens at " + at + "; paydesk listen receives there"
	default:
		c.State, c.Message, c.Fix = keystore.Warning, "nothing listens at "+at, "start paydesk listen, or open the console with this profile"
	}
	return c
}
