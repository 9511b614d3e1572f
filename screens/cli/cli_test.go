package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"paydesk/keystore"
	"paydesk/screens/cli"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// A key or a card number on the command line is rejected before anything is parsed, whichever command it is for.
func TestSecretsInArgumentsAreRejectedWithoutAnEcho(t *testing.T) {
	h := clitest.New(t)
	for _, args := range [][]string{
		{"sk_test_WRONG00000000"}, {"status", "sk_live_WRONG00000000"}, {"--secret-key=WRONG", "status"}, {"transactions", "--key", "WRONG"},
		{"key", "set", "WRONG"}, {"key", "set", "--secret-key", "WRONG"}, {"--key=WRONG", "key", "set"}, {"key", "set", "--profile=sk_test_WRONG00000000"}, {"key", "show", "-token=WRONG"},
		{"key", "set", "pk_live_WRONG"}, {"key", "set", "--", "WRONG"}, {"key", "set", "--API-KEY=WRONG"},
	} {
		h.Run(args...).Is(command.Usage).Says("never an argument").Lacks("WRONG")
	}
	for _, args := range [][]string{{"4111111111111111"}, {"status", "4111 1111 1111 1111"}, {"status", "--profile=4111111111111111"}} {
		h.Run(args...).Is(command.Usage).Says("card number").Lacks("4111")
	}
	drive := filepath.VolumeName(h.Home) // of Windows; the digits of two folders together are no card number, those of one may be
	h.Run("config", "path", "--config", drive+"/tmp/411111111111/1111/paydesk").Lacks("card number")
	h.Run("config", "path", "--config="+drive+"/tmp/411111111111/1111/paydesk").Lacks("card number")
	h.Run("config", "path", "--config", drive+"/tmp/4111111111111111/paydesk").Is(command.Usage).Says("card number").Lacks("4111")
}

// A panic would print its value and the arguments, which may be secrets, and end with the code of wrong arguments.
func TestADefectEndsACommandWithACodeOfItsOwn(t *testing.T) {
	h := clitest.New(t)
	var out, talk bytes.Buffer
	code := cli.Run([]string{"status", "XHCQVX9BB5"}, cli.Env{
		In: os.Stdin, Out: &out, Err: &talk, Version: "test", Getenv: func(string) string { return "" }, Config: h.ConfigFolder(), State: h.StateDir(),
		Stores: func(string) func(keystore.Profile) keystore.Store { panic("sk_live_CANARY0000000000") },
	})
	reports, _ := filepath.Glob(filepath.Join(h.StateDir(), "crash-*.txt"))
	if code != int(command.Defect) || out.Len() > 0 || len(reports) != 1 || !strings.Contains(talk.String(), reports[0]) {
		t.Errorf("%d, %q, %q, reports %q", code, out.String(), talk.String(), reports)
	}
	for _, path := range reports {
		report, err := os.ReadFile(path)
		must(t, err)
		if text := string(report); strings.Contains(text+talk.String(), "CANARY") || !strings.Contains(text, "screens/cli") {
			t.Errorf("the report is\n%s", text)
		}
	}
}

func TestHelpIsTheSameHoweverItIsAskedFor(t *testing.T) {
	h := clitest.New(t)
	short := h.Run("status", "-h").Is(command.Done).Prints("Show payment status.", "paydesk status REF…", "--until", "Exit codes:", "Examples:")
	for _, args := range [][]string{{"status", "--help"}, {"help", "status"}, {"--help", "status"}, {"status", "REF", "--help"}} {
		if got := h.Run(args...).Is(command.Done); got.Out != short.Out || got.Err != "" {
			t.Errorf("%q:\n%s%s", args, got.Out, got.Err)
		}
	}
	h.Run("help", "uninstall").Is(command.Done).Prints("To leave no trace")
	h.Run("help").Is(command.Done).Prints("paydesk demo", "Payments:", "help exit-codes")
}

