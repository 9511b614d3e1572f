// Package keycmd is the command line of `paydesk key`: it stores, shows and removes the key of
// a profile, and checks what works on this host.
//
//   - keycmd.go: the arguments, which never include a key;
//   - set.go, show.go (with the doctor), delete.go: the four commands;
//   - typed.go: hidden input at the terminal, and piped input;
//   - lastused.go: the record of when a key last worked, without the key.
package keycmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"paydesk/api/pattern"
	"paydesk/keystore"
	"paydesk/keystore/doctor"
)

// Exit codes. A signal ends with 128 and its number.
const (
	exitFailed = 1 // the command or a check of the doctor failed
	exitUsage  = 2 // wrong arguments or a wrong configuration
)

const usage = `paydesk key manages the secret key of a profile.

  paydesk key set     ask for the key, verify it with one read-only request, and store it
  paydesk key show    show where the key comes from, its last four, and when it last worked
  paydesk key delete  remove it from every place paydesk knows
  paydesk key doctor  check step by step what works on this host

  --config FILE    the configuration file
  --profile NAME   the profile; default PAYDESK_PROFILE, or the default of the configuration
  --state-dir DIR  the journal folder
  --unchecked      set: store the key without verifying it
  --age            set: store it in a file behind a passphrase
  --yes            delete: do not ask for confirmation
  --json           doctor: write JSON

The key is typed, or read as one line from standard input. It is never an argument.
It is stored for the addresses of its profile; the console asks before it sends it to others.
Exit codes: 0 done, 1 failed or a check failed, 2 arguments or configuration, 128+n signal n.
`

// A CLI holds what the commands need.
type CLI struct {
	In, Out *os.File
	Stderr  io.Writer
	Config  string // default of --config
	Profile string // default of --profile; "" for the default profile
	State   string // default of --state-dir; "" if unknown
	// Sources returns the stores of profiles; folder is that of the configuration file.
	Sources func(folder string) func(keystore.Profile) keystore.Store
	// Verify sends one read-only request with a key.
	Verify func(context.Context, keystore.Profile, keystore.Key) error
	// Network runs the network checks of the doctor.
	Network func(context.Context, keystore.Profile, keystore.Key) []doctor.Check
	Browser string // why no browser can be opened; "" if one can
	// Clean makes a line safe to show. Everything is passed through it, since names and errors
	// may come from a file or the network.
	Clean func(string) string
}

// options are the command line. They are one flat set: the options of all commands are parsed
// together, and those that do not belong to the command are rejected afterwards.
type options struct {
	command, config, profile, state string
	unchecked, age, yes, json, help bool
}

// A signalled error is the signal that ended a command.
type signalled struct{ syscall.Signal }

// Error is never shown: the exit code tells which signal it was.
func (s signalled) Error() string { return "stopped" }

// Run runs the command that the arguments after `paydesk key` name, and returns the exit code.
func (c CLI) Run(args []string) int {
	o, err := c.parse(args)
	switch {
	case err != nil:
		c.printErr(err.Error())
		return exitUsage
	case o.help:
		fmt.Fprint(c.Out, usage)
		return 0
	}
	c.State = o.state
	ctx, end := signalContext()
	defer end()
	status := c.run(ctx, o)
	var by signalled
	if errors.As(context.Cause(ctx), &by) {
		return 128 + int(by.Signal)
	}
	return status
}

// commands are the commands for one profile.
var commands = map[string]func(CLI, context.Context, options, keystore.Profile) int{"set": CLI.set, "show": CLI.show, "delete": CLI.delete}

// run runs a command. The doctor selects the profile itself, and reports what is wrong with it.
func (c CLI) run(ctx context.Context, o options) int {
	if o.command == "doctor" {
		return c.doctor(ctx, o)
	}
	var p keystore.Profile
	config, err := keystore.Load(o.config)
	if err == nil {
		p, err = config.Select(o.profile)
	}
	if err != nil {
		c.printErr(err.Error())
		return exitUsage
	}
	return commands[o.command](c, ctx, o, p)
}

