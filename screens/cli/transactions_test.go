package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/sandbox"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/screens"
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
	h.Run(last...).Is(command.Failed).Says("Nothing is kept", "--all")
	h.Run(all...).Is(command.Done).Says("Kept: from the next time on")
	h.Run(last...).Is(command.Failed).Says("kept once", "--all")
	h.Run(all...).Is(command.Done).Says("Nothing changed in between.")
	turn(h, "list.changes", "both")
	h.Run("transactions", "--per-page", "1").Is(command.Done)
	turn(h, "list.changes", "off")
	r := h.Run(all...).Is(command.Done).Says("1 new · 1 with another status", "what changed did so between")
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
	h.Run("transactions", "--forget").Is(command.Done).Says("Removed what was kept")
	h.Run(last...).Is(command.Failed).Says("Nothing is kept")
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
	h := listOf(t, 20_000)
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

// manyPages is a host whose service gives two rows a page, on 1,002 pages.
func manyPages(t *testing.T) *clitest.Host {
	var behind atomic.Pointer[clitest.Host]
	sparing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		q.Set("perPage", "2")
		r.URL.RawQuery = q.Encode()
		behind.Load().Sandbox.ServeHTTP(w, r)
	}))
	t.Cleanup(sparing.Close)
	h := clitest.New(t, clitest.Options{Sandbox: sandbox.Options{Transactions: 2_003}, Origin: sparing.URL})
	behind.Store(h)
	return h
}

// More than 1,000 pages are read on purpose alone.
func TestAVeryLongListNeedsAYes(t *testing.T) {
	h := manyPages(t)
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
	must(t, h.Sandbox.Arm("transactions", "F13", 0))
	h.Terminal("transactions", "--all").Sees("Reading the first page").Type("\x03").Sees("Stopped at row 0").Ends(130)
}

func TestFinalizeIsSentOnceAndOnlyWhenItCanBe(t *testing.T) {
	h := clitest.New(t)
	r := made(h, byCardOf(challenged, 800))
	h.Run("finalize", r, "--yes").Is(command.Failed).Says("complete the bank's check first", "Nothing was sent")
	h.Sandbox.Approve(r)
	h.Run("finalize", r).Is(command.Usage).Says("Nothing was sent", "--yes")
	o := read[output.Finalization](h.Run("finalize", r, "--yes", "--json").Is(command.Done))
	if o.Schema != output.FinalizationSchema || !o.Accepted || o.Reference != r || o.Word != "completed" {
		t.Errorf("%+v", o)
	}
	h.Run("finalize", r, "--yes").Is(command.Duplicate).Says("already finalized", "Nothing was sent")
	for _, settled := range []bool{false, true} { // one thing has one code
		if settled {
			h.Sandbox.Settle(r)
		}
		o := h.Run("finalize", r, "--yes", "--json").Is(command.Duplicate).Says("Nothing was sent").Refusal()
		if o.Code != "finalized" || o.Sent != "not sent" || o.Command != "paydesk status "+r+" --until final" {
			t.Errorf("settled %t: %+v", settled, o)
		}
	}
	bad := made(h, byCardOf(declined, 999))
	h.Run("finalize", bad, "--yes").Is(command.PaymentFailed).Says("nothing to finalize")
	h.Run("finalize", "UNKNOWN1", "--yes").Is(command.Refused).Says("no record of it", "Nothing was sent")
}

// A finalize whose answer was lost is not known to have happened, and is not repeated at once.
func TestALostFinalizeIsUnresolved(t *testing.T) {
	h := clitest.New(t, clitest.Options{Sandbox: sandbox.Options{Settle: time.Hour}})
	r := made(h, byCardOf(approved, 1250))
	arm(h, "finalize", "F11", 1)
	h.Run("finalize", r, "--yes").Is(command.Unresolved).Says("paydesk status " + r)
	h.Run("finalize", r, "--yes").Is(command.Duplicate).Says("Nothing was sent")
	h.Run("status", r).Is(command.Unresolved).Prints("FINALIZE UNKNOWN")
}

