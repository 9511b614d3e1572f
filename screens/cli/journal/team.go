package journal

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/api/journal/postgres"
	"paydesk/api/ledger"
	"paydesk/api/statefile"
	"paydesk/screens"
	"paydesk/screens/cli/command"
	"paydesk/screens/present"
)

// said is an error of the database in words for the operator.
func (a place) said(err error) error {
	if err == nil {
		return nil
	}
	return command.Refuse(command.WhyJournal, a.db.Problem(err), "")
}

// teamCommand is a command for a team's journal.
func (p Commands) teamCommand(c *cobra.Command, do func(context.Context, place) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, _ []string) error {
		at, err := p.place()
		switch {
		case err != nil:
			return err
		case at.db == nil:
			return command.Wrong("The journal is a file: [journal] in the configuration names no database of a team (store = \"postgres\"); " +
				"see paydesk help configuration.")
		}
		return do(c.Context(), at)
	}
	return c
}

func (p Commands) initCommand() *cobra.Command {
	printSQL, fresh := false, false
	c := p.teamCommand(&cobra.Command{
		Use: "init", Short: "Create a team's journal in PostgreSQL",
		Long: "The key of its hashes is made too. What is there already stays as it is.\n\n" +
			"--print-sql prints what the administrator of the database runs first: one role owns the schema, and one is for\n" +
			"consoles. Run init and copy as a user with the first.",
		Example: "  paydesk journal init --print-sql | psql payments\n  paydesk journal init",
	}, func(ctx context.Context, at place) error {
		if printSQL {
			_, err := io.WriteString(p.Stdout(), postgres.RolesSQL(at.config))
			return err
		}
		return p.init(ctx, at, fresh)
	})
	c.Flags().BoolVar(&printSQL, "print-sql", false, "print the SQL of the roles, and change nothing")
	c.Flags().BoolVar(&fresh, "fresh", false, "make a new key although this user has a journal, which then cannot be copied")
	return c
}

// init creates a team's journal, and the key of its hashes where there is none. The key of this user's own
// journal would be another: with fresh a new one is made all the same.
func (p Commands) init(ctx context.Context, at place, fresh bool) error {
	r, err := postgres.Status(ctx, at.config)
	if err != nil {
		return at.said(err)
	}
	if own := journal.KeyIn(at.folder); !fresh && !r.Keyed && !exists(at.key) && exists(own) {
		return command.Toward(command.WhyFailed, "Nothing was changed: this user has a journal already, and a new key would not fit it. To leave it, add --fresh.",
			importing(own), "takes its key, so that it can be copied")
	}
	if err := at.said(postgres.Init(ctx, at.config)); err != nil {
		return err
	}
	made := false
	if !r.Keyed { // a new key would not fit a journal that was begun with one
		if made, err = at.key.Create(); err != nil {
			return err
		}
	}
	j := at.open()
	defer j.Close()
	if err := j.Check(ctx); err != nil {
		return err
	}
	p.Print("The journal is in place: %s.", at.db.Name())
	if made {
		p.Print("The key of its hashes was made: %s. Keep a copy of it in another place.", at.key)
	}
	p.Print("Each colleague needs the same key: paydesk journal key export FILE writes it, and paydesk journal key import FILE takes it.")
	return nil
}

func exists(f journal.KeyFile) bool {
	_, err := os.Lstat(string(f))
	return !errors.Is(err, fs.ErrNotExist)
}

