package cli

import (
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
		Long:    "It has every command and topic, for man(1).",
		Example: "  paydesk man | man -l -\n  paydesk man > ~/.local/share/man/man1/paydesk.1",
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := io.WriteString(p.Stdout(), p.manual(c.Root()))
			return err
		},
	}
}

// manualWidth is that of help in the page, which man indents.
const manualWidth = 72

// manual is one page, in roff, of what help says of each command and topic.
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
	b.WriteString(`.TH "PAYDESK" "1" "" "paydesk ` + escaped(p.Version) + "\" \"User Commands\"\n")
	section("SH", "NAME", "paydesk - "+strings.ToLower(root.Short[:1])+root.Short[1:])
	section("SH", "DESCRIPTION", helpOf(root, manualWidth))
	b.WriteString(".SH \"COMMANDS\"\n")
	command.EachCommand(root, func(c *cobra.Command) {
		if c.HasParent() && (c.IsAvailableCommand() || c.Name() == "help") {
			section("SS", c.CommandPath(), helpOf(c, manualWidth))
		}
	})
	for _, t := range topics {
		section("SH", strings.ToUpper(strings.ReplaceAll(t.name, "exit-codes", "exit status")), topicText(t, manualWidth))
	}
	section("SH", "JSON OBJECTS", shape.Members())
	return b.String()
}

// roffEscapes keep characters what they are: roff would set them as typographic ones, or act on them.
var roffEscapes = strings.NewReplacer(
	`\`, `\(rs`, `-`, `\-`, `'`, `\(aq`, "`", `\(ga`, `^`, `\(ha`, `~`, `\(ti`, `"`, `\(dq`, `…`, `\&...`,
)
