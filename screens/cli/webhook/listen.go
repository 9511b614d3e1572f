package webhook

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/cli/command"
	"paydesk/screens/present"
)

// listenOptions are the flags of listen.
type listenOptions struct {
	address       string
	anyAddress    bool
	where         string
	targets       []string
	withoutChecks bool
}

// Listen receives webhooks until it is stopped.
func (p Commands) Listen() *cobra.Command {
	var o listenOptions
	c := &cobra.Command{
		Use: "listen", Short: "Receive webhooks, check them, and forward them",
		Long: "They are kept for paydesk webhook and the console. The service is asked about each payment, because a webhook is not\n" +
			"signed, and the verdict is printed.\n\n" +
			"It listens on this machine only; paydesk help webhooks says how webhooks get here, and has a unit for systemd. In a\n" +
			"pipe the columns are time, delivery, verdict or forward, ID, event, reference, amount, currency, verdict or answer,\n" +
			"and the target.",
		Example: "  paydesk listen --forward-to http://127.0.0.1:3000/hooks\n" +
			"  paydesk listen --forward-to 'http://127.0.0.1:3000/paid where status:successful' --forward-to 'http://127.0.0.1:3001/ where -status:successful'\n" +
			"  paydesk listen --json | jq -r 'select(.verdict == \"disagrees\") | .reference'",
		RunE: func(c *cobra.Command, _ []string) error { return p.listen(c.Context(), o) },
	}
	f := c.Flags()
	f.StringVar(&o.address, "listen", "", "the `ADDRESS` to listen on; else webhook_listen of the profile, or "+webhook.DefaultAddress)
	f.BoolVar(&o.anyAddress, "insecure-any-address", false, "allow an address that other machines can reach, without encryption")
	f.StringVar(&o.where, "where", "", "print "+whereEvents)
	f.StringArrayVar(&o.targets, "forward-to", nil, "forward each webhook as it came to a `URL`, or 'URL where QUERY'; may be repeated"+targetHelp)
	f.BoolVar(&o.withoutChecks, "no-check", false, "do not ask the service about the payments, and do not read the key")
	return c
}

func (p Commands) listen(ctx context.Context, o listenOptions) error {
	c, profile, err := p.Selected()
	if err != nil {
		return err
	}
	js := p.Journals(c)
	in, err := p.inboxOf(profile, js)
	if err != nil {
		return err
	}
	l := p.listening(in)
	if l.where, err = p.ReadQuery("--where", webhook.Language(command.Today), o.where); err != nil {
		return err
	}
	for _, to := range o.targets {
		t, err := p.listenTarget(in, to)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(l.targets, func(o webhook.Target) bool { return o.String() == t.String() }) {
			return command.Wrong("--forward-to names a target twice: give each target one query.")
		}
		l.targets = append(l.targets, t)
	}
	if l.last, err = in.Newest(ctx, profile.Name); err != nil {
		return err
	}
	if _, l.judged, err = in.Judged(ctx, profile.Name, math.MaxInt64, 1); err != nil {
		return err
	}
	profile.WebhookListen = cmp.Or(o.address, listensAt(profile))
	profile.WebhookAnyAddress = profile.WebhookAnyAddress || o.anyAddress
	r, err := js.Receive(context.WithoutCancel(ctx), profile)
	if err != nil {
		return listenError(profile.WebhookListen, err)
	}
	defer r.Close()
	if u, err := url.Parse("http://" + profile.WebhookListen); err == nil && !api.IsLoopback(u.Hostname()) {
		p.Warn("Other machines can reach this address, and what they send is not encrypted.")
	}
	if !o.withoutChecks {
		if l.check, err = p.checker(ctx, profile, js); err != nil {
			return err
		}
	}
	l.run(ctx, r)
	return nil
}

// listenTarget reads a target, and which events it is sent: "URL where QUERY".
func (p Commands) listenTarget(in inbox, text string) (webhook.Target, error) {
	to, where, some := strings.Cut(text, " where ")
	t, err := in.target(strings.TrimSpace(to))
	if err != nil || !some {
		return t, err
	}
	if t.Where, err = p.ReadQuery("the query of --forward-to", webhook.Language(command.Today), where); err != nil {
		return t, err
	}
	if part := webhook.KnownLater(t.Where); part != "" {
		return t, command.Wrong("Targets are chosen when a webhook arrives, before " + part + " is known: leave it out of the query.")
	}
	return t, nil
}

// checker opens a session that asks about the payments. Without a key it says so and returns nil: webhooks are kept all
// the same.
func (p Commands) checker(ctx context.Context, profile keystore.Profile, js *screens.Journals) (*command.Connection, error) {
	key, source, err := p.Key(ctx, profile)
	switch {
	case command.IsSignal(err):
		return nil, err
	case err != nil:
		p.Warn("paydesk: %s", strings.TrimSuffix(err.Error(), " Nothing was requested."))
		p.Say("Webhooks are received but not checked. --no-check looks for no key.")
		return nil, nil
	}
	return p.Open(ctx, profile, key, source, js)
}

