package cli

import (
	"context"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"paydesk/keystore"
	"paydesk/keystore/keystoretest"
	"paydesk/screens/cli/command"
	"paydesk/screens/consoletest"
)

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
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		c.RunE = func(c *cobra.Command, _ []string) error {
			parsed = c.CommandPath()
			return nil
		}
		for _, s := range c.Commands() {
			visit(s)
		}
	}
	visit(root)
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
	c.Press("2").Sees(" rows read")
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
	c.Press("ctrl+s").Sees("collect payment")
	take("link show")
	c.Press("v")
	take("link show")
	c.Press("1", "c").Choose("Currency", "GBP").Fill("Amount", "12.50")
	take("collect")
	c.Press("enter").Sees("These channels accept").Press("enter")
	c.Fill("First name", "Ada").Fill("Last name", "Obi").Fill("E-mail", "ada@example.com").Fill("Phone", "+44 20 7946 0000").Press("enter")
	take("collect")
	c.Press("ctrl+t").Sees("challenge").Press("down").Press("enter")
	c.Fill("Return URL", "https://shop.example/done").Fill("Narration", "-n").Fill("Metadata", "order=7, desk=1").Press("ctrl+s")
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
