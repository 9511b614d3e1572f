package cli

import "github.com/spf13/cobra"

// authenticateCommand is not written yet.
func (p *program) authenticateCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "authenticate", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
