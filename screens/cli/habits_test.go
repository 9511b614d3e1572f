package cli_test

import (
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// A slip of the fingers gets the name that is known, and never what was typed, which may be a key.
func TestAMistypedNameGetsTheNearest(t *testing.T) {
	h := clitest.New(t)
	for args, want := range map[string]string{
		"stauts R1": "paydesk status?", "trans": "paydesk transactions?", "link crate": "paydesk link create?", "activity --wehre x": "--where?",
	} {
		h.Run(strings.Fields(args)...).Is(command.Usage).Says("Did you mean "+want).Lacks("stauts", "crate?", "wehre")
	}
	for _, args := range []string{"WRONGcommand", "--WRONGoption", "x", "status --q1"} {
		h.Run(strings.Fields(args)...).Is(command.Usage).Lacks("Did you mean")
	}
}

// A script whose variable is empty is not told that something was done.
func TestAGroupWithoutACommandPrintsItsCommandsAndIsWrong(t *testing.T) {
	h := clitest.New(t)
	for _, group := range []string{"link", "webhook", "profile", "config", "key", "journal", "journal key"} {
		h.Run(strings.Fields(group)...).Is(command.Usage).Prints("Commands:", "paydesk "+group+" COMMAND --help")
		h.Run(strings.Fields(group + " --json")...).Is(command.Usage).Says("needs one of its commands")
	}
}

// Which of two was meant, only a person knows.
func TestAnOptionThatIsGivenTwiceIsRefused(t *testing.T) {
	h := clitest.New(t)
	for _, twice := range []string{"--amount 41", "--currency=NGN", "--profile shop --profile shop"} {
		h.Run(append(byTransfer("--yes"), strings.Fields(twice)...)...).Is(command.Usage).Says(": it was given twice; see paydesk collect --help")
	}
	h.Run(byTransfer("--yes", "--yes", "--no-wait", "--meta", "a=1", "--meta", "b=2")...).Is(command.Done)
}

func TestWithoutInputNothingIsAsked(t *testing.T) {
	h := clitest.New(t)
	h.Terminal(with(chairs, "--no-input")...).Sees("Add --yes").Ends(command.Usage)
}

func TestWithoutAConfigurationEachCommandSaysTheNextStep(t *testing.T) {
	h := clitest.New(t)
	none := h.Home + "/none"
	for _, line := range []string{
		"status R1", "transactions", "link list", "activity", "case R1", "webhook list", "listen", "key show",
		"link create --name x --description x --currency GBP --amount 1 --yes",
	} {
		h.Run(append(strings.Fields(line), "--config", none)...).Is(command.Usage).Says("There is no configuration in "+none, "paydesk profile add NAME", "paydesk demo needs none").Lacks("file does not exist")
	}
}

// What has to be read is said with -q, too: what was sent where no journal has it, and why a list may not be whole.
func TestQuietIsSilentAboutNothingThatHasToBeRead(t *testing.T) {
	h := clitest.New(t, clitest.Options{Profile: "journal = \"off\"\nsend_reference = true\n"})
	h.Sandbox.Arm("initiate", "lost-answer", 1)
	h.Run(byTransfer("--yes", "-q")...).Is(command.Unresolved).
		Says("UNRESOLVED: 4,000.00 NGN by PayByTransfer, for Ada Obi, ada@shop.example", "Our reference: ", "nothing was recorded here")
	h = listOf(t, 1204)
	h.Sandbox.Arm("transactions", "grow", 3)
	h.Run("transactions", "--all", "-q").Is(command.NotFinal).Says("Read it again to have all of it.").Lacks("found in")
}
