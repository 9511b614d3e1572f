package command

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api/query"
)

// globalsTaken is the annotation of a command that has no use for all global options: those that it takes,
// separated by blanks. It holds for the commands below too.
const globalsTaken = "globals"

// Takes is the annotation of a command that takes only these global options.
func Takes(names ...string) map[string]string {
	return map[string]string{globalsTaken: strings.Join(names, " ")}
}

// TakesGlobal reports whether a command takes a global option. Each has help, and settles what is said and asked.
func TakesGlobal(c *cobra.Command, name string) bool {
	if slices.Contains([]string{"quiet", "no-input", "help"}, name) {
		return true
	}
	for ; c != nil; c = c.Parent() {
		if names, only := c.Annotations[globalsTaken]; only {
			return slices.Contains(strings.Fields(names), name)
		}
	}
	return true
}

// globalOption is the annotation of an option that commands share.
const globalOption = "global"

// IsGlobal reports whether an option is a global one.
func IsGlobal(f *pflag.Flag) bool { return f.Annotations[globalOption] != nil }

// AddGlobals gives each command of a tree the global options that it takes.
func AddGlobals(root *cobra.Command, all *pflag.FlagSet) {
	all.VisitAll(func(f *pflag.Flag) { f.Annotations = map[string][]string{globalOption: {}} })
	EachCommand(root, func(c *cobra.Command) {
		all.VisitAll(func(f *pflag.Flag) {
			if TakesGlobal(c, f.Name) {
				c.Flags().AddFlag(f)
			}
		})
	})
}

// onlyGroup is the annotation of a command that only has others below it.
const onlyGroup = "group"

// IsGroup reports whether a command only has others below it.
func IsGroup(c *cobra.Command) bool { return c.Annotations[onlyGroup] != "" }

// Group makes a command that only has others. Without one of them it says which there are, and ends as one with wrong arguments: alone in
// its short help.
func Group(c *cobra.Command, of ...*cobra.Command) *cobra.Command {
	c.AddCommand(of...)
	annotate(c, onlyGroup, "true")
	c.RunE = func(c *cobra.Command, args []string) error {
		if json, _ := c.Flags().GetBool("json"); len(args) == 0 && !json {
			_ = c.Help()
			return EndedBy(badUsage)
		}
		return UnknownBelow(c, c.CommandPath()+" needs one of its commands: "+Enumerate(CommandsBelow(c)), strings.Join(args[:min(len(args), 1)], ""))
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

// PathOf returns the name of a command below paydesk: "link create".
func PathOf(c *cobra.Command) string {
	_, below, _ := strings.Cut(c.CommandPath(), " ")
	return below
}

// Enumerate joins names as in "a, b and c".
func Enumerate(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// EachCommand calls do for a command and all below it.
func EachCommand(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, s := range c.Commands() {
		EachCommand(s, do)
	}
}

// EndsWith is the annotation of a command with the codes that it can end with, separated by blanks.
const EndsWith = "ends"

// Ends says with which codes a command can end, beside 0, 1, 2 and 4.
func Ends(c *cobra.Command, codes ...Code) *cobra.Command {
	annotate(c, EndsWith, strings.Trim(fmt.Sprint(codes), "[]"))
	return c
}

// GivenFor returns the options that lead to the same configuration and journal from any folder, as far as they were given.
func GivenFor(c *cobra.Command) (given [][2]string) {
	for _, name := range []string{"config", "state-dir"} {
		f := c.Flag(name)
		if f == nil || !f.Changed {
			continue
		}
		path, err := filepath.Abs(f.Value.String())
		if err != nil {
			path = f.Value.String()
		}
		given = append(given, [2]string{"--" + name, path})
	}
	return given
}

// A Need of a command is an argument that its usage line names, or options, each between parentheses or alone.
type Need struct {
	Argument       string // "" for options
	Optional, Many bool   // argument, in brackets and with dots

	Ways [][]string // of which one is to be taken, each of one option or more
	Open bool       // there are other ways, so that the command itself asks for one
}

// Needs returns what the usage line of a command names, in its order.
func Needs(c *cobra.Command) (all []Need) {
	inside, before := false, ""
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(c.Use))[1:] {
		last, isOption := len(all)-1, strings.HasPrefix(word, "--")
		switch {
		case word == "(" || word == ")":
			if inside = word == "("; inside {
				all = append(all, Need{Ways: make([][]string, 1)})
			}
		case word == "|" && inside:
			all[last].Ways = append(all[last].Ways, nil)
		case word == "…":
			all[last].Open = true
		case word == "|" || strings.HasPrefix(before, "--") && !isOption: // the value of an option
		case inside:
			way := len(all[last].Ways) - 1
			all[last].Ways[way] = append(all[last].Ways[way], word)
		case isOption:
			all = append(all, Need{Ways: [][]string{{word}}})
		default:
			all = append(all, Need{Argument: strings.Trim(word, "[]…"), Optional: strings.HasPrefix(word, "["), Many: strings.Contains(word, "…")})
		}
		before = word
	}
	return all
}

// Unknown ends a command because of a name that is not known: why, with the name that was probably meant, after what stands before it.
// What is typed may be a key, so it is never printed: only a name that is known.
func Unknown(c *cobra.Command, why, before, typed string, known []string) error {
	if name := query.Nearest(typed, known); name != "" {
		return Wrong(why + ". Did you mean " + before + name + "? See " + c.CommandPath() + " --help")
	}
	return Wrong(why + "; see " + c.CommandPath() + " --help")
}

// UnknownBelow ends a command because the word typed behind it names none of those below it. A word that resembles none of them is
// probably what one of them shows.
func UnknownBelow(c *cobra.Command, why, typed string) error {
	names := CommandsBelow(c)
	if show, _, err := c.Find([]string{"show"}); err == nil && show != c && typed != "" && query.Nearest(typed, names) == "" {
		for _, need := range Needs(show) {
			return Wrong(why + ". Did you mean " + show.CommandPath() + " " + need.Argument + "? See " + c.CommandPath() + " --help")
		}
	}
	return Unknown(c, why, c.CommandPath()+" ", typed, names)
}

// CommandsBelow returns the names of the commands below one.
func CommandsBelow(c *cobra.Command) (names []string) {
	for _, s := range c.Commands() {
		if s.IsAvailableCommand() || s.Name() == "help" {
			names = append(names, s.Name())
		}
	}
	return names
}
