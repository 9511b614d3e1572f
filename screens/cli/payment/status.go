// Package payment has the commands that take a payment, follow it and say how it stands: status, collect, authenticate, finalize,
// validate and case.
package payment

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/session"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
	"paydesk/ui"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// statusOptions are the flags of status.
type statusOptions struct {
	watch   bool
	until   string
	timeout time.Duration
	limited bool // a timeout was given
}

// Status says how payments stand.
func (p Commands) Status() *cobra.Command {
	var o statusOptions
	c := command.Ends(&cobra.Command{
		Use: "status REF…", Short: "Show payment status",
		Long: "A line is printed for each; with --watch, for each change until all are final. REF - reads references from stdin,\n" +
			"one a line.\n\n" +
			"An answer that differs from what was asked here is a MISMATCH, and ends with 6, whatever its status and whatever was\n" +
			"decided. 0 means that every payment is SUCCESSFUL; 8 that one is not final, or UNRECOGNISED. In a pipe the columns\n" +
			"are reference, status, amount, currency, what it means, and when the service said it; without an answer the status\n" +
			"is UNKNOWN, and two more columns have the last known status and its time.",
		Example: "  paydesk status P5KQ2M7X1A\n  paydesk status P5KQ2M7X1A --until final --timeout 2m && echo paid\n" +
			"  cut -f1 open.tsv | paydesk status - --json | jq -r 'select(.status.success) | .reference'",
		RunE: func(c *cobra.Command, args []string) error {
			o.limited = c.Flags().Changed("timeout")
			return p.status(c.Context(), o, args)
		},
	}, command.Refused, command.Unresolved, command.PaymentFailed, command.NotFinal, command.Locked)
	f := c.Flags()
	f.BoolVar(&o.watch, "watch", false, "print a line for each change, until every status is final")
	f.StringVar(&o.until, "until", "", "wait until every status is `final`")
	f.DurationVar(&o.timeout, "timeout", 0, "the longest `TIME` that --watch and --until wait; 5m for --until, no limit for --watch")
	return c
}

func (p Commands) status(ctx context.Context, o statusOptions, args []string) error {
	switch {
	case o.until != "" && o.until != "final":
		return command.Wrong("--until: the only state to wait for is final")
	case o.limited && o.timeout <= 0:
		return command.Wrong("--timeout: must be a duration above 0, such as 90s or 5m")
	case o.limited && !o.watch && o.until == "":
		return command.Wrong("--timeout belongs to --watch or --until final")
	}
	if o.until != "" && !o.limited && !o.watch {
		o.timeout = 5 * time.Minute
	}
	all, err := p.referencesOf(ctx, args)
	if err != nil {
		return err
	}
	c, err := p.Connect(ctx)
	if err != nil {
		return err
	}
	unread := p.recall(ctx, c, all)
	if o.watch || o.until != "" { // with --watch each change is printed, otherwise how each ends
		f := p.follower(c, o.watch, unread, all...)
		defer f.close()
		return f.follow(ctx, o.timeout, nil)
	}
	found, err := p.now(ctx, c, unread, all...)
	if err != nil {
		return err
	}
	rows, worst := p.statusRows(all...), command.Reason{}
	for _, known := range found {
		worst = command.Worse(worst, known.reason())
		rows.print(known)
	}
	return command.EndedBy(worst)
}

// maxPiped bounds the references of stdin.
const maxPiped = 1_000

// referencesOf are the references of the arguments, or of stdin. Each is asked for once.
func (p Commands) referencesOf(ctx context.Context, args []string) (all []api.Reference, err error) {
	piped := slices.Contains(args, "-")
	switch {
	case piped && len(args) > 1:
		return nil, command.Wrong("- reads the references from stdin: give no others with it. Nothing was requested")
	case piped && p.Plain:
		return nil, command.Wrong("stdin has the answers of plain mode; type the references")
	case piped:
		if command.IsTerminal(p.In) {
			p.Warn("Reading references from the terminal, one a line. ctrl+d ends them.")
		}
		const most = 1 << 20
		text, err := command.Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(p.In, most+1)) })
		switch {
		case err != nil:
			return nil, err
		case len(text) > most:
			return nil, command.Wrong("stdin is too long for a list of references")
		}
		if args = strings.Split(strings.TrimRight(string(text), "\n"), "\n"); len(args) > maxPiped {
			return nil, command.Wrong("stdin has more than " + present.Count(maxPiped, "line", "lines") + ": ask for fewer at once")
		}
	}
	for i, a := range args {
		line := "line " + strconv.Itoa(i+1) + " of stdin"
		r, err := command.Reference(a)
		switch {
		case piped && strings.TrimSpace(a) == "":
			continue
		case piped && api.Reference(a).LooksLikeCard():
			return nil, command.Wrong(line + " looks like a card number. Nothing was requested")
		case err != nil && piped:
			return nil, command.Wrong(line + ": " + err.Error())
		case err != nil:
			return nil, err
		}
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return nil, command.Wrong("stdin has no reference")
	}
	return all, nil
}

// statusRows print payments as they come.
type statusRows struct {
	p     Commands
	table *output.Table
}

func (p Commands) statusRows(all ...api.Reference) statusRows {
	wide := 12
	for _, r := range all {
		wide = max(wide, min(len(r), len("00000000-0000-0000-0000-000000000000")))
	}
	return statusRows{p, p.Data.Table(
		ui.Column{Title: "Time", Width: 8}, ui.Column{Title: "Reference", Width: wide}, ui.Column{Title: "Status", Width: 17},
		ui.Column{Title: "Amount", Width: 13, Right: true},
	)}
}

