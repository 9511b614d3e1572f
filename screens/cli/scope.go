package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/screens/cli/plain"
)

// globalsTaken is the annotation of a command that has no use for all global options: those that it takes,
// separated by blanks. It holds for the commands below too.
const globalsTaken = "globals"

// takes is the annotation of a command that takes only these global options.
func takes(names ...string) map[string]string {
	return map[string]string{globalsTaken: strings.Join(names, " ")}
}

// takesGlobal reports whether a command takes a global option. What is said and asked is settled for each command.
func takesGlobal(c *cobra.Command, name string) bool {
	if name == "quiet" || name == "no-input" {
		return true
	}
	for ; c != nil; c = c.Parent() {
		if names, only := c.Annotations[globalsTaken]; only {
			return slices.Contains(strings.Fields(names), name)
		}
	}
	return true
}

// group makes a command that only has others. It says which there are: alone in its short help, and of an unknown one as an error.
func group(c *cobra.Command, of ...*cobra.Command) *cobra.Command {
	c.AddCommand(of...)
	annotate(c, plain.OnlyGroup, "true")
	c.RunE = func(c *cobra.Command, args []string) error {
		if json, _ := c.Flags().GetBool("json"); len(args) == 0 && !json {
			writeShortHelp(c.OutOrStdout(), c)
			return nil
		}
		names, typed := commandsBelow(c), ""
		if len(args) > 0 {
			typed = args[0]
		}
		return unknown(c, c.CommandPath()+" needs one of its commands: "+enumerate(names), c.CommandPath()+" ", typed, names)
	}
	return c
}

// annotate notes something about a command.
func annotate(c *cobra.Command, name, value string) {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[name] = value
}

// pathOf is the name of a command below paydesk: "link create".
func pathOf(c *cobra.Command) string {
	_, below, _ := strings.Cut(c.CommandPath(), " ")
	return below
}

// enumerate is "a, b and c".
func enumerate(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// scoped makes every command reject the options that stand before it and mean nothing to it: cobra parses
// those of the screens for any command. A global option it does not take is rejected wherever it stands. The version
// is printed here and not by cobra, whose templates would bring all methods of all types into the program: 3 MB.
func (p *program) scoped(root *cobra.Command, o *consoleOptions) {
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		for _, s := range c.Commands() {
			visit(s)
		}
		args := c.Args
		switch {
		case args != nil:
		case c.Annotations[plain.OnlyGroup] != "": // it says which commands there are
			args = cobra.ArbitraryArgs
		default:
			args = positional
		}
		c.Args = func(c *cobra.Command, given []string) error {
			if o.version {
				p.printVersion()
				return &refusal{reason: reason{exit: Done}}
			}
			if err := rejectForeign(c); err != nil {
				return err
			}
			return args(c, given)
		}
		if run := c.RunE; run != nil {
			c.RunE = func(c *cobra.Command, given []string) error {
				if err := missing(c); err != nil {
					return err
				}
				return run(c, given)
			}
		}
	}
	visit(root)
}

func rejectForeign(c *cobra.Command) error {
	foreign := ""
	for above := c; above != nil; above = above.Parent() {
		above.Flags().Visit(func(f *pflag.Flag) {
			global := c.Root().PersistentFlags().Lookup(f.Name) != nil
			if c.Flags().Lookup(f.Name) == nil || global && !takesGlobal(c, f.Name) {
				foreign = f.Name
			}
		})
	}
	if foreign != "" {
		return usage("--" + foreign + " does not belong to " + c.CommandPath() + "; see " + c.CommandPath() + " --help")
	}
	return nil
}
