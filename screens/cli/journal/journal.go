// Package journal has the commands for the journal as a whole, a file of this user or the database of a team, and its check for the
// doctor.
package journal

import (
	"context"

	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/api/journal/journalcmd"
	"paydesk/screens/cli/command"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// Journal is about the journal as a whole: a file of this user, or the database of a team.
func (p Commands) Journal() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "journal", Short: "Back up, check and share the journal", Annotations: command.Takes("config", "state-dir", "json"),
		Long: "Back up, check and share the journal. All of it works while consoles run. journal.key is in no backup and in no\n" +
			"database: keep a copy of it elsewhere.",
	}, p.journalStatusCommand(), p.journalAuditCommand(), p.backupCommand(), p.restoreCommand(), p.journalAcknowledgeCommand(), p.journalKeyCommand(), p.journalInitCommand(),
		p.journalMigrateCommand(), p.journalCopyCommand())
}

func (p Commands) backupCommand() *cobra.Command {
	return p.fileCommand(&cobra.Command{
		Use: "backup FILE", Short: "Copy the journal to a new file, and check every row of the copy",
		Example: "  paydesk journal backup /media/stick/journal.db",
	}, func(ctx context.Context, journals journalcmd.CLI, file string) error {
		return journals.Backup(ctx, file)
	})
}

func (p Commands) restoreCommand() *cobra.Command {
	yes := false
	c := p.fileCommand(&cobra.Command{
		Use: "restore FILE", Short: "Check a backup, and restore it",
		Long: "Check a backup, and say what a restore would change. --yes does it, and keeps the present journal beside it. What was\n" +
			"newer than the backup is a loss: nothing is sent until a person runs paydesk journal acknowledge.",
		Example: "  paydesk journal restore /media/stick/journal.db\n  paydesk journal restore /media/stick/journal.db --yes",
	}, func(ctx context.Context, journals journalcmd.CLI, file string) error {
		return journals.Restore(ctx, file, yes)
	})
	c.Flags().BoolVar(&yes, "yes", false, "put it in place")
	return c
}

// fileCommand is a command for the file of a journal. A team's is backed up where it is: a script must not take the file of one user
// for it.
func (p Commands) fileCommand(c *cobra.Command, do func(ctx context.Context, journals journalcmd.CLI, file string) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		if c, err := p.journalConfig(); err == nil && c.Journal.Shared() && p.Global.State == p.State {
			return command.Wrong("The journal is a team's, in PostgreSQL: it is backed up and restored there, with pg_dump and pg_restore. " +
				"The file of one user is meant where --state-dir names its folder.")
		}
		folder, err := p.journalFolder()
		if err != nil {
			return err
		}
		return do(c.Context(), journalcmd.CLI{Out: p.Words(), State: folder}, args[0])
	}
	return c
}

// journalFolder is the folder of a journal in a file.
func (p Commands) journalFolder() (string, error) {
	folder, err := journal.Dir(p.Global.State, p.Getenv)
	if err != nil {
		return "", command.Wrong("the journal folder is unknown; name it with --state-dir.")
	}
	return folder, nil
}
