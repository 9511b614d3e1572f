package command

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// globalsTaken is the annotation of a command that has no use for all global options: those that it takes,
// separated by blanks. It holds for the commands below too.
const globalsTaken = "globals"

// Takes is the annotation of a command that takes only these global options.
func Takes(names ...string) map[string]string {
	return map[string]string{globalsTaken: strings.Join(names, " ")}
}

// TakesGlobal reports whether a command takes a global option. What is said and asked is settled for each command.
func TakesGlobal(c *cobra.Command, name string) bool {
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

// onlyGroup is the annotation of a command that only has others below it.
const onlyGroup = "group"

// IsGroup reports whether a command only has others below it.
func IsGroup(c *cobra.Command) bool { return c.Annotations[onlyGroup] != "" }

// Group makes a command that only has others. It says which there are: alone in its short help, and of an unknown one as an error.
func Group(c *cobra.Command, of ...*cobra.Command) *cobra.Command {
	c.AddCommand(of...)
	annotate(c, onlyGroup, "true")
	c.RunE = func(c *cobra.Command, args []string) error {
		if json, _ := c.Flags().GetBool("json"); len(args) == 0 && !json {
			return c.Help()
		}
		names, typed := CommandsBelow(c), ""
		if len(args) > 0 {
			typed = args[0]
		}
		return Unknown(c, c.CommandPath()+" needs one of its commands: "+Enumerate(names), c.CommandPath()+" ", typed, names)
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

// PathOf is the name of a command below paydesk: "link create".
func PathOf(c *cobra.Command) string {
	_, below, _ := strings.Cut(c.CommandPath(), " ")
	return below
}

// Enumerate is "a, b and c".
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

// GivenFor are the options that lead to the same configuration and journal from any folder, as far as they were given.
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