// stores returns the stores of profiles.
func (c CLI) stores(o options) func(keystore.Profile) keystore.Store {
	return c.Sources(filepath.Dir(o.config))
}

// signalContext returns a context that a signal cancels, with the signal as its cause. A signal must
// not end the program at once, because hidden input would leave the terminal without echo.
func signalContext() (context.Context, func()) {
	ctx, stop := context.WithCancelCause(context.Background())
	got := make(chan os.Signal, 1)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
		// Sent by another process, these would print every goroutine with its arguments.
		syscall.SIGABRT, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV)
	go func() {
		for s := range got {
			stop(signalled{s.(syscall.Signal)})
		}
	}()
	return ctx, func() {
		signal.Stop(got) // after which nothing is sent on it
		close(got)
		stop(nil)
	}
}

var (
	errVerb   = errors.New("paydesk key has four commands: set, show, delete and doctor; see paydesk key --help")
	errOption = errors.New("unknown option, or one that does not belong to this command; see paydesk key --help")
	errSecret = errors.New("a secret key is never an argument: every user of this host can see arguments, and the shell records them. " +
		"If one of these was a key, replace it in the dashboard. paydesk key set asks for the key, or reads it from standard input")
	errConfig = errors.New("the configuration folder is unknown: XDG_CONFIG_HOME is not an absolute path, or HOME is not set; name the file with --config")
)

// keyArgument matches an argument that may be a key, or an option that would take one.
var keyArgument = pattern.Lazy(`(?i)^\W*(sk|pk)[_-](test|live)[_-]|^\W*(test|live)[_-](sk|pk)[_-]|\bsk_[a-z0-9_-]{8,}|^--?[a-z-]*(key|secret|token|password|passphrase)[a-z-]*(=|$)`)

// MayBeKey reports whether an argument may be a key, or an option that would take one.
func MayBeKey(arg string) bool { return keyArgument().MatchString(arg) }

// parse parses the arguments. Its errors never quote them, since one of them may be a key. For the
// same reason it looks for keys before it parses anything.
func (c CLI) parse(args []string) (options, error) {
	for _, a := range args {
		if MayBeKey(a) {
			return options{}, errSecret
		}
	}
	var o options
	f := flag.NewFlagSet("key", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.config, "config", c.Config, "")
	f.StringVar(&o.profile, "profile", c.Profile, "")
	f.StringVar(&o.state, "state-dir", c.State, "")
	f.BoolVar(&o.unchecked, "unchecked", false, "")
	f.BoolVar(&o.age, "age", false, "")
	f.BoolVar(&o.yes, "yes", false, "")
	f.BoolVar(&o.json, "json", false, "")
	err := f.Parse(args)
	if err == nil && f.NArg() > 0 {
		o.command = f.Arg(0)
		err = f.Parse(f.Args()[1:]) // options may follow the command
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		o.help = true
		return o, nil
	case err != nil:
		return o, errOption
	case commands[o.command] == nil && o.command != "doctor":
		return o, errVerb
	case f.NArg() > 0:
		return o, errSecret // the extra argument may be a key
	case o.command != "set" && (o.unchecked || o.age), o.command != "delete" && o.yes, o.command != "doctor" && o.json:
		return o, errOption
	case o.config == "":
		return o, errConfig
	}
	return o, nil
}

// printErr writes to standard error, each line made safe to show.
func (c CLI) printErr(words string) {
	for line := range strings.SplitSeq(words, "\n") {
		fmt.Fprintln(c.Stderr, "paydesk:", c.Clean(line))
	}
}

// printf writes one line of output.
func (c CLI) printf(format string, of ...any) {
	fmt.Fprintln(c.Out, c.Clean(fmt.Sprintf(format, of...)))
}
