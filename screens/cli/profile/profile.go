// Package profile has the commands for profiles, their secret keys, and the configuration that they are in.
package profile

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paydesk/keystore"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/present"
	"paydesk/screens/report"
)

// Commands builds the commands of a program.
type Commands struct{ *command.Program }

// Profile manages the profiles without an editor.
func (p Commands) Profile() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "profile", Short: "List, add and choose profiles", Annotations: command.Takes("config", "json"),
		Long: "Each names a service, whether it moves real money, and where its key is.",
	}, p.listCommand(), p.showCommand(), p.addCommand(), p.useCommand(), p.deleteCommand())
}

func (p Commands) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the profiles",
		Long:    "In a pipe the columns are name, environment, source of the key, base URL, and default or nothing.",
		Example: "  paydesk profile list --json",
		RunE: func(*cobra.Command, []string) error {
			c, err := p.Settings()
			if err != nil {
				return err
			}
			printed := output.List(p.Data, report.Profiles(c, ""), func(of keystore.Profile) output.Profile { return output.NewProfile(c, of) })
			for _, name := range slices.Sorted(maps.Keys(c.Profiles)) {
				printed(c.Profiles[name])
			}
			if len(c.Profiles) == 0 {
				p.Say("There are no profiles in %s. paydesk profile add makes one.", c.Path)
			}
			return nil
		},
	}
}

func (p Commands) showCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show [NAME]", Short: "Show the settings of a profile",
		Long:    "Without a name they are those of the default one. No key is in them.",
		Example: "  paydesk profile show shop",
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := p.Settings()
			if err != nil {
				return err
			}
			of, err := command.Choose(c, strings.Join(args, ""))
			if err != nil {
				return err
			}
			pairs := [][2]string{{"name", of.Name}}
			for _, line := range of.Shareable() {
				name, value, _ := strings.Cut(line, "=")
				pairs = append(pairs, [2]string{strings.TrimSpace(name), strings.TrimSpace(value)})
			}
			p.Data.Show(output.NewProfile(c, of), pairs...)
			return nil
		},
	}
}

// addCommand adds a profile with what the form of the screens asks for.
func (p Commands) addCommand() *cobra.Command {
	var of keystore.Profile
	var words []string
	var env string
	c := &cobra.Command{
		Use: "add NAME --base-url URL", Short: "Add a profile",
		Long: "It is a small file in the configuration. The first becomes the default. Other settings are written in the file by\n" +
			"hand; paydesk key set --profile NAME stores the key.",
		Example: "  paydesk profile add shop --environment test --base-url https://payments.example\n" +
			"  paydesk profile add live --environment live --base-url https://payments.example --source command --source-command pass --source-command show --source-command paydesk/live",
		RunE: func(c *cobra.Command, args []string) error {
			switch named := c.Flag("source").Changed; {
			case of.KeyFile != "" && len(words) > 0:
				return command.Wrong("choose one of --source-file and --source-command")
			case !named && of.KeyFile != "":
				of.Source = "file"
			case !named && len(words) > 0:
				of.Source = "command"
			}
			of.Name, of.Environment, of.ListURL = args[0], keystore.Environment(env), cmp.Or(of.ListURL, of.BaseURL)
			if len(words) > 0 {
				of.KeyCommand = keystore.NewList(words...)
			}
			return p.addProfile(of.WithDefaults())
		},
	}
	f := c.Flags()
	f.StringVar(&env, "environment", string(keystore.Test), "`test` moves play money, live moves real money")
	f.StringVar(&of.BaseURL, "base-url", "", "the `URL` where payments are made: https, or http on this machine")
	f.StringVar(&of.ListURL, "list-url", "", "the `URL` where transactions are listed; else the base URL")
	f.StringVar(&of.Source, "source", "keyring", "where the secret is kept: `"+strings.Join(keystore.SourceNames(), ", ")+"`")
	f.StringArrayVar(&words, "source-command", nil, "for command: a program, and each of its arguments by this option again; `WORD`")
	f.StringVar(&of.KeyFile, "source-file", "", "for file: an absolute `PATH`, or $CREDENTIALS_DIRECTORY/NAME")
	return c
}

// flagsOf are the options of the settings that a profile is checked for.
var flagsOf = map[string]string{
	"name": "NAME", "environment": "--environment", "base_url": "--base-url", "list_url": "--list-url", "key": "--source",
	"key_command": "--source-command", "key_file": "--source-file",
}

