// Package cli is the command line of paydesk: the console, and commands for scripts, cron and people who
// work without a screen. A command drives the same session, gate, recorder and watch as the screens do, so
// that the same guards hold and the same journal is written.
//
//   - run.go: one run of paydesk, plain mode, and the exit code it ends with;
//   - line.go: the commands, and how a line is read before one of them runs;
//   - help.go: help, in the order of a person's questions, its topics, and the manual page;
//   - completion.go: what a shell offers;
//   - console.go, sandbox.go: the screens, and the sandbox behind the demo;
//   - doctor.go: what works on this host.
//
// Package command is what every command is built on. Each noun has a package of its own, which imports command and no other noun
// (payment alone reads links). Package output prints, and has the JSON objects that other programs depend on. plain.go is plain mode.
//
// stdout is data and stderr is talk. A command asks only where all three streams are a terminal, or in plain mode.
package cli

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api"
	"paydesk/screens/cli/command"
	"paydesk/screens/present"
	"paydesk/ui/terminal"
)

// Env comes from main.
type Env = command.Env

// Run runs what the arguments name, the console or a command, and returns the exit code.
func Run(args []string, e command.Env) int {
	p := newProgram(e)
	var ended error
	crash := terminal.Protect(p.Folder, e.Version, func() { ended = p.run(args) })
	if crash != nil { // without the value of the panic, which may be a secret
		ended = &command.Refusal{Reason: command.WhyDefect, Err: crash}
		p.End(p.Tree(), ended)
	}
	return int(command.CodeOf(ended))
}

// A program is one run of paydesk, with the tree of its commands.
type program struct{ *command.Program }

func newProgram(e command.Env) *program {
	p := &program{Program: command.New(e)}
	p.Tree = func() *cobra.Command { return p.treeOf("") }
	return p
}

// run runs the command line, and prints the error it ends with.
func (p *program) run(args []string) error {
	if len(args) == 1 && slices.Contains([]string{"--version", "-V", "version"}, args[0]) { // scripts ask for it: without the tree and the signals it takes 1 ms less
		err := p.printVersion()
		if err != nil {
			p.End(p.Tree(), err)
		}
		return err
	}
	if completing(args) {
		p.complete(args)
		return nil
	}
	p.JSON, p.About, p.Unprinted = asksJSON(args), command.Subject{}, nil
	root := p.treeFor(args)
	if len(args) > 1 && strings.HasPrefix(args[0], "-") {
		args = commandFirst(root, args)
	}
	if err := command.RefuseSecrets(args); err != nil {
		p.End(root, err)
		return err
	}
	if c, _, err := root.Find(args); err == nil {
		takeOnce(c)
	}
	root.SetArgs(args)
	ctx, end := p.WatchSignals()
	defer end()
	defer p.Close()
	c, err := root.ExecuteContextC(api.OnRetry(ctx, func(_ context.Context, r api.Retry) {
		b := present.Setback(r)
		p.Say("%s Retrying in %s, try %d of %d.", b.Why, b.Again.Round(100*time.Millisecond), b.Try, b.Of)
	}))
	if last := p.Unprinted; last != nil { // unless the code says more than that something could not be printed
		if slices.Contains([]command.Code{command.NoTerminal, command.Defect, command.Unresolved, command.Duplicate, command.Locked}, command.CodeOf(err)) {
			err, last = last, err
		}
		if err != nil && !errors.Is(err, last) {
			p.Report(err)
		}
		err = last
	}
	if by, stopped := errors.AsType[command.Signalled](context.Cause(ctx)); stopped && (command.CodeOf(err) == command.Done || command.CodeOf(err) == command.Failed) {
		if err != nil {
			p.Report(err)
		}
		err = by
	}
	if command.CodeOf(err) != command.Done {
		p.End(c, err)
	}
	return err
}

// asksJSON reports whether arguments have --json, of which the others may be wrong.
func asksJSON(args []string) bool {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.ParseErrorsAllowlist.UnknownFlags, f.Usage = true, func() {}
	asked := f.Bool("json", false, "")
	_ = f.Parse(args)
	return *asked
}

// startPlain asks for commands line by line, with the demo's sandbox or without.
func (p *program) startPlain(demo bool) error {
	if demo {
		return p.plainDemo()
	}
	return p.runPlain()
}
