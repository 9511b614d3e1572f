package cli

import "github.com/spf13/cobra"

// configCommand is not written yet.
func (p *program) configCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "config", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
