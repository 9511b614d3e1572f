// Package command is what every command of paydesk is built on.
//
//   - program.go: a run, its global options, and what it prints and says;
//   - scope.go: groups of commands, which global options a command takes, what a usage line names, and the name that was meant;
//   - arguments.go: secrets in arguments, and values with a check;
//   - connect.go, keys.go: the configuration, the key, a session, and what was recorded;
//   - ask.go, confirm.go: how a person is asked before anything is sent;
//   - signals.go: ctrl+c, and the answers that it waits for;
//   - exit.go: the exit codes and reasons, and the one place that decides them;
//   - refusal.go: why a command does not end with 0, on stderr and as its last object.
package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/cli/output"
	"paydesk/screens/requests"
	"paydesk/ui"
	"paydesk/ui/terminal"
)

// Env comes from main.
type Env struct {
	In       *os.File
	Out, Err io.Writer // data, and talk about it; files in the program
	Version  string
	Commit   string // that Version was built from, and Date, when it was made; both "" for those that go noted
	Date     string
	Getenv   func(string) string
	Config   string // default of --config; "" for that of the system
	State    string // default of --state-dir
	// Stores replaces the sources of keys, for tests; folder holds the configuration.
	Stores func(folder string) func(keystore.Profile) keystore.Store
	// Backoff replaces the waits of [api.Config], for tests.
	Backoff func(try int) time.Duration
}

// A Program is one run of paydesk.
type Program struct {
	Env
	Global Globals
	Tree   func() *cobra.Command // the command line, which opens nothing
	Data   *output.Writer        // prints data to stdout
	Ask    *asker
	Log    *requests.Log
	Stop   *interrupts
	Plain  bool // plain mode asks for the commands
	About  Subject
	opened []*screens.Journals // by the command
	// Unprinted says why something that the command has printed was not written; see [Program.Printed].
	Unprinted error
	// saidLoss is set once stderr has what the journal lost.
	saidLoss bool
	progress atomic.Bool                  // the terminal has a line of [Program.Progress]
	due      time.Time                    // when its next line is, where none can be rewritten
	JSON     bool                         // a refusal is printed as JSON, whatever else is wrong with the arguments
	envKey   func() (keystore.Key, error) // of the environment, from which it is taken once
}

// Globals are the flags of every command. No secret is among them: what is on a command line, every
// process of this machine can read.
type Globals struct {
	Config, Profile string
	Named           bool   // the configuration folder is an argument, not the default
	State           string // journal folder; "" for the default
	JSON, csv       bool
	Quiet, NoInput  bool
}

// New returns a run of paydesk.
func New(e Env) *Program {
	p := &Program{Env: e, Log: &requests.Log{}, envKey: sync.OnceValues(keystore.FromEnv)}
	p.Ask = &asker{p: p}
	return p
}

// WithCSV gives a command --csv.
func (p *Program) WithCSV(c *cobra.Command, codes ...Code) *cobra.Command {
	c.Flags().BoolVar(&p.Global.csv, "csv", false, "print CSV with a heading")
	return Ends(c, codes...)
}

// Begin opens what the command prints data to, as its options say.
func (p *Program) Begin() {
	p.Data, p.due = output.New(p.Stdout(), p.outputOptions()), time.Now().Add(progressEvery)
}

func (p *Program) outputOptions() output.Options {
	o := output.Options{Say: func(words string) { p.Say("%s", words) }}
	switch {
	case p.Global.JSON:
		o.Format = output.JSON
	case p.Global.csv:
		o.Format = output.CSV
	}
	if o.Width = WidthOf(p.Out); o.Width > 0 {
		o.Terminal, o.Colours = true, terminal.Colours(p.Out.(*os.File), p.Getenv)
	}
	if p.Plain { // people read it, whatever it is written to
		o.Terminal, o.Width, o.Colours = true, max(o.Width, 80), colorprofile.NoTTY
	}
	return o
}

// IsTerminal reports whether a stream is one.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && f != nil && term.IsTerminal(f.Fd())
}

// Say writes talk, unless it is not wanted: how far something is, and what else may be done.
func (p *Program) Say(format string, of ...any) {
	if !p.Global.Quiet {
		p.Warn(format, of...)
	}
}

// Warn writes what has to be read: lines to stderr, made safe to show, and broken at words on a terminal.
func (p *Program) Warn(format string, of ...any) { p.Talk(WidthOf(p.Err), fmt.Sprintf(format, of...)) }

// Talk writes talk in lines of at most width cells; 0 does not break them.
func (p *Program) Talk(width int, words string) {
	p.endProgress()
	for line := range strings.SplitSeq(words, "\n") {
		if p.Plain { // nothing else speaks there
			line = strings.TrimPrefix(line, "paydesk: ")
		}
		clean := []string{api.Clean(line).Line(0)}
		if width > 0 && !strings.HasPrefix(clean[0], " ") { // what is indented stands below something else
			clean = ui.Wrap(clean[0], width)
		}
		for _, l := range clean {
			fmt.Fprintln(p.Err, l)
		}
	}
}

const (
	// progressEvery spaces lines of progress where they cannot be rewritten.
	progressEvery = 5 * time.Second
	eraseLine     = "\r\x1b[K"
)

// Progress says how far something is: in a line that is rewritten on a terminal, and otherwise in a line now and then, or at once where it
// matters. Whatever is said, asked or printed next takes the place of the line.
func (p *Program) Progress(words string, matters bool) {
	width := 0
	if p.Getenv("TERM") != "dumb" && !p.Global.Quiet {
		width = WidthOf(p.Err)
	}
	switch now := time.Now(); {
	case width > 0:
		p.progress.Store(true)
		fmt.Fprint(p.Err, eraseLine+ansi.Truncate(api.Clean(words).Line(0), width-1, "…"))
	case matters || !now.Before(p.due):
		p.due = now.Add(progressEvery)
		p.Say("%s", words)
	}
}

func (p *Program) endProgress() {
	if p.progress.Swap(false) {
		fmt.Fprint(p.Err, eraseLine)
	}
}

// WidthOf returns the width of a terminal in cells; 0 for anything else.
func WidthOf(stream any) int {
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
