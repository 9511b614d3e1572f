package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/keystore/doctor"
	"paydesk/screens/present"
	"paydesk/ui/terminal"
)

// Run runs what the arguments name, the console or a command, and returns the exit code.
func Run(args []string, e Env) (status int) {
	p := newProgram(e)
	crash := terminal.Protect(p.folder, e.Version, func() { status = p.run(args) })
	if crash != nil { // without the value of the panic, which may be a secret
		p.refuse(p.tree(), exit(Defect, crash))
		return int(Defect)
	}
	return status
}

func newProgram(e Env) *program {
	p := begin(e)
	p.tree = func() *cobra.Command { return p.treeOf("") }
	p.checks = []func(context.Context, keystore.Profile) []doctor.Check{p.journalCheck, p.receiverCheck}
	return p
}

// run runs the command line, and prints the error it ends with.
func (p *program) run(args []string) int {
	if len(args) == 1 && slices.Contains([]string{"--version", "-V", "version"}, args[0]) { // scripts ask for it: without the tree and the signals it takes 1 ms less
		p.printVersion()
		return int(Done)
	}
	if completing(args) {
		return p.complete(args)
	}
	p.json, p.about = asksJSON(args), subject{}
	root := p.treeFor(args)
	if len(args) > 1 && strings.HasPrefix(args[0], "-") {
		args = commandFirst(root, args)
	}
	if err := refuseSecrets(args); err != nil {
		p.failed = err
		p.refuse(root, err)
		return int(Usage)
	}
	root.SetArgs(args)
	ctx, end := p.watchSignals()
	defer end()
	defer p.close()
	c, err := root.ExecuteContextC(api.OnRetry(ctx, p.sayRetry))
	err = argumentError(c, err)
	if by, ok := stoppedBy(ctx); ok && (codeOf(err) == Done || codeOf(err) == Failed) {
		if err != nil {
			p.report(err)
		}
		err = signalled{by}
	}
	if p.failed = err; err != nil && codeOf(err) != Done {
		p.refuse(c, err)
	}
	return int(codeOf(err))
}

// asksJSON reports whether arguments have --json, of which the others may be wrong.
func asksJSON(args []string) (asked bool) {
	for _, a := range args {
		switch a {
		case "--":
			return asked
		case "--json":
			asked = true
		}
		if value, is := strings.CutPrefix(a, "--json="); is {
			asked, _ = strconv.ParseBool(value)
		}
	}
	return asked
}

// sayRetry says that a GET failed and is sent again.
func (p *program) sayRetry(_ context.Context, r api.Retry) {
	b := present.Setback(r)
	p.say("%s Retrying in %s, try %d of %d.", b.Why, b.Again.Round(100*time.Millisecond), b.Try, b.Of)
}
