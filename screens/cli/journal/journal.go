// Package journal has the commands for the journal as a whole, a file of this user or the database of a team, and its check for the
// doctor.
package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/screens/cli/command"
	"paydesk/screens/present"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// Journal is about the journal as a whole: a file of this user, or the database of a team.
func (p Commands) Journal() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "journal", Short: "Back up, check and share the journal", Annotations: command.Takes("config", "state-dir", "json"),
		Long: "All of it works while consoles run. journal.key is in no backup and in no database: keep a copy of it elsewhere.",
	}, p.statusCommand(), p.auditCommand(), p.backupCommand(), p.restoreCommand(), p.acknowledgeCommand(), p.keyCommand(), p.initCommand(),
		p.migrateCommand(), p.copyCommand())
}

func (p Commands) backupCommand() *cobra.Command {
	return p.fileCommand(&cobra.Command{
		Use: "backup FILE", Short: "Copy the journal to a new file, and check every row of the copy",
		Example: "  paydesk journal backup /media/stick/journal.db",
	}, func(ctx context.Context, journals Upkeep, file string) error {
		return journals.Backup(ctx, file)
	})
}

func (p Commands) restoreCommand() *cobra.Command {
	yes := false
	c := p.fileCommand(&cobra.Command{
		Use: "restore FILE", Short: "Check a backup, and restore it",
		Long: "It says what a restore would change. --yes does it, and keeps the present journal beside it. What was newer than the\n" +
			"backup is a loss: nothing is sent until a person runs paydesk journal acknowledge.",
		Example: "  paydesk journal restore /media/stick/journal.db\n  paydesk journal restore /media/stick/journal.db --yes",
	}, func(ctx context.Context, journals Upkeep, file string) error {
		err := journals.Restore(ctx, file, yes)
		if err == nil && !yes {
			return command.Refuse(command.WhyUnconfirmed, "Nothing was changed.", "Add --yes to put the backup in place.")
		}
		return err
	})
	c.Flags().BoolVar(&yes, "yes", false, "put it in place")
	return c
}

// fileCommand is a command for the file of a journal. A team's is backed up where it is: a script must not take the file of one user
// for it.
func (p Commands) fileCommand(c *cobra.Command, do func(ctx context.Context, journals Upkeep, file string) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		if c, err := p.config(); err == nil && c.Journal.Shared() && p.Global.State == p.State {
			return command.Wrong("The journal is a team's, in PostgreSQL: it is backed up and restored there, with pg_dump and pg_restore. " +
				"The file of one user is meant where --state-dir names its folder.")
		}
		folder, err := p.folder()
		if err != nil {
			return err
		}
		return do(c.Context(), Upkeep{Out: p.Words(), State: folder}, args[0])
	}
	return c
}

func (p Commands) acknowledgeCommand() *cobra.Command {
	return command.Ends(&cobra.Command{
		Use: "acknowledge", Short: "Say what the journal lost, and allow sending again",
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
	journals := []*journal.Journal{journal.New(journal.Options{Dir: folder, Retention: forever})}
	if _, err := os.Stat(journals[0].Path()); err == nil || journals[0].IsGone() {
		_, _ = journals[0].Statistics(ctx) // opens it, which finds out what is lost
	}
	if c, _, err := p.Selected(); err == nil {
		if open := command.SharedJournal(c.Journal); open != nil { // a team's says so when something is sent
			journals = append(journals, open(journal.Options{Dir: folder, Retention: forever}))
		}
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
	if len(lost) == 0 {
		p.Say("Nothing is to be acknowledged: the journal has lost nothing that is known.")
		return nil
	}
	p.Warn("Payments of that time may not be known here, and nothing would warn before one is charged again. Look for them first: paydesk transactions.")
	if !p.Ask.Person() {
		return command.Exit(command.Locked, command.Sentence("A person at a terminal has to acknowledge it. Until then nothing is sent."))
	}
	if err := p.Typed(ctx, "Type acknowledge to send again:", "acknowledge"); err != nil {
		return err
	}
	for j, all := range lost {
		if err := j.AcknowledgeLosses(all); err != nil {
			return command.Exit(command.Failed, err)
		}
	}
	p.Say("Acknowledged. Payments are sent again.")
	return nil
}

// keyCommand hands the key of the journal's hashes over.
func (p Commands) keyCommand() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "key", Short: "Export or import the key of the journal",
		Long: "Customers who have paid are recognised by its hashes. A team has one key: whoever begins the journal exports it, and\n" +
			"each colleague imports it. It is in no database, and is never shown.",
	}, p.keyExportCommand(), p.keyImportCommand())
}

