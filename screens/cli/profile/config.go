package profile

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/keystore"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/cli/shape"
	"paydesk/screens/present"
)

// Config says where the configuration is, and what is wrong with it.
func (p Commands) Config() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "config", Short: "Print where the configuration is, and check it", Annotations: command.Takes("config", "json"),
		Long: "paydesk profile changes it.",
	}, p.configPathCommand(), p.configCheckCommand())
}

func (p Commands) configPathCommand() *cobra.Command {
	return p.Command(&cobra.Command{
		Use: "path", Short: "Print the path of the configuration folder", Annotations: command.Takes("config"),
		Long:    "It is printed whether the folder exists or not.",
		Example: "  paydesk config path",
		RunE: func(*cobra.Command, []string) error {
			if p.Global.Config == "" {
				return command.WrongConfig(command.ErrNoConfigFolder)
			}
			return p.Data.Line(p.Global.Config)
		},
	})
}

func (p Commands) configCheckCommand() *cobra.Command {
	return p.Command(&cobra.Command{
		Use: "check", Short: "Check the configuration",
		Long: "Each problem is printed with its line, never with its value, which may be a key in the wrong place; any problem ends\n" +
			"with 2.",
		Example: "  paydesk config check --json | jq -r '.problems[]'",
		RunE: func(*cobra.Command, []string) error {
			if p.Global.Config == "" {
				return command.WrongConfig(command.ErrNoConfigFolder)
			}
			return p.checkConfig(keystore.Folder(p.Global.Config))
		},
	})
}

func (p Commands) checkConfig(f keystore.Folder) error {
	o := shape.Config{Schema: shape.ConfigSchema, Path: string(f), Profiles: []string{}, Problems: []string{}}
	c, err := f.Load()
	none := errors.Is(err, fs.ErrNotExist)
	switch {
	case none:
		o.Problems = append(o.Problems, "There is no configuration. paydesk profile add makes one.")
	case err != nil:
		o.Problems = strings.Split(err.Error(), "\n")
	default:
		if c.Journal.Shared() {
			if err := command.TeamConfig(c.Journal).Check(); err != nil {
				o.Problems = append(o.Problems, string(f)+": [journal] "+err.Error())
			}
		}
		o.Profiles, o.Default, o.Journal = append(o.Profiles, slices.Sorted(maps.Keys(c.Profiles))...), c.Default, cmp.Or(c.Journal.Store, "sqlite")
	}
	if p.Data.Format == output.JSON {
		err = p.Data.Object(o)
	} else if err = nil; len(o.Problems) == 0 {
		err = p.Data.Line(o.Path + ": sound, with " + present.Count(len(o.Profiles), "profile", "profiles") + journalWords(c.Journal))
	}
	switch {
	case err != nil:
		return err
	case none:
		return command.Refuse(command.WhyNoConfig, o.Problems[0], "")
	case len(o.Problems) > 0:
		return command.WrongConfig(command.Sentence(strings.Join(o.Problems, "\n")))
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
