package cli

import "github.com/spf13/cobra"

func (p *program) journalMigrateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Short: "Bring a team's journal up to this version of paydesk", Args: positional(),
		Long: "Bring a team's journal up to this version of paydesk, under a lock and as a whole. There is no way back: consoles of an\n" +
			"older version then send nothing. Until it is done, those of this version send nothing.",
		Example: "  paydesk journal migrate",
		RunE: func(c *cobra.Command, _ []string) error {
			commands, t, _, err := p.teamCommands()
			if err != nil {
				return err
			}
			return commands.Migrate(c.Context(), t)
		},
	}
}
