package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"paydesk/api/browser"
	"paydesk/api/journal"
	"paydesk/keystore"
	"paydesk/screens/cli/command"
	journals "paydesk/screens/cli/journal"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/webhook"
	"paydesk/screens/present"
	"paydesk/screens/requests"
	"paydesk/ui"
	"paydesk/ui/terminal"
)

// doctorCommand checks what works on this host.
func (p *program) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check what works on this host",
		Long: "It looks at configuration, folders, keyring and key, terminal, and service, and says what to do. Nothing is changed;\n" +
			"only read-only requests are sent. It ends with 1 if a check failed; warnings do not count.",
		Example: "  paydesk doctor\n  paydesk doctor --json | jq -r '.steps[] | select(.state == \"failed\") | .do'",
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := p.ConfigFolder(); err != nil {
				return err
			}
			e := p.examination(p.Global.Profile)
			if p.Ask.Typed() {
				e.Prompt = p.Prompt
			}
			report := e.Run(c.Context())
			p.printReport(report)
			var failed []string
			for _, check := range report.Checks {
				if check.State == keystore.Failed {
					failed = append(failed, check.Name)
				}
			}
			if n := len(failed); n > 0 {
				what := present.Count(n, "check", "checks") + " failed: " + command.Enumerate(failed) + "."
				return &command.Refusal{Reason: command.WhyFailed, Problem: present.Problem{What: what, Next: "Each check says what to do about it."}, Said: !p.JSON}
			}
			return nil
		},
	}
}

// examination returns the doctor's examination of a profile. One that does not exist is a finding too. A person is asked nothing.
func (p *program) examination(profile string) keystore.Examination {
	return keystore.Examination{
		Config: p.Global.Config, Profile: profile, StateDir: p.Folder(), Elsewhere: journal.Elsewhere(p.Getenv),
		Store: p.Sources(), Network: p.network, Terminal: p.terminalChecks,
	}
}

// terminalChecks checks the terminal and the locale by what the console judges them by, and the browser. A pipe or a file is no
// terminal, and its type, size and colours are then skipped.
func (p *program) terminalChecks() []keystore.Finding {
	out, _ := p.Out.(*os.File)
	checks := []keystore.Finding{{Name: "terminal"}, {Name: "size"}, {Name: "colours"}}
	for i, inspect := range []func(*keystore.Finding, *os.File){checkKind, checkSize, checkColours} {
		checks[i].State, checks[i].Message = keystore.Skipped, "not checked: the output is not a terminal"
		if command.IsTerminal(p.Out) {
			checks[i].State = keystore.OK
			inspect(&checks[i], out)
		}
	}
	return append(checks, p.checkLetters(), p.checkRemote(), p.checkBrowser())
}

// checkKind checks TERM, which says how the cursor is moved: a terminal that cannot move it shows no screens. It is read
// from the process: plain mode sets another TERM for commands.
func checkKind(f *keystore.Finding, _ *os.File) {
	t := os.Getenv("TERM")
	f.Message = "TERM is " + t
	if t == "" {
		f.Message = "TERM is not set"
	}
	if !terminal.MovesCursor(t) {
		f.State, f.Fix = keystore.Failed, "use a terminal that can move its cursor"
	}
}

// checkSize checks that the window has room for the screens.
func checkSize(f *keystore.Finding, out *os.File) {
	w, h, err := term.GetSize(out.Fd())
	f.Message = fmt.Sprintf("%d×%d", w, h)
	switch {
	case err != nil:
		f.State, f.Message, f.Fix = keystore.Warning, "the terminal does not report its size", "use another terminal if the console looks broken"
	case ui.TooSmall(w, h):
		f.State, f.Fix = keystore.Warning, fmt.Sprintf("make the window at least %d×%d", ui.MinWidth, ui.MinHeight)
	}
}

// checkColours reports how many colours there are. Fewer are no problem, because no state is shown by colour alone.
func checkColours(f *keystore.Finding, out *os.File) {
	many := map[colorprofile.Profile]string{
		colorprofile.TrueColor: "all", colorprofile.ANSI256: "256", colorprofile.ANSI: "16",
	}
	f.Message = cmp.Or(many[terminal.Colours(out, os.Getenv)], "none; every state also has a word and a sign")
}

