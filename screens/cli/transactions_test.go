package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"paydesk/api/sandbox"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// listOf is a host whose service has so many rows.
func listOf(t *testing.T, rows int) *clitest.Host {
	return clitest.New(t, clitest.Options{Sandbox: sandbox.Options{Transactions: rows}})
}

// lines are the lines that a command printed.
func lines(r clitest.Result) []string { return strings.Split(strings.TrimSuffix(r.Out, "\n"), "\n") }

// objects are the lines without the last where that says why the command failed.
func objects(r clitest.Result) []string {
	all := lines(r)
	if r.Refusal().Code != "" {
		all = all[:len(all)-1]
	}
	return all
}

// read reads the last object that a command printed beside why it failed. It may have no member that its shape has not.
func read[T any](r clitest.Result) (o T) {
	r.T.Helper()
	all := objects(r)
	d := json.NewDecoder(strings.NewReader(all[len(all)-1]))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		r.T.Fatalf("%v in %s", err, all[len(all)-1])
	}
	return o
}

func TestAPageIsOneByDefault(t *testing.T) {
	h := listOf(t, 45)
	r := h.Run("transactions").Is(command.Done).Says("Page 1 of 3: rows 1–20 of 45.")
	if n := len(lines(r)); n != 20 {
		t.Errorf("%d rows", n)
	}
	if cells := strings.Split(lines(r)[0], "\t"); len(cells) != 5 || len(cells[3]) != 36 {
		t.Errorf("a row is %q", cells)
	}
	h.Run("transactions", "--page", "3").Is(command.Done).Says("Page 3 of 3: rows 41–45 of 45.")
	h.Run("transactions", "--page", "9").Is(command.Done).Says("Page 9 of 3: no rows of 45.", "page 9 does not exist")
	h.Run("transactions", "--per-page", "100", "--where", "failed").Is(command.Done).Says("--all searches the whole list")
}

func TestWrongListOptionsAreRejectedBeforeAnythingIsRequested(t *testing.T) {
	h := listOf(t, 3)
	must(t, h.Sandbox.Arm("transactions", "F50", 1))
	for says, args := range map[string][]string{
		"from 1":                 {"--page", "0"},
		"1 to 100":               {"--per-page", "101"},
		"one since:":             {"--where", "since:last gone:last"},
		"for --all":              {"--yes"},
		"must be a whole number": {"--page", "two"},
		"one of --json":          {"--json", "--csv"},
	} {
		h.Run(append([]string{"transactions"}, args...)...).Is(command.Usage).Says(says)
	}
	h.Run("transactions", "--where", "gbp status:wrong").Is(command.Usage).
		Says("  gbp status:wrong\n             ^^^^^\n", "Status is one of")
	h.Run("transactions", "--where", "id:4111111111111111 status:wrong").Is(command.Usage).Lacks("4111")
	if n := len(h.Sandbox.Armed()); n != 1 {
		t.Error("something was requested")
	}
}

func TestAWholeListIsReadAndJudged(t *testing.T) {
	h := listOf(t, 1204)
	r := h.Run("transactions", "--all", "--json").Is(command.Done).Says("1,204 rows read at", "no change seen", "Kept:")
	if n := len(lines(r)); n != 1205 {
		t.Errorf("%d lines", n)
	}
	if end := read[output.Transactions](r); !end.Trusted || !end.Complete || end.RowsRead != 1204 || *end.Total != 1204 {
		t.Errorf("%+v", end)
	}
	seen := map[string]bool{}
	for i, line := range lines(r)[:1204] {
		var row output.Transaction
		if err := json.Unmarshal([]byte(line), &row); err != nil || row.Schema != output.TransactionSchema || row.Position != i+1 || seen[row.ID] {
			t.Fatalf("row %d is %s: %v", i+1, line, err)
		}
		seen[row.ID] = true
	}
	found := h.Run("transactions", "--all", "--where", "failed gbp", "--json").Is(command.Done).Says("found in 1,204 read.")
	end := read[output.Transactions](found)
	if *end.RowsFound != len(lines(found))-1 || *end.RowsFound == 0 || *end.RowsFound == 1204 {
		t.Errorf("%d are said to be found of %d", *end.RowsFound, len(lines(found))-1)
	}
}

// A list that changes while it is read is printed, and one whose pages bring nothing new is given up before its end: the exit code says
// that neither is to be trusted.
func TestAListThatChangedOrWasGivenUpIsNotTrusted(t *testing.T) {
	for fault, c := range map[string]struct {
		calls, reasons int
		complete       bool
		why            string
	}{"grow": {3, 2, true, ""}, "repeat": {0, 1, false, "pages that brought nothing new"}} {
		h := listOf(t, 1204)
		arm(h, "transactions", fault, c.calls)
		r := h.Run("transactions", "--all", "--json").Is(command.NotFinal).Says("Read it again to have all of it.")
		if end := read[output.Transactions](r); end.Trusted || end.Complete != c.complete || !strings.Contains(strings.Join(end.Why, " "), c.why) || len(end.Why) < c.reasons {
			t.Errorf("%s: %+v", fault, end)
		}
	}
}

func TestTotalsAreExactAndSayWhatTheyAreOf(t *testing.T) {
	h := listOf(t, 500)
	o := read[output.Totals](h.Run("transactions", "--all", "--totals", "--json").Is(command.Done))
	rows := 0
	for _, c := range o.Currencies {
		n := 0
		for _, s := range c.Statuses {
			n += s.Rows
		}
		if n != c.Rows || c.Sum == nil {
			t.Errorf("%+v", c)
		}
		rows += n
	}
	if rows != 500 || o.Rows != 500 || !o.Trusted {
		t.Errorf("%d of %+v", rows, o)
	}
	h.Run("transactions", "--totals").Is(command.Done).Prints("\tall\t").Says("Page 1 of 25")
	h.Run("transactions", "--all", "--totals", "--csv").Is(command.Done).Prints("currency,status_means,status,rows,sum_major,sum_minor,unread\r\n")
}
