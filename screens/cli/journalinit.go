package cli

import (
	"io"

	"github.com/spf13/cobra"
)

func (p *program) journalInitCommand() *cobra.Command {
	printSQL, fresh := false, false
	c := &cobra.Command{
		Use: "init", Short: "Create a team's journal in PostgreSQL, and the key of its hashes", Args: positional(),
		Long: "Create a team's journal in PostgreSQL, and the key of its hashes: the schema that the configuration names, with its tables.\n" +
			"What is there already stays as it is.\n\n" +
			"--print-sql prints what the administrator of the database runs first: two roles, of which one owns the schema and\n" +
			"changes it, and one is for consoles. Run init, migrate and copy with a user who has the first.",
		Example: "  paydesk journal init --print-sql | psql payments\n  paydesk journal init",
		RunE: func(c *cobra.Command, _ []string) error {
			commands, t, key, err := p.teamCommands()
			if err != nil {
				return err
			}
			if printSQL {
				_, err := io.WriteString(p.stdout(), t.RolesSQL())
				return err
			}
			return commands.Init(c.Context(), t, key, fresh)
		},
	}
	c.Flags().BoolVar(&printSQL, "print-sql", false, "print the SQL of the roles, and change nothing")
	c.Flags().BoolVar(&fresh, "fresh", false, "make a new key although this user has a journal, which then cannot be copied")
	return c
}
