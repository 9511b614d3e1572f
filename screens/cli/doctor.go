package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"paydesk/api/journal"
	"paydesk/keystore"
	"paydesk/screens/cli/command"
	journals "paydesk/screens/cli/journal"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/webhook"
	"paydesk/screens/present"
	"paydesk/screens/requests"
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
			if p.Global.Config == "" {
				return command.ErrNoConfigFolder
			}
			report := p.examine(c.Context(), true)
			if err := p.printReport(report); err != nil {
				return err
			}
			var failed []string
			for _, check := range report.Checks {
				if check.State == keystore.Failed {
					failed = append(failed, check.Name)
				}
			}
			if n := len(failed); n > 0 {
				what := present.Count(n, "check", "checks") + " failed: " + command.Enumerate(failed) + "."
				return &command.Refusal{Reason: command.WhyFailed, Problem: present.Problem{What: what}, Said: !p.JSON}
			}
			return nil
		},
	}
}

// examination returns the doctor's examination of a profile, which asks a person nothing.
func (p *program) examination(profile string) keystore.Examination {
	out, _ := p.Out.(*os.File)
	return keystore.Examination{
		Config: p.Global.Config, Profile: profile, StateDir: p.Folder(), Elsewhere: journal.Elsewhere(p.Getenv), Out: out,
		Store: p.Sources(), Network: p.network, Browser: p.Browser().Unavailable,
	}
}

func (p *program) network(ctx context.Context, to keystore.Profile, k keystore.Key) []keystore.Finding {
	checks := append(keystore.CheckNetwork(ctx, p.Client(to, k)), journals.Commands{Program: p.Program}.Check(ctx, to)...)
	return append(checks, webhook.Commands{Program: p.Program}.Check(ctx, to))
}

// examine runs the doctor on the selected profile, which may be one that does not exist: it reports what is wrong. asks lets it ask a
// person at a terminal for a passphrase.
func (p *program) examine(ctx context.Context, asks bool) keystore.Report {
	e := p.examination(p.Global.Profile)
	if asks && p.Ask.Typed() {
		e.Prompt = p.Prompt
	}
	return e.Run(ctx)
}

// maxReportWidth is the width of a report, and its width where the output is not a terminal.
const maxReportWidth = 100

func (p *program) printReport(r keystore.Report) error {
	if p.Data.Format != output.JSON {
		w := command.WidthOf(p.Out)
		if w == 0 {
			w = maxReportWidth
		}
		return r.WriteText(p.Stdout(), min(w, maxReportWidth))
	}
	o := output.Doctor{
		Schema: output.DoctorSchema, Profile: r.Profile,
		Failed: r.Count(keystore.Failed), Warnings: r.Count(keystore.Warning),
	}
	for _, c := range r.Checks {
		o.Steps = append(o.Steps, output.Step(c))
	}
	return p.Data.Object(o)
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
	text, err := p.bundle(ctx)
	switch {
	case err != nil:
		return err
	case file == "":
		_, err = io.WriteString(p.Data, text)
		return err
	}
	path, err := command.WriteNew(ctx, file, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err == nil {
		p.Say("Written to %s.", path)
	}
	return err
}

// bundle gathers the text. A configuration that cannot be used is no reason to have none: the doctor says what
// is wrong with it.
func (p *program) bundle(ctx context.Context) (string, error) {
	profile, records, err := p.Records()
	if err != nil {
		p.Report(err)
		profile, records = keystore.Profile{}, nil
	}
	p.Say("Checking this host, which may take half a minute…")
	report := p.examine(ctx, false)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	return requests.Bundle(ctx, requests.Sources{
		Version: p.Version, Now: time.Now(), Config: p.Global.Config, Profile: profile, Journal: records,
		Doctor:   func(context.Context, keystore.Profile) []keystore.Finding { return report.Checks },
		Requests: p.Log, Reports: func() []string { return terminal.Reports(p.Folder(), 3) },
		Terminal: []string{p.terminalSize()}, Secret: report.Key.Expose(),
	}), nil
}

func (p *program) terminalSize() string {
	if f, ok := p.Out.(*os.File); ok {
		if w, h, err := term.GetSize(f.Fd()); err == nil {
			return fmt.Sprintf("size: %d×%d", w, h)
		}
	}
	return "the output is not a terminal"
}
