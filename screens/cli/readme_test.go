package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"paydesk/screens/cli"
	"paydesk/screens/cli/clitest"
)

// commandsOfTheREADME is its section about commands.
func commandsOfTheREADME(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	must(t, err)
	_, section, found := strings.Cut(string(text), "## Commands\n")
	section, _, _ = strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("README has no section about commands")
	}
	return section
}

func TestTheREADMENamesEveryCommand(t *testing.T) {
	h, section := clitest.New(t), commandsOfTheREADME(t)
	for _, name := range offered(h, "") {
		if !regexp.MustCompile("`" + name + "\\b").MatchString(section) {
			t.Errorf("README does not name paydesk %s", name)
		}
	}
	for _, topic := range []string{"exit-codes", "json", "query", "safety", "webhooks", "environment"} {
		if !strings.Contains(section, topic) {
			t.Errorf("README does not name paydesk help %s", topic)
		}
	}
}

func TestTheREADMEHasTheExitCodesOfTheHelp(t *testing.T) {
	h, section := clitest.New(t), commandsOfTheREADME(t)
	listed := regexp.MustCompile(`(?m)^\| (\d+(?:\+n)?) \|`).FindAllStringSubmatch(section, -1)
	help := regexp.MustCompile(`(?m)^  (\d+(?:\+n)?)  `).FindAllStringSubmatch(h.Run("help", "exit-codes").Is(cli.Done).Out, -1)
	if len(listed) != len(help) {
		t.Fatalf("README has %d exit codes, and help has %d", len(listed), len(help))
	}
	for i := range help {
		if listed[i][1] != help[i][1] {
			t.Errorf("README has %s where help has %s", listed[i][1], help[i][1])
		}
	}
}
