package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
)

// An Upkeep backs a journal up while consoles use it, puts a backup in its place, and begins, migrates and fills the journal of a team.
type Upkeep struct {
	Out   io.Writer
	State string // folder of the journal
}

// Backup copies the journal to a new file, and checks every row of the copy.
func (c Upkeep) Backup(ctx context.Context, file string) error {
	return c.with(file, func(j *journal.Journal, dir, file string) error { return c.backup(ctx, j, dir, file) })
}

// Restore checks a backup, and says what putting it in place would change; with yes it does it.
func (c Upkeep) Restore(ctx context.Context, file string, yes bool) error {
	return c.with(file, func(j *journal.Journal, _, file string) error { return c.restore(ctx, j, file, yes) })
}

// with opens the journal for a command.
func (c Upkeep) with(file string, do func(j *journal.Journal, dir, file string) error) error {
	dir, err := filepath.Abs(c.State)
	if err != nil {
		return err
	}
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	j := journal.New(journal.Options{Dir: dir})
	defer j.Close()
	return do(j, dir, file)
}

func (c Upkeep) backup(ctx context.Context, j *journal.Journal, dir, file string) error {
	held, err := j.Backup(ctx, file)
	if err != nil {
		return err
	}
	c.say("Backed up to " + file + ": " + text(held) + ". Every row of the copy was checked.")
	for _, l := range j.Losses() {
		c.say("It lacks what the journal lacks, which was not acknowledged: " + l.Words())
	}
	c.say("The key of its hashes is not in it. Keep a copy of " + filepath.Join(dir, "journal.key") +
		" in another place: without that file nothing can be sent with a restored journal.")
	return nil
}

func (c Upkeep) restore(ctx context.Context, j *journal.Journal, file string, yes bool) error {
	about, err := os.Stat(file)
	if present, gone := os.Stat(j.Path()); err == nil && gone == nil && os.SameFile(about, present) {
		return errors.New(file + " is the journal itself; nothing was changed")
	}
	do := j.CompareBackup
	if yes {
		do = j.Restore
	}
	r, err := do(ctx, file)
	if err != nil {
		return err
	}
	c.say("The backup is sound: " + text(r.Backup) + ".")
	if r.Unreadable {
		c.say("The present journal cannot be read, so it is not known what the backup lacks.")
	}
	if r.Missing > 0 {
		c.say(fmt.Sprintf("The backup lacks %s of the present journal, %d unresolved: "+
			"no console will know of them, nor ask before the same customer is charged again.",
			count(r.Missing, "attempt", "attempts"), r.MissingUnresolved))
	}
	if r.Key != "" {
		c.say(r.Key)
	}
	if !yes {
		return nil
	}
	if r.SetAside != "" {
		c.say("The journal that was there is kept as " + r.SetAside + ".")
	}
	c.say("The backup is in place. What was recorded since may be missing, so nothing is sent before a person has acknowledged that: " +
		"paydesk journal acknowledge. Consoles that run say so.")
	return nil
}

// text words the contents of a journal.
func text(c journal.Contents) string {
	words := fmt.Sprintf("%s, %d unresolved, with %s", count(c.Attempts, "attempt", "attempts"), c.Unresolved,
		count(c.Facts, "fact", "facts"))
	if c.Attempts > 0 {
		words += ", from " + c.Oldest.Format(time.RFC3339) + " to " + c.Newest.Format(time.RFC3339)
	}
	return words
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// say prints lines, each made safe to show.
func (c Upkeep) say(words string) {
	for line := range strings.SplitSeq(words, "\n") {
		fmt.Fprintln(c.Out, api.Clean(line).Line(0))
	}
}
