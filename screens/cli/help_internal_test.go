package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paydesk/keystore"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/screens/consoletest"
)

// quiet is a program without a configuration, whose tree is only looked at.
func quiet(t *testing.T) *program {
	nowhere := t.TempDir()
	return newProgram(command.Env{
		In: os.Stdin, Out: new(strings.Builder), Err: new(strings.Builder), Version: "test",
		Getenv: func(string) string { return "" }, Config: nowhere + "/paydesk", State: nowhere,
	})
}

// visible are the commands that help lists, paydesk itself included.
func visible(root *cobra.Command) (all []*cobra.Command) {
	command.EachCommand(root, func(c *cobra.Command) {
		for above := c; above != nil; above = above.Parent() {
			if above.Hidden {
				return
			}
		}
		all = append(all, c)
	})
	return all
}

func TestEveryCommandIsDescribed(t *testing.T) {
	for _, c := range visible(quiet(t).Tree()) {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") || len(c.Short) > 72 {
			t.Errorf("%s: its line in a list is %q", c.CommandPath(), c.Short)
		}
		if c.Example == "" && !c.HasAvailableSubCommands() {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, need := range command.Needs(c) {
			for _, name := range slices.Concat(need.Ways...) {
				if c.Flags().Lookup(name[2:]) == nil {
					t.Errorf("%s has no option %s, which its usage line names", c.CommandPath(), name)
				}
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" || strings.HasSuffix(f.Usage, ".") {
				t.Errorf("%s --%s is described as %q", c.CommandPath(), f.Name, f.Usage)
			}
		})
	}
}

// A person pastes the examples: their options and arguments have to be right.
func TestEveryExampleCanBeParsed(t *testing.T) {
	for _, c := range visible(quiet(t).Tree()) {
		found := c.Example == ""
		for line := range strings.Lines(c.Example) {
			for _, args := range commandsIn(line) {
				called, err := parse(t, args)
				if err != nil {
					t.Errorf("paydesk %q: %v", args, err)
				}
				found = found || called == c.CommandPath()
			}
		}
		if !found {
			t.Errorf("no example of %s calls it:\n%s", c.CommandPath(), c.Example)
		}
	}
}

var quoted = regexp.MustCompile(`'[^']*'|"[^"]*"`)

// commandsIn are the arguments of each call of paydesk in a line for a shell. What is quoted is a word.
func commandsIn(line string) (all [][]string) {
	acts := func(c rune) bool { return strings.ContainsRune("|&;<>\n", c) } // what follows > is a file, which is no call
	line = quoted.ReplaceAllStringFunc(line, func(s string) string {
		return strings.Join(strings.FieldsFunc(s[1:len(s)-1], func(c rune) bool { return c == ' ' || acts(c) }), "_")
	})
	for _, part := range strings.FieldsFunc(line, acts) {
		if words := strings.Fields(part); len(words) > 0 && words[0] == "paydesk" {
			all = append(all, words[1:])
		}
	}
	return all
}

func TestHelpFitsInEightyColumns(t *testing.T) {
	for _, c := range visible(quiet(t).Tree()) {
		example := false
		for line := range strings.Lines(helpOf(c, pipedHelp)) {
			example = strings.HasPrefix(line, "Examples:") || example && line != "\n"
			if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > pipedHelp && !example && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s --help: %q", c.CommandPath(), line)
			}
		}
	}
}

// A script reads from the last line why a command failed, whichever command it is and whatever is wrong.
func TestEveryCommandThatFailsSaysWhyInItsLastObject(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "paydesk")
	nothing, err := os.Open(os.DevNull)
	if err := errors.Join(err, os.WriteFile(broken, []byte("no folder"), 0o600)); err != nil {
		t.Fatal(err)
	}
	defer nothing.Close()
	for _, c := range visible(quiet(t).Tree()) {
		path := strings.Fields(command.PathOf(c))
		lines := [][]string{append(slices.Clone(path), "--wrong"), append(slices.Clone(path), "--config")}
		if of := commandsIn(c.Example); len(of) > 0 && c.Name() != "sandbox" { // which would serve until it is stopped
			lines = append(lines, of[0])
		}
		for _, args := range lines {
			var out, talk strings.Builder
			args = append([]string{"--json"}, args...)
			code := Run(args, command.Env{In: nothing, Out: &out, Err: &talk, Version: "test", Getenv: func(string) string { return "" }, Config: broken, State: broken})
			if code == int(command.Done) {
				continue
			}
			all := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			var why struct {
				Schema output.Schema
				output.Refusal
			}
			if err := json.Unmarshal([]byte(all[len(all)-1]), &why); err != nil || why.Schema != why.Refusal.Schema() || why.Exit != code || why.What == "" ||
				why.Sent != "not sent" || !slices.ContainsFunc(command.Reasons, func(r command.Reason) bool { return r.Name == why.Code && int(r.Exit) == code }) {
				t.Errorf("paydesk %q ended with %d, and its last line is %s (%v)", args, code, all[len(all)-1], err)
			}
			if talk.Len() == 0 {
				t.Errorf("paydesk %q failed without a word on stderr", args)
			}
		}
	}
}

