package cli

import (
	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/api/journal/journalcmd"
)

// journalCommand is about the journal as a whole: a file of this user, or the database of a team.
func (p *program) journalCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "journal", Short: "Look after the journal: a file, or the database of a team", Annotations: takes("config", "state-dir", "json", talk),
		Long: "Look after the journal: back the file of one user up, or move into a database that a team shares.\n\n" +
			"All of it works while consoles run. journal.key is not in a backup, and in no database: keep a copy of it in another place.",
	}, p.journalStatusCommand(), p.journalAuditCommand(), p.backupCommand(), p.restoreCommand(), p.journalAcknowledgeCommand(), p.journalKeyCommand(), p.journalInitCommand(),
		p.journalMigrateCommand(), p.journalCopyCommand())
}

func (p *program) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Copy the journal to a new file, and check every row of the copy", Args: positional("FILE"),
		Example: "  paydesk journal backup /media/stick/journal.db",
		RunE: func(c *cobra.Command, args []string) error {
			journals, err := p.journalCommands()
			if err != nil {
				return err
			}
			return journals.Backup(c.Context(), args[0])
		},
	}
}

func (p *program) restoreCommand() *cobra.Command {
	yes := false
	c := &cobra.Command{
		Use: "restore FILE", Short: "Check a backup, and put it in place", Args: positional("FILE"),
		Long: "Check a backup, and say what putting it in place would change.\n\n" +
			"With --yes it is done: the present journal is set aside beside it, never deleted. What was newer than the backup is a\n" +
			"loss: nothing is sent before a person has acknowledged it with paydesk journal acknowledge.",
		Example: "  paydesk journal restore /media/stick/journal.db\n  paydesk journal restore /media/stick/journal.db --yes",
		RunE: func(c *cobra.Command, args []string) error {
			journals, err := p.journalCommands()
			if err != nil {
				return err
			}
			return journals.Restore(c.Context(), args[0], yes)
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "put it in place")
	return c
}

// journalCommands are the commands for the file of a journal. A team's is backed up where it is: a script must not take
// the file of one user for it.
func (p *program) journalCommands() (journalcmd.CLI, error) {
	if c, err := p.journalConfig(); err == nil && c.Journal.Shared() && p.global.state == p.State {
		return journalcmd.CLI{}, usage("The journal is a team's, in PostgreSQL: it is backed up and restored there, with pg_dump and pg_restore. " +
			"The file of one user is meant where --state-dir names its folder.")
	}
	folder, err := p.journalFolder()
	return journalcmd.CLI{Out: p.words(), State: folder}, err
}

// journalFolder is the folder of a journal in a file.
func (p *program) journalFolder() (string, error) {
	folder, err := journal.Dir(p.global.state, p.Getenv)
	if err != nil {
		return "", usage("the journal folder is unknown; name it with --state-dir.")
	}
	return folder, nil
}
