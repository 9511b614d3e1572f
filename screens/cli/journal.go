package cli

import (
	"github.com/spf13/cobra"

	"paydesk/api/journal/journalcmd"
)

// journalCommand backs the journal up and restores it.
func (p *program) journalCommand() *cobra.Command {
	return &cobra.Command{
		Use: "journal", Short: "Back the journal up, or restore it", DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			return exit(Code(journalcmd.CLI{Out: p.Out, Stderr: p.Err, State: p.folder()}.Run(c.Context(), args)), nil)
		},
	}
}