// wordsOf are the words that a shell makes of a command.
func wordsOf(t *testing.T, command string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s\0' `+command).Output()
	if err != nil {
		t.Fatalf("%q: %v", command, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// parse parses arguments as the program does, and runs nothing. It returns the name of the command.
func parse(t *testing.T, args []string) (string, error) {
	t.Helper()
	if err := command.RefuseSecrets(args); err != nil {
		return "", err
	}
	p := newProgram(command.Env{Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }})
	root, parsed := p.Tree(), ""
	if c, _, err := root.Find(args); err == nil {
		takeOnce(c)
	}
	root.PersistentPreRunE = takes // a form that is not filled in yet lacks options
	command.EachCommand(root, func(c *cobra.Command) {
		c.RunE = func(c *cobra.Command, _ []string) error {
			parsed = c.CommandPath()
			return nil
		}
	})
	root.SetArgs(args)
	return parsed, root.Execute()
}

// The screens and the command line are written apart: whatever f4 copies, the program takes.
func TestTheProgramTakesWhatTheScreensCopy(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell reads the commands: ", err)
	}
	config := keystoretest.Write(t, t.TempDir(), "-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = \"http://127.0.0.1:8099\"\n")
	var copied [][2]string // and the command that is expected
	consoletest.Run(t, func(c *consoletest.Console) {
		walk(c, func(want string) {
			c.T.Helper()
			c.Press("f4")
			if c.Has("closes this") {
				c.Press("x")
			}
			if c.Copied() == "" || len(copied) > 0 && copied[len(copied)-1][0] == c.Copied() {
				c.T.Fatalf("%s was not copied on\n%s", want, c.Screen())
			}
			copied = append(copied, [2]string{c.Copied(), "paydesk " + want})
		})
	}, consoletest.As(func(p *keystore.Profile) { p.Name, p.Environment = "shop", keystore.Test }),
		consoletest.Served(func(string) bool { return true }), consoletest.Config(config), consoletest.Inbox())
	var taken []string
	for _, of := range copied {
		words := wordsOf(t, of[0])
		name, err := parse(t, words[1:])
		if err != nil || words[0] != "paydesk" || name != of[1] {
			t.Errorf("%s: %s, %v; not %s", of[0], name, err, of[1])
		}
		taken = append(taken, name)
	}
	slices.Sort(taken)
	if n := len(slices.Compact(taken)); n < 15 {
		t.Errorf("only %d commands were copied: %q", n, taken)
	}
}

// walk opens the screens, and takes the command of each.
func walk(c *consoletest.Console, take func(command string)) {
	c.Wait(time.Second)
	take("activity")
	c.Press("2").Sees(" read at ")
	take("transactions")
	c.Press("/").Type("-failed it's")
	take("transactions")
	c.Press("esc", "1", "2").Wait(time.Second).Press("h")
	take("transactions")
	c.Press("7")
	take("sandbox")
	c.Press("3", "tab").Press("right").Press("/").Type("-failed")
	take("activity")
	c.Press("esc", "1", "4", "/").Type("-name:dues")
	take("link list")
	c.Press("esc", "1", "n").Fill("Name", "-x").Fill("Description", "--yes").Choose("Currency", "GBP").Fill("Amount", "1,200")
	take("link create")
	c.Choose("Amount is", "chosen by the customer").Choose("Can be paid", "many times")
	take("link create")
	c.Press("ctrl+s").Sees("enter collect")
	take("link show")
	c.Press("v")
	take("link show")
	c.Press("1", "c").Choose("Currency", "GBP").Fill("Amount", "12.50")
	take("collect")
	c.Press("enter").Sees("These channels accept").Press("enter")
	c.Fill("First name", "Ada").Fill("Last name", "Obi").Fill("E-mail", "ada@example.com").Fill("Phone", "+44 20 7946 0000").Press("enter")
	take("collect")
	c.Press("ctrl+t").Sees("challenge").Press("down").Press("enter")
	c.Fill("Narration", "-n").Fill("Metadata", "order=7, desk=1").Press("ctrl+s")
	take("collect")
	c.Yes("Charge 12.50 GBP").Sees("The customer opens this URL")
	take("authenticate")
	c.Press("1").Wait(time.Second)
	take("status")
	c.Press("enter").Wait(time.Second).Press("s")
	c.Press("1", "3", "enter").Sees("Attempt ")
	take("activity show")
	c.Press("1", "6").Wait(time.Second)
	take("profile list")
	c.Press("1", ":").Type("diagn").Press("enter").Wait(time.Second)
	take("bundle")
	c.Press("esc", "1", "5").Sees("No webhook has arrived yet")
	take("webhook list")
	if _, err := c.Events.Keep(context.Background(), "shop", nil, []byte(`{"Event":"payment.failed","Data":{"Reference":"R1","PaymentStatus":"FAILED"}}`)); err != nil {
		c.T.Fatal(err)
	}
	c.Wait(2 * time.Second).Press("/").Type("-it's")
	take("webhook list")
	c.Press("esc").Sees("R1").Press("enter")
	take("webhook show")
	c.Press("1", ":").Type("doctor of").Press("enter").Wait(time.Second)
	take("doctor")
}
