package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api"
	"paydesk/api/export"
	"paydesk/api/sandbox"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/cli/command"
	"paydesk/screens/nav"
	"paydesk/ui"
	"paydesk/ui/terminal"
)

// consoleOptions are the flags of the screens.
type consoleOptions struct {
	background        ui.Background
	ascii, slow, demo bool
	contrast, plain   bool
	version           bool
	colours           colorprofile.Profile // of the terminal
	given             [][2]string          // that a command needs too, which does what a screen shows
}

// consoleFlags adds the flags of the screens.
func (p *program) consoleFlags(f *pflag.FlagSet, o *consoleOptions) {
	f.BoolVar(&o.ascii, "ascii", terminal.ASCIIOnly(p.Getenv), "draw in ASCII; automatic outside UTF-8")
	f.BoolVar(&o.slow, "low-bandwidth", terminal.Slow(p.Getenv), "write at most 25 kB/s; automatic over SSH")
	f.TextVar(&o.background, "background", ui.AnyBackground, "the `TONE` of the background, light or dark; else COLORFGBG's")
	f.BoolVarP(&o.version, "version", "V", false, "print the version")
	f.BoolVar(&o.plain, "plain", p.Getenv("ACCESSIBLE") != "", "ask line by line, for a screen reader or a pipe; automatic with ACCESSIBLE")
	f.BoolVar(&o.contrast, "high-contrast", false, "draw everything in the terminal's own foreground")
}

// consoleLong is the help of paydesk itself, before its commands and options.
const consoleLong = `Its commands do the same without a screen.

Without a command it opens a profile, or asks for an address and its key, and tries them. paydesk demo needs none. A secret key is
never an argument: the console asks for it.`

// consoleCommand is paydesk itself: the screens.
func (p *program) consoleCommand(o *consoleOptions) *cobra.Command {
	c := &cobra.Command{
		Use: "paydesk", Short: "A console for a payment-collection service", Long: consoleLong,
		Example: "  paydesk --profile shop\n  paydesk demo\n  paydesk status P5KQ2M7X1A --until final",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return command.Unknown(c, "unknown command", "paydesk ", args[0], command.CommandsBelow(c))
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			p.Global.Named, o.given = c.Flags().Changed("config"), command.GivenFor(c)
			return p.startConsole(c.Context(), *o)
		},
	}
	p.consoleFlags(c.Flags(), o)
	return command.Ends(c, command.NoTerminal, command.Unresolved)
}

// demoCommand opens the console over a sandbox inside the program. It takes the options of paydesk itself, which
// may stand before it.
func (p *program) demoCommand(o *consoleOptions) *cobra.Command {
	c := &cobra.Command{
		Use: "demo", Short: "Try the console with a sandbox inside the program",
		Long: "No account, no network and no configuration is needed. Four lines on home guide you. The journal ends with it: it\n" +
			"is in memory, and with --plain in a temporary folder.",
		Example: "  paydesk demo\n  paydesk demo --background light",
		RunE: func(c *cobra.Command, _ []string) error {
			o.demo = true
			return p.startConsole(c.Context(), *o)
		},
	}
	p.consoleFlags(c.Flags(), o)
	return command.Ends(c, command.NoTerminal, command.Unresolved)
}

// startConsole shows the screens, or what the options ask for in their place.
func (p *program) startConsole(ctx context.Context, o consoleOptions) error {
	switch {
	case o.version:
		return p.printVersion()
	case o.plain:
		return p.startPlain(o.demo)
	}
	return p.runConsole(ctx, o)
}

// offerPlain offers plain mode where the screens cannot be drawn: at a terminal that cannot move its cursor.
func (p *program) offerPlain(ctx context.Context, err error, demo bool) error {
	if !p.Ask.Available() {
		return &command.Refusal{Reason: command.WhyNoTerminal, Err: command.Sentence(err.Error() + ". --plain asks for commands line by line instead.")}
	}
	p.Say("%s. Plain mode asks for commands line by line instead.", err)
	if p.Yes(ctx, "Start it now?") != nil {
		return command.EndedBy(command.WhyNoTerminal)
	}
	return p.startPlain(demo)
}

// A start allocates less than 6 MB, and takes a second at most. To collect them meanwhile is a seventh of its work, at the moment when a
// person waits most. With 200 the first collection comes at 8 MB.
const (
	startGC   = 200
	startTime = time.Second
)

// collectLean sets how often memory is collected: rarely at the start, then within one and a half times of what is in use, since a
// console waits for people and has more of the processor than of memory. A ballast counts as memory in use and takes none, since nothing
// touches it: without it the 2 MB of a screen would be collected all the time.
func collectLean(ctx context.Context) {
	debug.SetGCPercent(startGC)
	time.AfterFunc(startTime, func() {
		ballast := make([]byte, 2<<20)
		debug.SetGCPercent(50)
		<-ctx.Done()
		runtime.KeepAlive(ballast)
	})
}

// runConsole runs the screens until they end.
func (p *program) runConsole(ctx context.Context, o consoleOptions) error {
	if p.Getenv("GOGC") == "" {
		collectLean(ctx)
	}
	out, ok := p.Out.(*os.File)
	if !ok {
		return &command.Refusal{Reason: command.WhyNoTerminal, Err: errors.New("paydesk needs an interactive terminal")}
	}
	if err := terminal.Check(p.In, out, p.Getenv); err != nil {
		return p.offerPlain(ctx, err, o.demo)
	}
	p.Stop.Release() // the terminal's own handling follows
	terminal.SilenceLibraries()
	if o.background == ui.AnyBackground {
		o.background = ui.Background(terminal.Background(p.Getenv))
	}
	o.colours = terminal.Colours(out, p.Getenv)
	c := &keystore.Config{} // of the demo
	if !o.demo {
		var err error
		if c, err = p.Settings(); err != nil {
			return err
		}
	}
	env := p.consoleDeps(o, p.Journals(c))
	first, err := p.firstScreen(o, &env, c)
	if err != nil {
		return command.WrongConfig(err)
	}
	defer export.Abandon()
	return p.show(o, env, first, out)
}

