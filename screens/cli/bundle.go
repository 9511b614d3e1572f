package cli

import "github.com/spf13/cobra"

// bundleCommand is not written yet.
func (p *program) bundleCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "bundle", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
