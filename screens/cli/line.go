package cli

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/screens/cli/command"
	"paydesk/screens/cli/plain"
)

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
				return &command.Refusal{Reason: command.Reason{Exit: command.Done}}
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
			if c.Flags().Lookup(f.Name) == nil || global && !command.TakesGlobal(c, f.Name) {
				foreign = f.Name
			}
		})
	}
	if foreign != "" {
		return command.Wrong("--" + foreign + " does not belong to " + c.CommandPath() + "; see " + c.CommandPath() + " --help")
	}
	return nil
}

// positional checks how many arguments a command gets, by its usage line. The last one may be repeated where its name ends in dots,
// and left out where it stands in brackets.
func positional(c *cobra.Command, args []string) error {
	want, _, _ := strings.Cut(strings.ReplaceAll(c.Use, "(", "--"), " --")
	names := strings.Fields(want)[1:]
	least, most := len(names), len(names)
	if most > 0 && strings.HasSuffix(strings.TrimSuffix(names[most-1], "]"), "…") {
		most = max(most, len(args))
	}
	if least > 0 && strings.HasPrefix(names[least-1], "[") {
		least--
	}
	if len(args) >= least && len(args) <= most {
		return nil
	}
	return command.Wrong(c.CommandPath() + " takes " + cmp.Or(strings.Join(names, " "), "no arguments but options") + "; see " + c.CommandPath() + " --help")
}

// missing ends a command without the options that its usage line names outside of brackets: all of them, in the order of its help.
func missing(c *cobra.Command) error {
	var names []string
	for _, need := range needs(c.Use) {
		first, last := need[0], need[len(need)-1]
		if slices.ContainsFunc(need, func(all []string) bool { return len(all) > 0 && len(lacking(c, all)) == 0 }) {
			continue
		}
		for _, name := range lacking(c, first) {
			if len(need) > 1 {
				name += " (or --" + strings.Join(last, " and --") + ")"
			}
			names = append(names, "--"+name)
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

// needs are the options that a usage line asks for: of the alternatives of each, one has to be whole. "(--found REF | …)" names not all
// of them, so that the command itself asks for one.
func needs(use string) (all [][][]string) {
	for use != "" {
		var before, inside string
		before, use, _ = strings.Cut(use, "(")
		for _, name := range optionsOn(before) {
			all = append(all, [][]string{{name}})
		}
		if inside, use, _ = strings.Cut(use, ")"); inside == "" || strings.Contains(inside, "…") {
			continue
		}
		var alternatives [][]string
		for part := range strings.SplitSeq(inside, " | ") {
			alternatives = append(alternatives, optionsOn(part))
		}
		all = append(all, alternatives)
	}
	return all
}

// lacking are the options of some that were not given.
func lacking(c *cobra.Command, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		f := c.Flags().Lookup(name)
		if f.Value.Type() == "bool" {
			return f.Changed
		}
		return strings.TrimSpace(f.Value.String()) != ""
	})
}

// optionsOn are the names of the options on a part of a usage line that are not in brackets.
func optionsOn(usage string) (names []string) {
	for _, word := range strings.Fields(usage) {
		if name, is := strings.CutPrefix(word, "--"); is {
			names = append(names, name)
		}
	}
	return names
}

// argumentError words what cobra says of arguments without [flagError]: options before a command.
func argumentError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var syntax *pflag.InvalidSyntaxError
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	if errors.As(err, &unknown) || errors.As(err, &syntax) || errors.As(err, &value) || errors.As(err, &missing) {
		return flagError(c, err)
	}
	return err
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
		return command.Wrong("--" + value.GetFlag().Name + ": " + valueError(value.GetFlag(), err) + see)
	case errors.As(err, &missing):
		return command.Wrong("--" + missing.GetFlag().Name + " needs a value" + see)
	}
	typed := ""
	var no *pflag.NotExistError
	if errors.As(err, &no) {
		typed = no.GetSpecifiedName()
	}
	var names []string
	command.EachOption(c, func(f *pflag.Flag, _ bool) { names = append(names, f.Name) })
	return command.Unknown(c, "unknown option (never pass a secret key as an argument)", "--", typed, names)
}

// valueError words the error of a value: by its own check, or by its kind.
func valueError(f *pflag.Flag, err error) string {
	var own command.FieldError
	if errors.As(err, &own) {
		return own.Error()
	}
	switch f.Value.Type() {
	case "int", "uint64", "int64":
		return "must be a whole number"
	case "duration":
		return "must be a duration, such as 90s or 5m"
	case "bool":
		return "it takes no value"
	}
	return "use light or dark" // only the background is of another kind
}

// commandFirst moves options that stand before a command behind it, but those of paydesk itself: cobra would not know them there.
func commandFirst(root *cobra.Command, args []string) []string {
	taken := map[string]*pflag.Flag{}
	command.EachCommand(root, func(c *cobra.Command) { c.LocalFlags().VisitAll(func(f *pflag.Flag) { taken[f.Name] = f }) })
	var own, moved []string
	i := 0
	for ; i < len(args) && strings.HasPrefix(args[i], "-") && args[i] != "-" && args[i] != "--"; i++ {
		name, _, inOne := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		to := &moved
		if f := root.Flag(name); f != nil || !strings.HasPrefix(args[i], "--") || taken[name] == nil {
			to = &own
		}
		*to = append(*to, args[i])
		if f := taken[name]; f != nil && f.NoOptDefVal == "" && !inOne && i+1 < len(args) {
			i++
			*to = append(*to, args[i])
		}
	}
	c, from := root, i
	for ; i < len(args); i++ {
		below, _, err := c.Find(args[i : i+1])
		if err != nil || below == c {
			break
		}
		c = below
	}
	if len(moved) == 0 || i == from {
		return args
	}
	line := append(own, args[from:i]...)
	return append(append(line, moved...), args[i:]...)
}
