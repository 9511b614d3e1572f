package cli

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/api"
	"paydesk/api/text"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// addHelp gives every command the help below, and adds the commands about commands. It comes after all others.
// Nothing here uses cobra's templates, which would bring all methods of all types into the program: 3 MB.
func (p *program) addHelp(root *cobra.Command) {
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
		p.Printed(io.WriteString(p.Out, text))
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
			text := filled(topicText(args), helpWidth(p.Out))
			if of, rest, err := c.Root().Find(args); topicText(args) == "" && (err != nil || len(rest) > 0) {
				return command.Unknown(c, "there is no such command or topic", "paydesk help ", args[0], append(command.CommandsBelow(c.Root()), Topics()...))
			} else if topicText(args) == "" {
				text = helpOf(of, helpWidth(p.Out))
			}
			_, err := io.WriteString(p.Stdout(), text)
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

// helpOf returns the help of a command: what it does, how it is called, with examples, its commands
// and options, and how it can end.
func helpOf(c *cobra.Command, width int) string {
	h := helpText{width: width}
	h.paragraphs(strings.TrimSpace(c.Short + ". " + c.Long))
	h.heading("Usage")
	for _, line := range usageLines(c) {
		for i, part := range text.Fill(line, h.width-6) {
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
	c.Flags().VisitAll(func(f *pflag.Flag) {
		e := optionEntry(f)
		if !command.IsGlobal(f) {
			own = append(own, e)
			return
		}
		global, names = append(global, e), append(names, e.name)
	})
	if len(own) > 0 {
		h.heading("Options")
		h.entries(own)
	}
	h.heading("Shared options")
	if c.HasParent() {
		global = []entry{{"paydesk --help", strings.Join(names, ", ")}}
	}
	h.entries(global)
	h.heading("Exit codes")
	h.entries(append(endings(c), entry{"0 1 2 4", "as of every command: paydesk help exit-codes"}))
	if !c.HasParent() {
		h.heading("More")
		var all []entry
		for _, t := range topics {
			all = append(all, entry{"help " + t.name, t.short})
		}
		h.entries(all)
		h.line("")
		h.paragraphs("Found a problem? Send what paydesk bundle prints to whoever gave you paydesk.")
	}
	return h.String()
}

// endings returns the codes that a command can end with, beside those of every command, with the reasons for each.
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

// shortHelp returns what a command is for, and its commands.
func shortHelp(c *cobra.Command, width int) string {
	h := helpText{width: width}
	h.paragraphs(c.Short + ".")
	h.commands(c)
	h.line("\n" + c.CommandPath() + " COMMAND --help has their options.")
	return h.String()
}

// usageLines returns the ways to call a command.
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
func (h *helpText) paragraphs(words string) {
	for i, part := range strings.Split(strings.Trim(words, "\n"), "\n\n") {
		if i > 0 {
			h.line("")
		}
		if !strings.HasPrefix(part, " ") {
			part = strings.Join(text.Fill(part, h.width), "\n")
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

// optionEntry returns an option with its value, and what it does.
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
		lines := text.Fill(e.words, h.width-column-4)
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

// A topic is help about something that concerns several commands.
type topic struct {
	name, short string
	about       []string // other names that people ask for
}

// topics are in the order of the help.
var topics = []topic{
	{name: "configuration", short: "Profiles, settings, key, variables and folders", about: []string{"trace", "uninstall"}},
	{name: "console", short: "Screens, keys, live profiles and terminals"},
	{name: "safety", short: "What is guarded, and what to do when something fails"},
	{name: "journal", short: "Records, backups, and a team's journal"},
	{name: "query", short: "The language of every search"},
	{name: "webhooks", short: "What a webhook is worth, and how it gets here"},
	{name: "sandbox", short: "The service on this machine, and its faults"},
	{name: "exit-codes", short: "What each exit code means"},
	{name: "json", short: "The objects of --json; help json OBJECT for one"},
}

// manualFiles are the texts of the topics. Empty lines separate their paragraphs; one that begins with a blank is kept as it is.
//
//go:embed manual/*.txt
var manualFiles embed.FS

// text returns the text of a topic, with what the program knows filled in.
func (t topic) text() string {
	text, err := manualFiles.ReadFile("manual/" + t.name + ".txt")
	if err != nil { // it is part of the program
		panic(err)
	}
	reasons := []string{"  0      done"}
	for _, r := range command.Reasons {
		reasons = append(reasons, fmt.Sprintf("  %-5d  %-17s  %s", r.Exit, r.Name, r.Words))
	}
	reasons = append(reasons, "  128+n  stopped            signal n stopped it")
	return strings.NewReplacer("{reasons}", strings.Join(reasons, "\n"), "{states}", strings.Join(api.StateWords(), ", "),
		"{objects}", command.Enumerate(output.Objects())).Replace(string(text))
}

// Topics returns the names of the topics of help, in their order.
func Topics() (names []string) {
	for _, t := range topics {
		names = append(names, t.name)
	}
	return names
}

// topicText returns the topic that the arguments of help name, or an object of the topic json; "" for neither.
func topicText(args []string) string {
	if len(args) == 2 && args[0] == "json" {
		return output.Described(args[1])
	}
	for _, t := range topics {
		if len(args) == 1 && (args[0] == t.name || slices.Contains(t.about, args[0])) {
			return t.text()
		}
	}
	return ""
}

// filled breaks paragraphs into lines of a width.
func filled(text string, width int) string {
	h := helpText{width: width}
	h.paragraphs(text)
	return h.String()
}

// manCommand prints the manual.
func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Annotations: command.Takes(),
		Long:    "It has every command and topic, for man(1).",
		Example: "  paydesk man | man -l -\n  paydesk man > ~/.local/share/man/man1/paydesk.1",
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := io.WriteString(p.Stdout(), p.manual(c.Root()))
			return err
		},
	}
}

// manualWidth limits the lines of help in the page, which man indents.
const manualWidth = 72

// manual returns one page, in roff, of what help says of each command and topic.
func (p *program) manual(root *cobra.Command) string {
	var b strings.Builder
	escaped := func(s string) string {
		if home := p.Getenv("HOME"); home != "" {
			s = strings.ReplaceAll(s, home+"/", "~/")
		}
		return roffEscapes.Replace(s)
	}
	section := func(macro, title, text string) {
		b.WriteString("." + macro + ` "` + escaped(title) + "\"\n.EX\n")
		for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
			b.WriteString(`\&` + escaped(line) + "\n") // roff does not act on it, whatever it begins with
		}
		b.WriteString(".EE\n")
	}
	b.WriteString(`.TH "PAYDESK" "1" "" "paydesk ` + escaped(p.Version) + "\" \"User Commands\"\n.SH \"NAME\"\n")
	b.WriteString(`\&paydesk \- ` + escaped(strings.ToLower(root.Short[:1])+root.Short[1:]) + "\n")
	section("SH", "DESCRIPTION", helpOf(root, manualWidth))
	b.WriteString(".SH \"COMMANDS\"\n")
	command.EachCommand(root, func(c *cobra.Command) {
		if c.HasParent() && (c.IsAvailableCommand() || c.Name() == "help") {
			section("SS", c.CommandPath(), helpOf(c, manualWidth))
		}
	})
	for _, t := range topics {
		section("SH", strings.ToUpper(strings.ReplaceAll(t.name, "exit-codes", "exit status")), filled(t.text(), manualWidth))
	}
	section("SH", "JSON OBJECTS", output.Members())
	return b.String()
}

// roffEscapes keep characters what they are: roff would set them as typographic ones, or act on them.
var roffEscapes = strings.NewReplacer(
	`\`, `\(rs`, `-`, `\-`, `'`, `\(aq`, "`", `\(ga`, `^`, `\(ha`, `~`, `\(ti`, `"`, `\(dq`, `…`, `\&...`,
)
