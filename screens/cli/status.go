package cli

import "github.com/spf13/cobra"

// statusCommand is not written yet.
func (p *program) statusCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "status", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
