package payment

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/collect"
	screen "paydesk/screens/payment"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// Case prints what is known about a payment as Markdown.
func (p Commands) Case() *cobra.Command {
	return command.Ends(&cobra.Command{
		Use: "case REF", Short: "Print what is known about a payment, for a ticket", Annotations: command.Takes("config", "profile", "state-dir", "no-proxy"),
		Long: "It says what we know and do not know, with its history, as Markdown. The service is asked only about a payment that\n" +
			"was not made here.",
		Example: "  paydesk case P5KQ2M7X1A > case.md",
		RunE:    onPayment(p.printCase),
	}, command.Refused, command.Unresolved, command.Locked)
}

func (p Commands) printCase(ctx context.Context, r api.Reference) error {
	profile, j, err := p.Records()
	if err != nil {
		return err
	}
	e, events, err := j.Record(ctx, command.DestinationOf(profile), r)
	p.SayNewer(j)
	if errors.Is(err, ledger.ErrNotFound) {
		e.Attempt, events, err = p.askedCase(ctx, r)
	} else if err == nil {
		p.Say("From the journal; the service was not asked.")
	}
	if err != nil {
		return err
	}
	k := report.OfAttempt(e.Attempt, events, ledger.Destination{}, time.Now())
	if p.Plain { // it is read aloud line by line
		p.Data.Pairs(report.Of(k).Pairs()...)
	} else {
		_ = report.Of(k).WriteMarkdown(p.Data, k.Now)
	}
	switch {
	case !k.LookedUp:
		return p.Undecided(e.Attempt)
	case k.Mismatch.InDoubt(): // it was not sent from here, and has no attempt to decide about
		return command.Toward(command.WhyMismatch, present.Sentence(k.Mismatch.Words(k.Asked())), "paydesk status "+string(r), "asks for it again")
	}
	return command.Problem(j.LossStands(), present.Reading, "")
}

// askedCase asks the service about a payment of which nothing was recorded.
func (p Commands) askedCase(ctx context.Context, r api.Reference) (a ledger.Attempt, events []ledger.Event, err error) {
	c, err := p.Connect(ctx)
	if err != nil {
		return a, nil, err
	}
	found, err := p.now(ctx, c, nil, r)
	if err != nil {
		return a, nil, err
	}
	known := found[0]
	if known.Live.Err != nil {
		return a, nil, &command.Refusal{Reason: known.reason(), Err: errors.New(known.says())}
	}
	e, _ := c.Find(r)
	return ledger.Attempt{
		Kind: ledger.Known, Destination: c.Here(), Reference: r, At: known.Live.AnsweredAt, AnsweredAt: known.Live.AnsweredAt, By: journal.CurrentOperator(p.Getenv),
		Amount: known.Live.Said.Amount, Status: known.Status, StatusAt: known.Live.ReportedAt, Mismatch: known.Mismatch, Received: known.Received,
	}, e.History, nil
}

// Pin keeps payments on home; with the verb unpin it takes them off.
func (p Commands) Pin(verb string) *cobra.Command {
	short := "Keep payments on home, and in the lists that offer them"
	if verb == "unpin" {
		short = "Take payments off home that were pinned"
	}
	return &cobra.Command{
		Use: verb + " REF…", Short: short,
		Long:    "The journal keeps it, for every console that shares the journal. The service is not asked.",
		Example: "  paydesk " + verb + " P5KQ2M7X1A",
		RunE: func(c *cobra.Command, args []string) error {
			all, err := p.referencesOf(c.Context(), args)
			if err != nil {
				return err
			}
			profile, j, err := p.Recorded(c.Context())
			if err != nil {
				return err
			}
			if verb == "pin" {
				if err := j.Pin(c.Context(), command.DestinationOf(profile), all...); err != nil {
					return err
				}
				p.Say("Pinned.")
				return nil
			}
			n, err := j.Unpin(c.Context(), command.DestinationOf(profile), all...)
			switch {
			case err != nil:
				return err
			case n == 0:
				return command.Refuse(command.WhyFailed, "None of these is pinned.", "Check the reference. Home lists what is pinned.")
			}
			p.Say("%s no longer pinned.", present.Count(n, "payment is", "payments are"))
			return nil
		},
	}
}

