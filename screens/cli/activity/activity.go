// Package activity has the commands for what was sent from here: activity lists and shows attempts, resolve records what became of one.
package activity

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/attempt"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
	"paydesk/screens/report"
	"paydesk/ui"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// activityOptions are the flags of activity.
type activityOptions struct {
	where, file string
	limit       uint
	all         bool
}

// Activity lists what was done from here.
func (p Commands) Activity() *cobra.Command {
	o := activityOptions{}
	c := p.WithCSV(&cobra.Command{
		Use: "activity", Short: "List what was sent from here",
		Long: "Payments, links and finalizations come newest first. The service is not asked. --export writes all that match to a new\n" +
			"file: CSV, JSON or JSON Lines by its ending. In a pipe the columns are attempt, time, kind, status or outcome,\n" +
			"amount, currency, reference or alias, and operator. While a loss of the journal stands it ends with 10.",
		Example: "  paydesk activity --limit 20\n  paydesk activity --where 'status:MISMATCH' --json\n  paydesk activity --export november.csv --where 'sent:2026-11'",
		RunE:    func(c *cobra.Command, _ []string) error { return p.activity(c.Context(), o) },
	}, command.Locked)
	f := c.Flags()
	f.StringVar(&o.where, "where", "", "only what matches the `QUERY` (paydesk help query)")
	f.StringVar(&o.file, "export", "", "write to a new `FILE`, which only you can read")
	command.LimitFlag(c, &o.limit)
	f.BoolVar(&o.all, "all-services", false, "of all services, not only the profile's")
	c.AddCommand(p.showCommand())
	return c
}

func (p Commands) activity(ctx context.Context, o activityOptions) error {
	q, err := p.ReadQuery("--where", journal.AttemptLanguage(command.Today), o.where)
	if err != nil {
		return err
	}
	profile, j, err := p.Recorded(ctx)
	if err != nil {
		return err
	}
	f := journal.Filter{Query: q}
	if !o.all {
		f.Service = command.DestinationOf(profile)
	}
	rows := command.UpTo(o.limit, j.Each(ctx, f))
	if o.file != "" {
		err = p.exportActivity(ctx, o.file, rows)
	} else {
		err = output.Rows(p.Data, report.Attempts(report.AttemptView{Now: time.Now()}), rows, output.NewAttempt)
	}
	return cmp.Or(err, command.Problem(j.LossStands(), present.Reading, "")) // something that is open may be missing
}

