package payment

import (
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	screen "paydesk/screens/payment"
	"paydesk/screens/present"
)

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
		return command.Sentence(why + " Nothing was requested.")
	}
	got, err := c.Authenticate(ctx, r)
	if err != nil {
		return command.Problem(err, present.Reading, "")
	}
	e, _ = c.Find(r)
	if e.Mismatch.InDoubt() {
		p.Warn("A mismatch: the customer should authorise nothing now. Decide about it first, with paydesk resolve %s.", e.ID)
	}
	if refused := e.Payment().BankAuthRefused; !refused.Empty() {
		p.Warn("The address that the service returned cannot be used: %s", refused.Line(0))
	}
	part := customersPartOf(e, &got)
	if err := p.printAuthentication(r, got, part); err != nil {
		return err
	}
	switch {
	case open && part.isZero():
		p.Say("There is nothing to open.")
	case open:
		return p.openPart(ctx, part)
	case !part.page.IsZero():
		p.Say("The service returned a page of %s bytes for the customer's browser: --open serves it once.", present.Thousands(part.page.Size()))
	}
	return nil
}

func (p Commands) printAuthentication(r api.Reference, got api.Authentication, part customersPart) error {
	asks := "nothing"
	if got.AsksCustomer() {
		asks = "the customer must authenticate at their bank"
	}
	o := output.Authentication{
		Schema: output.AuthenticationSchema, Reference: string(r), AsksCustomer: got.AsksCustomer(), Status: got.Status.Line(0),
		ResponseCode: got.Code.Line(0), Recommendation: got.Recommendation.Line(0),
		Message: got.Message.Line(0), URL: part.address.String(), PageBytes: part.page.Size(),
	}
	return p.Data.Show(o, [][2]string{
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
	if b.Unguarded != "" {
		p.Warn("%s", b.Unguarded)
	}
	if b.Unavailable == "" {
		p.Say("Opening a browser…")
		return b.Open(ctx, page.Address())
	}
	p.Warn("%s Open this address once, in a browser that reaches this machine: %s", b.Unavailable, page.Address())
	if b.Tunnel != nil {
		if tunnel := b.Tunnel(page.Port()); tunnel != "" {
			p.Warn("From another machine, port %s is reached with: %s", strconv.Itoa(page.Port()), tunnel)
		}
	}
	return nil
}
