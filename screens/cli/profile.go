package cli

import "github.com/spf13/cobra"

// profileCommand is not written yet.
func (p *program) profileCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "profile", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
