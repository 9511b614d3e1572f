package command

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/present"
	"paydesk/ui"
)

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
	if err := p.confirmDuplicate(ctx, d, found.Attempts, allowed); err != nil {
		return got, err
	}
	return Send(ledger.WithAllowedDuplicates(ctx, d.IDs()...), p, do)
}

// confirmDuplicate returns nil where something may be sent although earlier attempts are like it.
func (p *Program) confirmDuplicate(ctx context.Context, d present.Duplicates, attempts []ledger.Attempt, allowed string) error {
	newest := newest(attempts)
	p.About.Attempt = newest.ID
	if allowed != "" && (allowed == string(newest.ID) || allowed == newest.ID.Short()) {
		return nil
	}
	for _, line := range d.Lines(ui.NewTheme(true), 200)[1:] { // the first is said by the error
		p.Warn("%s", strings.TrimSpace(ansi.Strip(line)))
	}
	again := Refuse(duplicate, "Nothing was sent: this looks like a duplicate.", "Check what was sent earlier; --allow-duplicate "+newest.ID.Short()+" sends another.")
	if !p.Ask.Available() {
		return again
	}
	answer, err := p.answer(ctx, "Type "+newest.ID.Short()+" to send another:")
	if err == nil && answer != newest.ID.Short() {
		err = again
	}
	return err
}

// newest is the attempt that was sent last.
func newest(attempts []ledger.Attempt) ledger.Attempt {
	return slices.MaxFunc(attempts, func(a, b ledger.Attempt) int { return a.At.Compare(b.At) })
}

// UnresolvedNext names the command that resolves an attempt whose outcome is not known; "" for another error.
func (p *Program) UnresolvedNext(c *Connection, err error) string {
	var attempt *journal.UnresolvedAttempt
	switch {
	case errors.As(err, &attempt) && c.Profile.Journal != "off":
		p.About.Attempt = attempt.ID
		return "Do not send it again. Find out whether it went through, then: paydesk resolve " + string(attempt.ID) + " --found … or --not-found"
	case api.OutcomeOf(err) == api.OutcomeUnresolved:
		return "Do not send it again. Find out first whether it went through: nothing was recorded here."
	}
	return ""
}