// consoleDeps wires the dependencies of the console; it opens nothing. The screens reach the network and the
// browser through these functions only, so that a test can replace each of them.
func (p *program) consoleDeps(o consoleOptions, js *screens.Journals) screens.Deps {
	env := p.Deps(js)
	env.Theme, env.ConfigPath, env.Options, env.Shell = p.theme(o), p.Global.Config, o.given, terminal.Shell()
	env.Reports = func() []string { return terminal.Reports(p.Folder(), 3) }
	env.Keyring = func(ctx context.Context) bool { return keystore.InspectKeyring(ctx).Usable() }
	env.Through, env.Browser, env.Network = api.ProxyFor, p.Browser(), p.network
	env.Folder = func() string { return export.DefaultFolder(p.Getenv) }
	return env
}

// theme applies the options to what is known of the terminal. High contrast comes last, since it replaces the colours of a background.
func (p *program) theme(o consoleOptions) *ui.Theme {
	t := ui.NewTheme(o.ascii)
	if o.colours == colorprofile.ANSI {
		t.Sixteen()
	}
	t.On(o.background)
	t.Clipboard.None = terminal.Bare(p.Getenv("TERM"))
	t.Clipboard.Tmux, t.Clipboard.Screen = terminal.Multiplexer(p.Getenv)
	t.Hyperlinks = terminal.Hyperlinks(p.Getenv)
	t.Notifier = ui.Notifier(terminal.Notifications(p.Getenv))
	if o.contrast {
		t.HighContrast()
	}
	return t
}

// firstScreen chooses the first screen and prepares the source of its key.
func (p *program) firstScreen(o consoleOptions, env *screens.Deps, c *keystore.Config) (nav.Route, error) {
	if o.demo {
		return openDemo(env)
	}
	s := newSandbox()
	env.Sandbox, env.FindSandbox, env.Tour = s.Controller(), sandbox.Find, true
	env.Demo = func() (keystore.Profile, keystore.Key, error) { return serveDemo(s) }
	env.Store = p.Sources()
	env.Doctor = func(ctx context.Context, profile keystore.Profile) []keystore.Finding {
		e := p.examination(profile.Name) // which asks no question: the terminal belongs to the screens
		e.Store = env.Store
		return e.Run(ctx).Checks
	}
	env.Confirmed = keystore.OpenConfirmed(p.Folder()) // without a folder it is remembered for this run only
	switch {
	case c.Profiles == nil && p.Global.Named: // a mistyped path must not lead to a second configuration
		return nil, fmt.Errorf("there is no configuration in %s; correct --config, or leave it out to make a profile", p.Global.Config)
	case c.Profiles == nil:
		return nav.Setup{}, nil
	}
	profile, err := command.Choose(c, p.Global.Profile)
	return nav.Key{Profile: profile}, err // without a key, its screen says why
}

// show draws the screens until they end. Outcomes that are not known yet are said on the normal screen.
func (p *program) show(o consoleOptions, env screens.Deps, first nav.Route, out *os.File) error {
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	app := screens.New(ctx, env, &ui.Work{}, first)
	ask := o.background == ui.AnyBackground && !o.contrast && o.colours >= colorprofile.ANSI // the colours depend on what only the terminal knows
	status, err := terminal.Run(app, p.In, out, terminal.Options{
		Slow: o.slow, Profile: o.colours, AskBackground: ask, Reports: p.Folder(), Version: p.Version,
	})
	leave()
	left, ours := app.Left()
	for _, line := range left {
		fmt.Fprintln(p.Err, line)
	}
	switch {
	case err != nil:
		return &command.Refusal{Reason: command.ReasonOf(cmp.Or(command.Code(status), command.Failed)), Err: err}
	case ours:
		status = cmp.Or(status, int(command.Unresolved))
	}
	return command.EndedBy(command.ReasonOf(command.Code(status)))
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Annotations: command.Takes(),
		Long:    "The commit that it was built from is printed too, as by paydesk -V and paydesk --version.",
		Example: "  paydesk version",
		RunE:    func(*cobra.Command, []string) error { return p.printVersion() },
	}
}

// printVersion prints the version, which scripts read as the second word, and the commit that it was built from.
func (p *program) printVersion() error {
	_, err := fmt.Fprintf(p.Out, "paydesk %s (%s)\n", p.Version, p.buildCommit(debug.ReadBuildInfo))
	return err
}

// buildCommit tells the commit that the program was built from: that of the release, else the one that go noted.
func (p *program) buildCommit(noted func() (*debug.BuildInfo, bool)) string {
	commit, date, changed := p.Commit, p.Date, ""
	if info, ok := noted(); ok && commit == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				commit = s.Value
			case "vcs.time":
				date = s.Value
			case "vcs.modified":
				if s.Value == "true" {
					changed = ", with changes"
				}
			}
		}
	}
	if commit == "" {
		return "commit not known"
	}
	return fmt.Sprintf("commit %.12s, %s%s", commit, date, changed)
}
