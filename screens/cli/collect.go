package cli

import "github.com/spf13/cobra"

// collectCommand is not written yet.
func (p *program) collectCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "collect", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
