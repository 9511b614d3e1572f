// Package journal has the commands for the journal as a whole, a file of this user or the database of a team, and its check for the
// doctor: journal.go where it is, its backups and what it lost; status.go whether it works, and is whole; team.go how a team begins
// one, and hands over the key of its hashes.
package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/keystore"
	"paydesk/screens/cli/command"
	"paydesk/screens/present"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// Journal groups the commands for the journal as a whole: a file of this user, or the database of a team.
func (p Commands) Journal() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "journal", Short: "Back up, check and share the journal", Annotations: command.Takes("config", "state-dir", "json"),
		Long: "All of it works while consoles run. journal.key is in no backup and in no database: keep a copy of it elsewhere.",
	}, p.statusCommand(), p.auditCommand(), p.backupCommand(), p.restoreCommand(), p.acknowledgeCommand(), p.keyCommand(), p.initCommand(),
		p.copyCommand())
}

// forever is longer than any attempt is kept: a command that examines a journal deletes nothing.
const forever = 100 * 365 * 24 * time.Hour

// A place says where the journal of the configuration is: in a file of this user, or in the database of a team.
type place struct {
	folder   string // of the file; of a team's journal, where outcomes wait that could not be written
	keepDays int
	key      journal.KeyFile
	config   postgres.Config
	db       *postgres.DB // nil for a file
}

// config returns the configuration, for a command that needs no profile. Without a configuration the journal is a file.
func (p Commands) config() (*keystore.Config, error) {
	if p.Global.Config == "" {
		return &keystore.Config{}, nil
	}
	return p.Settings()
}

// folder returns the folder of a journal in a file.
func (p Commands) folder() (string, error) {
	folder, err := journal.Dir(p.Global.State, p.Getenv)
	if err != nil {
		err = command.Wrong("the journal folder is unknown; name it with --state-dir.")
	}
	return folder, err
}

func (p Commands) place() (at place, err error) {
	c, err := p.config()
	if err != nil {
		return at, err
	}
	at.keepDays = cmp.Or(c.KeepDays, 90)
	if at.folder, err = p.folder(); !c.Journal.Shared() {
		at.key = journal.KeyIn(at.folder)
		return at, err
	}
	at.key, at.config = journal.KeyFile(c.Journal.KeyFile), command.TeamConfig(c.Journal)
	if at.db, err = postgres.Open(at.config); err != nil {
		err = command.Wrong(p.Global.Config + ": [journal] " + err.Error())
	}
	return at, err
}

// open returns the journal, of which nothing is deleted.
func (a place) open() *journal.Journal {
	if a.db != nil {
		return journal.NewShared(a.db, journal.Options{Dir: a.folder, KeyFile: string(a.key), Retention: forever})
	}
	return journal.New(journal.Options{Dir: a.folder, Retention: forever})
}

func (p Commands) backupCommand() *cobra.Command {
	return p.fileCommand(&cobra.Command{
		Use: "backup FILE", Short: "Copy the journal to a new file, and check every row of the copy",
		Example: "  paydesk journal backup /media/stick/journal.db",
	}, p.backup)
}

func (p Commands) restoreCommand() *cobra.Command {
	yes := false
	c := p.fileCommand(&cobra.Command{
		Use: "restore FILE", Short: "Check a backup, and restore it",
		Long: "It says what a restore would change. --yes does it, and keeps the present journal beside it. What was newer than the\n" +
			"backup is a loss: nothing is sent until a person runs paydesk journal acknowledge.",
		Example: "  paydesk journal restore /media/stick/journal.db\n  paydesk journal restore /media/stick/journal.db --yes",
	}, func(ctx context.Context, j *journal.Journal, file string) error { return p.restore(ctx, j, file, yes) })
	c.Flags().BoolVar(&yes, "yes", false, "put it in place")
	return c
}

// fileCommand builds a command for the file of a journal. A team's is backed up where it is: a script must not take the file of one user
// for it.
func (p Commands) fileCommand(c *cobra.Command, do func(ctx context.Context, j *journal.Journal, file string) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		set, err := p.config()
		switch named := p.Global.State != p.State; {
		case !named && err != nil: // it may be a team's
			return err
		case !named && set.Journal.Shared():
			return command.Wrong("The journal is a team's, in PostgreSQL: it is backed up and restored there, with pg_dump and pg_restore. " +
				"For the file of one user, name its folder with --state-dir.")
		}
		folder, err := p.folder()
		if err != nil {
			return err
		}
		file, err := filepath.Abs(args[0])
		if err != nil {
			return err
		}
		j := journal.New(journal.Options{Dir: folder})
		defer j.Close()
		return do(c.Context(), j, file)
	}
	return c
}

// backup copies the journal to a new file, and checks every row of the copy.
func (p Commands) backup(ctx context.Context, j *journal.Journal, file string) error {
	if _, err := os.Lstat(file); err == nil {
		return command.FileError(fs.ErrExist)
	}
	held, err := j.Backup(ctx, file)
	if err != nil {
		return err
	}
	p.Print("Backed up to %s: %s. Every row of the copy was checked.", file, contentsWords(held))
	for _, l := range j.Losses() {
		p.Print("A loss of the journal was not acknowledged, and the backup has it too: %s", l.Words())
	}
	p.Print("The key of its hashes is not in it. Keep a copy of %s in another place: without that file nothing can be sent with a restored journal.",
		journal.KeyIn(filepath.Dir(j.Path())))
	return nil
}

