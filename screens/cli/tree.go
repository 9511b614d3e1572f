package cli

import (
	"errors"

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

// tree builds the command line. It opens nothing.
func (p *program) tree() *cobra.Command {
	o := &consoleOptions{}
	root := p.consoleCommand(o)
	root.SilenceErrors, root.SilenceUsage, root.TraverseChildren = true, true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.AddGroup(
		&cobra.Group{ID: groupPayments, Title: "Payments"},
		&cobra.Group{ID: groupRecords, Title: "What was done from here"},
		&cobra.Group{ID: groupSetup, Title: "Setup"},
		&cobra.Group{ID: groupConsole, Title: "Console and sandbox"},
	)
	p.globalFlags(root.PersistentFlags())
	for group, commands := range map[string][]*cobra.Command{
		groupPayments: {
			p.statusCommand(), p.transactionsCommand(), p.linkCommand(), p.collectCommand(),
			p.authenticateCommand(), p.finalizeCommand(), p.validateCommand(),
		},
		groupRecords: {p.activityCommand(), p.resolveCommand(), p.caseCommand(), p.webhookCommand()},
		groupSetup: {
			p.profileCommand(), p.configCommand(), p.keyCommand(), p.doctorCommand(), p.bundleCommand(), p.journalCommand(),
		},
		groupConsole: {p.demoCommand(o), p.sandboxCommand(), p.listenCommand()},
	} {
		for _, c := range commands {
			c.GroupID = group
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
	f.StringVar(&p.global.profile, "profile", p.Getenv("PAYDESK_PROFILE"), "the `NAME` of the profile; else PAYDESK_PROFILE, or the default of the configuration")
	f.StringVar(&p.global.state, "state-dir", p.State, "the `FOLDER` of the journal")
	f.Lookup("state-dir").DefValue = p.folder() // for the help
	f.BoolFunc("no-proxy", "connect directly, whatever proxy the environment names", func(value string) error {
		if value != "true" { // --no-proxy=false would say the opposite
			return fieldError{errors.New("it takes no value")}
		}
		return api.WithoutProxy()
	})
}