// What could not be printed was not read. Where it is what became of a request, stderr says that it was sent, and which command has it:
// whoever reads only that printing failed would send it again.
func TestWhatCannotBePrintedFails(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no device is always full: ", err)
	}
	defer full.Close()
	r, gone, err := os.Pipe()
	must(t, err)
	r.Close()
	defer gone.Close()
	onFull := func(h *clitest.Host, want command.Code, args ...string) string {
		cmd, talk := h.Program(args...), new(strings.Builder)
		cmd.Stdout, cmd.Stderr = full, talk
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != int(want) || talk.Len() == 0 {
			t.Errorf("%q ended with %v, and said %q", args, err, talk)
		}
		return talk.String()
	}
	h := clitest.New(t)
	for _, line := range []string{"help", "--help", "status --help", "link", "help json", "version", "man", "sandbox --assumptions", "key show",
		"config path", "validate --currency GBP --amount 12", "transactions --all --json"} {
		onFull(h, command.Failed, strings.Fields(line)...)
		cmd := h.Program(strings.Fields(line)...)
		cmd.Stdout = gone
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != 141 && (line != "version" || cmd.ProcessState.ExitCode() != -1) { // which the signal itself ends
			t.Errorf("%s ended with %v once its reader had gone", line, err)
		}
	}
	onFull(h, command.Failed, "sandbox", "--listen", "127.0.0.1:0")
	for _, more := range []string{"--no-wait", "--json"} {
		said := onFull(atOnce(t), command.Failed, byTransfer("--yes", "--no-wait", more)...)
		if !strings.Contains(said, "It was sent (accepted)") || !strings.Contains(said, "Do not send it again: paydesk activity show ") {
			t.Errorf("%s: it said %q", more, said)
		}
	}
	differs := made(h, byCardOf(approved, 1250))
	turn(h, "units.transaction", "minor") // it reports a hundred times the amount
	for _, as := range []string{"--json", "--watch"} {
		if said := onFull(h, command.Unresolved, "status", differs, as); as == "--json" && !strings.Contains(said, "differs from what was asked for") {
			t.Errorf("of a mismatch it said %q", said)
		}
	}
}

var aSetting = regexp.MustCompile(`^(\w+ = |\[)`)

// The samples in the topic are a configuration, and have every setting that there is.
func TestTheTopicAboutTheConfigurationHasEverySetting(t *testing.T) {
	h := clitest.New(t)
	text := h.Run("help", "configuration").Is(command.Done).Out
	sample := func(text string) string {
		var kept strings.Builder
		for line := range strings.Lines(text) {
			if setting, is := strings.CutPrefix(line, "  "); is && aSetting.MatchString(setting) {
				kept.WriteString(setting)
			}
		}
		return kept.String()
	}
	profile, all, _ := strings.Cut(text, "config.toml:")
	h.Configure(sample(all) + "-- profiles/test.toml --\n" + sample(profile))
	h.Run("config", "check").Is(command.Done)
	h.Configure("no_setting = 1\n-- profiles/test.toml --\nno_setting = 1\n")
	var settings []string
	for line := range strings.Lines(h.Run("config", "check").Is(command.Usage).Err) {
		_, named, _ := strings.Cut(line, "expected one of ")
		named, _, found := strings.Cut(named, ", not")
		if found {
			settings = append(settings, strings.Split(strings.ReplaceAll(named, "journal.", ""), ", ")...)
		}
	}
	for _, name := range settings {
		if !strings.Contains(text, "  "+name+" ") {
			t.Errorf("help configuration does not have %s", name)
		}
	}
	if len(settings) < 27 {
		t.Errorf("only %d settings are known: %s", len(settings), settings)
	}
}

// choose is the number of a command in the menu of plain mode, as it is printed.
func choose(t *testing.T, h *clitest.Host, path ...string) (keys []string) {
	t.Helper()
	for i := range path {
		shown := h.RunWith(strings.Join(append(append([]string{}, keys...), ""), "\n"), "--plain").Out
		at := ""
		for line := range strings.SplitSeq(shown, "\n") {
			if number, rest, ok := strings.Cut(line, " "); ok && strings.HasPrefix(rest, path[i]+": ") {
				at = number
			}
		}
		if at == "" {
			t.Fatalf("plain mode has no %s:\n%s", path[i], shown)
		}
		keys = append(keys, at)
	}
	return keys
}

// plain runs plain mode from a pipe with these lines.
func plain(h *clitest.Host, lines ...string) clitest.Result {
	return h.RunWith(strings.Join(lines, "\n")+"\n", "--plain")
}

