package cli

import "github.com/spf13/cobra"

// finalizeCommand is not written yet.
func (p *program) finalizeCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "finalize", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