// exportActivity writes rows to a new file, in the format of its ending.
func (p Commands) exportActivity(ctx context.Context, path string, rows iter.Seq2[ledger.Attempt, error]) error {
	format := export.Format(strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
	if !slices.Contains(export.Formats(), format) {
		return command.Wrong("--export: the file's name ends in .csv, .json or .jsonl")
	}
	n := 0
	written, err := command.WriteNew(ctx, path, func(w io.Writer) (err error) {
		n, err = export.Write(w, format, report.FileOf(report.Attempts(report.AttemptView{})), rows, nil)
		return err
	})
	if err == nil {
		p.Say("%s written to %s", present.Count(n, "row was", "rows were"), written)
	}
	return err
}

// showCommand shows an attempt with its history.
func (p Commands) showCommand() *cobra.Command {
	return command.Ends(&cobra.Command{
		Use: "show ID", Short: "Show an attempt with its history",
		Long:    "The ID may be short. The service is not asked. An unresolved attempt ends with 6.",
		Example: "  paydesk activity show 7f3k\n  paydesk activity show 7f3k --json | jq '.history[].what'",
		RunE:    func(c *cobra.Command, args []string) error { return p.activityShow(c.Context(), args[0]) },
	}, command.Refused, command.Unresolved, command.Locked)
}

func (p Commands) activityShow(ctx context.Context, id string) error {
	_, j, err := p.Recorded(ctx)
	if err != nil {
		return err
	}
	a, err := findAttempt(ctx, j, id)
	if err != nil {
		return err
	}
	_, events, err := j.History(ctx, a.ID)
	if err != nil {
		return err
	}
	o := output.AttemptHistory{Attempt: output.NewAttempt(a), History: []output.Event{}}
	for _, e := range events {
		words, _ := present.Event(e, !a.Mismatch.IsZero())
		o.History = append(o.History, output.Event{At: output.Time(e.At), What: string(e.What), Words: words})
	}
	p.Data.Show(o, report.Of(report.OfAttempt(a, events, ledger.Destination{}, time.Now())).Pairs()...)
	return p.Undecided(a)
}

// findAttempt returns the attempt with an ID, or with a short ID that no other has, however its letters are typed.
func findAttempt(ctx context.Context, j *journal.Journal, id string) (ledger.Attempt, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	a, err := j.Attempt(ctx, ledger.ID(id))
	if err == nil || !errors.Is(err, ledger.ErrNotFound) {
		return a, err
	}
	var like []ledger.Attempt
	if len(id) >= 4 {
		for a, err := range j.Each(ctx, journal.Filter{}) {
			if err != nil {
				return ledger.Attempt{}, err
			}
			if strings.HasPrefix(string(a.ID), id) || a.ID.Short() == id {
				like = append(like, a)
			}
		}
	}
	switch len(like) {
	case 0:
		return a, command.NotRecorded(j, "The journal has no such attempt.", "paydesk activity", "lists them")
	case 1:
		return like[0], nil
	}
	return a, command.Wrong(present.Count(len(like), "attempt begins", "attempts begin") + " like this: give more of the ID, as paydesk activity prints it in a pipe")
}

// resolveOptions are the flags of resolve: one decision.
type resolveOptions struct {
	found string
	given map[ledger.Decision]*bool
	yes   bool
}

// Resolve records what a person decides about an attempt.
func (p Commands) Resolve() *cobra.Command {
	o := resolveOptions{given: map[ledger.Decision]*bool{}}
	c := command.Ends(&cobra.Command{
		Use: "resolve ID (--found REF | --not-found | …)", Short: "Record what became of an attempt",
		Long: "An attempt is unresolved, or has a mismatch. Your user name and the time are recorded too. Nothing is sent but a check of the\n" +
			"reference. If the service contradicts the decision or does not answer, a person at a terminal decides, not --yes.",
		Example: "  paydesk resolve 7f3k --found P5KQ2M7X1A\n  paydesk resolve 7f3k --not-found --yes",
		RunE:    func(c *cobra.Command, args []string) error { return p.resolve(c.Context(), o, args[0]) },
	}, command.Refused, command.Locked)
	f := c.Flags()
	f.StringVar(&o.found, "found", "", "it was made, as this payment's `REF`, or a link's alias or URL")
	for d, flag := range attempt.Flags {
		o.given[d] = f.Bool(flag[0], false, flag[1])
	}
	f.BoolVar(&o.yes, "yes", false, "record it without asking")
	return c
}

// verdict is the one decision that was given.
func (o resolveOptions) verdict() (ledger.Decision, error) {
	var all []ledger.Decision
	if o.found != "" {
		all = append(all, ledger.Found)
	}
	for d, given := range o.given {
		if *given {
			all = append(all, d)
		}
	}
	if len(all) != 1 {
		return "", command.Wrong("give one decision: --found REF, --not-found, --give-up, --answer-right, --as-asked, --not-ours, --stop-following or --take-back")
	}
	return all[0], nil
}

func (p Commands) resolve(ctx context.Context, o resolveOptions, id string) error {
	v, err := o.verdict()
	if err != nil {
		return err
	}
	profile, j, err := p.Recorded(ctx)
	if err != nil {
		return err
	}
	a, err := findAttempt(ctx, j, id)
	if err != nil {
		return err
	}
	if here := command.DestinationOf(profile); !here.IsSameService(a.Destination) {
		return command.Refuse(command.WhyFailed, present.Sentence("sent "+present.Elsewhere(here, a.Destination))+" Nothing was recorded.",
			"Choose a profile of that service with --profile.")
	}
	p.About.Attempt = a.ID
	d := attempt.Decided(v, "")
	if v == ledger.Undecided && !a.Mismatch.IsZero() && !a.Mismatch.Undecided() {
		d.Decision = ledger.AskAgain // the later decision comes first
	}
	switch err = a.Decides(d.Decision); {
	case err != nil:
		return notRecorded(err)
	case v == ledger.Found:
		d, err = p.foundAs(ctx, a, o.found)
	case v == ledger.NotFound || v == ledger.GaveUp:
		d, err = p.letGo(ctx, a, d)
	}
	if err != nil {
		return err
	}
	q := d.Question(a)
	if !o.yes || d.Contrary {
		if err := p.confirmDecision(ctx, a, d, q); err != nil {
			return err
		}
		q.Lines = nil // said with the question
	}
	return p.decide(ctx, j, a, d, q.Lines)
}

// foundAs checks what an attempt was found as: the service has to know the reference of a payment.
func (p Commands) foundAs(ctx context.Context, a ledger.Attempt, text string) (d attempt.Decision, err error) {
	if a.Kind != ledger.CreateLink {
		if _, err := command.Reference(text); err != nil {
			return d, err
		}
	}
	d, err = attempt.FoundAs(a, text)
	switch {
	case err != nil:
		return d, command.Wrong("--found: " + err.Error())
	case a.Kind == ledger.Finalize && d.As != string(a.Reference):
		return d, command.Wrong("--found: this attempt finalized another payment")
	case a.Kind != ledger.Initiate:
		return d, nil
	}
	d, unknown, err := p.check(ctx, a, d)
	if unknown {
		err = command.Refuse(command.WhyNotFound, "The service has no payment with this reference, so nothing was recorded.",
			"Check the reference: an ID from the transactions may not be one.")
	}
	return d, err
}

// check asks the service about the payment that a decision names, which is unknown where it has none.
func (p Commands) check(ctx context.Context, a ledger.Attempt, d attempt.Decision) (_ attempt.Decision, unknown bool, err error) {
	c, err := p.Connect(ctx)
	if err != nil {
		return d, false, err
	}
	t, err := attempt.StatusOf(ctx, c, a, api.Reference(d.As))
	switch {
	case api.Definite(err):
		return d, true, nil
	case ctx.Err() != nil:
		return d, false, context.Cause(ctx)
	}
	return d.Checked(a, t, err), false, nil
}

// letGo asks the service about each payment that an attempt may have made: the one it was found as, the one that its answer
// named, and the one with our own reference. The decision lifts the guard against duplicates, so where such a payment may exist
// only a person takes it.
func (p Commands) letGo(ctx context.Context, a ledger.Attempt, d attempt.Decision) (attempt.Decision, error) {
	if a.Kind != ledger.Initiate {
		return d, nil // there is nothing to ask about
	}
	for _, text := range []string{string(a.Reference), a.Named, a.OwnReference} {
		r, err := api.ParseReference(text)
		if err != nil {
			continue
		}
		found, unknown, err := p.check(ctx, a, attempt.Decided("", r))
		if d.Contrary, d.Reported = !unknown, found.Reported; err != nil || d.Contrary {
			return d, err
		}
	}
	return d, nil
}

// confirmDecision asks whether to record a decision, in the words of the attempt's screen.
func (p Commands) confirmDecision(ctx context.Context, a ledger.Attempt, d attempt.Decision, q ui.Question) error {
	if d.Contrary && !p.Ask.Person() {
		p.Warn("%s", d.Reported)
		return command.Refuse(command.WhyLocked, "Nothing was recorded: the service does not confirm it, so a person at a terminal decides. --yes does not.",
			"Run it at a terminal, or open paydesk there.")
	}
	for _, l := range append([]string{report.Summary(a)}, q.Lines...) {
		p.Warn("%s", l)
	}
	return p.Confirm(ctx, q.Title, false, "Nothing was recorded.", "record it")
}

// notRecorded ends a command with a decision that does not fit what is recorded.
func notRecorded(err error) error {
	return command.Refuse(command.WhyRecorded, present.Sentence(err.Error())+" Nothing was recorded.", "Look at what is recorded: paydesk activity")
}

// decide records a decision, and says what follows where no question has.
func (p Commands) decide(ctx context.Context, j *journal.Journal, a ledger.Attempt, d attempt.Decision, follows []string) error {
	err := j.Decide(ctx, a, d.Deciding)
	if taken, is := errors.AsType[*ledger.TakenError](err); is {
		return command.Refuse(command.WhyRecorded, "Nothing was recorded. "+present.Lease(taken.Lease), "Ask them, or take it over on its page in the console.")
	}
	switch {
	case ledger.IsRejection(err):
		return notRecorded(err)
	case err != nil:
		return err
	}
	for _, l := range follows {
		p.Warn("%s", l)
	}
	if p.Data.Format != output.JSON {
		p.Warn("Recorded for attempt %s.", a.ID.Short())
	}
	o := output.Decision{Attempt: string(a.ID), Decision: string(d.Decision), Reference: d.Shown()}
	p.Data.Show(o, [][2]string{{"Attempt", o.Attempt}, {"Decision", strings.TrimSpace(o.Decision + " " + o.Reference)}}...)
	return nil
}
