package cli

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/screens/cli/command"
)

// quiet is a program without a configuration, whose tree is only looked at.
func quiet(t *testing.T) *program {
	nowhere := t.TempDir()
	return newProgram(command.Env{
		In: os.Stdin, Out: new(strings.Builder), Err: new(strings.Builder), Version: "test",
		Getenv: func(string) string { return "" }, Config: nowhere + "/paydesk", State: nowhere,
	})
}

// visible are the commands that help lists, paydesk itself included.
func visible(root *cobra.Command) (all []*cobra.Command) {
	command.EachCommand(root, func(c *cobra.Command) {
		for above := c; above != nil; above = above.Parent() {
			if above.Hidden {
				return
			}
		}
		all = append(all, c)
	})
	return all
}

func TestEveryCommandIsDescribed(t *testing.T) {
	for _, c := range visible(quiet(t).Tree()) {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") || len(c.Short) > 72 {
			t.Errorf("%s: its line in a list is %q", c.CommandPath(), c.Short)
		}
		if c.Example == "" && !c.HasAvailableSubCommands() {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, need := range command.Needs(c) {
			for _, name := range slices.Concat(need.Ways...) {
				if c.Flags().Lookup(name[2:]) == nil {
					t.Errorf("%s has no option %s, which its usage line names", c.CommandPath(), name)
				}
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" || strings.HasSuffix(f.Usage, ".") {
				t.Errorf("%s --%s is described as %q", c.CommandPath(), f.Name, f.Usage)
			}
		})
	}
}

// A person pastes the examples: their options and arguments have to be right.
func TestEveryExampleCanBeParsed(t *testing.T) {
	for _, c := range visible(quiet(t).Tree()) {
		found := c.Example == ""
		for line := range strings.Lines(c.Example) {
			for _, args := range commandsIn(line) {
				called, err := parse(t, args)
				if err != nil {
					t.Errorf("paydesk %q: %v", args, err)
				}
				found = found || called == c.CommandPath()
			}
		}
		if !found {
			t.Errorf("no example of %s calls it:\n%s", c.CommandPath(), c.Example)
		}
	}
}

// commandsIn are the arguments of each call of paydesk in a line for a shell.
func commandsIn(line string) (all [][]string) {
	var words []string
	var quote rune
	word, open := "", false
	end := func() {
		if open {
			words = append(words, word)
		}
		word, open = "", false
	}
	next := func() {
		end()
		if len(words) > 0 && words[0] == "paydesk" {
			all = append(all, words[1:])
		}
		words = nil
	}
	for _, c := range strings.TrimSpace(line) {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote == 0 && c == ' ':
			end()
		case quote == 0 && strings.ContainsRune("|&;<>", c):
			next() // what follows > is a file, which is no call
		default:
			word, open = word+string(c), true
		}
	}
	next()
	return all
}

func TestHelpFitsInEightyColumns(t *testing.T) {
	for _, c := range visible(quiet(t).Tree()) {
		example := false
		for line := range strings.Lines(helpOf(c, pipedHelp)) {
			example = strings.HasPrefix(line, "Examples:") || example && line != "\n"
			if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > pipedHelp && !example && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s --help: %q", c.CommandPath(), line)
			}
		}
	}
}
