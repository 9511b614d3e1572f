package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"paydesk/api/gate"
	"paydesk/screens/present"
)

// confirm asks before something is done, unless --yes stands for the answer. nothing says that it was not done, and doing what --yes does.
func (p *program) confirm(ctx context.Context, question string, yes bool, nothing, doing string) error {
	switch {
	case yes:
		return nil
	case !p.ask.Available():
		return refuse(unconfirmed, nothing+" It has to be confirmed first.", "Add --yes to "+doing+".")
	}
	err := p.yes(ctx, question)
	if errors.Is(err, errDeclined) {
		return &refusal{reason: declined, err: sentence(nothing)}
	}
	return err
}

// A sending is a request that changes something, as a person confirms it.
type sending struct {
	question string      // "Create this link?"
	facts    [][2]string // what is confirmed, a line each
	typed    string      // in live it is typed besides the profile's name: the amount, or the reference where there is none
	yes      bool        // --yes
}

// errNoPerson is the error of sending live without a terminal.
var errNoPerson = refuse(locked, "Real money moves here, so sending needs a person at a terminal: the profile's name and the amount are typed. Nothing was sent.", "")

// errLiveYes is the error of --yes where it does not stand for typing.
var errLiveYes = usage("--yes is for test: where real money moves, the profile's name and the amount are typed. Nothing was sent.")

const errDeclined sentence = "Nothing was sent."

// allow asks for whatever a request that changes something needs, as the screens do: the environment has
// to be clear, and a person confirms it. Where real money moves, they type the profile's name and the
// amount; --yes does not stand for that.
func (p *program) allow(ctx context.Context, c *connection, s sending) error {
	if err := p.acknowledge(ctx, c); err != nil {
		return err
	}
	live := c.Gate.Live()
	switch {
	case live && !p.ask.Person():
		return errNoPerson
	case live && s.yes:
		return errLiveYes
	case !live && (s.yes || !p.ask.Available()):
		return p.confirm(ctx, s.question, s.yes, string(errDeclined), "send without a question")
	}
	p.warn("%s", c.target.String())
	for _, f := range s.facts {
		p.warn("%-16s %s", f[0], f[1])
	}
	if !live {
		return p.yes(ctx, s.question)
	}
	if c.Gate.Left(time.Now()) > 0 { // the name was typed in this run
		return p.typed(ctx, "Real money moves. "+s.question+" Type "+s.typed+" to send it:", s.typed)
	}
	if err := p.typed(ctx, "Real money moves. "+s.question+" Type the profile's name, "+c.profile.Name+", to continue:", c.profile.Name); err != nil {
		return err
	}
	if err := p.typed(ctx, "Type "+s.typed+" to send it:", s.typed); err != nil {
		return err
	}
	c.Gate.Unlock()
	return nil
}

// unlock lets the service be asked what it answers only to whoever may send, before that is confirmed with
// [program.allow]: the environment has to be clear, and where real money moves, the profile's name is typed.
func (p *program) unlock(ctx context.Context, c *connection, yes bool) error {
	if err := p.acknowledge(ctx, c); err != nil {
		return err
	}
	switch {
	case !c.Gate.Live():
		return nil
	case !p.ask.Person():
		return errNoPerson
	case yes:
		return errLiveYes
	}
	p.warn("%s", c.target.String())
	if err := p.typed(ctx, "Real money moves. Type the profile's name, "+c.profile.Name+", to continue:", c.profile.Name); err != nil {
		return err
	}
	c.Gate.Unlock()
	return nil
}

// yes asks a question that only y or yes affirms.
func (p *program) yes(ctx context.Context, question string) error {
	answer, err := p.ask.Line(ctx, question+" [y/N]")
	if err != nil {
		return answerError(err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return &refusal{reason: declined, err: errDeclined}
}

// typed asks for a text that has to be typed as it is.
func (p *program) typed(ctx context.Context, question, want string) error {
	answer, err := p.ask.Line(ctx, question)
	if err != nil {
		return answerError(err)
	}
	if want == "" || strings.TrimSpace(answer) != want {
		return &refusal{reason: declined, err: errDeclined}
	}
	return nil
}

// answerError is the error of a question that was not answered: nothing was sent.
func answerError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
		return &refusal{reason: declined, err: errDeclined}
	}
	return err
}

// acknowledge asks about an environment that is not clear, once a run.
func (p *program) acknowledge(ctx context.Context, c *connection) error {
	if !c.Gate.Unacknowledged() {
		return nil
	}
	all := c.Gate.Evidence()
	if !p.ask.Person() {
		reason := gate.KeyUnknown
		if c.Gate.Contradictory() {
			reason = gate.Contradictory
		}
		return refuse(locked, string(reason)+" Nothing was sent.", "Open paydesk in a terminal once, and confirm it there.")
	}
	word := strings.ToLower(c.target.Environment)
	if gate.IsContradictory(all) {
		word = "live"
		p.warn("The environment is not clear, so paydesk treats it as live:")
	} else {
		p.warn("The key does not say what it is for:")
	}
	for _, e := range all {
		source, word, means := present.Evidence(e)
		p.warn("  %-24s %s: %s", source, word, means)
	}
	if err := p.typed(ctx, "Type "+word+" if you have checked it:", word); err != nil {
		return err
	}
	if !gate.IsContradictory(all) {
		if err := c.remember(); err != nil {
			p.warn("It will be asked again: %s", err)
		}
	}
	c.Gate.Acknowledge(len(all))
	return nil
}
