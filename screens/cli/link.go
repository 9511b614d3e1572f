package cli

import "github.com/spf13/cobra"

// linkCommand is not written yet.
func (p *program) linkCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "link", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
