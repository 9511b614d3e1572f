package cli

import "github.com/spf13/cobra"

// activityCommand is not written yet.
func (p *program) activityCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "activity", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
