package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/screens/cli/command"
)

const groupHelp = "help"

// addHelp gives every command the help below, and adds the commands about commands. It comes after all others.
// Nothing here uses cobra's templates, which would bring all methods of all types into the program: 3 MB.
func (p *program) addHelp(root *cobra.Command) {
	root.PersistentFlags().BoolP("help", "h", false, "print help")
	root.AddGroup(&cobra.Group{ID: groupHelp, Title: "Help"})
	help := p.helpCommand()
	for _, c := range []*cobra.Command{help, p.completionCommand(), p.manCommand(), p.versionCommand()} {
		c.GroupID = groupHelp
		root.AddCommand(c)
	}
	root.SetHelpCommand(help)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		text := helpOf(c, helpWidth(p.Out))
		if command.IsGroup(c) && !c.Flags().Changed("help") { // it was called alone
			text = shortHelp(c, helpWidth(p.Out))
		}
		_, p.unprinted = io.WriteString(p.Out, text)
	})
}

// helpCommand prints the help of a command, or a topic.
func (p *program) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND | TOPIC]", Short: "Print help on a command or a topic",
		Long:        "paydesk --help lists both.",
		Example:     "  paydesk help status\n  paydesk help exit-codes",
		Annotations: command.Takes(),
		Args:        func(*cobra.Command, []string) error { return nil },
		RunE: func(c *cobra.Command, args []string) error {
			if t, ok := topicNamed(args); ok {
				_, err := io.WriteString(p.Out, topicText(t, helpWidth(p.Out)))
				return err
			}
			of, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return command.Unknown(c, "there is no such command or topic", "paydesk help ", args[0], append(command.CommandsBelow(c.Root()), Topics()...))
			}
			_, err = io.WriteString(p.Out, helpOf(of, helpWidth(p.Out)))
			return err
		},
		ValidArgsFunction: completeHelp,
	}
}

// The widths of help: where the output is no terminal, and at most, because longer lines are hard to read.
const (
	pipedHelp  = 80
	widestHelp = 100
)

func helpWidth(w io.Writer) int {
	if w := command.WidthOf(w); w > 0 {
		return min(max(w-1, 40), widestHelp)
	}
	return pipedHelp
}

// helpOf is what a command does: in a sentence, how it is called, at length, with examples, its commands
// and options, and how it can end.
func helpOf(c *cobra.Command, width int) string {
	h := helpText{width: width}
	h.paragraphs(strings.TrimSpace(c.Short + ". " + c.Long))
	h.heading("Usage")
	for _, line := range usageLines(c) {
		for i, part := range fill(line, h.width-6) {
			h.line("  " + strings.Repeat("    ", min(i, 1)) + part)
		}
	}
	if c.Example != "" {
		h.heading("Examples")
		h.line(strings.Trim(c.Example, "\n"))
	}
	h.commands(c)
	var own, global []entry
	var names []string
	command.EachOption(c, func(f *pflag.Flag, every bool) {
		e := optionEntry(f)
		if !every {
			own = append(own, e)
			return
		}
		global, names = append(global, e), append(names, e.name)
	})
	if len(own) > 0 {
		h.heading("Options")
		h.entries(own)
	}
	h.heading("Options of every command")
	if c.HasParent() {
		global = []entry{{"paydesk --help", strings.Join(names, ", ")}}
	}
	h.entries(global)
	h.heading("Exit codes")
	h.entries(append(endings(c), entry{"0 1 2 4", "as of every command: paydesk help exit-codes"}))
	if !c.HasParent() {
		h.heading("More")
		h.entries(topicEntries())
		h.line("")
		h.paragraphs("Found a problem? Send what paydesk bundle prints to whoever gave you paydesk.")
	}
	return h.String()
}

// endings are the codes that a command can end with, beside those of every command, with the reasons for each.
func endings(c *cobra.Command) (all []entry) {
	for _, code := range strings.Fields(c.Annotations[command.EndsWith]) {
		var names []string
		for _, r := range command.Reasons {
			if fmt.Sprint(int(r.Exit)) == code {
				names = append(names, r.Name)
			}
		}
		all = append(all, entry{code, strings.Join(names, ", ")})
	}
	return all
}

// shortHelp is what a command is for, and its commands.
func shortHelp(c *cobra.Command, width int) string {
	h := helpText{width: width}
	h.paragraphs(c.Short + ".")
	h.commands(c)
	h.line("\n" + c.CommandPath() + " COMMAND --help has their options.")
	return h.String()
}

// usageLines are the ways to call a command.
func usageLines(c *cobra.Command) (lines []string) {
	if !c.HasAvailableSubCommands() || !c.HasParent() {
		lines = append(lines, strings.TrimSuffix(c.UseLine(), " [flags]")+" [OPTION…]")
	}
	if c.HasAvailableSubCommands() {
		lines = append(lines, c.CommandPath()+" COMMAND …")
	}
	return lines
}

// An entry is a line of help: what is typed, and what it does.
type entry struct{ name, words string }

// A helpText is help being written.
type helpText struct {
	strings.Builder
	width int
}

func (h *helpText) line(s string) { h.WriteString(s + "\n") }

func (h *helpText) heading(s string) { h.line("\n" + s + ":") }

// paragraphs fills the lines of each paragraph. One that begins with a blank is kept as it is: it shows what is typed.
func (h *helpText) paragraphs(text string) {
	for i, part := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			h.line("")
		}
		if !strings.HasPrefix(part, " ") {
			part = strings.Join(fill(part, h.width), "\n")
		}
		h.line(part)
	}
}

// commands lists the commands below a command, in their groups.
func (h *helpText) commands(c *cobra.Command) {
	groups := c.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands"}}
	}
	for _, g := range groups {
		var all []entry
		for _, s := range c.Commands() {
			if s.GroupID == g.ID && (s.IsAvailableCommand() || s.Name() == "help") {
				all = append(all, entry{s.Name(), s.Short})
			}
		}
		if len(all) > 0 {
			h.heading(g.Title)
			h.entries(all)
		}
	}
}

// optionEntry is an option with its value, and what it does.
func optionEntry(f *pflag.Flag) entry {
	value, words := pflag.UnquoteUsage(f)
	name := strings.TrimSpace("--" + f.Name + " " + value)
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if f.NoOptDefVal == "" && !slices.Contains([]string{"", "0", "0s", "[]"}, f.DefValue) {
		words += " (default " + strings.Replace(f.DefValue, "m0s", "m", 1) + ")" // as a person types it
	}
	return entry{name, words}
}

// widestName bounds a name that has its words on the same line.
const widestName = 24

// entries writes names and words in two columns.
func (h *helpText) entries(of []entry) {
	column := 0
	for _, e := range of {
		if n := ansi.StringWidth(e.name); n <= widestName {
			column = max(column, n)
		}
	}
	for _, e := range of {
		lines := fill(e.words, h.width-column-4)
		name := "  " + e.name
		if pad := column + 4 - ansi.StringWidth(name); pad < 2 {
			h.line(name)
		} else {
			h.line(name + strings.Repeat(" ", pad) + lines[0])
			lines = lines[1:]
		}
		for _, line := range lines {
			h.line(strings.Repeat(" ", column+4) + line)
		}
	}
}

// fill breaks text at blanks. A word that is too long stays whole, because it may be a path to copy.
func fill(text string, width int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case ansi.StringWidth(*last)+1+ansi.StringWidth(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
