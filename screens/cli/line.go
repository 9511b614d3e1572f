package cli

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api"
	"paydesk/keystore"
	"paydesk/screens/cli/activity"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/journal"
	"paydesk/screens/cli/payment"
	"paydesk/screens/cli/profile"
	"paydesk/screens/cli/transactions"
	"paydesk/screens/cli/webhook"
)

// takeOnce makes a command reject an option that is given twice, or with an empty value.
func takeOnce(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if _, several := f.Value.(pflag.SliceValue); !several && f.NoOptDefVal == "" {
			f.Value = onceValue{f.Value, f}
		}
	})
}

// before checks what a command got before it runs, and opens what it prints to.
func (p *program) before(c *cobra.Command, args []string) error {
	err := takes(c, args)
	if err == nil {
		err = missing(c)
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		several, is := f.Value.(pflag.SliceValue)
		if err == nil && is && slices.ContainsFunc(several.GetSlice(), blank) {
			err = command.Wrong("--" + f.Name + ": its value is empty; see " + c.CommandPath() + " --help")
		}
	})
	for _, other := range []string{"csv", "qr", "body", "assumptions"} { // whose output is not JSON
		if f := c.Flag(other); err == nil && p.Global.JSON && f != nil && f.Value.String() == "true" {
			err = command.Wrong("choose one of --json and --" + other)
		}
	}
	p.Begin()
	return err
}

// blank reports whether a value is that of an empty variable.
func blank(s string) bool { return strings.TrimSpace(s) == "" }

// takes rejects too few or too many arguments, by the usage line, and an empty one: a script whose variable is empty names nothing. A
// group says which commands there are.
func takes(c *cobra.Command, args []string) error {
	if c.Args != nil || command.IsGroup(c) {
		return nil
	}
	least, most := 0, 0
	for _, need := range command.Needs(c) {
		switch {
		case need.Argument == "":
			continue
		case !need.Optional:
			least++
		}
		if most++; need.Many {
			most = max(len(args), 1)
		}
	}
	switch {
	case len(args) >= least && len(args) <= most && !slices.ContainsFunc(args, blank):
		return nil
	case most == 0 && c.HasAvailableSubCommands(): // one of them was meant
		return command.UnknownBelow(c, "unknown command", args[0])
	}
	_, usage, _ := strings.Cut(c.Use, " ")
	return command.Wrong(c.CommandPath() + " takes " + cmp.Or(usage, "no arguments but options") + "; see " + c.CommandPath() + " --help")
}

// A onceValue is the value of an option that may be given once: only a person knows which of two amounts was meant. It is never empty: a
// script whose variable is empty means something else, such as a link.
type onceValue struct {
	pflag.Value
	flag *pflag.Flag
}

// Set implements [pflag.Value].
func (o onceValue) Set(s string) error {
	switch {
	case o.flag.Changed:
		return command.Sentence("it was given twice")
	case blank(s):
		return command.Sentence("its value is empty")
	}
	return o.Value.Set(s)
}

// missing ends a command without the options that its usage line names outside of brackets: all of them, in the order of its help.
func missing(c *cobra.Command) error {
	var names []string
	for _, need := range command.Needs(c) {
		given := need.Open || need.Argument != ""
		var lacks [][]string
		for _, way := range need.Ways {
			lacking := slices.DeleteFunc(slices.Clone(way), func(name string) bool { return c.Flag(name[2:]).Changed })
			lacks, given = append(lacks, lacking), given || len(lacking) == 0
		}
		if given {
			continue
		}
		for _, name := range lacks[0] {
			if last := len(lacks) - 1; last > 0 {
				name += " (or " + strings.Join(lacks[last], " and ") + ")"
			}
			names = append(names, name)
		}
	}
	slices.Sort(names)
	switch len(names) {
	case 0:
		return nil
	case 1:
		return command.Wrong(names[0] + " is missing; see " + c.CommandPath() + " --help")
	}
	return command.Wrong(command.Enumerate(names) + " are missing; see " + c.CommandPath() + " --help")
}

// flagError words a wrong option. What was typed is not quoted: it may be a key.
func flagError(c *cobra.Command, err error) error {
	see := "; see " + c.CommandPath() + " --help"
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &value):
		return command.Wrong("--" + value.GetFlag().Name + ": " + strings.TrimSuffix(valueError(value.GetFlag(), err), ".") + see)
	case errors.As(err, &missing):
		return command.Wrong("--" + missing.GetFlag().Name + " needs a value" + see)
	}
	typed := ""
	if no, is := errors.AsType[*pflag.NotExistError](err); is {
		typed = no.GetSpecifiedName()
	}
	if c.Root().Flags().Lookup(typed) != nil {
		return command.Wrong("--" + typed + " does not belong to " + c.CommandPath() + see)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return command.Unknown(c, "unknown option (never pass a secret key as an argument)", "--", typed, names)
}

