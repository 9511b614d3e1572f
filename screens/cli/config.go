package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/keystore"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
)

// configCommand says where the configuration is, and what is wrong with it.
func (p *program) configCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "config", Short: "Print where the configuration is, and check it", Annotations: takes("config", "json"),
		Long: "Print where the configuration is, and check it. paydesk profile changes it.",
	}, p.configPathCommand(), p.configCheckCommand())
}

func (p *program) configPathCommand() *cobra.Command {
	return p.command(&cobra.Command{
		Use: "path", Short: "Print the path of the configuration folder", Annotations: takes("config"),
		Long:    "Print the path of the configuration folder, whether it exists or not.",
		Example: "  paydesk config path",
		RunE: func(*cobra.Command, []string) error {
			if p.global.config == "" {
				return wrongConfig(errNoConfigFolder)
			}
			return p.out.Line(p.global.config)
		},
	})
}

func (p *program) configCheckCommand() *cobra.Command {
	return p.command(&cobra.Command{
		Use: "check", Short: "Check the configuration",
		Long: "Check the configuration. Each problem is printed with its line, never with its value, which may be a key in the wrong\n" +
			"place; any problem ends with 2.",
		Example: "  paydesk config check --json | jq -r '.problems[]'",
		RunE: func(*cobra.Command, []string) error {
			if p.global.config == "" {
				return wrongConfig(errNoConfigFolder)
			}
			return p.checkConfig(keystore.Folder(p.global.config))
		},
	})
}

func (p *program) checkConfig(f keystore.Folder) error {
	o := shape.Config{Schema: shape.ConfigSchema, Path: string(f), Profiles: []string{}, Problems: []string{}}
	c, err := f.Load()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		o.Problems = append(o.Problems, "There is no configuration. paydesk profile add makes one.")
	case err != nil:
		o.Problems = strings.Split(err.Error(), "\n")
	default:
		if c.Journal.Shared() {
			if err := teamConfig(c.Journal).Check(); err != nil {
				o.Problems = append(o.Problems, string(f)+": [journal] "+err.Error())
			}
		}
		o.Profiles, o.Default, o.Journal = append(o.Profiles, slices.Sorted(maps.Keys(c.Profiles))...), c.Default, cmp.Or(c.Journal.Store, "sqlite")
	}
	if p.out.Format == output.JSON {
		err = p.out.Object(o)
	} else if err = nil; len(o.Problems) == 0 {
		err = p.out.Line(o.Path + ": sound, with " + present.Count(len(o.Profiles), "profile", "profiles") + journalWords(c.Journal))
	}
	if err != nil {
		return err
	}
	if len(o.Problems) > 0 {
		return wrongConfig(sentence(strings.Join(o.Problems, "\n")))
	}
	return nil
}

// journalWords say where a team's journal is.
func journalWords(j keystore.Journal) string {
	if !j.Shared() {
		return ""
	}
	return ", and a team's journal in PostgreSQL"
}