func (r statusRows) print(k payment) {
	if r.p.Data.Format == output.JSON {
		r.p.Data.Object(k.object())
		return
	}
	cell, at, earlier := k.cell(r.p.Data.Terminal), k.Live.AnsweredAt, k.remembered()
	if !r.p.Data.Terminal {
		o := k.object()
		amount := cmp.Or(o.Amount, &output.Money{})
		row := []string{o.Reference, cell.Text, amount.Amount, amount.Currency, k.says(), output.Stamp(o.At)}
		if earlier != nil {
			row = append(row, earlier.Means, output.Stamp(earlier.At))
		}
		r.table.Row(output.Cells(row...)...)
		return
	}
	amount := ""
	if a, raw := k.Amount, k.Live.Said.AmountText; !a.Currency.IsZero() {
		amount = a.String()
	} else if !raw.Empty() {
		amount = raw.Line(40) + " (raw)"
	}
	r.table.Row(ui.Cell{Text: present.Clock(at.Local())}, ui.Cell{Text: k.Reference.String()}, cell, ui.Cell{Text: amount})
	r.below(k.says())
	if earlier == nil {
		return
	}
	words := "No answer now; last known status: " + earlier.Means
	if earlier.At != nil {
		words += ", " + present.DateTime(*earlier.At)
	}
	r.below(words + ".")
}

// below prints what a status means below its row, where it has the width of the terminal, in whole words.
func (r statusRows) below(words string) {
	const indent = 10 // that of the reference
	for _, line := range ui.Wrap(words, max(r.p.Data.Width-indent, 20)) {
		r.p.Data.Line(strings.Repeat(" ", indent) + line)
	}
}

// A follower prints how payments change.
type follower struct {
	p      Commands
	c      *command.Connection
	rows   statusRows
	all    []*followed
	each   bool // change is printed, not only the last
	unread error
	worst  command.Reason
	gaveUp bool // before all were settled
}

// A followed payment is watched until it is settled.
type followed struct {
	*session.Watch
	printed string // what was last printed of it
	settled bool
}

// follower watches payments until it is closed.
func (p Commands) follower(c *command.Connection, each bool, unread error, all ...api.Reference) *follower {
	f := &follower{p: p, c: c, rows: p.statusRows(all...), each: each, unread: unread}
	for _, r := range all {
		f.all = append(f.all, &followed{Watch: c.Watches.Watch(r)})
	}
	return f
}

func (f *follower) close() {
	for _, w := range f.all {
		w.Close()
	}
}

// open returns the payments that are not settled.
func (f *follower) open() []*followed {
	return slices.DeleteFunc(slices.Clone(f.all), func(w *followed) bool { return w.settled })
}

// follow prints payments until each is settled, or the time is over; 0 has no end. before, where it is not nil, runs before each look.
func (f *follower) follow(ctx context.Context, timeout time.Duration, before func() error) error {
	waiting := ctx
	if f.p.Plain {
		f.p.Say("ctrl+c stops waiting.")
	}
	if timeout > 0 {
		var stop context.CancelFunc
		waiting, stop = context.WithTimeout(ctx, timeout)
		defer stop()
	}
	for version := uint64(0); len(f.open()) > 0; {
		if before != nil {
			if err := before(); err != nil {
				return err
			}
		}
		next, err := f.c.Watches.Next(waiting, version)
		f.gaveUp = waiting.Err() != nil
		switch {
		case ctx.Err() != nil && f.p.Unprinted == nil:
			return context.Cause(ctx)
		case f.gaveUp: // also where nothing can be printed: what is known of the payments may say more than that
			return f.timedOut()
		case err != nil:
			return err
		}
		version = next
		f.look()
	}
	return command.EndedBy(f.worst)
}

// look prints what has changed, and what is settled.
func (f *follower) look() {
	for _, w := range f.open() {
		s := w.State()
		if s.AnsweredAt.IsZero() || s.Checking {
			continue
		}
		if s.Phase == session.Expired { // there is no end but that of the command
			w.Check()
		}
		k := paymentOf(f.c, s, f.unread)
		if w.settled = k.settled(); w.settled {
			f.worst = command.Worse(f.worst, k.reason())
		}
		f.print(w, k, w.settled)
	}
}

// print prints a payment unless that was printed already.
func (f *follower) print(w *followed, k payment, last bool) {
	what := k.cell(true).Text + "\x00" + k.Amount.String() + "\x00" + k.says()
	if (last || f.each) && w.printed != what {
		w.printed = what
		f.rows.print(k)
	}
}

// timedOut prints what is known of the payments that are not final. An answer may have come with the end of the time.
func (f *follower) timedOut() error {
	f.look()
	left := f.open()
	if f.gaveUp = len(left) > 0; !f.gaveUp {
		return command.EndedBy(f.worst)
	}
	for _, w := range left {
		s := w.State()
		if s.AnsweredAt.IsZero() { // what is known of it is remembered
			s.Err, s.AnsweredAt = &api.Failure{Kind: api.KindTimeout}, time.Now()
		}
		k := paymentOf(f.c, s, f.unread)
		k.late = !s.ReportedAt.Before(s.Begun)
		f.worst = command.Worse(f.worst, k.reason())
		f.print(w, k, true)
	}
	if f.p.Unprinted == nil {
		f.p.Say("Timed out; not final.")
	}
	return command.EndedBy(f.worst)
}