func (p Commands) addProfile(of keystore.Profile) error {
	var wrong []string
	checked := of.Check()
	if of.ListURL == of.BaseURL {
		delete(checked, "list_url") // which is not said twice
	}
	if missing := of.MissingKeyFile(); missing != "" && checked["key_file"] == "" {
		checked["key_file"] = missing
	}
	for part, why := range checked {
		wrong = append(wrong, cmp.Or(flagsOf[part], part)+": "+why)
	}
	if slices.Sort(wrong); len(wrong) > 0 {
		return command.Wrong(strings.Join(wrong, "\n"))
	}
	f, err := p.ConfigFolder()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(f.Profile(of.Name)); err == nil { // also where a profile is faulty
		return command.Refuse(command.WhyFailed, "There is a profile "+of.Name+" already, in "+f.Profile(of.Name)+".", "Choose another name, or edit that file.")
	}
	if err := f.Create(of); err != nil {
		return err
	}
	next := "Store its key with: paydesk key set --profile " + of.Name
	if keystore.StoredElsewhere(of.Source) != "" {
		next = "See whether its key can be read: paydesk doctor --profile " + of.Name
	}
	p.Say("The profile %s is in %s. %s", of.Name, f.Profile(of.Name), next)
	return nil
}

func (p Commands) useCommand() *cobra.Command {
	return p.ofProfile(&cobra.Command{
		Use: "use NAME", Short: "Make a profile the default",
		Long:    "Commands without --profile or PAYDESK_PROFILE use it.",
		Example: "  paydesk profile use shop",
	}, "The default profile is %s now.", func(_ context.Context, f keystore.Folder, name string) error { return f.SetDefault(name) })
}

// ofProfile is a command that does something with a profile of the configuration, and says so.
func (p Commands) ofProfile(c *cobra.Command, said string, do func(context.Context, keystore.Folder, string) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		of, err := p.Settings()
		if err == nil {
			_, err = command.Choose(of, args[0])
		}
		if err == nil {
			err = do(c.Context(), keystore.Folder(p.Global.Config), args[0])
		}
		if err == nil {
			p.Say(said, args[0])
		}
		return err
	}
	return c
}

func (p Commands) deleteCommand() *cobra.Command {
	var yes bool
	c := p.ofProfile(&cobra.Command{
		Use: "delete NAME", Short: "Delete a profile, but not its key",
		Long:    "What was recorded stays, and so does the key: run paydesk key delete --profile NAME first.",
		Example: "  paydesk key delete --profile old --yes && paydesk profile delete old --yes",
	}, "The profile %s is deleted. Its key and its journal stay.", func(ctx context.Context, f keystore.Folder, name string) error {
		if err := p.Confirm(ctx, "Delete the profile "+name+"? Its key stays where it is.", yes, "Nothing was deleted.", "delete it"); err != nil {
			return err
		}
		return f.Remove(name)
	})
	c.Flags().BoolVar(&yes, "yes", false, "delete it without asking")
	return c
}

// Config says where the configuration is, and what is wrong with it.
func (p Commands) Config() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "config", Short: "Print where the configuration is, and check it", Annotations: command.Takes("config", "json"),
		Long: "paydesk profile changes it.",
	}, p.configPathCommand(), p.configCheckCommand())
}

func (p Commands) configPathCommand() *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Print the path of the configuration folder", Annotations: command.Takes("config"),
		Long:    "It is printed whether the folder exists or not.",
		Example: "  paydesk config path",
		RunE: func(*cobra.Command, []string) error {
			f, err := p.ConfigFolder()
			if err == nil {
				p.Data.Line(string(f))
			}
			return err
		},
	}
}

func (p Commands) configCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Check the configuration",
		Long: "Each problem is printed with its line, never with its value, which may be a key in the wrong place; any problem ends\n" +
			"with 2.",
		Example: "  paydesk config check --json | jq -r '.problems[]'",
		RunE: func(*cobra.Command, []string) error {
			f, err := p.ConfigFolder()
			if err != nil {
				return err
			}
			return p.checkConfig(f)
		},
	}
}

func (p Commands) checkConfig(f keystore.Folder) error {
	o := output.Config{Path: string(f), Profiles: []string{}, Problems: []string{}}
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
		if _, err := c.Select(""); err != nil && c.Default != "" {
			o.Problems = append(o.Problems, err.Error())
		}
		o.Profiles, o.Default, o.Journal = append(o.Profiles, slices.Sorted(maps.Keys(c.Profiles))...), c.Default, cmp.Or(c.Journal.Store, "sqlite")
	}
	if p.Data.Format == output.JSON {
		p.Data.Object(o)
	} else if len(o.Problems) == 0 {
		words := o.Path + ": OK, with " + present.Count(len(o.Profiles), "profile", "profiles")
		if c.Journal.Shared() {
			words += ", and a team's journal in PostgreSQL"
		}
		p.Data.Line(words)
	}
	switch {
	case none:
		return command.Refuse(command.WhyNoConfig, o.Problems[0], "")
	case len(o.Problems) > 0:
		return command.WrongConfig(command.Sentence(strings.Join(o.Problems, "\n")))
	}
	return nil
}
