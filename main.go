// Paydesk is a console for a payment-collection service.
//
//	paydesk [--config FILE] [--profile NAME] [--state-dir DIR]
//	paydesk demo
//	paydesk sandbox [OPTIONS]
//	paydesk key set|show|delete|doctor [OPTIONS]
//	paydesk journal backup|restore FILE [OPTIONS]
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/colorprofile"

	"paydesk/api"
	"paydesk/api/browser"
	"paydesk/api/export"
	"paydesk/api/journal"
	"paydesk/api/journal/journalcmd"
	"paydesk/api/probe"
	"paydesk/api/requestlog"
	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/keystore/doctor"
	"paydesk/keystore/keycmd"
	"paydesk/screens"
	"paydesk/screens/challenge"
	"paydesk/screens/nav"
	"paydesk/ui"
	"paydesk/ui/terminal"
)

// version is set when a release is linked.
var version = "development"

// Exit codes. A signal n ends the program with 128+n, a defect with [terminal.ExitCrash].
const (
	exitFailed     = 1 // a failure at run time
	exitUsage      = 2 // wrong arguments or configuration
	exitNoTerminal = 3 // no usable terminal
	exitUnresolved = 6 // it is not known whether something that was sent was carried out
)

const usage = `paydesk is a console for a payment-collection service.

  paydesk [--config FILE] [--profile NAME]   open a profile
  paydesk demo                               try it against a sandbox inside the program
  paydesk sandbox [OPTIONS]                  serve that sandbox to other programs; see sandbox --help
  paydesk key COMMAND                        set, show, delete or doctor; see key --help
  paydesk journal COMMAND FILE               backup or restore; see journal --help

  --config FILE    the configuration file; default %s
  --profile NAME   the profile; default PAYDESK_PROFILE, or the default of the configuration
  --state-dir DIR  the journal folder; default %s
  --ascii          draw with ASCII only; automatic where the locale is not UTF-8
  --background B   light or dark: draw for that background; default COLORFGBG's, or colours for both
  --high-contrast  nothing faint or coloured: everything in the terminal's own foreground
  --low-bandwidth  write at most 25 kB a second; automatic over SSH
  --no-proxy       connect directly, whatever proxy the environment names
  --version        print the version

A secret key is never an argument: the console asks for it and stores it in the keyring.
Exit codes: 0 ended, 1 failed, 2 arguments or configuration, 3 no terminal, 4 a defect of paydesk,
6 something sent is UNRESOLVED or a MISMATCH (a line about it is printed), 128+n signal n.
`

// options are the parsed command line. No secret is among them: what is on a command line, every
// process of this machine can read.
type options struct {
	config, profile   string
	named             bool   // the configuration file is an argument, not the default
	state             string // journal folder
	background        ui.Background
	ascii, slow, demo bool
	contrast          bool
	colours           colorprofile.Profile // of the terminal
}

func main() {
	if err := keystore.Harden(); err != nil { // before a key is in memory
		printError(os.Stderr, err)
	}
	log.SetOutput(io.Discard) // net/http logs what a server sends unasked, which would land on the screen
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// leanGC keeps the heap within one and a half times of what is in use, which for a list of a million rows are 40 MB
// less than with the usual percentage.
const leanGC = 50

// run chooses between the console and the commands, which have options and exit codes of their
// own, and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "sandbox" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		terminal.ExitOnDump()
		return sandbox.Command(ctx, args[1:], stdout, stderr)
	}
	if len(args) > 0 && args[0] == "key" {
		return keyCommand(stderr).Run(args[1:])
	}
	if len(args) > 0 && args[0] == "journal" {
		state, _ := journal.Dir("", os.Getenv) // unknown, it has to be named
		return journalcmd.CLI{Out: stdout, Stderr: stderr, State: state}.Run(context.Background(), args[1:])
	}
	if os.Getenv("GOGC") == "" { // a console waits for people: of memory and the processor it has more of the latter
		debug.SetGCPercent(leanGC)
	}
	o, status, ok := parse(args, stdout, stderr)
	if !ok {
		return status
	}
	if err := terminal.Check(os.Stdin, os.Stdout, os.Getenv); err != nil {
		fmt.Fprintln(stderr, err)
		return exitNoTerminal
	}
	terminal.SilenceLibraries()
	o.colours = terminal.Colours(os.Stdout, os.Getenv)
	env := deps(o)
	first, end, err := firstScreen(o, &env)
	if err != nil {
		printError(stderr, err)
		return exitUsage
	}
	defer end()
	defer export.Abandon()
	status, err = runConsole(o, env, first)
	if err != nil {
		printError(stderr, err)
		status = cmp.Or(status, exitFailed)
	}
	return status
}

