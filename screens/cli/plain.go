package cli

import "github.com/spf13/cobra"

// runPlain is not written yet.
func (p *program) runPlain(*cobra.Command) error { return usage("not written yet") }
