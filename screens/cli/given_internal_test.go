package cli

import (
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"paydesk/screens/cli/command"
)

// A command that is copied finds the same files from another folder; options that were not given are left to it.
func TestACopiedCommandNamesTheFilesThatWereGiven(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	whole := func(path string) string { // on Windows it has a drive
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, of := range []struct {
		args []string
		want [][2]string
	}{
		{[]string{}, nil},
		{[]string{"--config", "my.toml"}, [][2]string{{"--config", filepath.Join(folder, "my.toml")}}},
		{[]string{"--state-dir", "/srv/state", "--config", "/etc/my.toml"}, [][2]string{{"--config", whole("/etc/my.toml")}, {"--state-dir", whole("/srv/state")}}},
	} {
		p := newProgram(command.Env{Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }})
		root := p.Tree()
		var given [][2]string
		root.RunE = func(c *cobra.Command, _ []string) error {
			given = command.GivenFor(c)
			return nil
		}
		root.SetArgs(of.args)
		if err := root.Execute(); err != nil || !slices.Equal(given, of.want) {
			t.Errorf("%q: %q, %v", of.args, given, err)
		}
	}
}
