package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/keystore/keycmd"
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
	p.plain, p.ask = true, &lineAsker{p: p}
	return plain.Run(context.Background(), plain.Options{
		Tree: func() *cobra.Command {
			p.global = keep
			return p.tree()
		},
		Run: func(args []string) (string, bool) {
			code := Code(p.run(append(keep.arguments(), args...)))
			return endingWords(code), code == Usage
		},
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
	p    *program
	rest []byte // read beyond the last line; wiped once it is taken
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
			line, err := a.line()
			done <- readBytes{line, err}
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

// line takes the next line of the input. It leaves no copy, because it may be a key.
func (a *lineAsker) line() ([]byte, error) {
	chunk := make([]byte, 4<<10)
	defer clear(chunk)
	for {
		if at := bytes.IndexByte(a.rest, '\n'); at >= 0 {
			return a.take(at + 1), nil
		}
		n, err := a.p.In.Read(chunk)
		grown := slices.Concat(a.rest, chunk[:n])
		clear(a.rest)
		a.rest = grown
		switch {
		case err == nil:
		case len(a.rest) > 0 && errors.Is(err, io.EOF) && n == 0:
			return a.take(len(a.rest)), nil
		case n == 0:
			return nil, err
		}
	}
}

// take takes a line of n bytes out of what was read.
func (a *lineAsker) take(n int) []byte {
	line := bytes.Clone(bytes.TrimRight(a.rest[:n], "\r\n"))
	clear(a.rest[:n])
	a.rest = a.rest[n:]
	return line
}

// Available implements [asker].
func (a *lineAsker) Available() bool { return true }

// Person implements [asker].
func (a *lineAsker) Person() bool {
	return isTerminal(a.p.In) && isTerminal(a.p.Out) && isTerminal(a.p.Err)
}

// Line implements [asker].
func (a *lineAsker) Line(ctx context.Context, question string) (string, error) {
	b, err := a.answer(ctx, question, false)
	return string(b), err
}

// Hidden implements [asker]. At a terminal the answer is not shown.
func (a *lineAsker) Hidden(ctx context.Context, question string) ([]byte, error) {
	return a.answer(ctx, question, true)
}

// answer asks a question on a line of its own.
func (a *lineAsker) answer(ctx context.Context, question string, hidden bool) ([]byte, error) {
	hidden = hidden && isTerminal(a.p.In)
	if hidden {
		show, err := keycmd.Hide(a.p.In) // before the question is there to be answered
		if err != nil {
			return nil, err
		}
		defer show()
	}
	if question != "" {
		fmt.Fprintln(a.p.Err, strings.TrimRight(present.Plain(question), " "))
	}
	return a.read(ctx)
}
