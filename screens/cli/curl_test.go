package cli_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/keystore"
	"paydesk/screens"
	"paydesk/screens/cli/clitest"
)

// secret is a key as a client needs it.
type secret string

func (s secret) Expose() string { return string(s) }

// What f5 copies is run in a shell, with the key in its environment, against the sandbox.
func TestWhatIsCopiedForCurlRuns(t *testing.T) {
	for _, program := range []string{"curl", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("there is no " + program + " here")
		}
	}
	h := clitest.New(t)
	c, err := api.New(api.Config{BaseURL: h.Origin, ListURL: h.Origin, Key: secret(clitest.Key)})
	must(t, err)
	gbp, err := money.ParseCurrency("GBP")
	must(t, err)
	amount, err := money.Parse("120.00", gbp)
	must(t, err)
	const name = "Ada's \"six\" `oak` $HOME \\ été"
	for _, of := range []struct {
		call api.Call
		want string
	}{
		{api.Call{Operation: api.OpTransactions, Page: 1, PerPage: 5}, `"meta"`},
		{api.Call{Operation: api.OpCreateLink, Link: api.LinkDraft{Name: name, Description: "chairs", Amount: amount}}, `"name":"Ada's \"six\" ` + "`oak` $HOME \\\\ été\""},
		{api.Call{Operation: api.OpTransaction, Reference: "NOSUCH0001"}, `"isSuccess":false`},
	} {
		command, err := c.Curl(of.call)
		must(t, err)
		text := screens.CurlCommand(command)
		if strings.Contains(text, clitest.Key) || !strings.Contains(text, `"$PAYDESK_SECRET_KEY"`) {
			t.Errorf("the key is in %s", text)
		}
		sh := exec.CommandContext(t.Context(), "sh", "-c", text)
		sh.Env = append(os.Environ(), keystore.Variable+"="+clitest.Key, "HOME="+h.Home)
		if out, err := sh.CombinedOutput(); err != nil || !strings.Contains(string(out), of.want) {
			t.Errorf("%s\nanswers %v: %s", text, err, out)
		}
	}
}
