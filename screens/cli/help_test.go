package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

func TestHelpIsTheSameHoweverItIsAskedFor(t *testing.T) {
	h := clitest.New(t)
	short := h.Run("status", "-h").Is(command.Done).Prints("Show payment status.", "paydesk status REF…", "--until", "Exit codes:", "Examples:")
	for _, args := range [][]string{{"status", "--help"}, {"help", "status"}, {"--help", "status"}, {"status", "REF", "--help"}} {
		if got := h.Run(args...).Is(command.Done); got.Out != short.Out || got.Err != "" {
			t.Errorf("%q:\n%s%s", args, got.Out, got.Err)
		}
	}
	h.Run("help", "key", "set").Is(command.Done).Prints("paydesk key set", "--age")
	h.Run("help", "uninstall").Is(command.Done).Prints("To leave no trace")
	h.Run("help").Is(command.Done).Prints("paydesk demo", "Payments:", "help exit-codes")
}

// What could not be printed was not read.
func TestHelpThatCannotBePrintedFails(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no device is always full: ", err)
	}
	defer full.Close()
	h := clitest.New(t)
	for _, line := range []string{"help", "--help", "status --help", "link", "help json", "version", "man", "sandbox --assumptions"} {
		cmd := h.Program(strings.Fields(line)...)
		cmd.Stdout = full
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != int(command.Failed) {
			t.Errorf("%s ended with %v", line, err)
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