// parse parses the command line; ok is false if there is nothing to run, and status is then the exit
// code. The package flag prints nothing here: its errors quote what was typed, which may be a key that
// somebody took for an option.
func parse(args []string, stdout, stderr io.Writer) (o options, status int, ok bool) {
	path, _ := keystore.DefaultPath()
	f := flag.NewFlagSet("paydesk", flag.ContinueOnError)
	f.SetOutput(io.Discard) // its errors would quote the arguments
	f.StringVar(&o.config, "config", path, "")
	f.StringVar(&o.profile, "profile", os.Getenv("PAYDESK_PROFILE"), "")
	f.StringVar(&o.state, "state-dir", "", "")
	f.BoolVar(&o.ascii, "ascii", terminal.ASCIIOnly(os.Getenv), "")
	f.BoolFunc("no-proxy", "", func(string) error { return api.WithoutProxy() })
	f.BoolVar(&o.slow, "low-bandwidth", terminal.Slow(os.Getenv), "")
	f.TextVar(&o.background, "background", ui.AnyBackground, "")
	f.BoolVar(&o.contrast, "high-contrast", false, "")
	about := f.Bool("version", false, "")
	err := f.Parse(args)
	if err == nil && f.Arg(0) == "demo" {
		o.demo = true
		err = f.Parse(f.Args()[1:]) // options may follow the command
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		state, _ := journal.Dir("", os.Getenv)
		fmt.Fprintf(stdout, usage, cmp.Or(path, "unknown"), cmp.Or(state, "unknown"))
		return o, 0, false
	case err != nil:
		fmt.Fprintln(stderr, "paydesk: unknown option; see paydesk --help. Never pass a secret key as an argument.")
		return o, exitUsage, false
	case *about:
		fmt.Fprintln(stdout, "paydesk", version)
		return o, 0, false
	case f.NArg() > 0:
		fmt.Fprintln(stderr, "paydesk: unknown command; the commands are demo, sandbox, key and journal, and come first. See paydesk --help.")
		return o, exitUsage, false
	}
	if o.background == ui.AnyBackground {
		o.background = ui.Background(terminal.Background(os.Getenv))
	}
	f.Visit(func(given *flag.Flag) { o.named = o.named || given.Name == "config" })
	return o, 0, true
}

// asksBackground reports whether the colours depend on what only the terminal knows.
func (o options) asksBackground() bool {
	return o.background == ui.AnyBackground && !o.contrast && o.colours >= colorprofile.ANSI
}

// deps wires the dependencies of the console; it opens nothing. The screens reach the network, the
// browser through these functions only, so that a test can replace each of them.
func deps(o options) screens.Deps {
	log := &requestlog.Log{}
	return screens.Deps{
		Requests:   log,
		Version:    version,
		Theme:      theme(o),
		ConfigPath: o.config,
		Shell:      terminal.Shell(),
		Dial: func(p keystore.Profile, k *keystore.KeyHolder) (api.Service, error) {
			return api.New(config(p, k, log))
		},
		Reports: func() []string {
			folder, _ := journal.Dir(o.state, os.Getenv)
			return terminal.Reports(folder, 3)
		},
		Through: api.ProxyFor,
		Folder:  func() string { return export.DefaultFolder(os.Getenv) },
		Browser: challenge.Browser{
			Unavailable: browser.Unavailable(runtime.GOOS, os.Getenv),
			Unguarded:   browser.Unguarded(),
			Open:        browser.Open,
			Serve:       func(ctx context.Context, m api.Markup) (challenge.Page, error) { return browser.Serve(ctx, m) },
			Tunnel:      func(port int) string { return browser.TunnelCommand(port, os.Getenv) },
		},
	}
}

// theme applies the options to what is known of the terminal. High contrast comes last, since it replaces the colours of a background.
func theme(o options) *ui.Theme {
	t := ui.NewTheme(o.ascii)
	if o.colours == colorprofile.ANSI {
		t.Sixteen()
	}
	t.On(o.background)
	t.Clipboard.Tmux, t.Clipboard.Screen = terminal.Multiplexer(os.Getenv)
	t.Hyperlinks = terminal.Hyperlinks(os.Getenv)
	t.Notifier = ui.Notifier(terminal.Notifications(os.Getenv))
	if o.contrast {
		t.HighContrast()
	}
	return t
}

// errNoConfigFolder prevents everything but the demo, because a profile could not be saved.
var errNoConfigFolder = errors.New("the configuration folder is unknown: XDG_CONFIG_HOME is not an absolute path, or HOME is not set; write a configuration and name it with --config")

// config is what a profile and its key mean to the client; the same for the console, the check of a key
// and the doctor. A nil log keeps no requests.
func config(p keystore.Profile, k api.Secret, log *requestlog.Log) api.Config {
	return api.Config{
		BaseURL: p.BaseURL, ListURL: p.ListURL, Key: k, KeyHeader: p.KeyHeader,
		AuthenticatePath: p.AuthenticatePath, StatusPath: p.StatusPath,
		SendReference: p.SendReference, UserAgent: "paydesk/" + version, CAFile: p.CAFile,
		Observe: log.Observer(p.Name),
	}
}