func TestALiveFinalizeIsTyped(t *testing.T) {
	h := clitest.New(t, clitest.Options{Live: true})
	h.Terminal(byTransfer("--no-wait")...).Sees("profile's name").Type("shop\r").Sees("to send it:").Type("4000.00\r").Sees("Account").Ends(command.Done)
	r := h.Sandbox.Payments()[0].Reference
	h.Run("finalize", r, "--yes", "--customer-done").Is(command.Locked).Says("needs a person at a terminal", "Nothing was sent")
	h.Terminal("finalize", r, "--yes", "--customer-done").Sees("--yes is for test").Ends(command.Usage)
	h.Terminal("finalize", r, "--customer-done").Sees("4,000.00 NGN by ").Sees("Type the profile's name, shop").Type("shop\r").
		Sees("Type 4000.00").Type("4000\r").Sees("Nothing was sent").Ends(command.Failed)
	h.Terminal("finalize", r, "--customer-done").Sees("profile's name").Type("shop\r").Sees("Type 4000.00").Type("4000.00\r").Sees("accepted").Ends(command.Done)
}

func TestAuthenticateSaysWhetherTheBankIsNeeded(t *testing.T) {
	h := clitest.New(t)
	r := made(h, byCardOf(challenged, 800))
	h.Run("authenticate", r).Is(command.Done).Prints("Needed\tthe customer must authenticate at their bank\n", "Address\t"+h.Origin+"/bank/").Says("--open serves it once")
	o := read[output.Authentication](h.Run("authenticate", r, "--json").Is(command.Done))
	if o.Status != "AUTHENTICATION_REQUIRED" || o.ResponseCode != "00" {
		t.Errorf("%+v", o)
	}
	if !o.AsksCustomer || o.PageBytes == 0 || !strings.HasPrefix(o.URL, h.Origin) {
		t.Errorf("%+v", o)
	}
	h.Run("authenticate", made(h, aTransfer())).Is(command.Failed).Says("Only cards", "Nothing was requested")
	h.Run("authenticate", "UNKNOWN1").Is(command.Refused)
}

func TestChannelsAreValidated(t *testing.T) {
	h := clitest.New(t)
	h.Run("validate", "--currency", "GBP", "--amount", "12").Is(command.Done).Prints("Card\tCard\t")
	o := read[output.Validation](h.Run("validate", "--currency", "GBP", "--amount", "12", "--json").Is(command.Done))
	if !o.Valid || o.Amount.Minor != "1200" || len(o.Channels) == 0 || o.Channels[0].Alias != "Card" {
		t.Errorf("%+v", o)
	}
	h.Run("validate", "Card", "Nonsense", "--currency", "GBP", "--amount", "12").Is(command.Refused).Prints("Card\t").Says("A channel that was named cannot be used for 12.00 GBP")
	h.Run("validate", "card", "--currency", "GBP", "--amount", "12").Is(command.Done).Prints("Card\t")
	h.Run("validate", "bogus", "--currency", "GBP", "--amount", "12").Is(command.Refused).Says("No channel can be used for 12.00 GBP").Lacks("bogus")
	for says, args := range map[string][]string{
		"--currency is missing": {"--amount", "12"}, "--amount: ": {"--currency", "GBP", "--amount", "WRONG"}, "above 0": {"--currency", "GBP", "--amount", "0"},
	} {
		h.Run(append([]string{"validate"}, args...)...).Is(command.Usage).Says(says).Lacks("WRONG")
	}
}

