package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/ledger"
	"paydesk/api/session"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Confirm asks before something is done, unless --yes stands for the answer. nothing is the sentence that it was not done, and doing what --yes does.
func (p *Program) Confirm(ctx context.Context, question string, yes bool, nothing, doing string) error {
	switch {
	case yes:
		return nil
	case !p.Ask.Available():
		return Refuse(WhyUnconfirmed, nothing+" It has to be confirmed first.", "Add --yes to "+doing+".")
	}
	err := p.Yes(ctx, question)
	if errors.Is(err, ErrDeclined) {
		return &Refusal{Reason: WhyDeclined, Err: Sentence(nothing)}
	}
	return err
}

// A Sending is a request that changes something, as a person confirms it.
type Sending struct {
	Question string      // "Create this link?"
	Facts    [][2]string // the facts to confirm, a line each
	Typed    string      // in live it is typed besides the profile's name: the amount, or the reference where there is none
	Yes      bool        // --yes
}

// errNoPerson is the error of sending live without a terminal.
var errNoPerson = Refuse(WhyLocked, "Real money moves here, so sending needs a person at a terminal: the profile's name and the amount are typed. Nothing was sent.", "")

// ErrDeclined is the error of an answer that is no yes.
var ErrDeclined = &Refusal{Reason: WhyDeclined, Err: Sentence("Nothing was sent.")}

// Allow asks for whatever a request that changes something needs, as the screens do: the environment has
// to be clear, and a person confirms it. Where real money moves, they type the profile's name and the
// amount; --yes does not stand for that.
func (p *Program) Allow(ctx context.Context, c *Connection, s Sending) error {
	if err := p.mayUnlock(ctx, c, s.Yes); err != nil {
		return err
	}
	live := c.Gate.Live()
	if !live && (s.Yes || !p.Ask.Available()) {
		return p.Confirm(ctx, s.Question, s.Yes, ErrDeclined.Error(), "send without asking")
	}
	p.Warn("%s", c.Target.String())
	for _, f := range s.Facts {
		p.Warn("%-16s %s", f[0], f[1])
	}
	if !live {
		return p.Yes(ctx, s.Question)
	}
	what := "Type " + s.Typed + " to send it:"
	if c.Gate.Left(time.Now()) > 0 { // the name was typed in this run
		return p.Typed(ctx, "Real money moves. "+s.Question+" "+what, s.Typed)
	}
	err := p.typeName(ctx, c, " "+s.Question)
	if err == nil {
		err = p.Typed(ctx, what, s.Typed)
	}
	if err == nil {
		c.Gate.Unlock()
	}
	return err
}

// Unlock lets a command ask the service what only a sender may ask, before the sending is confirmed with
// [Program.Allow]: the environment has to be clear, and where real money moves, the profile's name is typed.
func (p *Program) Unlock(ctx context.Context, c *Connection, yes bool) error {
	if err := p.mayUnlock(ctx, c, yes); err != nil || !c.Gate.Live() {
		return err
	}
	p.Warn("%s", c.Target.String())
	err := p.typeName(ctx, c, "")
	if err == nil {
		c.Gate.Unlock()
	}
	return err
}

// mayUnlock checks, before anything is typed, that the environment is clear, and where real money moves that a person types.
func (p *Program) mayUnlock(ctx context.Context, c *Connection, yes bool) error {
	err := p.acknowledge(ctx, c)
	switch {
	case err != nil || !c.Gate.Live():
		return err
	case !p.Ask.Person():
		return errNoPerson
	case yes:
		return Wrong("--yes is for test profiles only: where real money moves, the profile's name and the amount are typed. Nothing was sent.")
	}
	return nil
}

// typeName asks for the profile's name. question says what it is typed for.
func (p *Program) typeName(ctx context.Context, c *Connection, question string) error {
	return p.Typed(ctx, "Real money moves."+question+" Type the profile's name, "+c.Profile.Name+", to continue:", c.Profile.Name)
}

// Yes asks a question that only y or yes affirms.
func (p *Program) Yes(ctx context.Context, question string) error {
	answer, err := p.answer(ctx, question+" [y/N]")
	if err != nil {
		return err
	}
	switch strings.ToLower(answer) {
	case "y", "yes":
		return nil
	}
	return ErrDeclined
}

// Typed asks for a text that has to be typed as it is.
func (p *Program) Typed(ctx context.Context, question, want string) error {
	answer, err := p.answer(ctx, question)
	if err == nil && (want == "" || !ui.IsTyped(answer, want)) {
		err = ErrDeclined
	}
	return err
}