// keyCommand wires the command line of `paydesk key`.
func keyCommand(stderr io.Writer) keycmd.CLI {
	path, _ := keystore.DefaultPath()
	state, _ := journal.Dir("", os.Getenv)
	env, envErr := keystore.FromEnv() // unset before any child process starts
	// A folder that is unknown stays "": the commands that need it say so, and the others still work.
	return keycmd.CLI{
		In: os.Stdin, Out: os.Stdout, Stderr: stderr,
		Config: path, Profile: os.Getenv("PAYDESK_PROFILE"), State: state,
		Browser: browser.Unavailable(runtime.GOOS, os.Getenv),
		Sources: func(folder string) func(keystore.Profile) keystore.Store {
			return keystore.Sources(keystore.SourceOptions{Folder: folder, Env: env, EnvErr: envErr})
		},
		Verify: func(ctx context.Context, p keystore.Profile, k keystore.Key) error {
			return probe.CheckKey(ctx, config(p, k, nil))
		},
		Network: network(nil),
		Clean:   oneLine,
	}
}

// oneLine makes text from outside safe to print.
func oneLine(s string) string { return api.Clean(s).Line(0) }

// network runs the network checks of the doctor.
func network(log *requestlog.Log) func(context.Context, keystore.Profile, keystore.Key) []doctor.Check {
	return func(ctx context.Context, p keystore.Profile, k keystore.Key) (checks []doctor.Check) {
		for _, f := range probe.Run(ctx, config(p, k, log)) {
			checks = append(checks, doctor.Check(f))
		}
		return checks
	}
}

// consoleDoctor returns the doctor of the console. It examines the store that the console uses, and
// prompts nobody, because the terminal belongs to the screens while it runs.
func consoleDoctor(o options, env *screens.Deps) func(context.Context, keystore.Profile) []doctor.Check {
	state, _ := journal.Dir(o.state, os.Getenv)
	return func(ctx context.Context, p keystore.Profile) []doctor.Check {
		return doctor.Examination{
			Config: o.config, Profile: p.Name, StateDir: state, Out: os.Stdout,
			Store: env.Store, Network: network(env.Requests), Browser: env.Browser.Unavailable, Clean: oneLine,
		}.Run(ctx).Checks
	}
}

// firstScreen chooses the first screen and prepares the source of its key.
func firstScreen(o options, env *screens.Deps) (first nav.Route, end func(), err error) {
	js := &screens.Journals{State: o.state, Operator: journal.CurrentOperator(os.Getenv)}
	env.Journal, env.Mirror, end = js.ForProfile, js.Mirror, js.Close
	if o.demo {
		first, err = openDemo(env)
		return first, end, err
	}
	s := newSandbox()
	env.Sandbox, env.FindSandbox = s.Controller(), sandbox.Find
	env.Demo = func() (keystore.Profile, keystore.Key, error) { return serveDemo(s) }
	k, envErr := keystore.FromEnv() // unset even if the profile does not use it
	env.Store = keystore.Sources(keystore.SourceOptions{Folder: filepath.Dir(o.config), Env: k, EnvErr: envErr})
	env.Doctor = consoleDoctor(o, env)
	folder, _ := journal.Dir(o.state, os.Getenv) // without one it is remembered for this run only
	env.Confirmed = keystore.OpenConfirmed(folder)
	if o.config == "" {
		return nil, end, errNoConfigFolder
	}
	c, err := keystore.Load(o.config)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.named: // a mistyped path must not lead to a second configuration
		return nil, end, fmt.Errorf("there is no configuration file %s; correct --config, or leave it out to make a profile", o.config)
	case errors.Is(err, fs.ErrNotExist):
		return nav.Setup{}, end, nil
	case err != nil:
		return nil, end, err
	}
	js.Keep = time.Duration(c.KeepDays) * 24 * time.Hour
	if time.Local, err = c.TimeZone.Location(); err != nil { // what every time is shown and written in
		return nil, end, err
	}
	p, err := c.Select(o.profile)
	if err != nil {
		return nil, end, err
	}
	return nav.Key{Profile: p}, end, nil // without a key, its screen says why
}

// runConsole runs the console until it ends. What nobody knows the outcome of is said on the normal screen.
func runConsole(o options, env screens.Deps, first nav.Route) (int, error) {
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	app := screens.New(ctx, env, &ui.Work{}, first)
	reports, _ := journal.Dir(o.state, os.Getenv) // without a folder, no crash report is written
	status, err := terminal.Run(app, terminal.Settings{
		In: os.Stdin, Out: os.Stdout, Getenv: os.Getenv, Slow: o.slow, Colours: o.colours, AskBackground: o.asksBackground(), Reports: reports, Version: version,
	})
	leave()
	left := app.Left()
	for _, line := range left {
		fmt.Fprintln(os.Stderr, line)
	}
	if len(left) > 0 && err == nil {
		status = cmp.Or(status, exitUnresolved)
	}
	return status, err
}

// printError writes an error, each line made safe to show: it may quote a configuration file, which may
// contain escape sequences.
func printError(w io.Writer, err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(w, "paydesk:", api.Clean(line).Line(0))
	}
}