// restore checks a backup, and says what putting it in place would change; with yes it does it.
func (p Commands) restore(ctx context.Context, j *journal.Journal, file string, yes bool) error {
	about, err := os.Stat(file)
	switch {
	case err != nil:
		return command.Unreadable(file, err)
	case about.Size() == 0:
		return command.Refuse(command.WhyFile, "The file "+present.Plain(file)+" is empty. Nothing was changed.", command.AnotherFile)
	}
	if present, err := os.Stat(j.Path()); err == nil && os.SameFile(about, present) {
		return command.Wrong(file + " is the journal itself; nothing was changed")
	}
	do := j.CompareBackup
	if yes {
		do = j.Restore
	}
	r, err := do(ctx, file)
	if err != nil {
		return err
	}
	p.Print("The backup is valid: %s.", contentsWords(r.Backup))
	if r.Unreadable {
		p.Print("The present journal cannot be read, so it is not known what the backup lacks.")
	}
	if r.Missing > 0 {
		p.Print("The backup lacks %s of the present journal, %d unresolved: no console will know of them, nor ask before the same customer is charged again.",
			present.Count(r.Missing, "attempt", "attempts"), r.MissingUnresolved)
	}
	if r.Key != "" {
		p.Print("%s", r.Key)
	}
	if !yes {
		return command.Refuse(command.WhyUnconfirmed, "Nothing was changed.", "Add --yes to put the backup in place.")
	}
	if r.SetAside != "" {
		p.Print("What was there is kept as %s.", r.SetAside)
	}
	p.Print("The backup is in place. What was recorded since may be missing, so nothing is sent before a person has acknowledged that: " +
		"paydesk journal acknowledge. Running consoles say so.")
	return nil
}

// contentsWords say what a journal or its backup holds.
func contentsWords(c journal.Contents) string {
	words := fmt.Sprintf("%s, %d unresolved, with %s", present.Count(c.Attempts, "attempt", "attempts"), c.Unresolved, present.Count(c.Facts, "fact", "facts"))
	if c.Attempts > 0 {
		words += ", from " + c.Oldest.Format(time.RFC3339) + " to " + c.Newest.Format(time.RFC3339)
	}
	return words
}

func (p Commands) acknowledgeCommand() *cobra.Command {
	return command.Ends(&cobra.Command{
		Use: "acknowledge", Short: "Show what the journal lost, and allow sending again",
		Long: "Nothing is sent until a person has acknowledged a loss, because a payment that is not recorded could be charged\n" +
			"again: look for it in paydesk transactions first.\n\n" +
			"A person at a terminal types acknowledge; no option does.",
		Example: "  paydesk journal acknowledge",
		RunE:    func(c *cobra.Command, _ []string) error { return p.acknowledgeLosses(c.Context()) },
	}, command.Locked)
}

func (p Commands) acknowledgeLosses(ctx context.Context) error {
	folder, err := p.folder()
	if err != nil {
		return err
	}
	journals := []*journal.Journal{place{folder: folder}.open()}
	if _, err := os.Stat(journals[0].Path()); err == nil || journals[0].IsGone() {
		_, _ = journals[0].Statistics(ctx) // opens it, which finds out what is lost
	}
	at, unknown := p.place()
	if unknown == nil && at.db != nil { // a team's says so when something is sent
		journals = append(journals, at.open())
	}
	lost := map[*journal.Journal][]journal.Loss{}
	for _, j := range journals {
		defer j.Close()
		if all := j.Losses(); len(all) > 0 {
			lost[j] = all
		}
		for _, l := range lost[j] {
			p.Warn("%s", present.Plain(l.Words()))
		}
	}
	switch {
	case len(lost) > 0:
	case unknown != nil: // it may be a team's
		return unknown
	default:
		p.Say("There is nothing to acknowledge: the journal has no known loss.")
		return nil
	}
	p.Warn("Payments of that time may not be known here, and nothing would warn before one is charged again. Look for them first: paydesk transactions.")
	if !p.Ask.Person() {
		return command.Refuse(command.Judge(journal.ErrLoss), "A person at a terminal has to acknowledge it. Until then nothing is sent.", command.AtATerminal)
	}
	err = p.Typed(ctx, "Type acknowledge to send again:", "acknowledge")
	switch {
	case errors.Is(err, command.ErrDeclined):
		return command.Refuse(command.WhyDeclined, "It was not acknowledged. Until then nothing is sent.", "")
	case err != nil:
		return err
	}
	for j, all := range lost {
		if err := j.AcknowledgeLosses(all); err != nil {
			return err
		}
	}
	p.Say("Acknowledged. Payments are sent again.")
	return nil
}

// lossesOf words the losses of a journal that await an acknowledgement.
func lossesOf(j *journal.Journal) (all []string) {
	for _, l := range j.Losses() {
		all = append(all, l.Words()+" "+command.AcknowledgeFirst)
	}
	if len(all) == 0 && j.IsGone() {
		all = append(all, "The journal was deleted or moved away: its key is there. Put it back; without it nothing is sent until you run paydesk journal acknowledge.")
	}
	return all
}
