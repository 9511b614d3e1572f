package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/api/requestlog"
	"paydesk/keystore"
	"paydesk/keystore/doctor"
	"paydesk/screens"
	"paydesk/screens/cli/output"
	"paydesk/ui"
	"paydesk/ui/terminal"
)

// Env is what main hands in.
type Env struct {
	In       *os.File
	Out, Err io.Writer // data, and talk about it; files in the program
	Version  string
	Commit   string // that Version was built from, and Date, when it was made; both "" for those that go noted
	Date     string
	Getenv   func(string) string
	Config   string // default of --config; "" for that of the system
	State    string // default of --state-dir
	// Stores replaces the sources of keys, for tests; folder is that of the configuration.
	Stores func(folder string) func(keystore.Profile) keystore.Store
}

// A program is one run of paydesk.
type program struct {
	Env
	global globals
	tree   func() *cobra.Command                                    // the command line, which opens nothing
	checks []func(context.Context, keystore.Profile) []doctor.Check // of the doctor, besides its own
	out    *output.Writer                                           // what stdout gets: data
	ask    *asker
	log    *requestlog.Log
	stop   *interrupts
	plain  bool // plain mode asks for the commands
	about  subject
	opened []*screens.Journals // by the command
	// saidLoss is set once stderr has what the journal lost.
	saidLoss bool
	failed   error                        // how the last command ended
	json     bool                         // what it ends with is printed as JSON, whatever else is wrong with the arguments
	envKey   func() (keystore.Key, error) // of the environment, from which it is taken once
}

// globals are the flags of every command. No secret is among them: what is on a command line, every
// process of this machine can read.
type globals struct {
	config, profile string
	named           bool   // the configuration folder is an argument, not the default
	state           string // journal folder; "" for the default
	json, csv       bool
	quiet, noInput  bool
}

// begin is a run of what the arguments name.
func begin(e Env) *program {
	p := &program{Env: e, log: &requestlog.Log{}, envKey: sync.OnceValues(keystore.FromEnv)}
	p.ask = &asker{p: p}
	return p
}

// csvToo gives a command --csv.
func (p *program) csvToo(c *cobra.Command, codes ...Code) *cobra.Command {
	c.Flags().BoolVar(&p.global.csv, "csv", false, "print CSV with a heading")
	return p.command(c, codes...)
}

// command is one that runs with data on stdout. It can end with codes beside 0, 1, 2 and 4, with which every command can.
func (p *program) command(c *cobra.Command, codes ...Code) *cobra.Command {
	ends(c, codes...)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if p.global.json && p.global.csv {
			return usage("choose one of --json and --csv")
		}
		p.out = output.New(p.stdout(), p.outputOptions())
		return run(c, args)
	}
	return c
}

func (p *program) outputOptions() output.Options {
	o := output.Options{}
	switch {
	case p.global.json:
		o.Format = output.JSON
	case p.global.csv:
		o.Format = output.CSV
	}
	if o.Width = widthOf(p.Out); o.Width > 0 {
		o.Terminal, o.Colours = true, terminal.Colours(p.Out.(*os.File), p.Getenv)
	}
	if p.plain { // people read it, whatever it is written to
		o.Terminal, o.Width, o.Colours = true, max(o.Width, 80), colorprofile.NoTTY
	}
	return o
}

// isTerminal reports whether a stream is one.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && f != nil && term.IsTerminal(f.Fd())
}

// say writes talk, unless it is not wanted: how far something is, and what else may be done.
func (p *program) say(format string, of ...any) {
	if !p.global.quiet {
		p.warn(format, of...)
	}
}

// warn writes what has to be read: lines to stderr, made safe to show, and broken at words on a terminal.
func (p *program) warn(format string, of ...any) { p.write(widthOf(p.Err), fmt.Sprintf(format, of...)) }

// write writes talk in lines of at most width cells; 0 does not break them.
func (p *program) write(width int, words string) {
	for line := range strings.SplitSeq(words, "\n") {
		clean := []string{api.Clean(line).Line(0)}
		if width > 0 && !strings.HasPrefix(clean[0], " ") { // what is indented stands below something else
			clean = ui.Wrap(clean[0], width)
		}
		for _, l := range clean {
			fmt.Fprintln(p.Err, l)
		}
	}
}

// widthOf is how many cells a terminal has; 0 for anything else.
func widthOf(stream any) int {
	f, ok := stream.(*os.File)
	if !ok || f == nil {
		return 0
	}
	w, _, err := term.GetSize(f.Fd())
	if err != nil {
		return 0
	}
	return max(w, 0)
}

// leanGC keeps the heap within one and a half times of what is in use, which for a list of a million rows are 40 MB
// less than with the usual percentage.
const leanGC = 50
