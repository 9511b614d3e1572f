package cli

import "github.com/spf13/cobra"

func (p *program) journalCopyCommand() *cobra.Command {
	from := ""
	c := &cobra.Command{
		Use: "copy --from FILE", Short: "Bring the journal of one user into an empty journal of a team", Args: positional(),
		Long: "Bring the journal of one user into an empty journal of a team: journal.db, or a backup of it. Every page and row is\n" +
			"checked, all is written in one transaction or not at all, and every row is read back and compared. The file stays as it is.\n" +
			"What the file is known to have lost has to be acknowledged before.\n\n" +
			"The key of the file has to be the team's: import it before paydesk journal init.",
		Example: "  paydesk journal key import ~/.local/state/paydesk/journal.key\n  paydesk journal init\n" +
			"  paydesk journal copy --from ~/.local/state/paydesk/journal.db",
		RunE: func(c *cobra.Command, _ []string) error {
			commands, t, key, err := p.teamCommands()
			if err != nil {
				return err
			}
			return commands.Copy(c.Context(), t, from, key)
		},
	}
	c.Flags().StringVar(&from, "from", "", "the `FILE` of the journal, or a backup of it")
	return c
}
