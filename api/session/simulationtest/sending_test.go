package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/ledger"
	"paydesk/api/money"
)

// initiation draws one of few payments, so that many are alike.
func initiation(arg uint64) api.Initiation {
	in := api.Initiation{Amount: money.Amount{Minor: []int64{1250, 1250, 1250, 4000}[arg%4], Currency: pounds}, Channel: api.ChannelTransfer}
	switch who := arg / 4 % 8; who {
	case 0, 1, 2, 3, 4, 5: // several have an address or a number in common
		in.Customer = api.Customer{FirstName: "Ada", LastName: "Obi", Email: []string{"ada@shop.example", "ada@shop.example", "ADA+till@shop.example", "ben@shop.example", "ben@shop.example", ""}[who],
			Phone: []string{"+442079460001", "+442079460002", "+442079460003", "+442079460002", "", "+442079460001"}[who]}
	case 6:
		in.Link = "0-spring"
	case 7:
		in.Customer.Email = "cem@shop.example"
	}
	if arg/32%4 == 0 {
		pan, err := card.ParsePAN("4242424242424242")
		if err != nil {
			panic(err)
		}
		cvv, _ := card.ParseCVV("123")
		in.Channel, in.Card = api.ChannelCard, &api.CardEntry{PAN: pan, CVV: cvv, Expiry: card.Expiry{Month: 12, Year: 2031}}
	}
	return in
}

func (c *console) collect(arg uint64) { c.sendPayment(initiation(arg>>8), nil) }

// allow sends what was held back, in spite of all that it is like, or of some of that.
func (c *console) allow(arg uint64) {
	if r := c.held; r != nil {
		c.held = nil
		switch n := len(r.ids); {
		case n > 1 && arg%4 == 0:
			r.ids = r.ids[:1]
		case n > 1 && arg%4 == 1:
			r.ids = r.ids[n-1:]
		}
		if r.link.Name != "" {
			c.sendLink(r.link, r.ids)
		} else {
			c.sendPayment(r.in, r.ids)
		}
	}
}

func (c *console) sendPayment(in api.Initiation, allowed []ledger.ID) {
	if !c.busy.CompareAndSwap(false, true) {
		return
	}
	c.begins.Store(true)
	in.Narration = c.confirm()
	c.act(Act{Did: "collect", Who: c.who.User, Console: c.name, Confirmation: in.Narration, Allowed: texts(allowed)})
	go func() {
		var id ledger.ID
		p, err := c.s.Initiate(ledger.WithNotedID(ledger.WithAllowedDuplicates(c.ctx, allowed...), &id), in)
		said := c.told(in.Narration, "collect", id, err)
		if err == nil {
			e, _ := c.s.Find(p.Reference)
			said.Reference, said.Attempt = string(p.Reference), string(e.ID)
		}
		c.end(said, err, &refused{in: in})
	}()
}

func (c *console) link(arg uint64) {
	c.sendLink(api.LinkDraft{Name: []string{"Chairs", "chairs ", "Tables"}[arg>>8%3], Amount: money.Amount{Minor: 12000, Currency: pounds}}, nil)
}

func (c *console) sendLink(l api.LinkDraft, allowed []ledger.ID) {
	if !c.busy.CompareAndSwap(false, true) {
		return
	}
	c.begins.Store(true)
	l.Description = c.confirm()
	c.act(Act{Did: "link", Who: c.who.User, Console: c.name, Confirmation: l.Description, Allowed: c.descriptions(allowed)})
	go func() {
		var id ledger.ID
		made, err := c.s.CreateLink(ledger.WithNotedID(ledger.WithAllowedDuplicates(c.ctx, allowed...), &id), l)
		said := c.told(l.Description, "link", id, err)
		said.Reference = string(made.Alias)
		c.end(said, err, &refused{link: l})
	}()
}

// descriptions are the confirmations of links, which say on the wire which is which.
func (c *console) descriptions(ids []ledger.ID) (all []string) {
	for _, id := range ids {
		if a, err := c.journal.Attempt(context.Background(), id); err == nil {
			if act := slices.IndexFunc(c.acts, func(x Act) bool { return x.Confirmation == a.Draft.Description }); act >= 0 {
				all = append(all, a.Draft.Description)
			}
		}
	}
	return all
}

func (c *console) finalize(arg uint64) {
	reference := c.anyReference(arg >> 8)
	if e, _ := c.s.Find(reference); arg>>40%2 == 0 || e.WhyNot(ledger.ToFinalize, time.Now()) == "" {
		c.sendFinalize(reference)
	}
}

func (c *console) sendFinalize(reference api.Reference) {
	if reference == "" || !c.busy.CompareAndSwap(false, true) {
		return
	}
	c.begins.Store(true)
	c.act(Act{Did: "finalize", Who: c.who.User, Console: c.name, Reference: string(reference)})
	go func() {
		var id ledger.ID
		_, err := c.s.Finalize(ledger.WithNotedID(c.ctx, &id), reference)
		said := c.told("", "finalize", id, err)
		said.Reference = string(reference)
		c.end(said, err, nil)
	}()
}

// told returns what the screen says of something that was sent, or not.
func (c *console) told(confirmation, did string, attempt ledger.ID, err error) Said {
	s := Said{Console: c.name, Confirmation: confirmation, Did: did}
	if api.OutcomeOf(err) == api.OutcomeUnresolved {
		s.Attempt = string(attempt)
	}
	_, alike := errors.AsType[*ledger.Duplicate](err)
	_, conflict := errors.AsType[*ledger.FinalizeConflict](err)
	switch o := api.OutcomeOf(err); {
	case alike, conflict:
		s.Said = "held back"
	default:
		s.Said = string(o)
	}
	return s
}

// end ends something that was sent, unless the console was killed meanwhile.
func (c *console) end(s Said, err error, r *refused) {
	if c.killed.Load() {
		return
	}
	if d, is := errors.AsType[*ledger.Duplicate](err); is && r != nil {
		for _, a := range d.Attempts {
			r.ids = append(r.ids, a.ID)
		}
		c.held = r
	}
	c.say(s)
	c.begins.Store(false)
	c.busy.Store(false)
}

func texts(ids []ledger.ID) (all []string) {
	for _, id := range ids {
		all = append(all, string(id))
	}
	return all
}
