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

	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
	"paydesk/screens/report"
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
	q, err := p.ReadQuery(journal.AttemptLanguage(command.Today), o.where)
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
		err = output.Rows(p.Data, report.Attempts(report.AttemptView{Now: time.Now()}), rows, func(a ledger.Attempt) any { return output.NewAttempt(a) })
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
		Example: "  paydesk activity show 7F3K\n  paydesk activity show 7F3K --json | jq '.history[].what'",
		RunE:    func(c *cobra.Command, args []string) error { return p.activityShow(c.Context(), args[0]) },
	}, command.Refused, command.Unresolved)
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
	events, err := j.Timeline(ctx, a.ID)
	if err != nil {
		return err
	}
	if err := p.printAttempt(a, events); err != nil {
		return err
	}
	return p.Undecided(a)
}

func (p Commands) printAttempt(a ledger.Attempt, events []ledger.Event) error {
	o := output.AttemptHistory{Attempt: output.NewAttempt(a), History: []output.Event{}}
	o.Schema = output.AttemptHistorySchema
	for _, e := range events {
		words, _ := present.Event(e, !a.Mismatch.IsZero())
		o.History = append(o.History, output.Event{At: output.Time(e.At), What: string(e.What), Words: words})
	}
	return p.Data.Show(o, report.Of(report.OfAttempt(a, events, ledger.Destination{}, time.Now())).Pairs()...)
}

// findAttempt returns the attempt with an ID, or with a short ID that no other has.
func findAttempt(ctx context.Context, j *journal.Journal, id string) (ledger.Attempt, error) {
	id = strings.TrimSpace(id)
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
		return a, command.Exit(command.Refused, command.Sentence("The journal has no such attempt. paydesk activity lists them."))
	case 1:
		return like[0], nil
	}
	return a, command.Wrong(present.Count(len(like), "attempt begins", "attempts begin") + " like this: give more of the ID, as paydesk activity prints it in a pipe")
}
