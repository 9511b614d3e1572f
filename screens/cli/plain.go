package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

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
	p.plain, p.ask = true, &lineAsker{p: p, lines: bufio.NewReader(p.In)}
	return plain.Run(context.Background(), plain.Options{
		Tree: func() *cobra.Command {
			p.global = keep
			return p.tree()
		},
		Run: func(args []string) (string, bool) {
			code := Code(p.run(append(keep.arguments(), args...)))
			return endingWords(code), code == Usage
		},
		Ask: func(ctx context.Context, question string) (string, error) { return p.ask.Line(ctx, question) },
		Wrong: func(err error) string {
			var own fieldError
			if errors.As(err, &own) {
				return present.Sentence(own.Error())
			}
			return "This answer does not fit: " + err.Error() + "."
		},
		Out:   p.Out,
		Leave: []string{"help", "completion", "man", "demo", "sandbox", "json", "csv", "yes", "qr", "card-stdin"},
	})
}

// endingWords is how a command ended, in a sentence.
func endingWords(c Code) string {
	if words, known := codeWords[c]; known {
		return present.Sentence(words)
	}
	return fmt.Sprintf("Ended with %d.", c)
}

// arguments are the global options as they were given.
func (g globals) arguments() (all []string) {
	for _, o := range [][2]string{{"--config", g.config}, {"--profile", g.profile}, {"--state-dir", g.state}} {
		if o[1] != "" {
			all = append(all, o[0]+"="+o[1])
		}
	}
	return all
}

// A lineAsker asks line by line, wherever the answers come from.
type lineAsker struct {
	p     *program
	lines *bufio.Reader
	// begun is a read that a signal, or a question that was given up, left behind. It gets the next line, so the next question is answered by it.
	begun chan readBytes
}

type readBytes struct {
	line []byte
	err  error
}

// read reads a line. The end of the input is an error only where nothing stands before it.
func (a *lineAsker) read(ctx context.Context) ([]byte, error) {
	if a.begun == nil {
		done := make(chan readBytes, 1)
		a.begun = done
		go func() {
			b, err := a.lines.ReadBytes('\n')
			if len(b) > 0 && errors.Is(err, io.EOF) {
				err = nil
			}
			done <- readBytes{bytes.TrimRight(b, "\r\n"), err}
		}()
	}
	select {
	case r := <-a.begun:
		a.begun = nil
		return r.line, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Available implements [asker].
func (a *lineAsker) Available() bool { return true }

// Person implements [asker].
func (a *lineAsker) Person() bool {
	return isTerminal(a.p.In) && isTerminal(a.p.Out) && isTerminal(a.p.Err)
}

// Line implements [asker].
func (a *lineAsker) Line(ctx context.Context, question string) (string, error) {
	if question != "" {
		fmt.Fprintln(a.p.Err, present.Plain(question))
	}
	b, err := a.read(ctx)
	return string(b), err
}

// Hidden implements [asker]. At a terminal the answer is not shown.
func (a *lineAsker) Hidden(ctx context.Context, question string) ([]byte, error) {
	if !isTerminal(a.p.In) {
		fmt.Fprintln(a.p.Err, present.Plain(question))
		return a.read(ctx)
	}
	if a.begun != nil { // it would get what is to be hidden
		fmt.Fprintln(a.p.Err, "Press enter.")
		if _, err := a.read(ctx); err != nil {
			return nil, err
		}
	}
	return a.p.keys().ReadHidden(ctx, present.Plain(question)+" ")
}
