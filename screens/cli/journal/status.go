package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/statefile"
	"paydesk/keystore"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
)

func (p Commands) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Print where the journal is, and whether it works",
		Long: "It says what the journal holds, and whether a team's server keeps what is written. Any problem ends with 1. Nothing\n" +
			"is created.",
		Example: "  paydesk journal status\n  paydesk journal status --json | jq -r '.problems[]'",
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := p.journalStatus(c.Context())
			if err == nil {
				err = p.Data.Show(o, journalPairs(o)...)
			}
			if err == nil && len(o.Problems) > 0 {
				err = command.Refuse(command.WhyJournal, strings.Join(o.Problems, "\n"), "")
			}
			return err
		},
	}
}

// journalStatus examines the journal that the configuration names.
func (p Commands) journalStatus(ctx context.Context) (output.Journal, error) {
	at, err := p.place()
	o := output.Journal{Schema: output.JournalSchema, Store: "sqlite", KeepDays: at.keepDays, Problems: []string{}}
	switch {
	case err != nil:
		return o, err
	case at.db != nil:
		return teamStatus(ctx, o, at), nil
	}
	return fileStatus(ctx, o, at), nil
}

// fileStatus examines the journal in a folder, and creates none.
func fileStatus(ctx context.Context, o output.Journal, at place) output.Journal {
	j := at.open()
	defer j.Close()
	o.Name = j.Path()
	if _, err := os.Stat(o.Name); errors.Is(err, fs.ErrNotExist) {
		o.Exists = new(false)
		o.Problems = append(o.Problems, lossesOf(j)...)
		return o
	}
	o.Exists = new(true)
	err := j.Check(ctx)
	switch cause := statefile.CauseOf(err); {
	case err == nil:
	case errors.Is(err, journal.ErrLoss):
		o.Problems = lossesOf(j)
	case cause == statefile.ReadOnly || cause == statefile.Forbidden: // a person who reads a copy of it sends nothing
		o.ReadOnly, o.Problems = true, lossesOf(j)
	default:
		o.Problems = append(o.Problems, err.Error())
	}
	s, err := j.Statistics(ctx)
	if err != nil {
		if len(o.Problems) == 0 {
			o.Problems = append(o.Problems, err.Error())
		}
		return o
	}
	o.Facts, o.Head, _ = j.Head(ctx)
	o.Version, o.Bytes, o.Attempts, o.Oldest, o.Newest = s.Version, s.Size, &s.Attempts, output.Time(s.Oldest), output.Time(s.Newest)
	return o
}

// teamStatus examines a team's journal.
func teamStatus(ctx context.Context, o output.Journal, at place) output.Journal {
	o.Store = "postgres"
	o.Name = at.db.Name()
	r, err := postgres.Status(ctx, at.config)
	if err != nil {
		o.Problems = append(o.Problems, at.db.Problem(err))
		return o
	}
	o.Problems = append(o.Problems, r.Problems...)
	o.Server = &output.JournalServer{
		Version: r.Server, Role: r.Role, SynchronousCommit: r.SynchronousCommit, ReadOnly: r.ReadOnly, ClockMilliseconds: r.Ahead.Milliseconds(),
	}
	if r.Version > 0 { // otherwise there is none, or this user may not see it
		o.Exists = new(true)
		o.Version, o.Attempts, o.Oldest, o.Newest = r.Version, &r.Attempts, output.Time(r.Oldest), output.Time(r.Newest)
	}
	if len(o.Problems) == 0 { // as a console begins
		j := at.open()
		defer j.Close()
		if err := j.Check(ctx); err != nil {
			o.Problems = append(o.Problems, err.Error())
		}
		o.Facts, o.Head, _ = j.Head(ctx)
		rows, err := j.Unreadable(ctx)
		if err != nil && len(o.Problems) == 0 {
			o.Problems = append(o.Problems, err.Error())
		}
		for _, row := range rows {
			o.Problems = append(o.Problems, "It cannot be read, because it is not what was written: "+row+". Have it restored from a backup.")
		}
	}
	return o
}

func journalPairs(o output.Journal) [][2]string {
	unless := func(none bool, words string) string {
		if none {
			return ""
		}
		return words
	}
	held := unless(o.Exists == nil || *o.Exists, "none yet")
	if o.Attempts != nil {
		held = strconv.Itoa(*o.Attempts)
	}
	pairs := [][2]string{
		{"Journal", o.Name}, {"Store", o.Store}, {"Version", unless(o.Version == 0, strconv.Itoa(o.Version))}, {"Size", unless(o.Bytes == 0, fmt.Sprintf("%d bytes", o.Bytes))},
		{"Attempts", held}, {"Oldest", output.Stamp(o.Oldest)}, {"Newest", output.Stamp(o.Newest)}, {"Facts", unless(o.Facts == 0, strconv.FormatInt(o.Facts, 10))}, {"Head", o.Head},
		{"Writing", unless(!o.ReadOnly, "read-only: nothing is sent from here")}, {"Kept", present.Count(o.KeepDays, "day", "days")},
	}
	if s := o.Server; s != nil {
		pairs = append(pairs, [2]string{"Server", "PostgreSQL " + s.Version}, [2]string{"Role", s.Role}, [2]string{"Commits", "synchronous_commit = " + s.SynchronousCommit},
			[2]string{"Writing", unless(!s.ReadOnly, "read-only")}, [2]string{"Clock", clockWords(s.ClockMilliseconds)})
	}
	return pairs
}

// clockWords say how the clock of a server is, in milliseconds that it is ahead.
func clockWords(ms int64) string {
	if ms < 0 {
		return fmt.Sprintf("%d ms behind this machine's", -ms)
	}
	return fmt.Sprintf("%d ms ahead of this machine's", ms)
}

// Check says how the journal is: of one in a file what it lost, or why it cannot be read. Its folder has a check of its own.
func (p Commands) Check(ctx context.Context, of keystore.Profile) []keystore.Finding {
	c, err := p.config()
	if err != nil || of.Journal == "off" {
		return nil
	}
	check := keystore.Finding{Name: "journal", State: keystore.Failed, Fix: "paydesk journal status; until then nothing is sent"}
	if c.Journal.Shared() {
		check.Name = "team's journal"
	}
	o, err := p.journalStatus(ctx)
	switch check.Message = strings.Join(o.Problems, " "); {
	case err != nil && c.Journal.Shared():
		check.Message = err.Error()
	case len(o.Problems) > 0:
	case err != nil || !c.Journal.Shared():
		return nil
	default:
		check.State, check.Message, check.Fix = keystore.OK, o.Name+" keeps what is written", ""
	}
	return []keystore.Finding{check}
}
