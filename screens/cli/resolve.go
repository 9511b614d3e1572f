package cli

import "github.com/spf13/cobra"

// resolveCommand is not written yet.
func (p *program) resolveCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "resolve", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
