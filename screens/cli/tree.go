package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/cli/activity"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/host"
	"paydesk/screens/cli/journal"
	"paydesk/screens/cli/key"
	"paydesk/screens/cli/link"
	"paydesk/screens/cli/payment"
	"paydesk/screens/cli/profile"
	"paydesk/screens/cli/transactions"
	"paydesk/screens/cli/webhook"
)

// The groups of commands, as the help lists them.
const (
	groupPayments = "payments"
	groupRecords  = "records"
	groupSetup    = "setup"
	groupConsole  = "console"
)

// A branch is a command that is built where it is named, or where all are asked for: to build all takes as long as to draw a frame.
type branch struct {
	group, name string
	build       func() *cobra.Command
}

func (p *program) commands(o *consoleOptions) []branch {
	payments, activities, webhooks := payment.Commands{Program: p.Program}, activity.Commands{Program: p.Program}, webhook.Commands{Program: p.Program}
	profiles, hosts := profile.Commands{Program: p.Program}, host.Commands{Program: p.Program}
	return []branch{
		{groupPayments, "status", payments.Status},
		{groupPayments, "transactions", transactions.Commands{Program: p.Program}.Transactions},
		{groupPayments, "link", link.Commands{Program: p.Program}.Link},
		{groupPayments, "collect", payments.Collect},
		{groupPayments, "authenticate", payments.Authenticate},
		{groupPayments, "finalize", payments.Finalize},
		{groupPayments, "validate", payments.Validate},
		{groupRecords, "activity", activities.Activity},
		{groupRecords, "resolve", activities.Resolve},
		{groupRecords, "case", payments.Case},
		{groupRecords, "webhook", webhooks.Webhook},
		{groupSetup, "profile", profiles.Profile},
		{groupSetup, "config", profiles.Config},
		{groupSetup, "key", key.Commands{Program: p.Program}.Key},
		{groupSetup, "doctor", hosts.Doctor},
		{groupSetup, "bundle", hosts.Bundle},
		{groupSetup, "journal", journal.Commands{Program: p.Program}.Journal},
		{groupConsole, "demo", func() *cobra.Command { return p.demoCommand(o) }},
		{groupConsole, "sandbox", p.sandboxCommand},
		{groupConsole, "listen", webhooks.Listen},
	}
}

// treeFor builds the command line for some arguments, with no other command than the one that they begin with.
func (p *program) treeFor(args []string) *cobra.Command {
	switch {
	case len(args) == 0:
		return p.treeOf("demo") // the console alone
	case slices.ContainsFunc(p.commands(nil), func(b branch) bool { return b.name == args[0] }):
		return p.treeOf(args[0])
	}
	return p.Tree()
}

// treeOf builds it with one command, or with all where that is "".
func (p *program) treeOf(only string) *cobra.Command {
	o := &consoleOptions{}
	root := p.consoleCommand(o)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.AddGroup(
		&cobra.Group{ID: groupPayments, Title: "Payments"},
		&cobra.Group{ID: groupRecords, Title: "Records"},
		&cobra.Group{ID: groupSetup, Title: "Setup"},
		&cobra.Group{ID: groupConsole, Title: "Console and sandbox"},
	)
	p.globalFlags(root.PersistentFlags())
	for _, one := range p.commands(o) {
		if only == "" || only == one.name {
			c := one.build()
			c.GroupID = one.group
			root.AddCommand(c)
		}
	}
	p.addHelp(root)
	prepare(root)
	return root
}

// globalFlags adds the flags of every command.
func (p *program) globalFlags(f *pflag.FlagSet) {
	path := p.Config
	if path == "" {
		path, _ = keystore.DefaultFolder()
	}
	f.StringVar(&p.Global.Config, "config", path, "the `FOLDER` of the configuration")
	f.StringVar(&p.Global.Profile, "profile", p.Getenv("PAYDESK_PROFILE"), "the `NAME` of the profile; else PAYDESK_PROFILE, or the default")
	f.StringVar(&p.Global.State, "state-dir", p.State, "the `FOLDER` of the journal")
	f.Lookup("state-dir").DefValue = p.Folder() // for the help
	f.BoolVar(&p.Global.JSON, "json", false, "print JSON (paydesk help json)")
	f.BoolVarP(&p.Global.Quiet, "quiet", "q", false, "say on stderr only what has to be read")
	f.BoolVar(&p.Global.NoInput, "no-input", false, "ask nothing, even at a terminal")
	f.BoolFunc("no-proxy", "connect directly, without a proxy", func(value string) error {
		if value != "true" { // --no-proxy=false would say the opposite
			return command.FieldError("it takes no value")
		}
		return api.WithoutProxy()
	})
}
