package cli_test

import (
	"os"
	"strings"
	"testing"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

// What a script needs of a failure is in one object: why, what was sent, about which payment, and what to run next.
func TestAFailureSaysWhyWhatWasSentAndWhatComesNext(t *testing.T) {
	h := clitest.New(t)
	ref := made(h, byCardOf(challenged, 800))
	live := clitest.New(t, clitest.Options{Live: true})
	for _, c := range []struct {
		at                  *clitest.Host
		args                string
		code, sent, command string
	}{
		{h, "status " + ref, "not-final", "not sent", "paydesk status " + ref + " --until final"},
		{h, "--profile shop status " + ref, "not-final", "not sent", "paydesk --profile shop status " + ref + " --until final"},
		{h, "link create --name x --description x --currency GBP --amount 1", "unconfirmed", "not sent", ""},
		{h, "key delete", "unconfirmed", "not sent", ""},
		{h, "status " + ref + " --until final --timeout 0", "usage", "not sent", "paydesk status --help"},
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
	if o := h.Run("transactions", "--json").Is(command.Refused).Refusal(); o.Code != "key-rejected" || o.Next == "" {
		t.Errorf("%+v", o)
	}
}

// Where what became of a request cannot be printed, stderr says that it was sent, and which command has it: whoever reads only
// that printing failed would send it again.
func TestWhatWasSentAndCannotBePrintedIsNamed(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no device that is always full: ", err)
	}
	defer full.Close()
	h := atOnce(t)
	for _, more := range []string{"--no-wait", "--json"} {
		cmd := h.Program(byTransfer("--yes", "--no-wait", more)...)
		var talk strings.Builder
		cmd.Stdout, cmd.Stderr = full, &talk
		if err := cmd.Run(); err == nil {
			t.Error("it succeeded")
		}
		if said := talk.String(); !strings.Contains(said, "It was sent (accepted)") || !strings.Contains(said, "Do not send it again: paydesk activity show ") {
			t.Errorf("%s: it said %q", more, said)
		}
		h = atOnce(t)
	}
}
