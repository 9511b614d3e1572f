package cli_test

import (
	"strings"
	"testing"

	"paydesk/screens/cli"
	"paydesk/screens/cli/clitest"
)

// What a script needs of a failure is in one object: why, what was sent, about which payment, and what to run next.
func TestAFailureSaysWhyWhatWasSentAndWhatComesNext(t *testing.T) {
	h := clitest.New(t)
	ref := made(h, byCardOf(challengedCard, 800))
	live := clitest.New(t, clitest.Options{Live: true})
	for _, c := range []struct {
		at                  *clitest.Host
		args                string
		code, sent, command string
	}{
		{h, "status " + ref, "not-final", "not sent", "paydesk status " + ref + " --until final"},
		{h, "--profile shop status " + ref, "not-final", "not sent", "paydesk --profile shop status " + ref + " --until final"},
		{h, "link create --name x --description x --currency GBP --amount 1", "unconfirmed", "not sent", ""},
		{h, "transactions --where amount:x", "query", "not sent", "paydesk help query"},
		{h, "activity --config " + h.Home + "/none", "no-configuration", "not sent", "paydesk --config " + h.Home + "/none profile add NAME --base-url URL"},
		{h, "status --wrong", "usage", "not sent", "paydesk status --help"},
		{live, "link create --name x --description x --currency GBP --amount 1 --yes", "locked", "not sent", "paydesk"},
	} {
		r := c.at.Run(append(strings.Fields(c.args), "--json")...)
		o := r.Refusal()
		if o.Code != c.code || o.Sent != c.sent || o.Command != c.command || o.What == "" || r.Err == "" {
			t.Errorf("paydesk %s: %+v", c.args, o)
		}
	}
	arm(h, "transactions", "F50", 0)
	if o := h.Run("transactions", "--json").Is(cli.Refused).Refusal(); o.Code != "key-rejected" || o.Next == "" {
		t.Errorf("%+v", o)
	}
}
