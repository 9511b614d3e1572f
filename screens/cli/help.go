package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/screens/cli/command"
	"paydesk/screens/cli/plain"
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
		if c.Annotations[plain.OnlyGroup] != "" && !c.Flags().Changed("help") { // it was called alone
			writeShortHelp(c.OutOrStdout(), c)
			return
		}
		writeHelp(c.OutOrStdout(), c, helpWidth(p.Out))
	})
}

// helpCommand prints the help of a command, or a topic.
func (p *program) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND | TOPIC]", Short: "Print help on a command or a topic",
		Long:        "Print help on a command or a topic.\n\n" + topicList(),
		Example:     "  paydesk help status\n  paydesk help exit-codes",
		Annotations: command.Takes(),
		Args:        func(*cobra.Command, []string) error { return nil },
		RunE: func(c *cobra.Command, args []string) error {
			if t, ok := topicNamed(args); ok {
				return writeTopic(p.Out, t, helpWidth(p.Out))
			}
			of, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return command.Unknown(c, "there is no such command or topic", "paydesk help ", args[0], append(command.CommandsBelow(c.Root()), Topics()...))
			}
			writeHelp(p.Out, of, helpWidth(p.Out))
			return nil
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

// writeHelp prints what a command does: in a sentence, how it is called, at length, with examples, its commands
// and options, and how it can end.
func writeHelp(w io.Writer, c *cobra.Command, width int) {
	h := helpText{width: width}
	h.paragraphs(cmp.Or(c.Long, c.Short+"."))
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
	for _, g := range commandGroups(c) {
		h.heading(g.title)
		h.entries(g.entries)
	}
	own, global := options(c)
	h.options("Options", own)
	if c.HasParent() {
		names := []string{}
		for _, e := range global {
			names = append(names, e.name)
		}
		h.heading("Options of every command")
		h.entries([]entry{{"paydesk --help", strings.Join(names, ", ")}})
	} else {
		h.options("Options of every command", global)
	}
	h.heading("Exit codes")
	h.entries(append(endings(c), entry{"0 1 2 4", "as of every command: paydesk help exit-codes"}))
	if !c.HasParent() {
		h.heading("More")
		h.entries(topicEntries())
		h.line("")
		h.paragraphs("Found a problem? Send what paydesk bundle prints to whoever gave you paydesk.")
	}
	io.WriteString(w, h.String())
}

// writeShortHelp prints what a command is for, and its commands.
func writeShortHelp(w io.Writer, c *cobra.Command) {
	h := helpText{width: helpWidth(w)}
	h.paragraphs(c.Short + ".")
	for _, g := range commandGroups(c) {
		h.heading(g.title)
		h.entries(g.entries)
	}
	h.line("\n" + c.CommandPath() + " COMMAND --help has their options.")
	io.WriteString(w, h.String())
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

// A commandGroup is some of the commands below a command.
type commandGroup struct {
	title   string
	entries []entry
}

// commandGroups are the commands below a command, in their groups.
func commandGroups(c *cobra.Command) (all []commandGroup) {
	groups := c.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands"}}
	}
	for _, g := range groups {
		of := commandGroup{title: g.Title}
		for _, s := range c.Commands() {
			if s.GroupID == g.ID && (s.IsAvailableCommand() || s.Name() == "help") {
				of.entries = append(of.entries, entry{s.Name(), s.Short})
			}
		}
		if len(of.entries) > 0 {
			all = append(all, of)
		}
	}
	return all
}

// options are the options that a command takes: its own, and those of every command.
func options(c *cobra.Command) (own, global []entry) {
	command.EachOption(c, func(f *pflag.Flag, every bool) {
		switch {
		case f.Hidden:
		case every:
			global = append(global, optionEntry(f))
		default:
			own = append(own, optionEntry(f))
		}
	})
	return own, global
}

// optionEntry is an option with its value, and what it does.
func optionEntry(f *pflag.Flag) entry {
	value, words := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	switch value {
	case "":
	case "duration":
		name += " TIME"
	case "int", "uint", "int64", "uint64":
		name += " NUMBER"
	case "string":
		name += " TEXT"
	default:
		name += " " + value
	}
	if !slices.Contains([]string{"", "0", "0s", "false", "[]"}, f.DefValue) && value != "" {
		words += " (default " + plainDefault(f) + ")"
	}
	return entry{name, words}
}

// plainDefault is a default as a person types it: 5m, where Go says 5m0s.
func plainDefault(f *pflag.Flag) string {
	if d := f.DefValue; f.Value.Type() == "duration" && strings.HasSuffix(d, "m0s") {
		return strings.TrimSuffix(d, "0s")
	}
	return f.DefValue
}

// endings are those codes, with what they mean.
func endings(c *cobra.Command) (all []entry) {
	for _, code := range slices.Sorted(maps.Keys(command.CodeWords)) {
		if name := fmt.Sprint(int(code)); slices.Contains(strings.Fields(c.Annotations[command.EndsWith]), name) {
			all = append(all, entry{name, command.CodeWords[code]})
		}
	}
	return all
}

// A helpText is help being written.
type helpText struct {
	strings.Builder
	width int
}

func (h *helpText) line(s string) { h.WriteString(s + "\n") }

func (h *helpText) heading(s string) { h.line("\n" + s + ":") }

// paragraphs fills the lines of each paragraph. One that begins with a blank is kept as it is.
func (h *helpText) paragraphs(text string) {
	for i, of := range paragraphsOf(text) {
		if i > 0 {
			h.line("")
		}
		for _, line := range of.filled(h.width) {
			h.line(line)
		}
	}
}

func (h *helpText) options(title string, of []entry) {
	if len(of) > 0 {
		h.heading(title)
		h.entries(of)
	}
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

// A paragraph is text whose lines may be filled, or not where it shows what is typed.
type paragraph struct {
	text string
	kept bool
}

// paragraphsOf are the paragraphs of a text, which empty lines separate.
func paragraphsOf(text string) (all []paragraph) {
	for part := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		all = append(all, paragraph{part, strings.HasPrefix(part, " ")})
	}
	return all
}

func (p paragraph) filled(width int) []string {
	if p.kept {
		return strings.Split(p.text, "\n")
	}
	return fill(p.text, width)
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
