package payment

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"paydesk/api"
	"paydesk/api/card"
	"paydesk/api/session"
	"paydesk/screens/cli/command"
	"paydesk/screens/collect"
	"paydesk/screens/present"
)

// maxCard is the longest card that is read from stdin, in bytes.
const maxCard = 256

var errTyped = command.Wrong("--card-stdin reads a file or a pipe: what is typed for it at a terminal would be shown. Leave it out, and the card is asked for without being shown. Nothing was read or sent.")

// mayChargeCard returns nil where a card may be read here: nothing is asked for, and nothing is read from stdin, where
// it may not be charged.
func (k *collection) mayChargeCard(context.Context) error {
	if k.entry.Channel != api.ChannelCard {
		return nil
	}
	live := k.c.Gate.Live()
	switch {
	case live && k.o.cardStdin:
		return command.Refuse(command.WhyLocked, "--card-stdin is for test profiles only: where real money moves, a person types the card at a terminal. Nothing was read or sent.", command.AtATerminal)
	case k.o.cardStdin && command.IsTerminal(k.p.In):
		return errTyped
	case live && !k.c.Profile.AllowCardEntry:
		return command.Problem(&session.GateClosed{Reason: session.CardsDisabled}, present.Sending, "")
	case !live && !k.o.cardStdin && !k.p.Ask.Available(): // where real money moves, sending is unlocked first
		return command.Wrong("A card is typed by a person at a terminal; in a test profile --card-stdin reads it. Nothing was sent.")
	}
	return nil
}

// readCard reads the card of a payment that charges one: typed at the terminal, or from stdin in test.
func (k *collection) readCard(ctx context.Context) error {
	if k.entry.Channel != api.ChannelCard {
		return nil
	}
	read := k.p.typeCard
	if k.o.cardStdin {
		read = k.p.pipeCard
	}
	k.in.Card = &api.CardEntry{} // wiped in the end, whatever is wrong with it
	err := read(ctx, k.in.Card)
	if err == nil {
		err = collect.CheckCard(*k.in.Card, time.Now())
	}
	switch {
	case err == nil, command.IsSignal(err):
		return err
	case errors.As(err, new(*command.Refusal)):
		return err
	}
	return command.Wrong("The card: " + present.Sentence(err.Error()) + " Nothing was sent.")
}

// cardParts are the parts of a card: how each is asked for, and how it is read. None is shown.
func cardParts(c *api.CardEntry) []cardPart {
	return []cardPart{
		{"Card number, not shown:", func(b []byte) (err error) { c.PAN, err = card.ParsePAN(string(b)); return }},
		{"Expiry as MM/YY, not shown:", func(b []byte) (err error) { c.Expiry, err = card.ParseExpiry(string(b)); return }},
		{"CVV, not shown:", func(b []byte) (err error) { c.CVV, err = card.ParseCVV(string(b)); return }},
	}
}

type cardPart struct {
	question string
	parse    func([]byte) error
}

// typeCard asks for the parts of a card, each until it can be read. q in plain mode, and the end of the input, give up.
// Another error says itself why nothing can be read.
func (p Commands) typeCard(ctx context.Context, c *api.CardEntry) error {
	for parts := cardParts(c); len(parts) > 0; {
		line, err := p.Ask.Hidden(ctx, parts[0].question)
		typed := bytes.TrimSpace(line)
		switch {
		case command.IsSignal(err):
			return err
		case errors.Is(err, io.EOF), p.Plain && string(typed) == "q":
			clear(line)
			return command.ErrDeclined
		case err != nil:
			return command.Refuse(command.WhyFailed, present.Sentence(err.Error())+" Nothing was sent.", "")
		}
		err = parts[0].parse(typed)
		clear(line)
		if err == nil {
			parts = parts[1:]
		} else {
			p.Warn("%s", present.Sentence(err.Error()))
		}
	}
	return nil
}

// pipeCard reads the parts of a card from stdin, a line each.
func (p Commands) pipeCard(ctx context.Context, c *api.CardEntry) error {
	b, err := p.ReadIn(ctx, maxCard, errTyped)
	defer clear(b)
	if err != nil {
		return err
	}
	lines, parts := bytes.Split(bytes.TrimSpace(b), []byte("\n")), cardParts(c)
	if len(b) > maxCard || len(lines) != len(parts) {
		return errors.New("stdin needs three lines: the card's number, its expiry as MM/YY, its CVV")
	}
	for i, part := range parts {
		if err := part.parse(bytes.TrimSpace(lines[i])); err != nil {
			return err
		}
	}
	return nil
}

// confirmCard asks about a card in test that may be a real one. Without a person at a terminal the gate stops it.
func (k *collection) confirmCard(ctx context.Context) error {
	c := k.in.Card
	if c == nil || !k.c.Gate.DoubtsCard(c.PAN) || !k.p.Ask.Person() {
		return nil
	}
	if err := k.p.Typed(ctx, collect.MayBeReal+" Type real to send it:", "real"); err != nil {
		return err
	}
	k.c.Gate.ConfirmCard(c.PAN)
	return nil
}
