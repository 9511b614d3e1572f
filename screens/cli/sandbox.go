package cli

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"paydesk/api/sandbox"
	"paydesk/ui/terminal"
)

// sandboxCommand serves the sandbox to other programs.
func (p *program) sandboxCommand() *cobra.Command {
	return &cobra.Command{
		Use: "sandbox", Short: "Serve the sandbox to other programs", DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			p.stop.release() // to be stopped is how it ends
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			terminal.ExitOnDump()
			return exit(Code(sandbox.Command(ctx, args, p.Out, p.Err)), nil)
		},
	}
}