// run says what is received until ctx ends: by a signal, or because nothing can be printed any more.
func (l *listening) run(ctx context.Context, r *webhook.Receiver) {
	if u, err := url.Parse(r.URL()); err == nil {
		forget, err := webhook.Announce(l.dir, l.profile.Name, u.Host)
		if err != nil {
			l.p.Warn("paydesk: paydesk webhook path may print another address than this one: %s", err)
		}
		defer forget()
	}
	l.sayReady(r.URL())
	if err := tellSystemd(l.p.Getenv, "READY=1"); err != nil {
		l.p.Warn("paydesk: systemd was not told that webhooks are received: %s", err)
	}
	l.work(ctx)
	_ = r.Close() // answers the requests under way
	l.news(context.WithoutCancel(ctx))
	l.sayEnd(r.Counts())
}

// work prints, checks and passes on what arrives until ctx ends.
func (l *listening) work(ctx context.Context) {
	from := l.last
	var all sync.WaitGroup
	all.Go(func() { l.follow(ctx) })
	all.Go(func() { l.sayTrouble(ctx) })
	if l.check != nil {
		all.Go(func() { _ = l.check.VerifyEvents(ctx) }) // its error is that ctx has ended
	}
	for _, t := range l.targets {
		all.Go(func() {
			forwarded := func(d webhook.Delivered, f webhook.Forward) { l.forwarded(ctx, d, f) }
			webhook.Pass(ctx, l.Store, l.profile.Name, from, t, forwarded, func(err error) { // it goes on where it was
				l.p.Warn("paydesk: Nothing is forwarded to %s for now: %s", withoutQuery(t.String()), err)
			})
		})
	}
	all.Wait()
}

// sayTrouble says when events cannot be stored, and when they can again, until ctx ends.
func (l *listening) sayTrouble(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	rejected := false
	for said, aside := "", ""; ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		now := ""
		if err := l.Trouble(); err != nil {
			now = err.Error()
		}
		switch {
		case now != "" && now != said:
			l.p.Warn("paydesk: Webhooks are answered 503 and not kept: %s", now)
		case now == "" && said != "":
			l.p.Warn("paydesk: Webhooks are kept again.")
		}
		said = now
		if now := l.check != nil && l.check.KeyRejected(); now != rejected {
			rejected = now
			if now {
				l.p.Warn("paydesk: The service rejects the key: payments are checked every ten minutes until it accepts one. After you store another key, start paydesk listen again.")
			} else {
				l.p.Warn("paydesk: The service accepts the key again.")
			}
		}
		if name := l.Replaced(); name != aside {
			aside = name
			l.p.Warn("paydesk: The inbox was damaged. It was saved as %s, and a new one was started.", name)
		}
	}
}

// listenError words an error of receiving, with the way out.
func listenError(address string, err error) error {
	used, is := errors.AsType[*webhook.InUse](err)
	switch {
	case is && used.Ours:
		return command.Refuse(command.WhyAddress, "Another paydesk receives the webhooks of this profile at "+used.Address+" already: a console, or paydesk listen.",
			"What it receives is in the same inbox: paydesk webhook list. Stop it first; or add --listen 127.0.0.1:0, which prints and forwards what arrives there too.")
	case is:
		return command.Refuse(command.WhyAddress, "Another program listens at "+used.Address+".", "Choose another address with --listen, or with webhook_listen in the profile.")
	}
	return command.Unlistenable(address, err)
}

// sayReady says where webhooks are received. A log gets no whole URL: its readers need not be able to post events.
func (l *listening) sayReady(address string) {
	environment := strings.ToUpper(string(l.profile.Environment))
	if command.IsTerminal(l.p.Err) {
		l.p.Say("Listening for %s (%s). Press ctrl+c to stop. Webhooks go to:", l.profile.Name, environment)
		l.p.Talk(0, address) // not broken: it is copied
	} else if u, err := url.Parse(address); err == nil {
		l.p.Say("Listening for %s (%s) at http://%s/hooks/… (paydesk webhook path prints the URL).", l.profile.Name, environment, u.Host)
	}
	checked := "Statuses are not checked."
	if l.check != nil {
		checked = "Each is checked at " + l.check.Target.Host + "."
	}
	l.p.Say("What they say is not verified. %s", checked)
	for _, t := range l.targets {
		some := ""
		if len(t.Where.Terms) > 0 {
			some = ", where its query is met"
		}
		l.p.Say("Forwarded to %s%s", withoutQuery(t.String()), some)
	}
}

// sayEnd says what was received.
func (l *listening) sayEnd(c webhook.Counts) {
	words := present.Count(int(c.Kept), "delivery was", "deliveries were") + " received"
	if c.Rejected > 0 {
		words += ", " + present.Thousands(int(c.Rejected)) + " rejected"
	}
	if c.Failed > 0 {
		words += ", " + present.Thousands(int(c.Failed)) + " could not be stored"
	}
	l.p.Say("%s.", words)
	for _, t := range l.targets {
		if n := l.notPassed(t.String()); n > 0 {
			l.p.Say("%s not forwarded to %s: paydesk webhook replay sends them.", present.Count(n, "delivery was", "deliveries were"), withoutQuery(t.String()))
		}
	}
}

// withoutQuery returns a target as a log may have it: a query may have a token.
func withoutQuery(target string) string {
	address, _, _ := strings.Cut(target, "?")
	return address
}

// tellSystemd tells systemd about a service of Type=notify; elsewhere it does nothing.
func tellSystemd(getenv func(string) string, state string) error {
	name := getenv("NOTIFY_SOCKET")
	if name == "" {
		return nil
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"}) // of an abstract name, too
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write([]byte(state))
	return err
}