// Validate asks which channels can be used for an amount.
func (p Commands) Validate() *cobra.Command {
	var of command.AmountFlags
	c := command.Ends(&cobra.Command{
		Use: "validate [CHANNEL…] --currency C --amount A", Short: "Ask which channels accept an amount",
		Long: "The service is asked about the channels named, or about all. Nothing is changed. In a pipe the columns are alias, name and description. It\n" +
			"ends with 5 if none can be used, or not all of those named.",
		Example: "  paydesk validate --currency NGN --amount 4000\n  paydesk validate card --currency GBP --amount 12.50",
		RunE:    func(c *cobra.Command, args []string) error { return p.validate(c.Context(), of, args) },
	}, command.Refused)
	of.Add(c)
	return c
}

func (p Commands) validate(ctx context.Context, of command.AmountFlags, names []string) error {
	amount, err := of.Parse()
	if err != nil {
		return err
	}
	c, err := p.Connect(ctx)
	if err != nil {
		return err
	}
	if err := p.Unlock(ctx, c, false); err != nil {
		return err
	}
	for i, name := range names {
		names[i] = collect.TypedChannel(name)
	}
	got, err := c.ValidateChannels(ctx, amount, names...)
	if err != nil {
		return err
	}
	if p.Data.Format == output.JSON {
		o := output.Validation{Amount: output.NewMoney(amount), Valid: got.Valid, Channels: []output.Channel{}, Message: got.Message.Line(0)}
		for _, ch := range got.Channels {
			o.Channels = append(o.Channels, output.Channel{Alias: string(ch.Alias), Name: ch.Name.Line(0), Description: ch.Description.Line(0)})
		}
		p.Data.Object(o)
	} else {
		t := p.Data.Table(ui.Column{Title: "Alias", Width: 14}, ui.Column{Title: "Name", Width: 18}, ui.Column{Title: "Description"})
		for _, ch := range got.Channels {
			t.Row(output.Cells(string(ch.Alias), ch.Name.Line(0), ch.Description.Line(0))...)
		}
	}
	words := present.Problem{Detail: got.Message.Line(0), Next: "Choose one of the listed channels."}
	switch {
	case len(notListed(names, got)) > 0:
		words.What = strings.Join(notListed(names, got), ", ") + " cannot be used for " + amount.String() + ": the service does not list it."
		words.Next = "Leave the channel out to list those that can be used."
	case len(got.Channels) == 0:
		words.What, words.Next = "No channel can be used for "+amount.String()+".", "Choose another amount or currency."
	case !got.Valid:
		words.What = "The service accepts only the listed channels for " + amount.String() + "."
	default:
		return nil
	}
	return &command.Refusal{Reason: command.WhyRefused, Problem: words}
}

// notListed are the channels that were named and are not in the answer. What was named may be anything, so one that is
// not known is not repeated.
func notListed(names []string, got api.Channels) (missing []string) {
	for _, name := range names {
		listed := slices.ContainsFunc(got.Channels, func(ch api.Channel) bool { return strings.EqualFold(string(ch.Alias), name) })
		switch {
		case listed:
		case slices.Contains(api.KnownChannels[:], name):
			missing = append(missing, name)
		default:
			missing = append(missing, "A channel that was named")
		}
	}
	return slices.Compact(missing)
}

// Authenticate asks whether a card payment needs the customer at their bank.
func (p Commands) Authenticate() *cobra.Command {
	var open bool
	c := command.Ends(&cobra.Command{
		Use: "authenticate REF", Short: "Ask whether the customer's bank must approve a card payment",
		Long:    "Nothing is changed. --open serves the bank's page once, to a browser on this machine; it is never printed.",
		Example: "  paydesk authenticate P5KQ2M7X1A\n  paydesk authenticate P5KQ2M7X1A --open",
		RunE:    onPayment(func(ctx context.Context, r api.Reference) error { return p.authenticate(ctx, r, open) }),
	}, command.Refused, command.Unresolved)
	c.Flags().BoolVar(&open, "open", false, "open what the customer needs in a browser")
	return c
}

