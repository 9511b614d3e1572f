// Package journalcmd is the command line of `paydesk journal`: it backs the journal up while consoles
// use it, and puts a backup in its place.
package journalcmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
)

// Exit codes.
const (
	exitFailed = 1
	exitUsage  = 2
)

const usage = `paydesk journal keeps a copy of the journal, and brings one back.

  paydesk journal backup FILE         copy the journal to a new file, and check every row of the copy
  paydesk journal restore FILE        check a backup, and say what putting it in place would change
  paydesk journal restore FILE --yes  do it: the present journal is set aside beside it, never deleted

  --state-dir DIR  the journal folder; default %s

Both work while consoles run. journal.key is not in a backup: keep a copy of it in another place.
Exit codes: 0 done, 1 failed or nothing was changed, 2 arguments.
`

// A CLI holds what the commands need.
type CLI struct {
	Out, Stderr io.Writer
	State       string // default of --state-dir; "" if unknown
}

// Run runs the command that the arguments after `paydesk journal` name, and returns the exit code.
func (c CLI) Run(ctx context.Context, args []string) int {
	var yes bool
	f := flag.NewFlagSet("journal", flag.ContinueOnError)
	f.SetOutput(io.Discard) // its errors would quote the arguments
	f.StringVar(&c.State, "state-dir", c.State, "")
	f.BoolVar(&yes, "yes", false, "")
	var words []string
	err := f.Parse(args)
	for err == nil && f.NArg() > 0 { // options may follow the words
		words = append(words, f.Arg(0))
		err = f.Parse(f.Args()[1:])
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(c.Out, usage, c.State)
		return 0
	case err != nil, len(words) != 2, words[0] != "backup" && words[0] != "restore", yes && words[0] != "restore":
		c.say(c.Stderr, "paydesk: see paydesk journal --help. It takes backup or restore, and one file.")
		return exitUsage
	case c.State == "":
		c.say(c.Stderr, "paydesk: the journal folder is unknown; name it with --state-dir.")
		return exitUsage
	}
	dir, dirErr := filepath.Abs(c.State)
	file, fileErr := filepath.Abs(words[1])
	j := journal.New(journal.Options{Dir: dir})
	defer j.Close()
	err = errors.Join(dirErr, fileErr)
	switch {
	case err != nil:
	case words[0] == "backup":
		err = c.backup(ctx, j, dir, file)
	default:
		err = c.restore(ctx, j, file, yes)
	}
	if err != nil {
		c.say(c.Stderr, "paydesk: "+err.Error())
		return exitFailed
	}
	return 0
}

func (c CLI) backup(ctx context.Context, j *journal.Journal, dir, file string) error {
	held, err := j.Backup(ctx, file)
	if err != nil {
		return err
	}
	c.say(c.Out, "Backed up to "+file+": "+text(held)+". Every row of the copy was checked.")
	c.say(c.Out, "The key of its hashes is not in it. Keep a copy of "+filepath.Join(dir, "journal.key")+
		" in another place: without that file nothing can be sent with a restored journal.")
	return nil
}

var errNotAsked = errors.New("nothing was changed; add --yes to put the backup in place")

func (c CLI) restore(ctx context.Context, j *journal.Journal, file string, yes bool) error {
	do := j.CompareBackup
	if yes {
		do = j.Restore
	}
	r, err := do(ctx, file)
	if err != nil {
		return err
	}
	c.say(c.Out, "The backup is sound: "+text(r.Backup)+".")
	if r.Unreadable {
		c.say(c.Out, "The present journal cannot be read, so it is not known what the backup lacks.")
	}
	if r.Missing > 0 {
		c.say(c.Out, fmt.Sprintf("The backup lacks %s of the present journal, %d unresolved: "+
			"no console will know of them, nor ask before the same customer is charged again.",
			count(r.Missing, "attempt", "attempts"), r.MissingUnresolved))
	}
	if r.Key != "" {
		c.say(c.Out, r.Key)
	}
	if !yes {
		return errNotAsked
	}
	if r.SetAside != "" {
		c.say(c.Out, "The journal that was there is kept as "+r.SetAside+".")
	}
	c.say(c.Out, "The backup is in place. Consoles that run say that the journal was moved, and use it after that.")
	return nil
}

// text is what a journal holds, in words.
func text(c journal.Contents) string {
	words := fmt.Sprintf("%s, %d unresolved, with %s", count(c.Attempts, "attempt", "attempts"), c.Unresolved,
		count(c.Events, "event", "events"))
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
func (c CLI) say(w io.Writer, words string) {
	for line := range strings.SplitSeq(words, "\n") {
		fmt.Fprintln(w, api.Clean(line).Line(0))
	}
}
