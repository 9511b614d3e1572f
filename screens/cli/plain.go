package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api"
	"paydesk/screens/cli/plain"
	"paydesk/screens/present"
)

// runPlain asks for commands line by line. Each runs as it would from a shell, with the same global options.
func (p *program) runPlain() error {
	p.stop.release() // ctrl+c ends the command that runs, and here plain mode
	keep, getenv := p.global, p.Getenv
	p.Getenv = func(name string) string {
		if name == "TERM" {
			return "dumb" // no line is rewritten, and nothing is coloured
		}
		return getenv(name)
	}
	p.plain = true
	return plain.Run(context.Background(), plain.Options{
		Tree: func() *cobra.Command {
			p.global = keep
			root := p.tree()
			p.addCompletions(root)
			return root
		},
		Run: func(args []string) (ending, wrong string) {
			code := Code(p.run(append(arguments(keep), args...)))
			if code == Usage && p.failed != nil {
				wrong = p.failed.Error()
			}
			return endingWords(code), wrong
		},
		Show: func(answer string) string { return api.Clean(answer).Line(0) },
		Ask: func(_ context.Context, question string) (string, error) {
			ctx, end := p.watchSignals() // ctrl+c at a question ends plain mode, without a word
			defer end()
			return p.ask.Line(ctx, question)
		},
		Wrong: func(f *pflag.Flag, err error) string { return present.Sentence(valueError(f, err)) },
		Out:   p.Out,
		Leave: []string{"help", "completion", "man", "version", "demo", "sandbox", "json", "csv", "yes", "qr", "card-stdin"},
	})
}

// endingWords is how a command ended, in a sentence.
func endingWords(c Code) string {
	if words, known := codeWords[c]; known {
		return present.Sentence(words)
	}
	if c > 128 {
		return "Stopped."
	}
	return fmt.Sprintf("Ended with %d.", c)
}

// arguments are the global options as they were given.
func arguments(g globals) (all []string) {
	for _, o := range [][2]string{{"--config", g.config}, {"--profile", g.profile}, {"--state-dir", g.state}} {
		if o[1] != "" {
			all = append(all, o[0]+"="+o[1])
		}
	}
	return all
}
