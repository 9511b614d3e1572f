package cli

import "github.com/spf13/cobra"

// transactionsCommand is not written yet.
func (p *program) transactionsCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "transactions", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