func (p Commands) copyCommand() *cobra.Command {
	from := ""
	c := p.teamCommand(&cobra.Command{
		Use: "copy --from FILE", Short: "Copy a user's journal into a team's empty journal",
		Long: "A backup of it will do. Every row is checked before; all is written in one transaction or not at all, read back and\n" +
			"compared. The file stays as it is. Acknowledge what it lost first.\n\n" +
			"Import the key of the file before paydesk journal init: a journal that was begun with another key has to be dropped.",
		Example: "  paydesk journal key import ~/.local/state/paydesk/journal.key\n  paydesk journal init\n" +
			"  paydesk journal copy --from ~/.local/state/paydesk/journal.db",
	}, func(ctx context.Context, at place) error {
		file, err := filepath.Abs(from)
		if err != nil {
			return err
		}
		return p.copy(ctx, at, file)
	})
	c.Flags().StringVar(&from, "from", "", "the `FILE` of the journal, or a backup of it")
	return command.Ends(c, command.Locked)
}

// copy brings the journal of one user into that of a team, which must be empty. The file stays as it is. A person must
// have acknowledged its losses: the team would not learn of them.
//
// It copies a snapshot in the journal's folder: one state of the file, which consoles may go on using. Every page and row of the
// snapshot is checked before anything is written.
func (p Commands) copy(ctx context.Context, at place, file string) error {
	switch about, err := os.Stat(file); {
	case err != nil:
		return command.Unreadable(file, err)
	case !about.Mode().IsRegular():
		return errors.New("there is no journal in " + file + "; nothing was copied")
	}
	if all := journal.New(journal.Options{Dir: filepath.Dir(file)}).Losses(); len(all) > 0 { // a team's journal would not say it
		return command.Toward(command.WhyFailed, all[0].Words()+" Nothing was copied.", "paydesk journal acknowledge", "comes first")
	}
	if err := statefile.MakeDir(at.folder); err != nil {
		return err
	}
	folder, err := os.MkdirTemp(at.folder, "copy-") // 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	switch err := snapshot(ctx, file, filepath.Join(folder, "journal.db")); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return errors.New(file + " cannot be read, or is no journal; nothing was copied")
	}
	if err := handOver(at.key, journal.KeyIn(folder), file); err != nil {
		return err
	}
	if err := prepare(ctx, folder, file); err != nil {
		return err
	}
	team := at.open()
	defer team.Close()
	switch err := team.Check(ctx); {
	case command.IsSignal(err):
		return err
	case errors.Is(err, journal.ErrOtherKey): // whether it is empty is not known yet
		return command.Refuse(command.WhyJournal, "The team's journal was begun with another key than the file's. Nothing was copied: customers who have paid "+
			"would not be recognised.", "If it is empty, have its schema dropped, then run paydesk journal init.")
	case err != nil:
		words := present.Problem{What: err.Error() + " Nothing was copied."}
		if errors.Is(err, journal.ErrLoss) {
			words.Next = command.AcknowledgeFirst
		}
		return &command.Refusal{Reason: command.Judge(err), Problem: words, Err: err}
	}
	done, err := postgres.Copy(ctx, at.config, filepath.Join(folder, "journal.db"))
	if err != nil {
		return err
	}
	p.Print("Copied to %s: %s, %s and %s about them. Every row was read back and compared.", at.db.Name(), present.Count(done.Attempts, "attempt", "attempts"),
		present.Count(done.Payments, "looked-up or pinned payment", "looked-up or pinned payments"), present.Count(done.Facts, "fact", "facts"))
	p.Print("The file stays as it is: %s. What a console still records in it is not in the team's journal.", file)
	return nil
}

// snapshot writes one state of a journal into a new file. The file that is read is not changed.
func snapshot(ctx context.Context, from, to string) error {
	db := statefile.Open(statefile.Source(from, "ro", "busy_timeout(5000)"))
	defer db.Close()
	_, err := db.ExecContext(ctx, "VACUUM INTO ?", to)
	if err == nil {
		err = os.Chmod(to, 0o600)
	}
	return err
}

// handOver puts the key of the team beside the copy of a journal.
func handOver(key, to journal.KeyFile, file string) error {
	text, err := key.Export()
	if errors.Is(err, fs.ErrNotExist) {
		return wrongKey("there is no key of the team yet", file)
	}
	if err == nil {
		defer clear(text)
		_, err = to.Import(text, false, time.Now())
	}
	return err
}

