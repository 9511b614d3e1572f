package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: positional(), Annotations: takes(),
		Long:    "Print the version, and the commit that it was built from, as paydesk -V and paydesk --version do.",
		Example: "  paydesk version",
		Run:     func(*cobra.Command, []string) { p.printVersion() },
	}
}

// printVersion prints the version, which scripts read as the second word, and the commit that it was built from.
func (p *program) printVersion() {
	fmt.Fprintf(p.Out, "paydesk %s (%s)\n", p.Version, p.buildCommit(debug.ReadBuildInfo))
}

// buildCommit tells the commit that the program was built from: that of the release, else the one that go noted.
func (p *program) buildCommit(noted func() (*debug.BuildInfo, bool)) string {
	commit, date, changed := p.Commit, p.Date, ""
	if info, ok := noted(); ok && commit == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				commit = s.Value
			case "vcs.time":
				date = s.Value
			case "vcs.modified":
				if s.Value == "true" {
					changed = ", with changes"
				}
			}
		}
	}
	if commit == "" {
		return "commit not known"
	}
	return fmt.Sprintf("commit %.12s, %s%s", commit, date, changed)
}
