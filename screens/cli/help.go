package cli

import "github.com/spf13/cobra"

// addHelp adds the help, completion and man commands.
func (p *program) addHelp(*cobra.Command) {}
