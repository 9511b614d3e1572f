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
	for _, topic := range cli.Topics() {
		if !strings.Contains(section, "`"+topic+"`") {
			t.Errorf("README does not name paydesk help %s", topic)
		}
	}
}
