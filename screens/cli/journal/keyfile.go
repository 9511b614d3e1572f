package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/screens/cli/command"
	"paydesk/screens/present"
)

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
		return command.Sentence(err.Error() + " It is made when the journal is: by the first record, and a team's by paydesk journal init.")
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
	path, err := command.WriteNew(ctx, to, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
	if err != nil {
		return err
	}
	p.Say("The key is in %s, which only you can read. Delete it once it was imported.", path)
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
		return command.Sentence("There is another key in " + at + ". Nothing was changed. Whoever was recorded with that key is not recognised " +
			"with this one, and nothing can be sent unless this one is the journal's. If it is, add --replace: the other is kept beside it.")
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
	return p.ReadIn(ctx, 1<<10, command.Wrong("The key is not typed. Name the file that a colleague exported, or pass it on through a pipe."))
}