// valueError words the error of a value: by its own check, or by its kind.
func valueError(f *pflag.Flag, err error) string {
	if own, is := errors.AsType[command.Sentence](err); is {
		return own.Error()
	}
	switch f.Value.Type() {
	case "int":
		return "must be a whole number"
	case "uint", "uint64":
		return "must be a whole number from 0"
	case "duration":
		return "must be a duration, such as 90s or 5m"
	case "bool":
		return "it takes no value"
	}
	return "use light or dark" // only the background is of another kind
}

// commandFirst moves a command that options stand before to the front: cobra would not know all of them there.
func commandFirst(root *cobra.Command, args []string) []string {
	takes := map[string]bool{} // its value in the next argument
	command.EachCommand(root, func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { takes["--"+f.Name] = f.NoOptDefVal == "" })
	})
	from := 0
	for from < len(args) && strings.HasPrefix(args[from], "-") && args[from] != "-" && args[from] != "--" {
		if takes[args[from]] {
			from++
		}
		from++
	}
	c, to := root, min(from, len(args))
	for from = to; to < len(args); to++ {
		below, _, err := c.Find(args[to : to+1])
		if err != nil || below == c {
			break
		}
		c = below
	}
	return slices.Concat(args[from:to], args[:from], args[to:])
}

// The groups of commands by their titles, in the order of the help.
const (
	groupPayments = "Payments"
	groupRecords  = "Records"
	groupSetup    = "Setup"
	groupConsole  = "Console and sandbox"
	groupHelp     = "Help"
)

// A branch is a command that is built where it is named, or where all are asked for: to build all takes as long as to draw a frame.
type branch struct {
	group, name string
	build       func() *cobra.Command
}

func (p *program) commands(o *consoleOptions) []branch {
	payments, activities, webhooks := payment.Commands{Program: p.Program}, activity.Commands{Program: p.Program}, webhook.Commands{Program: p.Program}
	profiles := profile.Commands{Program: p.Program}
	return []branch{
		{groupPayments, "status", payments.Status},
		{groupPayments, "transactions", transactions.Commands{Program: p.Program}.Transactions},
		{groupPayments, "link", payments.Link},
		{groupPayments, "collect", payments.Collect},
		{groupPayments, "authenticate", payments.Authenticate},
		{groupPayments, "finalize", payments.Finalize},
		{groupPayments, "validate", payments.Validate},
		{groupRecords, "activity", activities.Activity},
		{groupRecords, "resolve", activities.Resolve},
		{groupRecords, "case", payments.Case},
		{groupRecords, "pin", func() *cobra.Command { return payments.Pin("pin") }},
		{groupRecords, "unpin", func() *cobra.Command { return payments.Pin("unpin") }},
		{groupRecords, "webhook", webhooks.Webhook},
		{groupSetup, "profile", profiles.Profile},
		{groupSetup, "config", profiles.Config},
		{groupSetup, "key", profiles.Key},
		{groupSetup, "doctor", p.doctorCommand},
		{groupSetup, "bundle", p.bundleCommand},
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
	root.PersistentPreRunE = p.before
	root.SetFlagErrorFunc(flagError)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	for _, title := range []string{groupPayments, groupRecords, groupSetup, groupConsole, groupHelp} {
		root.AddGroup(&cobra.Group{ID: title, Title: title})
	}
	for _, one := range p.commands(o) {
		if only == "" || only == one.name {
			c := one.build()
			c.GroupID = one.group
			root.AddCommand(c)
		}
	}
	p.addHelp(root)
	command.AddGlobals(root, p.globalFlags())
	return root
}

// globalFlags are the flags of every command, or of nearly every one.
func (p *program) globalFlags() *pflag.FlagSet {
	f, path := pflag.NewFlagSet("", pflag.ContinueOnError), p.Config
	if path == "" {
		path, _ = keystore.DefaultFolder()
	}
	f.StringVar(&p.Global.Config, "config", path, "the `FOLDER` of the configuration")
	f.StringVar(&p.Global.Profile, "profile", p.Getenv("PAYDESK_PROFILE"), "the `NAME` of the profile; else PAYDESK_PROFILE, or the default")
	f.StringVar(&p.Global.State, "state-dir", p.State, "the `FOLDER` of the journal")
	f.Lookup("state-dir").DefValue = p.Folder() // for the help
	f.BoolVar(&p.Global.JSON, "json", false, "print JSON (paydesk help json)")
	f.BoolVarP(&p.Global.Quiet, "quiet", "q", false, "print on stderr only what must be read")
	f.BoolVar(&p.Global.NoInput, "no-input", false, "ask nothing, even at a terminal")
	f.BoolFunc("no-proxy", "connect directly, without a proxy", func(value string) error {
		if value != "true" { // --no-proxy=false would say the opposite
			return command.Sentence("it takes no value")
		}
		return api.WithoutProxy()
	})
	f.BoolP("help", "h", false, "print help")
	return f
}
