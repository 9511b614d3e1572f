package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/api/journal"
	"paydesk/api/ledger"
	"paydesk/api/money"
	"paydesk/api/timely"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

// oneCompletes is held while a program completes: it exchanges the stderr of its process, and has one to itself elsewhere.
var oneCompletes sync.Mutex

// completed returns what a shell is told for a line.
func completed(h *clitest.Host, args ...string) string {
	h.T.Helper()
	oneCompletes.Lock()
	defer oneCompletes.Unlock()
	r, quick := clitest.Result{}, false
	for begun := time.Now(); !quick && time.Since(begun) < time.Minute; { // on a busy machine it ends before it has looked
		tried := time.Now()
		r = h.Run(append([]string{"__complete"}, args...)...).Is(command.Done)
		quick = time.Since(tried) < time.Second/2
	}
	if r.Err != "" {
		h.T.Errorf("completing %q says %q", args, r.Err)
	}
	return r.Out
}

// offered returns the words that a shell would offer for a line.
func offered(h *clitest.Host, args ...string) []string {
	h.T.Helper()
	var words []string
	lines := strings.Split(strings.TrimSpace(completed(h, args...)), "\n")
	for _, line := range lines[:len(lines)-1] { // the last is for the script
		word, _, _ := strings.Cut(line, "\t")
		words = append(words, word)
	}
	return words
}

func TestAShellIsOfferedCommandsAndOptions(t *testing.T) {
	h := clitest.New(t)
	for _, c := range []struct {
		typed []string
		want  string
	}{
		{[]string{"fin"}, "finalize"}, {[]string{"key", "s"}, "set show"}, {[]string{"status", "--unt"}, "--until"},
		{[]string{"status", "--until", ""}, "final"}, {[]string{"status", "--until="}, "final"},
		{[]string{"help", "exit"}, "exit-codes"}, {[]string{"help", "json", "aud"}, "audit"}, {[]string{"help", "safety", "fin"}, ""}, {[]string{"journal", "backup", "--pro"}, ""},
		{[]string{"collect", "--channel", "t"}, "transfer"}, {[]string{"collect", "--currency", "NG"}, "NGN"},
		{[]string{"--profile", ""}, "shop"}, {[]string{"status", "--profile=s"}, "shop"}, {[]string{"status", "--profile", "x"}, ""},
		{[]string{"--profile", "shop", "fin"}, "finalize"}, {[]string{"bundle", "--js"}, ""},
	} {
		if got := offered(h, c.typed...); strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, not %q", c.typed, got, c.want)
		}
	}
}

// What is typed may be a card number or a key, and what is wrong is said when the command is run.
func TestCompletingRepeatsNothingAndFailsSilently(t *testing.T) {
	h := clitest.New(t)
	debug := filepath.Join(t.TempDir(), "debug")
	h.Env = map[string]string{"BASH_COMP_DEBUG_FILE": debug}
	for _, args := range [][]string{
		{}, {"4111111111111111"}, {"status", "4111111111111111", ""}, {"status", "sk_live_CANARY0000000000", ""}, {"CANARY", ""},
		{"--CANARY", ""}, {"status", "--CANARY=1"}, {"status", "--timeout", "CANARY", ""}, {"status", "--until=CANARY", ""}, {"key", "set", "CANARY", ""},
	} {
		r := h.Exec(append([]string{"__complete"}, args...)...).Is(command.Done).Lacks("CANARY", "4111")
		if r.Err != "" {
			t.Errorf("%q: %q", args, r.Err)
		}
	}
	if written, err := os.ReadFile(debug); !os.IsNotExist(err) {
		t.Errorf("%q was written, %v", written, err)
	}
	for _, typed := range [][]string{{"status", ""}, {"link", "show", ""}, {"activity", "show", ""}} {
		if got := offered(h, typed...); got != nil {
			t.Errorf("%q: %q", typed, got)
		}
	}
	if _, err := os.Stat(h.StateDir()); !os.IsNotExist(err) {
		t.Errorf("the folder of the journal was created: %v", err)
	}
	ran := filepath.Join(t.TempDir(), "ran")
	h.Configure(fmt.Sprintf("-- default --\nshop\n-- config.toml --\n[journal]\nstore = \"postgres\"\nurl = \"postgres://paydesk@127.0.0.1:9/payments\"\n"+
		"password_command = [\"touch\", %q]\n-- profiles/shop.toml --\nenvironment = \"test\"\nbase_url = %q\nlist_url = %q\nkey = \"env\"\n", filepath.ToSlash(ran), h.Origin, h.Origin))
	if got := offered(h, "link", "show", ""); got != nil {
		t.Errorf("of a team's journal %q is offered", got)
	}
	if _, err := os.Stat(ran); !os.IsNotExist(err) {
		t.Error("the password command was run")
	}
	h.Configure("this is no configuration")
	if got := offered(h, "--profile", ""); got != nil {
		t.Errorf("%q is offered", got)
	}
}