// A payment that was made elsewhere has a case as well: what the service says now, then what was looked up.
func TestACaseOfAPaymentMadeElsewhere(t *testing.T) {
	h := clitest.New(t)
	ref := made(h, byCardOf(approved, 700))
	there := []string{"--state-dir", filepath.Join(t.TempDir(), "state")}
	h.Run(with(there, "case", ref)...).Is(command.Done).Prints(ref, "`7.00 GBP`", "`PENDING`").Lacks("Attempt: `")
	arm(h, "all", "F8", 0)
	h.Run(with(there, "case", ref)...).Is(command.Done).Prints(ref, "`7.00 GBP`").Says("the service was not asked")
}

// The channels are asked of whoever may send: in live a person types the profile's name first.
func TestLiveChannelsAreAskedOnceTheNameIsTyped(t *testing.T) {
	h := clitest.New(t, clitest.Options{Live: true})
	h.Run("validate", "--currency", "GBP", "--amount", "12").Is(command.Locked).Says("terminal")
	h.Terminal("validate", "--currency", "GBP", "--amount", "12").Sees("Type the profile's name").Type("shop\r").Sees("Card").Ends(command.Done)
}

// event is the body of an event of the specification.
func event(reference, status, amount string) string {
	return fmt.Sprintf(`{"Event":"PaymentSuccessful","Data":{"Reference":%q,"Amount":%s,"Currency":"GBP","PaymentStatus":%q}}`, reference, amount, status)
}

// delivered keeps events as a receiver does.
func delivered(h *clitest.Host, bodies ...string) {
	h.T.Helper()
	s := webhook.New(webhook.Options{Dir: h.StateDir()})
	defer s.Close()
	for _, b := range bodies {
		header := http.Header{"Content-Type": {"application/json"}, "X-Sent-By": {"the \u202eservice"}}
		if _, err := s.Keep(h.T.Context(), "shop", header, []byte(b)); err != nil {
			h.T.Fatal(err)
		}
	}
}

// events are the objects of webhook list.
func events(r clitest.Result) (all []output.Webhook) {
	r.T.Helper()
	for _, line := range lines(r) {
		all = append(all, read[output.Webhook](clitest.Result{T: r.T, Out: line}))
	}
	return all
}

func TestTheEventsAreListedTheLastDeliveredFirst(t *testing.T) {
	h := clitest.New(t)
	h.Run("webhook", "list").Is(command.Done)
	if _, err := os.Stat(filepath.Join(h.StateDir(), webhook.FileName)); err == nil {
		t.Error("listing made the file")
	}
	delivered(h, event("R1", "SUCCESSFUL", "12.50"), event("R2", "PENDING", "8"), event("R1", "SUCCESSFUL", "12.50"))
	got := fields(h.Run("webhook", "list").Is(command.Done))
	if len(got) != 2 || len(got[0]) != 8 {
		t.Fatalf("%q", got)
	}
	if w := []string{"1", "PaymentSuccessful", "R1", "12.50", "GBP", "waiting", "2"}; strings.Join(append(got[0][:1:1], got[0][2:]...), " ") != strings.Join(w, " ") {
		t.Errorf("%q is no %q", got[0], w)
	}
	if got[1][3] != "R2" || !strings.Contains(got[1][1], "T") {
		t.Errorf("%q", got[1])
	}
	h.Run("webhook", "list", "--where", "reference:R2").Is(command.Done).Prints("R2").Lacks("R1")
	h.Run("webhook", "list", "--limit", "1").Is(command.Done).Prints("R1").Lacks("R2")
	h.Run("webhook", "list", "--since", "1h").Is(command.Done).Prints("R1", "R2")
	h.Run("webhook", "list", "--where", "verdict:wrong").Is(command.Usage).Says("--where cannot be understood", "disagrees")
	h.Run("webhook", "list", "--since", "tomorrow").Is(command.Usage).Says("--since: must be a time")
	h.Run("webhook", "list", "--since", "2999-01-01").Is(command.Usage).Says("has not come yet")
	h.Run("webhook", "list", "--limit", "-1").Is(command.Usage).Says("--limit")
	o := events(h.Run("webhook", "list", "--json").Is(command.Done))
	if len(o) != 2 || o[0].Reference != "R1" || o[0].Claims.Outcome != "SUCCESSFUL" || o[0].Claims.Amount.Minor != "1250" || o[0].Deliveries != 2 || o[0].Service != nil {
		t.Errorf("%+v", o)
	}
}

