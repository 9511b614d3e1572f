package cli

import (
	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/api/journal/journalcmd"
)

// journalCommand backs the journal up and restores it.
func (p *program) journalCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "journal", Short: "Back the journal up, or restore it", Annotations: takes("state-dir"),
		Long: "Keep a copy of the journal, and bring one back.\n\n" +
			"Both work while consoles run. journal.key is not in a backup: keep a copy of it in another place.",
	}, p.backupCommand(), p.restoreCommand())
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
			"With --yes it is done: the present journal is set aside beside it, never deleted.",
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

func (p *program) journalCommands() (journalcmd.CLI, error) {
	folder, err := journal.Dir(p.global.state, p.Getenv)
	if err != nil {
		return journalcmd.CLI{}, usage("the journal folder is unknown; name it with --state-dir.")
	}
	return journalcmd.CLI{Out: p.Out, State: folder}, nil
}
