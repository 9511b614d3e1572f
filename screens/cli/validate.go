package cli

import "github.com/spf13/cobra"

// validateCommand is not written yet.
func (p *program) validateCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "validate", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
