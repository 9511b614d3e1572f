package cli

import (
	"cmp"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/screens/cli/command"
	"paydesk/screens/cli/shape"
)

// manCommand prints the manual.
func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Annotations: command.Takes(),
		Long:    "Print the manual page, with every command and topic, for man(1).",
		Example: "  paydesk man | man -l -\n  paydesk man > ~/.local/share/man/man1/paydesk.1",
		RunE: func(c *cobra.Command, _ []string) error {
			return p.writeManual(p.Stdout(), c.Root())
		},
	}
}

// writeManual writes one page from the tree. It is written here, because mango leaves out what a command does
// at length and takes texts for formats, and cobra's own makes a page of each command and adds a parser of Markdown.
func (p *program) writeManual(w io.Writer, root *cobra.Command) error {
	m := manual{home: p.Getenv("HOME")}
	m.macro("TH", "PAYDESK", "1", "", "paydesk "+p.Version, "User Commands")
	m.macro("SH", "NAME")
	m.text("paydesk - " + strings.ToLower(root.Short[:1]) + root.Short[1:])
	m.macro("SH", "SYNOPSIS")
	for i, line := range usageLines(root) {
		if i > 0 {
			m.macro("br")
		}
		m.macro("B", line)
	}
	m.macro("SH", "DESCRIPTION")
	m.paragraphs(root.Long)
	own, global := options(root)
	m.section("OPTIONS OF THE CONSOLE", own)
	m.section("OPTIONS OF EVERY COMMAND", global)
	for _, g := range commandGroups(root) {
		m.macro("SH", strings.ToUpper(g.title))
		for _, e := range g.entries {
			if c, _, err := root.Find([]string{e.name}); err == nil {
				m.command(c)
			}
		}
	}
	for _, t := range topics {
		m.macro("SH", strings.ToUpper(strings.ReplaceAll(t.name, "exit-codes", "exit status")))
		m.paragraphs(t.text())
	}
	m.macro("SH", "JSON OBJECTS")
	m.paragraphs(shape.Members())
	_, err := io.WriteString(w, m.String())
	return err
}

// A manual is a page being written in roff's macros for manuals.
type manual struct {
	strings.Builder
	home string // of the user, which is ~ in the page
}

// command describes a command, and those below it.
func (m *manual) command(c *cobra.Command) {
	if !c.HasAvailableSubCommands() {
		m.macro("SS", strings.TrimSuffix(strings.TrimSuffix(c.UseLine(), " [flags]"), " [OPTION…]"))
	} else {
		m.macro("SS", c.CommandPath())
	}
	m.paragraphs(cmp.Or(c.Long, c.Short+"."))
	own, _ := options(c)
	m.entries(own)
	if c.Example != "" {
		m.macro("PP")
		m.kept(strings.Trim(c.Example, "\n"))
	}
	var codes []string
	for _, e := range endings(c) {
		codes = append(codes, e.name)
	}
	if len(codes) > 0 {
		m.macro("PP")
		m.text("It can also end with " + command.Enumerate(codes) + ".")
	}
	for _, s := range c.Commands() {
		if s.IsAvailableCommand() {
			m.command(s)
		}
	}
}

func (m *manual) section(title string, of []entry) {
	if len(of) > 0 {
		m.macro("SH", title)
		m.entries(of)
	}
}

// entries lists commands or options with their words.
func (m *manual) entries(of []entry) {
	for _, e := range of {
		m.macro("TP")
		m.macro("B", e.name)
		m.text(e.words)
	}
}

func (m *manual) paragraphs(text string) {
	for i, p := range paragraphsOf(text) {
		if i > 0 {
			m.macro("PP")
		}
		if p.kept {
			m.kept(p.text)
			continue
		}
		m.text(p.text)
	}
}

// kept shows lines as they are.
func (m *manual) kept(text string) {
	m.macro("EX")
	m.text(text)
	m.macro("EE")
}

// macro writes a line that roff acts on.
func (m *manual) macro(name string, args ...string) {
	m.WriteString("." + name)
	for _, a := range args {
		m.WriteString(` "` + m.escaped(a) + `"`)
	}
	m.WriteString("\n")
}

// text writes lines that roff does not act on, whatever they begin with.
func (m *manual) text(s string) {
	for line := range strings.SplitSeq(strings.Trim(s, "\n"), "\n") {
		m.WriteString(`\&` + m.escaped(line) + "\n")
	}
}

// roffEscapes keep characters what they are: roff would set them as typographic ones, or act on them.
var roffEscapes = strings.NewReplacer(
	`\`, `\(rs`, `-`, `\-`, `'`, `\(aq`, "`", `\(ga`, `^`, `\(ha`, `~`, `\(ti`, `"`, `\(dq`, `…`, `\&...`,
)

func (m *manual) escaped(s string) string {
	if m.home != "" {
		s = strings.ReplaceAll(s, m.home+"/", "~/")
	}
	return roffEscapes.Replace(s)
}