// wrongKey is the error of a journal whose hashes the team's key did not make.
func wrongKey(why, file string) error {
	return command.Toward(command.WhyFailed, why+"; nothing was copied, as customers who have paid would not be recognised.",
		importing(journal.KeyIn(filepath.Dir(file))), "takes the key of the file for the team's")
}

// importing is the command that takes a key for the team's.
func importing(key journal.KeyFile) string {
	return screens.ShellCommand([]string{"paydesk", "journal", "key", "import", string(key)})
}

// prepare checks every page and row of the copy of a journal, and makes sure that nothing in it is about to change.
func prepare(ctx context.Context, folder, file string) error {
	path := filepath.Join(folder, "journal.db")
	j := journal.New(journal.Options{Dir: folder, Retention: forever})
	defer j.Close()
	found, err := j.CompareBackup(ctx, path)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return errors.New(strings.ReplaceAll(err.Error(), path, file))
	case found.Key != "":
		return wrongKey("the key of the team is not the one that the file was written with", file)
	}
	all, err := j.Statistics(ctx)
	if err != nil {
		return err
	}
	for _, g := range all.Groups {
		if g.Outcome == ledger.Sent {
			return errors.New("a console is waiting for the answer to a request; nothing was copied. Try again once it has arrived")
		}
	}
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
			"Delete the file once it has been imported: with a copy of the journal it confirms guessed e-mail addresses.",
		Example: "  paydesk journal key export /media/stick/team.key\n  paydesk journal key export - | ssh desk2 paydesk journal key import -",
		RunE:    func(c *cobra.Command, args []string) error { return p.exportJournalKey(c.Context(), args[0]) },
	}
}

func (p Commands) exportJournalKey(ctx context.Context, to string) error {
	switch { // before the key is read
	case to == "-" && command.IsTerminal(p.Out):
		return command.Wrong("The key is not shown on a terminal. Name a new file, or pass it on through a pipe.")
	case to == "-" && p.Global.JSON:
		return command.Wrong("With --json the key is written to a file: name a new one.")
	case to == "-":
		to = ""
	}
	var text []byte
	at, err := p.place()
	if err == nil {
		text, err = at.key.Export()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return command.Sentence(err.Error() + " It is made when the journal is: by the first record, and a team's by paydesk journal init.")
	case err != nil:
		return err
	}
	defer clear(text)
	return p.WriteText(ctx, to, text, "The key is in %s, which only you can read. Delete it once it has been imported.")
}

func (p Commands) keyImportCommand() *cobra.Command {
	replace := false
	c := &cobra.Command{
		Use: "import FILE", Short: "Import the key that a colleague exported",
		Long: "FILE - is a pipe.\n\n" +
			"With a key that is not the journal's, nothing is sent.",
		Example: "  paydesk journal key import /media/stick/team.key",
		RunE:    func(c *cobra.Command, args []string) error { return p.importJournalKey(c.Context(), args[0], replace) },
	}
	c.Flags().BoolVar(&replace, "replace", false, "put it in the place of another key, which is kept beside it")
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
	done, err := of.key.Import(text, replace, time.Now())
	at := present.Plain(string(of.key))
	switch {
	case errors.Is(err, journal.ErrOtherKey):
		return command.Refuse(command.WhyFailed, "There is another key in "+at+". Nothing was changed. Whoever was recorded with that key is not recognised "+
			"with this one, and nothing can be sent unless this one is the journal's.", "If it is, add --replace: the other is kept beside it.")
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
		text, err := journal.KeyFile(from).Export()
		if errors.Is(err, fs.ErrNotExist) {
			err = command.Unreadable(from, err)
		}
		return text, err
	}
	return p.ReadIn(ctx, 1<<10, command.Wrong("The key is not typed. Name the file that a colleague exported, or pass it on through a pipe."))
}
