package cli_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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
	d := json.NewDecoder(strings.NewReader(clitest.Members(all[len(all)-1])))
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
	h = listAs(t, 45, func(q url.Values) { maps.Copy(q, url.Values{"page": {"1"}, "perPage": {"100"}}) }) // all rows on any page
	h.Run("transactions", "--page", "2", "--json").Is(command.Done).Says("Page 2 of 1: 45 rows of 45.").Lacks(`"position"`)
	h = listAs(t, 45, func(q url.Values) { q.Set("page", "2") })
	h.Run("transactions", "--json").Is(command.Done).Says("Page 1 of 3: 20 rows of 45.").Lacks(`"position"`)
}

func TestWrongListOptionsAreRejectedBeforeAnythingIsRequested(t *testing.T) {
	h := listOf(t, 3)
	must(t, h.Sandbox.Arm("transactions", "unauthorized", 1))
	for says, args := range map[string][]string{
		"from 1":                 {"--page", "0"},
		"1 to 100":               {"--per-page", "101"},
		"only once":              {"--where", "since:last gone:last"},
		"leave them out":         {"--page", "2", "--where", "gone:last"},
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
	r := h.Run("transactions", "--all", "--json").Is(command.Done).Says("1,204 rows read at", "no change seen", "Saved:")
	if n := len(lines(r)); n != 1205 {
		t.Errorf("%d lines", n)
	}
	if end := read[output.Transactions](r); !end.Trusted || !end.Complete || end.RowsRead != 1204 || *end.Total != 1204 {
		t.Errorf("%+v", end)
	}
	seen := map[string]bool{}
	for i, line := range lines(r)[:1204] {
		var row output.Transaction
		if err := json.Unmarshal([]byte(line), &row); err != nil || row.Position != i+1 || seen[row.ID] {
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

// A payment about which an answer differed is no success in any format, though the list says so.
func TestARowWithAMismatchIsNoSuccess(t *testing.T) {
	h := clitest.New(t, clitest.Options{Sandbox: sandbox.Options{Transactions: 30, Settle: time.Nanosecond}})
	turn(h, "list.id", "reference")
	ref := made(h, sale{"", byTransfer("--yes", "--amount", "12.50")})
	h.Run("status", ref).Is(command.Done)
	turn(h, "units.transaction", "minor")
	h.Run("status", ref).Is(command.Unresolved)
	for _, args := range [][]string{{"transactions"}, {"transactions", "--all"}} {
		row := lines(h.Run(args...).Is(command.Done))[0]
		if !strings.HasPrefix(row, "MISMATCH\t12.50\tNGN\t"+ref) {
			t.Errorf("%q is %q", args, row)
		}
		if row := lines(h.Run(append(args, "--csv")...).Is(command.Done))[1]; !strings.Contains(row, ",MISMATCH,NGN,12.50,") {
			t.Errorf("%q --csv is %q", args, row)
		}
		var o output.Transaction
		if err := json.Unmarshal([]byte(lines(h.Run(append(args, "--json")...).Is(command.Done))[0]), &o); err != nil ||
			o.Mismatch == nil || o.Mismatch.Differs == nil || o.Status.Success {
			t.Errorf("%q --json is %+v: %v", args, o, err)
		}
	}
	h.Run("transactions", "--all", "--totals").Is(command.Done).Prints("NGN\tMISMATCH\t1\t12.50\t0\n")
}

// The rows that changed come from the mirror: those of the last two readings, or with --all since the last one.
func TestWhatChangedSinceTheLastReading(t *testing.T) {
	h := listOf(t, 40)
	last := []string{"transactions", "--where", "since:last"}
	all := append(slices.Clone(last), "--all")
	h.Run(last...).Is(command.Failed).Says("is not saved yet", "--all")
	h.Run(all...).Is(command.Failed).Says("Saved: from the next time on", "no earlier scan to compare with", "again")
	h.Run(last...).Is(command.Failed).Says("saved once", "--all")
	h.Run(all...).Is(command.Done).Says("Nothing changed in between.")
	turn(h, "list.changes", "both")
	h.Run("transactions", "--per-page", "1").Is(command.Done)
	turn(h, "list.changes", "off")
	r := h.Run(all...).Is(command.Done).Says("1 new · 1 with another status", "each change happened between")
	if rows := lines(r); len(rows) != 2 {
		t.Errorf("%d rows: %q", len(rows), rows)
	}
	printed := h.Run(append(last, "--json")...).Is(command.Done)
	if o := read[output.Transactions](printed); o.Since == nil || o.Since.Rows != 40 || o.RowsRead != 41 || *o.RowsFound != 2 || !o.Trusted {
		t.Errorf("%+v", o)
	}
	for _, line := range lines(printed)[:2] {
		var c output.Transaction
		if err := json.Unmarshal([]byte(line), &c); err != nil || c.Position != 0 || (c.Was == "") != (c.Change == "new") || c.Seen == nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	h.Run(append(last, "--csv")...).Is(command.Done).Prints(",change,status_was\r\n", ",new,\r\n", ",moved,")
	h.Run(append(last, "--totals")...).Is(command.Done).Prints("\tall\t")
	if found := h.Run("transactions", "--where", "gone:last").Is(command.Done).Says("0 rows were found."); found.Out != "" {
		t.Errorf("found %q", found.Out)
	}
	h.Run("transactions", "--forget").Is(command.Done).Says("Removed the saved list")
	h.Run(last...).Is(command.Failed).Says("is not saved yet")
}

// A row whose ID is the reference of a payment made from here is found by that, as far as the list is read.
func TestPaymentsMadeFromHereAreFoundInTheList(t *testing.T) {
	h := listOf(t, 40)
	turn(h, "list.id", "reference")
	h.Run(byTransfer("--yes", "--timeout", "100ms")...)
	ref := h.Sandbox.Payments()[0].Reference
	if rows := lines(h.Run("transactions", "--where", "here").Is(command.Done).Says("1 of 1 reference matches a list ID.")); len(rows) != 1 || !strings.Contains(rows[0], ref) {
		t.Errorf("%q", rows)
	}
	h.Run("transactions", "--all", "--where", "not-here").Is(command.Done).Says("40 rows were found in 41 read.")
	turn(h, "list.id", "own")
	for _, where := range []string{"not-here", "not-here since:last"} {
		h.Run("transactions", "--all", "--where", where, "--json").Is(command.Done).Says("IDs may not be references here").Prints(`"why":["No reference matches a list ID`)
	}
	h.Run("transactions", "--all", "--where", "differs,absent").Is(command.Done).Says("0 rows were found in 41 read.")
}

// A reader that has enough, such as head, ends the command as SIGPIPE does, without a word.
func TestAReaderThatLeavesEndsTheListQuietly(t *testing.T) {
	h := listOf(t, 2_000)
	cmd := h.Program("transactions", "--all")
	var talk strings.Builder
	cmd.Stderr = &talk
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	_, err = io.ReadFull(out, make([]byte, 100))
	must(t, err)
	out.Close()
	var exited *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exited) || exited.ExitCode() != 141 || talk.Len() > 0 {
		t.Errorf("it ended with %v and %q", err, talk.String())
	}
}

// listAs is a host whose service has so many rows, and answers to another request for a page than the one that came.
func listAs(t *testing.T, rows int, answers func(url.Values)) *clitest.Host {
	var behind atomic.Pointer[clitest.Host]
	wilful := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		answers(q)
		r.URL.RawQuery = q.Encode()
		behind.Load().Sandbox.ServeHTTP(w, r)
	}))
	t.Cleanup(wilful.Close)
	h := clitest.New(t, clitest.Options{Sandbox: sandbox.Options{Transactions: rows}, Origin: wilful.URL})
	behind.Store(h)
	return h
}

// More than 1,000 pages are read on purpose alone.
func TestAVeryLongListNeedsAYes(t *testing.T) {
	h := listAs(t, 2_003, func(q url.Values) { q.Set("perPage", "2") })
	r := h.Run("transactions", "--all", "--json").Is(command.Usage).Says("Add --yes to read more").Lacks("paydesk.transaction/1") // before a row is printed
	if end := read[output.Transactions](r); end.Complete || end.RowsRead == 2_003 {
		t.Errorf("%+v", end)
	}
	at := h.Terminal("transactions", "--all", "--totals")
	at.Sees("\r\x1b[K").Sees("1,000 pages were read: 2,000 rows.").Sees("2 more pages").Sees("Read more than 1,000 pages? [y/N]").Type("y\r")
	at.Sees("Currency").Sees("2,003 rows read at").Ends(command.Done)
}

// Whatever text the service sends, a row is a row: nothing in it acts on a terminal or adds a line.
func TestHostileTextStaysInItsRow(t *testing.T) {
	h := listOf(t, 150)
	arm(h, "all", "hostile-readable", 0)
	for args, want := range map[string]int{
		"": 20, "--json": 21, "--csv": 21, "--all --json": 151, "--totals": 0, "--totals --json": 1,
	} {
		ends := command.Done
		if strings.Contains(args, "--all") { // the hostile texts repeat, so the list is not one
			ends = command.NotFinal
		}
		r := h.Run(strings.Fields("transactions " + args)...).Is(ends) // and clitest has looked for control characters
		if n := len(objects(r)); n != want && want > 0 {
			t.Errorf("%q prints %d lines", args, n)
		}
	}
	r := h.Run("transactions", "--per-page", "100").Is(command.Done)
	for _, line := range lines(r) {
		if strings.Count(line, "\t") != 4 {
			t.Errorf("%q has another number of columns", line)
		}
	}
}

func TestCtrlCEndsAListAndSaysHowFarItCame(t *testing.T) {
	h := listOf(t, 2000)
	must(t, h.Sandbox.Arm("transactions", "no-answer", 0))
	h.Terminal("transactions", "--all").Sees("Reading the first page").Type("\x03").Sees("Stopped at row 0").Ends(130)
}