// checkLetters says which letters the console draws with.
func (p *program) checkLetters() keystore.Finding {
	name, locale := terminal.Locale(p.Getenv)
	f := keystore.Finding{Name: "letters", State: keystore.OK, Message: "the locale is UTF-8"}
	switch t := p.Getenv("TERM"); {
	case terminal.Bare(t):
		f.Message = "TERM is " + t + ": the console draws with ASCII only"
	case terminal.ASCIIOnly(p.Getenv):
		f.State, f.Message = keystore.Warning, name+" is "+locale+", which is not UTF-8"
		f.Fix = "set LANG, for example to C.UTF-8; until then the console draws with ASCII only"
	case locale == "":
		f.Message = "no locale is set (LC_ALL, LC_CTYPE, LANG): the console draws UTF-8, and with --ascii only ASCII"
	}
	return f
}

// checkRemote reports a connection over SSH, since the browser and the keyring are then those of the other host.
func (p *program) checkRemote() keystore.Finding {
	f := keystore.Finding{Name: "SSH", State: keystore.OK, Message: "no (a local terminal, as far as paydesk can tell)"}
	if terminal.Slow(p.Getenv) {
		f.Message = "yes"
	}
	if from := strings.Fields(p.Getenv("SSH_CONNECTION")); len(from) > 0 {
		f.Message += ", from " + from[0]
	}
	return f
}

// checkBrowser reports whether the page of the bank can be opened from this host. Without a browser it is a warning only,
// because the customer can also open the page on a phone.
func (p *program) checkBrowser() keystore.Finding {
	why := p.Browser().Unavailable
	if err := browser.Missing(); why == "" && err != nil {
		why = err.Error()
	}
	if why != "" {
		return keystore.Finding{Name: "browser", State: keystore.Warning, Message: why, Fix: "copy the URL of the bank's page or scan its code; the console shows both"}
	}
	return keystore.Finding{Name: "browser", State: keystore.OK, Message: "the bank's page can be opened from here"}
}

func (p *program) network(ctx context.Context, to keystore.Profile, k keystore.Key) []keystore.Finding {
	checks := append(keystore.CheckNetwork(ctx, p.Client(to, k)), journals.Commands{Program: p.Program}.Check(ctx, to)...)
	return append(checks, webhook.Commands{Program: p.Program}.Check(ctx, to))
}

// maxReportWidth is the width of a report, and its width where the output is not a terminal.
const maxReportWidth = 100

func (p *program) printReport(r keystore.Report) {
	if p.Data.Format != output.JSON {
		_ = r.WriteText(p.Stdout(), min(cmp.Or(command.WidthOf(p.Out), maxReportWidth), maxReportWidth))
		return
	}
	o := output.Doctor{
		Profile: r.Profile,
		Failed:  r.Count(keystore.Failed), Warnings: r.Count(keystore.Warning),
	}
	for _, c := range r.Checks {
		o.Steps = append(o.Steps, output.Step(c))
	}
	p.Data.Object(o)
}

// bundleCommand prints what support needs to know of this host.
func (p *program) bundleCommand() *cobra.Command {
	file := ""
	c := &cobra.Command{
		Use: "bundle", Short: "Print a report on this host for support", Annotations: command.Takes("config", "profile", "state-dir", "no-proxy"),
		Long: "It has versions, the terminal, the profiles, the doctor's checks, counts of the journal, and crash reports, as\n" +
			"Markdown. It has no key, no customer and no reference. Read it before you send it.",
		Example: "  paydesk bundle\n  paydesk bundle --output bundle.md",
		RunE:    func(c *cobra.Command, _ []string) error { return p.writeBundle(c.Context(), file) },
	}
	c.Flags().StringVar(&file, "output", "", "write it to a new `FILE`, which only you can read")
	return c
}

func (p *program) writeBundle(ctx context.Context, file string) error {
	if _, err := os.Lstat(file); file != "" && err == nil { // before half a minute of checks
		return command.FileError(fs.ErrExist)
	}
	// A configuration that cannot be used is no reason to have no report: the doctor says what is wrong with it.
	profile, records, err := p.Records()
	if err != nil {
		p.Report(err)
		profile, records = keystore.Profile{}, nil
	}
	p.Say("Checking this host, which may take half a minute…")
	report := p.examination(p.Global.Profile).Run(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	text := requests.Bundle(ctx, requests.Sources{
		Version: p.Version, Now: time.Now(), Config: p.Global.Config, Profile: profile, Journal: records,
		Doctor:   func(context.Context, keystore.Profile) []keystore.Finding { return report.Checks },
		Requests: p.Log, Reports: func() []string { return terminal.Reports(p.Folder(), 3) }, Secret: report.Key.Expose(),
	})
	return p.WriteText(ctx, file, []byte(text), "Written to %s.")
}
