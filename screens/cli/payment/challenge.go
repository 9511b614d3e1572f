package payment

import (
	"context"
	"strconv"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/challenge"
)

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
func (p Commands) offer(ctx context.Context, b challenge.Browser, page challenge.Page) error {
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
