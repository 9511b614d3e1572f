package cli

import (
	"cmp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/screens/cli/command"
	"paydesk/screens/cli/plain"
	"paydesk/screens/present"
)

// startPlain asks for commands line by line, with the demo's sandbox or without.
func (p *program) startPlain(demo bool) error {
	if demo {
		return p.plainDemo()
	}
	return p.runPlain()
}

// runPlain asks for commands. Each runs as it would from a shell, with the same global options.
func (p *program) runPlain() error {
	p.Stop.Release() // ctrl+c ends the command that runs, and here plain mode
	keep, getenv := p.Global, p.Getenv
	p.Getenv = func(name string) string {
		if name == "TERM" {
			return "dumb" // no line is rewritten, and nothing is coloured
		}
		return getenv(name)
	}
	p.Plain = true
	return plain.Run(plain.Options{
		Program: p.Program,
		Commands: func() *cobra.Command {
			p.Global = keep
			root := p.Tree()
			p.addCompletions(root)
			return root
		},
		Run: func(args []string) (ending, wrong string) {
			p.run(append(arguments(keep), args...))
			why := command.Judge(p.Failed)
			if why.Exit == command.Usage {
				wrong = p.Failed.Error()
			}
			return present.Sentence(cmp.Or(why.Words, "done")), wrong
		},
		Wrong: func(f *pflag.Flag, err error) string { return present.Sentence(valueError(f, err)) },
	})
}

// arguments are the global options as they were given.
func arguments(g command.Globals) (all []string) {
	for _, o := range [][2]string{{"--config", g.Config}, {"--profile", g.Profile}, {"--state-dir", g.State}} {
		if o[1] != "" {
			all = append(all, o[0]+"="+o[1])
		}
	}
	return all
}