func TestPlainModeCreatesALinkLineByLine(t *testing.T) {
	h := clitest.New(t)
	create := choose(t, h, "link", "create")
	answers := append(create, "Chairs", "six oak chairs", "XXQ", "GBP", "12.345", "120", "", "y",
		"link create --name \"Six chairs\" --yes", testCard, "Chairs", "", "others", "GBP", "130", "", "no", "9", "menu", "4", "140", "", "y", "Tables", "y", "q")
	r := plain(h, answers...).Is(command.Done)
	r.Says("; enter keeps Chairs:", "; enter keeps 130, none leaves it out:", "Change which answer?").Prints("looks like a card number", "Nothing is done without it", "none of them", "4 amount: 130")
	r.Prints("Options are asked for here.", "XXQ: Unknown currency code.", "GBP has 2 decimals", "URL          http", "Done.").Says("Create this link? [y/N]")
	for _, drawn := range []string{"\r", "\x1b", "─", "█"} {
		r.Lacks(drawn)
	}
	h.Run("link", "list").Is(command.Done).Prints("Chairs", "Tables")
}

// What was made, looked up or pinned last is there by a number.
func TestPlainModeOffersThePaymentsThatAreKnown(t *testing.T) {
	h := atOnce(t)
	plain(h, "status KNOWN1", "", "q").Is(command.Done)
	h.Run("status", "KNOWN1")
	keys := append([]string{"collect"}, "transfer", "NGN", "4000", "Ada", "Obi", "ada@shop.example", "+4400", "", "y", "status", "1", "", "case", "1", "", "q")
	ref := ""
	r := plain(h, keys...).Is(command.Done)
	for _, p := range h.Sandbox.Payments() {
		ref = p.Reference
	}
	r.Prints("1 "+ref+", 4,000.00 NGN", "Reference ", "Paid by ", "Sandbox Bank", "SUCCESSFUL", "Done.").Says("Request 4,000.00 NGN by transfer? [y/N]").Lacks("# Payment", "`", "\r", "\x1b")
	hasMade(h, 1)
	if n := strings.Count(r.Out, ref); n < 3 { // of collect, offered, and of status
		t.Errorf("%s is there %d times:\n%s", ref, n, r.Out)
	}
}

const testCard = "4111111111111111"

// collected are the answers to the questions of collect, up to its further options.
func collected(channel, amount string) []string {
	return []string{channel, "NGN", amount, "Ada", "Obi", "ada@shop.example", "+4400"}
}

// A channel that cannot be used is asked for again, alone: the other answers are kept.
func TestPlainModeAsksForAnotherChannelAlone(t *testing.T) {
	h := atOnce(t)
	answers := append([]string{"collect", "12.50"}, collected("2050", "50")...)
	r := plain(h, append(answers, "", "interac", "transfer", "n", "link", linkOf(t, h), "", "none", "none", "n",
		"link", "none", "currency", "NGN", "amount", "50", "", "y", "q")...).Is(command.Done)
	r.Prints("12.50: Enter card, transfer, account, interac, or an alias").Says("This channel cannot be used for 50.00 NGN. Nothing was sent.", "These channels can: ", "Interac cannot be used",
		"leave out --amount", "; enter keeps 50, none leaves it out:", "Request 4,000.00 NGN")
	if channel, amount := strings.Count(r.Err, "The channel"), strings.Count(r.Err, "The amount "); channel != 4 || amount != 3 || len(h.Sandbox.Payments()) != 1 {
		t.Errorf("the channel was asked for %d times, the amount %d; %d were made:\n%s", channel, amount, len(h.Sandbox.Payments()), r.Err)
	}
}

// Where real money moves, an input that is no terminal sends nothing.
func TestPlainModeFromAPipeSendsNothingLive(t *testing.T) {
	h := clitest.New(t, clitest.Options{Live: true})
	create := choose(t, h, "link", "create")
	plain(h, append(create, "Chairs", "six", "GBP", "120", "", "shop", "120.00", "q")...).Is(command.Done).Says("Real money moves here", "Nothing was sent")
	h.Run("activity").Is(command.Done).Lacks("Payment link")
}

func TestPlainModeIsOfferedWhereScreensCannotBeDrawn(t *testing.T) {
	h := clitest.New(t)
	h.Env = map[string]string{"TERM": "dumb"}
	h.Terminal().Sees("Start it now? [y/N]").Type("y\r").Sees("Which?").Type("q\r").Ends(command.Done)
	h.Terminal().Sees("Start it now?").Type("\r").Ends(command.NoTerminal)
	h.Exec().Is(command.NoTerminal).Says(" --plain asks for commands")
}