// answer asks a question. Without an answer nothing was sent.
func (p *Program) answer(ctx context.Context, question string) (string, error) {
	answer, err := p.Ask.Line(ctx, question)
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
		err = ErrDeclined
	}
	return strings.TrimSpace(answer), err
}

// acknowledge asks about an environment that is not clear, once a run.
func (p *Program) acknowledge(ctx context.Context, c *Connection) error {
	if !c.Gate.Unacknowledged() {
		return nil
	}
	if !p.Ask.Person() {
		return Problem(c.Gate.Check(), present.Sending, "")
	}
	all := c.Gate.Evidence()
	word := strings.ToLower(c.Target.Environment)
	if session.IsContradictory(all) {
		word = "live"
		p.Warn("The environment is not clear, so paydesk treats it as live:")
	} else {
		p.Warn("The key does not say what it is for:")
	}
	for _, e := range all {
		source, word, means := present.Evidence(e)
		p.Warn("  %-24s %s: %s", source, word, means)
	}
	if err := p.Typed(ctx, "Type "+word+" if you have checked it:", word); err != nil {
		return err
	}
	if !session.IsContradictory(all) {
		if err := c.remember(); err != nil {
			p.Warn("It will be asked again: %s", err)
		}
	}
	c.Gate.Acknowledge(len(all))
	return nil
}

// AllowDuplicateFlag adds --allow-duplicate.
func AllowDuplicateFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "allow-duplicate", "", "send it despite the attempt `ID`, the newest of those that held it back")
}

// SendUnlessDuplicate sends something, once. What the journal holds back as a possible duplicate was not sent: it is
// sent where allowed names the newest attempt that is like it, or a person at the terminal types its short ID, as on the screens.
func SendUnlessDuplicate[T any](ctx context.Context, p *Program, allowed string, do func(context.Context) (T, error)) (T, error) {
	got, err := Send(ctx, p, do)
	var found *ledger.Duplicate
	if !errors.As(err, &found) || len(found.Attempts) == 0 {
		return got, err
	}
	d := present.NewDuplicates(found, time.Now())
	if err := p.confirmDuplicate(ctx, d, allowed); err != nil {
		return got, err
	}
	p.About.Attempt = "" // it is about the other one now
	return Send(ledger.WithAllowedDuplicates(ctx, d.IDs()...), p, do)
}

// confirmDuplicate returns nil where something may be sent although earlier attempts are like it.
func (p *Program) confirmDuplicate(ctx context.Context, d present.Duplicates, allowed string) error {
	newest := d.IDs()[0]
	p.About.Attempt = newest
	if id := strings.ToLower(allowed); id != "" && (id == string(newest) || id == newest.Short()) {
		return nil
	}
	for _, line := range d.Lines(ui.NewTheme(true), 200)[1:] { // the first is said by the error
		p.Warn("%s", strings.TrimSpace(ansi.Strip(line)))
	}
	const held = "Nothing was sent: this looks like a duplicate."
	if !p.Ask.Available() {
		return Refuse(duplicate, held, "Check what was sent earlier; --allow-duplicate "+newest.Short()+" sends another.")
	}
	answer, err := p.answer(ctx, "Type "+newest.Short()+" to send another:")
	switch {
	case err == nil && strings.ToLower(answer) == newest.Short():
		return nil
	case err == nil:
		return Refuse(duplicate, held, "Check what was sent earlier.")
	case !errors.Is(err, ErrDeclined): // the terminal failed: this is about no attempt
		p.About.Attempt = ""
		err = fmt.Errorf("%w (%w)", err, api.ErrNotSent)
	}
	return err
}

// UnresolvedNext names the command that resolves an attempt whose outcome is not known; "" where it is.
func (p *Program) UnresolvedNext(c *Connection) string {
	switch {
	case !p.About.IsUnresolved():
		return ""
	case p.IsUnrecorded(c):
		return "Do not send it again. Find out first whether it went through: nothing was recorded here."
	}
	return "Do not send it again. Find out whether it went through, then: paydesk resolve " + string(p.About.Attempt) + " --found … or --not-found"
}

// IsUnrecorded reports whether no journal that stays has what was sent last.
func (p *Program) IsUnrecorded(c *Connection) bool {
	return p.About.Attempt == "" || c.Profile.Journal == "off"
}