// record writes down what a console has sent at the host of h.
func record(h *clitest.Host) (j *journal.Journal, attempts []string) {
	h.T.Helper()
	j = journal.New(journal.Options{Dir: h.StateDir()})
	h.T.Cleanup(func() { j.Close() }) // no open file is removed on Windows
	ngn, err := money.ParseCurrency("NGN")
	must(h.T, err)
	at := ledger.Destination{Profile: "shop", Environment: "TEST", Host: strings.TrimPrefix(h.Origin, "http://")}
	for i, r := range []api.Reference{"XHCQVX9BB5", "X4111111111111111", "4242424242424242", "P$(touch pwned)"} {
		a, err := j.Begin(h.T.Context(), ledger.Attempt{
			Kind: ledger.Initiate, Destination: at, Amount: money.Amount{Minor: int64(400_000 + i), Currency: ngn}, Channel: "Card",
		}, ledger.Payer{}, nil)
		must(h.T, err)
		plain(h, "q").Is(command.Done).Prints("To resolve: "+string(a.ID)+", ", "SENT") // its console may be gone
		must(h.T, j.End(context.Background(), a.ID, ledger.Result{Outcome: ledger.Accepted, Payment: &api.Payment{Reference: r}}))
		attempts = append(attempts, string(a.ID))
	}
	must(h.T, j.Pin(h.T.Context(), at, "PINNED7777"))
	return j, attempts
}

var must = timely.Must

func TestAShellIsOfferedWhatTheJournalKnows(t *testing.T) {
	h := clitest.New(t)
	j, attempts := record(h)
	alias := read[output.Link](h.Run("link", "create", "--name", "Gift", "--description", "any", "--currency", "NGN", "--customer-chooses", "--yes", "--json").Is(command.Done)).Alias
	for _, running := range []bool{true, false} { // while a console has it open, and after
		if !running {
			must(t, j.Close())
		}
		before := folder(t, h.StateDir())
		for line, want := range map[string][]string{
			"status ": {"PINNED7777", "XHCQVX9BB5"}, "status XHCQVX9BB5 ": {"PINNED7777"}, "case XH": {"XHCQVX9BB5"}, "case XHCQVX9BB5 ": nil, // it takes one
			"link show ": {alias}, "resolve " + attempts[0][:6]: attempts[:1],
		} {
			if got := offered(h, strings.Split(line, " ")...); !slices.Equal(got, want) {
				t.Errorf("%s: %q, not %q", line, got, want)
			}
		}
		told := completed(h, "status", "") + completed(h, "activity", "show", "")
		if len(offered(h, "activity", "show", "")) != 5 || strings.Count(told, "\t4,000.00 NGN") != 2 || strings.Contains(told, "\t0.00") || !strings.Contains(told, "PINNED7777\tpinned ") {
			t.Errorf("%q", told)
		}
		if after := folder(t, h.StateDir()); after != before {
			t.Errorf("the folder had %s, and has %s", before, after)
		}
	}
}

// folder lists the files of the journal with their contents, but for the index of its log, which every reader writes.
func folder(t *testing.T, path string) string {
	t.Helper()
	var b bytes.Buffer
	entries, err := os.ReadDir(path)
	must(t, err)
	for _, e := range entries {
		about, err := e.Info()
		must(t, err)
		b.WriteString(e.Name() + " ")
		if !strings.HasSuffix(e.Name(), "-shm") {
			b.WriteString(about.ModTime().String() + "; ")
		}
	}
	return b.String()
}