// Commands that read standard input themselves get one line of the answers, and leave the others.
func TestPlainModeKeepsItsInputFromCommands(t *testing.T) {
	h := clitest.New(t)
	h.Configure("-- default --\nshop\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = \"" + h.Origin + "\"\nlist_url = \"" + h.Origin + "\"\nkey = \"keyring\"\n")
	r := plain(h, append(choose(t, h, "key", "set"), "", clitest.Key, "q")...).Is(command.Done)
	r.Says("Secret key of profile shop", "Verifying the key").Prints("Done.")
	h.RunWith("profile list\nq\n", "--plain", "--profile", "shop").Is(command.Done).Prints(h.Origin, "Done.").Lacks("does not belong")
	plain(h, append(choose(t, h, "key", "delete"), "n", "q")...).Is(command.Done).Says("Nothing was removed.")
	plain(h, append(choose(t, h, "status"), "-", "", "n", "q")...).Is(command.Done).Says("Stdin has the answers of plain mode")
	plain(h, "journal key import -", "", "n", "q").Is(command.Done).Says("The key is not typed.")
}

// A card number pasted at the wrong question does not count as yes, and behind a command it is not kept.
func TestPlainModeTakesOnlyYesAndNoForAnAnswerToThem(t *testing.T) {
	h := clitest.New(t)
	r := plain(h, "finalize KNOWN1", "1", testCard, "yess", "", "q", "status 4111 1111 1111 1111", "q", "status KNOWN1 "+testCard, "KNOWN2", "", "q").Is(command.Done)
	r.Prints("Back. Nothing more was done.", "KNOWN2").Says("The reference of a payment").Lacks("1111", "KNOWN1")
	if again := strings.Count(r.Out, "Type y or n."); again != 2 {
		t.Errorf("it asked %d times again:\n%s\n%s", again, r.Out, r.Err)
	}
}

// A slip of the fingers gets the name that is known, and never what was typed, which may be a key.
func TestAMistypedNameGetsTheNearest(t *testing.T) {
	h := clitest.New(t)
	for args, want := range map[string]string{
		"stauts R1": "paydesk status?", "trans": "paydesk transactions?", "link crate": "paydesk link create?", "activity --wehre x": "--where?",
	} {
		h.Run(strings.Fields(args)...).Is(command.Usage).Says("Did you mean "+want).Lacks("stauts", "crate?", "wehre")
	}
	for args, want := range map[string]string{
		"activity WRONG63": "activity show ID", "profile WRONG": "profile show NAME", "link WRONG": "link show ALIAS", "webhook WRONG": "webhook show ID",
	} {
		h.Run(strings.Fields(args)...).Is(command.Usage).Says("Did you mean paydesk " + want + "? See paydesk ").Lacks("WRONG")
	}
	for _, args := range []string{
		"WRONGcommand", "journal WRONG", "key WRONG", "--WRONGoption", "x", "status --q1", "--background WRONGvalue", "demo WRONGargument", "demo --WRONGoption", "--WRONG=1 demo",
	} {
		h.Run(strings.Fields(args)...).Is(command.Usage).Says("--help").Lacks("Did you mean", "WRONG")
	}
}

// A script whose variable is empty is not told that something was done.
func TestAGroupWithoutACommandPrintsItsCommandsAndIsWrong(t *testing.T) {
	h := clitest.New(t)
	for _, group := range []string{"link", "webhook", "profile", "config", "key", "journal", "journal key"} {
		h.Run(strings.Fields(group)...).Is(command.Usage).Prints("Commands:", "paydesk "+group+" COMMAND --help")
		h.Run(strings.Fields(group + " --json")...).Is(command.Usage).Says("needs one of its commands")
	}
	for _, empty := range []string{"", " "} {
		h.Run("profile", "use", empty).Is(command.Usage).Says("paydesk profile use takes NAME")
		h.Run("profile", "add", "x", "--base-url", "https://payments.example", "--source-command", empty).Is(command.Usage).Says("--source-command: its value is empty")
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

// A person who sees nothing does not know whether it was looked for. A program counts lines.
func TestAListWithoutARowSaysSoToAPerson(t *testing.T) {
	h := clitest.New(t)
	for _, line := range []string{"activity", "activity --where zzz", "link list", "link list --where zzz", "webhook list", "webhook list --where zzz"} {
		h.Terminal(strings.Fields(line)...).Sees("Nothing was found.").Ends(command.Done)
		for _, more := range []string{"", " --json"} {
			if r := h.Run(strings.Fields(line + more)...).Is(command.Done); r.Out+r.Err != "" {
				t.Errorf("paydesk %s%s: %q, %q", line, more, r.Out, r.Err)
			}
		}
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
