package cli

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/screens/cli/command"
)

// prepare makes every command check what it gets before it runs.
func prepare(root *cobra.Command) {
	once := func(f *pflag.Flag) {
		if _, several := f.Value.(pflag.SliceValue); !several && f.NoOptDefVal == "" {
			f.Value = onceValue{f.Value, f}
		}
	}
	root.PersistentFlags().VisitAll(once)
	command.EachCommand(root, func(c *cobra.Command) {
		c.LocalNonPersistentFlags().VisitAll(once)
		args := c.Args
		switch {
		case args != nil:
		case command.IsGroup(c): // it says which commands there are
			args = cobra.ArbitraryArgs
		default:
			args = positional
		}
		c.Args = func(c *cobra.Command, given []string) error {
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
	})
}

// A onceValue is that of an option that is given once: which of two amounts was meant, only a person knows.
type onceValue struct {
	pflag.Value
	flag *pflag.Flag
}

// Set implements [pflag.Value].
func (o onceValue) Set(s string) error {
	if o.flag.Changed {
		return command.FieldError("it was given twice")
	}
	return o.Value.Set(s)
}

// rejectForeign rejects a global option that the command does not take.
func rejectForeign(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if c.Root().PersistentFlags().Lookup(f.Name) == f && !command.TakesGlobal(c, f.Name) {
			err = foreign(c, f.Name)
		}
	})
	return err
}

func foreign(c *cobra.Command, name string) error {
	return command.Wrong("--" + name + " does not belong to " + c.CommandPath() + "; see " + c.CommandPath() + " --help")
}

// positional checks how many arguments a command gets, by its usage line.
func positional(c *cobra.Command, args []string) error {
	least, most := 0, 0
	var names []string
	for _, need := range command.Needs(c) {
		w := need.Ways[0][0]
		if w.IsOption() {
			continue
		}
		name := w.Name
		if most++; w.Many {
			name, most = name+"…", max(len(args), 1)
		}
		if w.Optional {
			name = "[" + name + "]"
		} else {
			least++
		}
		names = append(names, name)
	}
	if len(args) >= least && len(args) <= most {
		return nil
	}
	return command.Wrong(c.CommandPath() + " takes " + cmp.Or(strings.Join(names, " "), "no arguments but options") + "; see " + c.CommandPath() + " --help")
}

// missing ends a command without the options that its usage line names outside of brackets: all of them, in the order of its help.
func missing(c *cobra.Command) error {
	var names []string
	for _, need := range command.Needs(c) {
		var lacks [][]string
		for _, way := range need.Ways {
			lacks = append(lacks, lacking(c, way))
		}
		if need.Open || slices.ContainsFunc(lacks, func(names []string) bool { return len(names) == 0 }) {
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

// lacking are the options of some words that were not given.
func lacking(c *cobra.Command, way []command.Word) (names []string) {
	for _, w := range way {
		f := c.Flags().Lookup(strings.TrimPrefix(w.Name, "--"))
		isText := f != nil && f.Value.Type() == "string"
		if f != nil && (!f.Changed || isText && strings.TrimSpace(f.Value.String()) == "") {
			names = append(names, w.Name)
		}
	}
	return names
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
	if c.Root().Flags().Lookup(typed) != nil {
		return foreign(c, typed)
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
