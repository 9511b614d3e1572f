package cli

import "github.com/spf13/cobra"

// caseCommand is not written yet.
func (p *program) caseCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "case", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