func (p Commands) authenticate(ctx context.Context, r api.Reference, open bool) error {
	c, err := p.Connect(ctx)
	if err != nil {
		return err
	}
	p.recall(ctx, c, []api.Reference{r}) // it says what cannot be read
	e, _ := c.Find(r)
	if why := e.WhyNot(ledger.ToAuthenticate, time.Time{}); why != "" {
		return command.Refuse(command.WhyRecorded, why+" Nothing was requested.", "")
	}
	got, err := c.Authenticate(ctx, r)
	if err != nil {
		return command.Problem(err, present.Reading, "")
	}
	e, ours := c.Find(r)
	if refused := e.Payment().BankAuthRefused; !refused.Empty() {
		p.Warn("The address that the service returned cannot be used: %s", refused.Line(0))
	}
	part := customersPartOf(e, &got)
	p.printAuthentication(r, got, part)
	switch {
	case e.Mismatch.InDoubt():
		next := "paydesk case " + string(r) + " says what is known."
		if ours && e.Mismatch.Undecided() {
			next += " Then decide: paydesk resolve " + string(e.ID)
		}
		return command.Refuse(command.WhyMismatch, "A mismatch: the customer should authorise nothing now. Decide about it first.", next)
	case open && part.isZero():
		p.Say("There is nothing to open.")
	case open:
		return p.openPart(ctx, part)
	case !part.page.IsZero():
		p.Say("The service returned a page of %s bytes for the customer's browser: --open serves it once.", present.Thousands(part.page.Size()))
	}
	return nil
}

func (p Commands) printAuthentication(r api.Reference, got api.Authentication, part customersPart) {
	asks := "nothing"
	if got.AsksCustomer() {
		asks = "the customer must authenticate at their bank"
	}
	o := output.Authentication{
		Reference: string(r), AsksCustomer: got.AsksCustomer(), Status: got.Status.Line(0),
		ResponseCode: got.Code.Line(0), Recommendation: got.Recommendation.Line(0),
		Message: got.Message.Line(0), URL: part.address.String(), PageBytes: part.page.Size(),
	}
	p.Data.Show(o, [][2]string{
		{"Reference", o.Reference}, {"Needed", asks}, {"Check", o.Status}, {"Response code", o.ResponseCode},
		{"Recommendation", o.Recommendation}, {"Message", o.Message}, {"Address", o.URL},
	}...)
}

// A customersPart opens at the customer's bank: an address, or a page for a browser.
type customersPart struct {
	address api.Address
	page    api.Markup
}

// of is the customer's part of a payment with the answer to its authentication check, if there is one. Nothing is
// to be opened while a mismatch is in doubt.
func customersPartOf(e session.Entry, a *api.Authentication) customersPart {
	var c customersPart
	if e.Mismatch.InDoubt() {
		return c
	}
	c.address = e.Payment().BankAuth
	if a != nil {
		c.page = a.Page
	}
	return c
}

func (c customersPart) isZero() bool { return c.address.IsZero() && c.page.IsZero() }

// openPart opens what the customer needs in a browser of this machine, and waits until a page was fetched: it is
// served once, on loopback. Without a browser its address is said, for one that reaches this machine.
func (p Commands) openPart(ctx context.Context, c customersPart) error {
	b := p.Browser()
	if c.page.IsZero() {
		if b.Unavailable != "" {
			p.Say("%s Open the address elsewhere.", b.Unavailable)
			return nil
		}
		return b.Open(ctx, c.address.String())
	}
	page, err := b.Serve(ctx, c.page)
	if err != nil {
		return err
	}
	defer page.Close()
	if err := p.offer(ctx, b, page); err != nil {
		return err
	}
	select {
	case <-page.Done():
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if !page.Served() {
		p.Say("The page expired after ten minutes without being opened.")
	}
	return nil
}

// offer opens a page that is served, or says how to reach it.
func (p Commands) offer(ctx context.Context, b screen.Browser, page screen.Page) error {
	if others := b.Unguarded(); others != "" {
		p.Warn("%s", others)
	}
	if b.Unavailable == "" {
		p.Say("Opening a browser…")
		return b.Open(ctx, page.Address())
	}
	p.Warn("%s Open this address once, in a browser that reaches this machine: %s", b.Unavailable, page.Address())
	if tunnel := b.Tunnel(page.Port()); tunnel != "" {
		p.Warn("From another machine, port %s is reached with: %s", strconv.Itoa(page.Port()), tunnel)
	}
	return nil
}