func (p Commands) keyExportCommand() *cobra.Command {
	return &cobra.Command{
		Use: "export FILE", Short: "Write the key to a new file, which only you can read",
		Long: "FILE - is a pipe.\n\n" +
			"Delete the file once it was imported: with a copy of the journal it confirms guessed e-mail addresses.",
		Example: "  paydesk journal key export /media/stick/team.key\n  paydesk journal key export - | ssh desk2 paydesk journal key import -",
		RunE:    func(c *cobra.Command, args []string) error { return p.exportJournalKey(c.Context(), args[0]) },
	}
}

func (p Commands) exportJournalKey(ctx context.Context, to string) error {
	var text bytes.Buffer
	at, err := p.place()
	if err == nil {
		err = at.key.Export(&text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return command.Exit(command.Failed, command.Sentence(err.Error()+" It is made when the journal is: by the first record, and a team's by paydesk journal init."))
	case err != nil:
		return err
	}
	defer clear(text.Bytes())
	switch {
	case to == "-" && command.IsTerminal(p.Out):
		return command.Wrong("The key is not shown on a terminal. Name a new file, or pass it on through a pipe.")
	case to == "-":
		_, err := p.Stdout().Write(text.Bytes())
		return err
	}
	path, err := export.CreateNew(ctx, to, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
	if err != nil {
		return command.FileError(err)
	}
	p.Say("The key is in %s, which only you can read. Delete it once it was imported.", present.Plain(path))
	return nil
}

func (p Commands) keyImportCommand() *cobra.Command {
	replace := false
	c := &cobra.Command{
		Use: "import FILE", Short: "Import the key that a colleague exported",
		Long: "FILE - is a pipe.\n\n" +
			"--replace takes the place of another key, which is kept beside it. With a key that is not the journal's, nothing is\n" +
			"sent.",
		Example: "  paydesk journal key import /media/stick/team.key",
		RunE:    func(c *cobra.Command, args []string) error { return p.importJournalKey(c.Context(), args[0], replace) },
	}
	c.Flags().BoolVar(&replace, "replace", false, "put it in the place of another key, which is kept")
	return c
}

func (p Commands) importJournalKey(ctx context.Context, from string, replace bool) error {
	of, err := p.place()
	if err != nil {
		return err
	}
	text, err := p.readJournalKey(ctx, from)
	if err != nil {
		return err
	}
	defer clear(text)
	done, err := of.key.Import(bytes.NewReader(text), replace, time.Now())
	at := present.Plain(string(of.key))
	switch {
	case errors.Is(err, journal.ErrOtherKey):
		return command.Exit(command.Failed, command.Sentence("There is another key in "+at+". Nothing was changed. Whoever was recorded with that key is not recognised "+
			"with this one, and nothing can be sent unless this one is the journal's. If it is, add --replace: the other is kept beside it."))
	case err != nil:
		return err
	case done.Same:
		p.Say("The key is there already, in %s.", at)
		return nil
	case done.SetAside != "":
		p.Say("The key that was there is kept as %s.", present.Plain(done.SetAside))
	}
	p.Say("The key is in %s.", at)
	return nil
}

// readJournalKey reads a key that was exported.
func (p Commands) readJournalKey(ctx context.Context, from string) ([]byte, error) {
	if from != "-" {
		var text bytes.Buffer
		err := journal.KeyFile(from).Export(&text)
		if errors.Is(err, fs.ErrNotExist) {
			err = command.Unreadable(from, err)
		}
		return text.Bytes(), err
	}
	if command.IsTerminal(p.In) {
		return nil, command.Wrong("The key is not typed. Name the file that a colleague exported, or pass it on through a pipe.")
	}
	return command.Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(p.In, 1<<10)) })
}
