package cli

import "github.com/spf13/cobra"

// doctorCommand is not written yet.
func (p *program) doctorCommand() *cobra.Command {
	return p.command(&cobra.Command{Use: "doctor", Hidden: true, RunE: func(*cobra.Command, []string) error { return usage("not written yet") }})
}
