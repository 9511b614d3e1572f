package command

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// nearest is the known name that differs least from what was typed; "" where none is like it. What was typed may be a key, so that it is
// never printed: only a name that is known.
func nearest(typed string, known []string) (name string) {
	least := 3 // mistakes are too many
	for _, k := range known {
		d := distance(strings.ToLower(typed), k)
		if len(typed) > 1 && strings.HasPrefix(k, strings.ToLower(typed)) {
			d = min(d, 1)
		}
		if d < least && d < len(k)-1 {
			name, least = k, d
		}
	}
	return name
}

// distance counts the letters to add, leave out, change or swap with their neighbour until a is b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
		for j := 1; j <= len(b); j++ {
			if i == 0 {
				rows[0][j] = j
				continue
			}
			changed := 1
			if a[i-1] == b[j-1] {
				changed = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+changed)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// Unknown ends a command because of a name that is not known: why, with the name that was probably meant, after what stands before it.
func Unknown(c *cobra.Command, why, before, typed string, known []string) error {
	if name := nearest(typed, known); name != "" {
		return Wrong(why + ". Did you mean " + before + name + "? See " + c.CommandPath() + " --help")
	}
	return Wrong(why + "; see " + c.CommandPath() + " --help")
}

// CommandsBelow are the names of the commands below one.
func CommandsBelow(c *cobra.Command) (names []string) {
	for _, s := range c.Commands() {
		if s.IsAvailableCommand() || s.Name() == "help" {
			names = append(names, s.Name())
		}
	}
	return names
}

// EachOption calls do for the options that a command takes, and says which are those of every command.
func EachOption(c *cobra.Command, do func(f *pflag.Flag, every bool)) {
	c.InheritedFlags() // merges them
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if every := c.Root().PersistentFlags().Lookup(f.Name) == f; !every || f.Name == "help" || TakesGlobal(c, f.Name) {
			do(f, every)
		}
	})
}
