package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/money"
	"paydesk/api/servicetest"
	"paydesk/api/webhook"
	"paydesk/keystore"
	"paydesk/keystore/keystoretest"
	"paydesk/screens"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
	"paydesk/ui"
)

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
	for _, since := range []string{"tomorrow", "0", "-2h"} {
		h.Run("webhook", "list", "--since", since).Is(command.Usage).Says("--since: must be a duration above 0")
	}
	h.Run("webhook", "list", "--since", "1ns").Is(command.Done).Lacks("R1")
	h.Run("webhook", "list", "--limit", "-1").Is(command.Usage).Says("--limit")
	o := events(h.Run("webhook", "list", "--json").Is(command.Done))
	if len(o) != 2 || o[0].Reference != "R1" || o[0].Claims.Outcome != "SUCCESSFUL" || o[0].Claims.Amount.Minor != "1250" || o[0].Deliveries != 2 || o[0].Service != nil {
		t.Errorf("%+v", o)
	}
	zone := map[bool]string{true: "Etc/GMT-14", false: "Etc/GMT+12"}[time.Now().UTC().Hour() >= 10] // whose day is another than that of UTC
	if _, err := time.LoadLocation(zone); err == nil {                                              // days are those of the zone in which times are shown
		h.Configure("-- config.toml --\ntime_zone = \"" + zone + "\"\n" + keystoretest.Read(t, h.ConfigFolder()))
		h.Exec("webhook", "list", "--where", "day:today").Is(command.Done).Prints("R1", "R2")
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
		h.Run("webhook", "show", strconv.Itoa(id+1)).Is(command.Done).Lacks(card, "Says\t, unverified").Prints("Header\tX-Sent-By: the <U+202E>service")
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
	plain(h, "webhook show", "1", "", "q").Is(command.Done).Says("The ID:\n")
	h.Run("webhook", "show", "7").Is(command.Refused).Says("There is no such event", "paydesk webhook list")
	h.Run("webhook", "show", "R1").Is(command.Usage).Says("a number")
	h.Run("webhook", "show", "1", "--body", "--json").Is(command.Usage).Says("one of --json and --body")
}

func TestWithoutAJournalNoWebhookIsKeptAndNoListCompared(t *testing.T) {
	h := clitest.New(t, clitest.Options{Profile: "journal = \"off\"\n"})
	for _, args := range [][]string{{"webhook", "list"}, {"webhook", "path"}, {"webhook", "show", "1"}, {"listen"}} {
		h.Run(args...).Is(command.Failed).Says(`journal = "off"`)
	}
	h.Run("transactions", "--all", "--where", "not-here").Is(command.Failed).Says("The journal is off for this profile").Lacks("found in")
}

// What f5 copies is run in a shell, with the key in its environment, against the sandbox.
func TestWhatIsCopiedForCurlRuns(t *testing.T) {
	for _, program := range []string{"curl", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("there is no " + program + " here")
		}
	}
	h := clitest.New(t)
	c, err := api.New(api.Config{BaseURL: h.Origin, ListURL: h.Origin, Key: servicetest.Key(clitest.Key)})
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
		{api.Call{Operation: api.OpTransactions, Page: 2, PerPage: 3}, `"perPage":3`},
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

// What a row says last goes on below it, since a terminal breaks a word anywhere. A name that has no room is left whole.
func TestTheWordsOfARowGoOnBelowIt(t *testing.T) {
	var out strings.Builder
	table := output.New(&out, output.Options{Terminal: true, Width: 40}).Table(ui.Column{Title: "ID", Width: 3, Right: true}, ui.Column{Title: "Verdict"})
	for _, says := range []string{"agrees", "disagrees: MISMATCH, the service says SUCCESSFUL", "https://shop.example/hooks/of/one/of/many/targets"} {
		table.Row(output.Cells("7", says)...)
	}
	const want = " ID  Verdict\n  7  agrees\n  7  disagrees: MISMATCH, the service\n     says SUCCESSFUL\n  7  https://shop.example/hooks/of/one/of/many/targets\n"
	if out.String() != want {
		t.Errorf("it prints\n%s", out.String())
	}
}
