package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paydesk/api/journal"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// teamed configures a host for a journal that a team shares.
func teamed(h *clitest.Host) *clitest.Host {
	h.Configure("[journal]\nstore = \"postgres\"\nurl = \"postgres://paydesk@127.0.0.1:9/payments\"\n")
	return h
}

// teamKey is where the key of a team's journal is.
func teamKey(h *clitest.Host) string {
	return filepath.Join(h.ConfigFolder(), "journal.key")
}

func TestTheKeyOfATeamIsHandedOver(t *testing.T) {
	ada, ben := teamed(clitest.New(t)), teamed(clitest.New(t))
	file := filepath.Join(t.TempDir(), "team.key")
	ada.Run("journal", "key", "export", file).Is(command.Failed).Says("The journal key file does not exist", "paydesk journal init")
	ben.Run("journal", "key", "import", file).Is(command.Failed).Says("There is no such file")
	if _, err := journal.KeyFile(teamKey(ada)).Create(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(teamKey(ada))
	must(t, err)
	key := strings.TrimSpace(string(b))

	ada.Run("journal", "key", "export", file).Is(command.Done).Says("only you can read", "Delete it").Lacks(key)
	ada.Run("journal", "key", "export", file).Is(command.Failed).Says("already").Lacks(key)
	ben.Run("journal", "key", "import", file).Is(command.Done).Says("The key is in " + teamKey(ben)).Lacks(key)
	ben.Run("journal", "key", "import", file).Is(command.Done).Says("there already").Lacks(key)
	if b, err := os.ReadFile(teamKey(ben)); err != nil || string(b) != key+"\n" {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if piped := ada.Run("journal", "key", "export", "-").Is(command.Done).Out; piped != key+"\n" {
		t.Errorf("%d bytes in the pipe", len(piped))
	}
	ben.RunWith(key+"\n", "journal", "key", "import", "-").Is(command.Done).Says("there already").Lacks(key)
}

func TestAnotherKeyIsOnlyReplacedWhenAsked(t *testing.T) {
	h := teamed(clitest.New(t))
	other := strings.Repeat("5a", 32)
	if _, err := journal.KeyFile(teamKey(h)).Create(); err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile(teamKey(h))
	must(t, err)
	h.RunWith(other, "journal", "key", "import", "-").Is(command.Failed).
		Says("There is another key", "Nothing was changed", "not recognised", "add --replace").Lacks(other)
	if b, err := os.ReadFile(teamKey(h)); err != nil || string(b) != string(was) {
		t.Error("it was replaced")
	}
	h.RunWith("CANARY\n", "journal", "key", "import", "-", "--replace").Is(command.Failed).Says("64 hexadecimal digits")
	h.RunWith(other, "journal", "key", "import", "-", "--replace").Is(command.Done).Says("kept as "+teamKey(h)+".replaced-", "The key is in").Lacks(other)
	kept, err := filepath.Glob(teamKey(h) + ".replaced-*")
	if b, readErr := os.ReadFile(strings.Join(kept, "")); err != nil || readErr != nil || string(b) != string(was) {
		t.Errorf("%q %v %v", kept, err, readErr)
	}
}

func TestTheKeyIsNeitherShownNorTypedAtATerminal(t *testing.T) {
	h := teamed(clitest.New(t))
	if _, err := journal.KeyFile(teamKey(h)).Create(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(teamKey(h))
	must(t, err)
	shown := h.Terminal("journal", "key", "export", "-").Sees("The key is not shown on a terminal").Ends(command.Usage).Shown()
	if strings.Contains(shown, strings.TrimSpace(string(b))) {
		t.Error("it was shown")
	}
	h.Terminal("journal", "key", "import", "-").Sees("The key is not typed").Ends(command.Usage)
}
