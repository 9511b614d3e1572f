package cli_test

import (
	"os"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

func TestProfilesAreManagedWithoutAnEditor(t *testing.T) {
	h := clitest.New(t)
	must(t, os.RemoveAll(h.ConfigFolder()))
	h.Run("config", "check").Is(command.Usage).Says("There is no configuration")
	if why := h.Run("config", "check", "--json").Is(command.Usage).Refusal(); why.Code != "no-configuration" {
		t.Errorf("%+v", why)
	}
	h.Run("profile", "list").Is(command.Done).Says("no profiles")
	h.Run("profile", "add", "Shop", "--base-url", "http://shop.example").Is(command.Usage).Says("NAME: must be", "--base-url: must be")
	h.Run("profile", "add", "shop", "--base-url", "https://payments.example").Is(command.Done).Says("paydesk key set --profile shop")
	h.Run("profile", "add", "shop", "--base-url", "https://payments.example").Is(command.Failed).Says("already has")
	h.Run("profile", "add", "other", "--base-url", "https://payments.example", "--source", "ask").Is(command.Done)
	h.Run("profile", "list").Is(command.Done).Prints("other\ttest\task\thttps://payments.example\t\nshop\ttest\tkeyring\thttps://payments.example\tdefault\n")
	h.Run("profile", "use", "other").Is(command.Done)
	h.Run("profile", "use", "none").Is(command.Usage).Says("no profile of that name")
	h.Run("profile", "show").Is(command.Done).Prints("name\tother\n")
	h.Run("profile", "delete", "shop").Is(command.Usage).Says("--yes")
	h.Run("profile", "delete", "shop", "--yes").Is(command.Done).Says("Its key and its journal stay")
	h.Run("profile", "list", "--json").Is(command.Done).Prints(`"name":"other"`).Lacks(`"shop"`)
	h.Run("config", "check").Is(command.Done).Prints("sound, with 1 profile")
	h.Run("config", "path").Is(command.Done).Prints(h.ConfigFolder() + "\n")
}

func TestEverythingWrongWithAConfigurationIsReported(t *testing.T) {
	h := clitest.New(t)
	h.Configure("-- default --\nx\n-- profiles/shop.toml --\nenvironment = \"WRONGword\"\nbase_url = \"http://WRONG.example\"\n")
	h.Run("config", "check").Is(command.Usage).Says("environment", "base_url").Lacks("WRONG")
	h.Run("status", "REF1").Is(command.Usage).Says("environment").Lacks("WRONG")
}
