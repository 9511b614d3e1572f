package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api"
	"paydesk/keystore"
)

// The groups of commands, as the help lists them.
const (
	groupPayments = "payments"
	groupRecords  = "records"
	groupSetup    = "setup"
	groupConsole  = "console"
)

// A command is built where it is named, or where all are asked for: to build all takes as long as to draw a frame.
type command struct {
	group, name string
	build       func() *cobra.Command
}

func (p *program) commands(o *consoleOptions) []command {
	return []command{
		{groupPayments, "status", p.statusCommand},
		{groupPayments, "transactions", p.transactionsCommand},
		{groupPayments, "link", p.linkCommand},
		{groupPayments, "collect", p.collectCommand},
		{groupPayments, "authenticate", p.authenticateCommand},
		{groupPayments, "finalize", p.finalizeCommand},
		{groupPayments, "validate", p.validateCommand},
		{groupRecords, "activity", p.activityCommand},
		{groupRecords, "resolve", p.resolveCommand},
		{groupRecords, "case", p.caseCommand},
		{groupRecords, "webhook", p.webhookCommand},
		{groupSetup, "profile", p.profileCommand},
		{groupSetup, "config", p.configCommand},
		{groupSetup, "key", p.keyCommand},
		{groupSetup, "doctor", p.doctorCommand},
		{groupSetup, "bundle", p.bundleCommand},
		{groupSetup, "journal", p.journalCommand},
		{groupConsole, "demo", func() *cobra.Command { return p.demoCommand(o) }},
		{groupConsole, "sandbox", p.sandboxCommand},
		{groupConsole, "listen", p.listenCommand},
	}
}

// treeFor builds the command line for some arguments, with no other command than the one that they begin with.
func (p *program) treeFor(args []string) *cobra.Command {
	switch {
	case len(args) == 0:
		return p.treeOf("demo") // the console alone
	case slices.ContainsFunc(p.commands(nil), func(c command) bool { return c.name == args[0] }):
		return p.treeOf(args[0])
	}
	return p.tree()
}

// treeOf builds it with one command, or with all where that is "".
func (p *program) treeOf(only string) *cobra.Command {
	o := &consoleOptions{}
	root := p.consoleCommand(o)
	root.SilenceErrors, root.SilenceUsage, root.TraverseChildren = true, true, true
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
	p.scoped(root, o)
	return root
}

// globalFlags adds the flags of every command.
func (p *program) globalFlags(f *pflag.FlagSet) {
	path := p.Config
	if path == "" {
		path, _ = keystore.DefaultFolder()
	}
	f.StringVar(&p.global.config, "config", path, "the `FOLDER` of the configuration")
	f.StringVar(&p.global.profile, "profile", p.Getenv("PAYDESK_PROFILE"), "the `NAME` of the profile; else PAYDESK_PROFILE, or the default")
	f.StringVar(&p.global.state, "state-dir", p.State, "the `FOLDER` of the journal")
	f.Lookup("state-dir").DefValue = p.folder() // for the help
	f.BoolVar(&p.global.json, "json", false, "print JSON (paydesk help json)")
	f.BoolVarP(&p.global.quiet, "quiet", "q", false, "say on stderr only what has to be read")
	f.BoolVar(&p.global.noInput, "no-input", false, "ask nothing, even at a terminal")
	f.BoolFunc("no-proxy", "connect directly, whatever proxy the environment names", func(value string) error {
		if value != "true" { // --no-proxy=false would say the opposite
			return fieldError{errors.New("it takes no value")}
		}
		return api.WithoutProxy()
	})
}