// Whatever an event says, nothing of it acts on a terminal, adds a column or a line, or is a card number.
func TestHostileEventsAreOneLineEach(t *testing.T) {
	const card = "4242424242424242"
	h := clitest.New(t)
	hostile := `\u001b[2J\u202e\ttab\nline ` + card
	delivered(h, `{"Event":"`+hostile+`","Data":{"Reference":"R1","Amount":"`+hostile+`","Currency":"`+hostile+`","PaymentStatus":"`+hostile+`",`+
		`"Narration":"`+hostile+`","PaymentChannel":"`+hostile+`"}}`,
		"\x1b[2J not JSON \x00\xff "+card, strings.Repeat("[", 3000), "")
	for _, line := range fields(h.Run("webhook", "list").Is(command.Done).Lacks(card)) {
		if len(line) != 8 {
			t.Errorf("%d columns: %q", len(line), line)
		}
	}
	h.Run("webhook", "list", "--json").Is(command.Done).Lacks(card)
	for id := range 4 {
		h.Run("webhook", "show", strconv.Itoa(id+1)).Is(command.Done).Lacks(card).Prints("Header\tX-Sent-By: the <U+202E>service")
		h.Run("webhook", "show", strconv.Itoa(id+1), "--json").Is(command.Done).Lacks(card)
	}
	at := h.Terminal("webhook", "show", "2", "--body").Sees("not JSON").Ends
	at(command.Done)
	for _, id := range []string{"1", "2"} {
		at := h.Terminal("webhook", "show", id)
		at.Sees("Body").Ends(command.Done)
		if strings.Contains(at.Shown(), "\x1b[2J") || strings.Contains(at.Shown(), card) {
			t.Errorf("%q", at.Shown())
		}
	}
}

func TestAnEventIsShownWithWhatTheServiceSays(t *testing.T) {
	h := clitest.New(t)
	delivered(h, event("R1", "SUCCESSFUL", "12.50"))
	h.Run("webhook", "show", "1").Is(command.Done).Prints("State\twaiting", "Says\tSUCCESSFUL 12.50 GBP, unverified", "Header\tContent-Type: application/json", "Body\t{")
	if got := h.Run("webhook", "show", "1", "--body").Is(command.Done).Out; got != event("R1", "SUCCESSFUL", "12.50") {
		t.Errorf("the body is %q", got)
	}
	o := read[output.WebhookDetail](h.Run("webhook", "show", "1", "--json").Is(command.Done))
	if o.Body != event("R1", "SUCCESSFUL", "12.50") || len(o.Headers) != 2 || len(o.Delivered) != 1 || len(o.Sent) != 0 {
		t.Errorf("%+v", o)
	}
	h.Terminal("webhook", "show", "1").Sees("12.50 GBP, unverified").Sees(`"PaymentStatus": "SUCCESSFUL"`).Ends(command.Done)
	h.Run("webhook", "show", "7").Is(command.Refused).Says("There is no such event", "paydesk webhook list")
	h.Run("webhook", "show", "R1").Is(command.Usage).Says("a number")
	h.Run("webhook", "show", "1", "--body", "--json").Is(command.Usage).Says("one of --body and --json")
}

func TestWithoutAJournalNoWebhookIsKept(t *testing.T) {
	h := clitest.New(t, clitest.Options{Profile: "journal = \"off\"\n"})
	for _, args := range [][]string{{"webhook", "list"}, {"webhook", "path"}, {"webhook", "show", "1"}, {"listen"}} {
		h.Run(args...).Is(command.Failed).Says(`journal = "off"`)
	}
}

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
