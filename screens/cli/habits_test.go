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
		"status R1 --unitl final": "--until?", "doctor --profil shop": "--profile?", "lsiten": "paydesk listen?",
		"activity shw": "paydesk activity show?",
	} {
		typed := strings.Fields(args)
		h.Run(typed...).Is(command.Usage).Says("Did you mean "+want).Lacks("stauts", "crate?", "wehre", "unitl", "lsiten", "shw")
	}
	for _, args := range []string{"WRONGcommand", "--WRONGoption", "x", "status --q1"} {
		h.Run(strings.Fields(args)...).Is(command.Usage).Lacks("Did you mean")
	}
}

func TestAGroupAloneSaysItsCommands(t *testing.T) {
	h := clitest.New(t)
	for group, line := range map[string]string{"link": "create", "journal": "backup", "webhook": "replay", "profile": "add"} {
		h.Run(group).Is(command.Done).Prints("  "+line, "paydesk "+group+" COMMAND --help").Lacks("Exit codes")
	}
}

func TestOptionsOfACommandMayStandBeforeIt(t *testing.T) {
	h := clitest.New(t)
	h.Run("--limit", "1", "--profile", "shop", "activity", "--json").Is(command.Done)
	h.Run("--yes", "--json", "link", "create", "--name", "Chairs", "--description", "oak", "--currency", "GBP", "--amount", "1").Is(command.Done).Prints(`"name":"Chairs"`)
	h.Run("--totals", "transactions").Is(command.Done)
	h.Run("--until", "final").Is(command.Usage)
}

// Which of two was meant, only a person knows.
func TestAnOptionThatIsGivenTwiceIsRefused(t *testing.T) {
	h := clitest.New(t)
	for _, twice := range []string{"--amount 41", "--currency=NGN", "--profile shop --profile shop"} {
		h.Run(append(byTransfer("--yes"), strings.Fields(twice)...)...).Is(command.Usage).Says(": it was given twice; see paydesk collect --help")
	}
	h.Run(byTransfer("--yes", "--yes", "--no-wait", "--meta", "a=1", "--meta", "b=2")...).Is(command.Done)
}

// What is wrong with the arguments ends with 2, whatever else there is to say.
func TestWhateverIsWrongWithTheArgumentsEndsWithTwo(t *testing.T) {
	h := clitest.New(t)
	for args, want := range map[string]string{
		"activity --export=": "--export: the name of the file is missing", "bundle --output=": "--output: the name of the file is missing",
		"sandbox --listen 127.0.0.1:x": "--listen: must be HOST:PORT", "link show NONE --qr --json": "choose one of --qr and --json",
		"key set --config=": "the configuration folder is unknown",
	} {
		h.Run(strings.Fields(args)...).Is(command.Usage).Says(want)
	}
	h.Run(byCard("--return-url", "x")...).Is(command.Usage).Says("such as https://shop.example/done; see paydesk collect --help")
}

// -q leaves what has to be read: why something failed, and what a person confirms.
func TestQuietLeavesWhatHasToBeRead(t *testing.T) {
	h := clitest.New(t)
	for _, line := range []string{"transactions", "version", "man", "completion bash", "help status"} {
		if r := h.Run(append([]string{"-q"}, strings.Fields(line)...)...).Is(command.Done); r.Err != "" {
			t.Errorf("%s says %q", line, r.Err)
		}
	}
	h.Run(with(chairs, "-q")...).Is(command.Usage).Says("It has to be confirmed first")
	h.Terminal(with(chairs, "-q")...).Sees("Chairs").Sees("Create this link?").Type("n\r").Sees("Nothing was sent").Ends(command.Failed)
}

func TestWithoutInputNothingIsAsked(t *testing.T) {
	h := clitest.New(t)
	h.Terminal(with(chairs, "--no-input")...).Sees("Add --yes").Ends(command.Usage)
}

func TestReferencesThatAreTypedAreWaitedForWithAWord(t *testing.T) {
	clitest.New(t).Terminal("status", "-").Sees("ctrl+d ends them").Type("NOSUCHONE\r").Type("\x04").Sees("NOT FOUND").Ends(command.Refused)
}

// Who cannot see the screen may try the console as everybody else.
func TestPlainModeHasTheDemo(t *testing.T) {
	h := clitest.New(t)
	for _, args := range [][]string{{"--plain", "demo"}, {"demo", "--plain"}, {"demo"}} {
		if len(args) == 1 {
			h.Env = map[string]string{"ACCESSIBLE": "1"}
		}
		keys := append(choose(t, h, "transactions"), "", "q")
		h.RunWith(strings.Join(keys, "\n")+"\n", args...).Is(command.Done).Prints("Plain mode.", "SUCCESSFUL", "Done.").Says("of 1,204")
	}
}

func TestWithoutAConfigurationEachCommandSaysTheNextStep(t *testing.T) {
	h := clitest.New(t)
	none := h.Home + "/none"
	for _, line := range []string{
		"status R1", "transactions", "link list", "link show A1", "activity", "activity show 7F3K", "resolve 7F3K --not-found", "case R1", "authenticate R1", "finalize R1",
		"validate --currency GBP --amount 1", "webhook list", "webhook show 1", "webhook path", "listen", "key show", "key delete --yes",
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
