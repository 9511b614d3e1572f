package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"paydesk/api/sandbox"
	"paydesk/ui/terminal"
)

// sandboxCommand serves the sandbox to other programs.
func (p *program) sandboxCommand() *cobra.Command {
	s, assumptions := sandbox.NewCommand(), false
	c := &cobra.Command{
		Use: "sandbox", Short: "Serve the sandbox to other programs", Args: positional(), Annotations: takes(),
		Long: "Serve the payment service from memory, for any program to use.\n\n" +
			"It prints one line when it is ready, then one line per request. SIGTERM stops it.",
		Example: "  paydesk sandbox --listen 127.0.0.1:0 --seed 7 --settle 1s",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.Check(); err != nil {
				return exit(Usage, err)
			}
			if assumptions {
				return sandbox.WriteAssumptions(p.Out)
			}
			return p.serve(c.Context(), s)
		},
	}
	f := c.Flags()
	f.StringVar(&s.Address, "listen", s.Address, "the `ADDRESS` to listen on; port 0 picks a free one")
	f.StringVar(&s.Key, "key", "", "the secret `KEY` it accepts; a random one if there is none")
	f.Uint64Var(&s.Seed, "seed", 0, "make ids, references and rows reproducible, by a `NUMBER`")
	f.IntVar(&s.Transactions, "transactions", s.Transactions, "the `NUMBER` of seeded transactions")
	f.DurationVar(&s.Settle, "settle", s.Settle, "the `TIME` that a payment takes to settle")
	f.StringArrayVar(&s.Webhooks, "webhook", nil, "a `URL` that webhooks are sent to, up to 8 times; none are sent without one")
	f.BoolVar(&s.AnyAddress, "insecure-any-address", false, "allow an address that other machines can reach")
	f.BoolVar(&assumptions, "assumptions", false, "print what it does where the specification is silent, and exit")
	return c
}

// serve serves a sandbox until it is stopped, which is how it ends.
func (p *program) serve(ctx context.Context, s *sandbox.Command) error {
	p.stop.release()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	terminal.ExitOnDump()
	return s.Serve(ctx, p.Out)
}
