package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
)

var (
	aClock = regexp.MustCompile(`\d\d:\d\d:\d\d`)
	aTime  = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)`)
)

// What status prints at a terminal and in a pipe, with the references and times replaced by others of their width.
func TestAStatusIsPrintedForPeopleAndForPrograms(t *testing.T) {
	h := clitest.New(t)
	good, open, bad := made(h, byCardOf(approved, 1250)), made(h, aTransfer()), made(h, byCardOf(declined, 99900))
	h.Sandbox.Settle(good)
	named := strings.NewReplacer(good, "GOOD000000", open, "OPEN0000-0000-0000-0000-000000000000", bad, "BAD0000000")
	r := h.Run("status", good, open, bad).Is(command.PaymentFailed)
	const piped = `GOOD000000	SUCCESSFUL	12.50	GBP	Funds have been secured. Provide the goods or service.	TIME
OPEN0000-0000-0000-0000-000000000000	PENDING	4000.00	NGN	` + `The full amount has not been confirmed; the customer may not have paid yet. ` +
		`Provide nothing yet. Do not ask for a second transfer if they say they have paid.	TIME
BAD0000000	FAILED	999.00	GBP	The charge was rejected. Ask the customer for another payment method.	TIME
`
	if got := aTime.ReplaceAllString(named.Replace(r.Out), "TIME"); got != piped {
		t.Errorf("in a pipe:\n%s", got)
	}
	const shown = `
Time      Reference                             Status                    Amount
00:00:00  GOOD000000                            SUCCESSFUL             12.50 GBP
          Funds have been secured. Provide the goods or service.
00:00:00  OPEN0000-0000-0000-0000-000000000000  CUSTOMER MUST PAY   4,000.00 NGN
          The full amount has not been confirmed; the customer may not have paid
          yet. Provide nothing yet. Do not ask for a second transfer if they say
          they have paid.
00:00:00  BAD0000000                            FAILED                999.00 GBP
          The charge was rejected. Ask the customer for another payment method.
`
	at := h.Terminal("status", good, open, bad).Ends(command.PaymentFailed)
	text := strings.ReplaceAll(named.Replace(ansi.Strip(at.Shown())), "\r\n", "\n")
	if got := aClock.ReplaceAllString(text, "00:00:00"); got != shown[1:] {
		t.Errorf("at a terminal:\n%s", got)
	}
}

// Where the journal cannot be read, nothing is compared with what was asked: no status is a success then.
func TestAStatusWithoutTheJournalIsNoSuccess(t *testing.T) {
	h := clitest.New(t)
	ref := made(h, byCardOf(approved, 1250))
	h.Sandbox.Settle(ref)
	h.Run("status", ref).Is(command.Done)
	spoilt(h, func(t testing.TB, file string) { must(t, os.Mkdir(file, 0o700)) })
	h.Run("status", ref).Is(command.Failed).Says("The journal cannot be read").Lacks("secured")
	o := statuses(h.Run("status", ref, "--json").Is(command.Failed))[0]
	if o.Status.Success || o.Problem == nil || o.Exit != int(command.Failed) {
		t.Errorf("%+v %+v", o.Status, o.Problem)
	}
	h.Run("status", ref, "--until", "final").Is(command.Failed)
}
