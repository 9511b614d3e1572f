package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paydesk/api/journal"
	"paydesk/screens/cli/clitest"
	"paydesk/screens/cli/command"
	"paydesk/screens/cli/output"
)

var chairs = []string{"link", "create", "--name", "Chairs", "--description", "six oak chairs", "--currency", "GBP", "--amount", "120"}

// The options of more take the place of the same ones before them.
func with(args []string, more ...string) []string {
	args = slices.Clone(args)
	for _, option := range more {
		if at := slices.Index(args, option); at >= 0 && strings.HasPrefix(option, "--") && args[at] != "--meta" {
			end := at + 1
			for end < len(args) && !strings.HasPrefix(args[end], "--") {
				end++
			}
			args = slices.Delete(args, at, end)
		}
	}
	return append(args, more...)
}

func TestALinkIsCreatedAndListed(t *testing.T) {
	h := clitest.New(t)
	h.Run(chairs...).Is(command.Usage).Says("Nothing was sent", "--yes")
	h.Terminal(with(chairs, "--no-input")...).Sees("Add --yes").Ends(command.Usage)
	made := h.Run(with(chairs, "--yes", "--json")...).Is(command.Done)
	var o struct{ Schema, State, Alias, URL, Attempt string }
	if err := json.Unmarshal([]byte(made.Out), &o); err != nil || o.Schema != "paydesk.link/1" || o.State != "ready" || o.Attempt == "" {
		t.Fatal(made.Out, err)
	}
	h.Run("link", "list").Is(command.Done).Prints(o.Alias+"\t120.00\tGBP\t0\t0\t", "\tChairs\t"+o.URL+"\n")
	h.Run("link", "list", "--where", "tables").Is(command.Done).Lacks("Chairs")
	h.Run("link", "show", o.Alias).Is(command.Done).Prints("URL\t"+o.URL, "Description\tsix oak chairs\n", "Can be paid\tonce\n", "Environment\tTest\n", "Status\tNew\n")
	if l := read[output.Link](h.Run("link", "show", o.Alias, "--json").Is(command.Done)); l.Description != "six oak chairs" || l.Type != "one-time" || l.Environment != "Test" || l.Status != "New" {
		t.Errorf("%+v", l)
	}
	gift := []string{"link", "create", "--name", "Gift", "--description", "what you like", "--currency", "NGN", "--customer-chooses", "--reusable", "--yes"}
	many := read[output.Link](h.Run(with(gift, "--json")...).Is(command.Done).Prints(`"customer_chooses":true`).Lacks(`"amount"`))
	h.Run("link", "list").Is(command.Done).Prints("\t\tNGN\t0\t0\t")
	h.Run("link", "show", many.Alias).Is(command.Done).Prints("Can be paid\tmany times\n")
	h.Run("link", "show", o.URL, "--qr").Is(command.Done).Prints("▀")
	h.Run("link", "show", "NONE").Is(command.Refused).Says("no link with this alias")
	h.Run("activity", "show", strings.ToUpper(o.Attempt[:4])).Is(command.Done).Prints("Attempt\t"+o.Attempt, "Link\t"+o.Alias)
}

// The same link again is held back, and sent only for whoever names the one before.
func TestALinkLikeAnotherIsHeldBack(t *testing.T) {
	h := clitest.New(t)
	h.Run(with(chairs, "--yes")...).Is(command.Done)
	held := h.Run(with(chairs, "--yes")...).Is(command.Duplicate).Says("looks like a duplicate", "same name")
	_, rest, _ := strings.Cut(held.Err, "--allow-duplicate ")
	id, _, _ := strings.Cut(rest, " ")
	h.Run(with(chairs, "--yes", "--allow-duplicate", "zzzz")...).Is(command.Duplicate)
	h.Run(with(chairs, "--yes", "--allow-duplicate", id)...).Is(command.Refused).Says("name") // the service has one of that name
}

func TestALiveLinkIsTyped(t *testing.T) {
	h := clitest.New(t, clitest.Options{Live: true})
	h.Run(with(chairs, "--yes")...).Is(command.Locked).Says("needs a person at a terminal", "Nothing was sent")
	h.Terminal(with(chairs, "--yes")...).Sees("--yes is for test").Ends(command.Usage)
	h.Terminal(chairs...).Sees("Type the profile's name, shop").Type("shop\r").Sees("Type 120.00").Type("120\r").Sees("Nothing was sent").Ends(command.Failed)
	h.Terminal(chairs...).Sees("profile's name").Type("shop\r").Sees("Type 120.00").Type("120.00\r").Sees("CREATED").Ends(command.Done)
	h.Run("link", "list").Is(command.Done).Prints("\t120.00\tGBP\t")
}

// answerLinks puts a server between paydesk and the sandbox that replaces texts in the answers.
func answerLinks(t *testing.T, h *clitest.Host, pairs ...string) {
	t.Helper()
	through(h, func(w http.ResponseWriter, r *http.Request) {
		rewritten(h, w, r, strings.NewReplacer(pairs...).Replace)
	})
}

// A link that is not as it was asked for is not printed as ready, and has no URL until a person has read how it differs.
func TestALinkThatDiffersIsNotReady(t *testing.T) {
	h := clitest.New(t)
	answerLinks(t, h, `"amount":120.00}`, `"amount":12000.00}`)
	r := h.Run(with(chairs, "--yes", "--qr")...).Is(command.Unresolved).Says("MISMATCH", "Do not pass it on").
		Prints("State\tMISMATCH", "asked 120.00 GBP, answered 12,000.00 GBP").Lacks("/pay/", "▀")
	_, rest, _ := strings.Cut(r.Out, "Alias\t")
	alias, _, _ := strings.Cut(rest, "\n")
	h.Run("link", "list").Is(command.Done).Prints("MISMATCH\t").Lacks("/pay/")
	h.Run("link", "show", alias, "--json").Is(command.Unresolved).Prints(`"state":"differs"`).Lacks("/pay/")
	h.Run("link", "show", alias, "--qr").Is(command.Unresolved).Lacks("/pay/", "▀")
	h.Terminal("link", "show", alias).Sees("asked 120.00 GBP").Sees("Have you read how it differs?").Type("n\r").Ends(command.Unresolved)
	h.Terminal("link", "show", alias).Sees("Have you read how it differs?").Type("\x03").Ends(130)
	h.Run("link", "show", alias).Is(command.Unresolved).Lacks("/pay/")
	h.Terminal("link", "show", alias).Sees("Have you read how it differs?").Type("y\r").Sees("/pay/" + alias).Ends(command.Done)
	h.Run("link", "show", alias).Is(command.Done).Prints("/pay/" + alias)
}

func TestALinkInAnotherEnvironmentIsNotPrinted(t *testing.T) {
	h := clitest.New(t)
	answerLinks(t, h, `"environment":"Test"`, `"environment":"Live"`)
	for _, format := range [][]string{{"--yes"}, {"--yes", "--json", "--name", "Tables"}} {
		r := h.Run(with(chairs, format...)...).Is(command.Unresolved).Says("ENVIRONMENT MISMATCH", "Do not pass it on").Lacks("/pay/")
		if r.Out != "" && r.Refusal().Code != "mismatch" {
			t.Errorf("it prints %q", r.Out)
		}
	}
	alias := read[output.Link](h.Run("link", "list", "--json").Is(command.Done).Prints(`"state":"differs"`).Lacks("/pay/", `"state":"ready"`)).Alias
	h.Run("link", "show", alias).Is(command.Unresolved).Prints("asked TEST, answered Live").Lacks("/pay/")
	h.Run(with([]string{"collect", "--channel", "transfer", "--link", alias, "--yes"}, ada...)...).Is(command.Unresolved).Says("Nothing was sent")
	hasMade(h, 0)
}

// A link that nobody can be sent to is not ready, however well it was created.
func TestALinkWithoutASafeURLIsNotReady(t *testing.T) {
	h := clitest.New(t)
	answerLinks(t, h, `"link":"http`, `"link":"ftp`)
	r := h.Run(with(chairs, "--yes", "--json")...).Is(command.Unresolved).Says("no URL that is safe to use", "ftp://").Prints(`"state":"no-url"`, `"unsafe":true`)
	if o := r.Refusal(); o.Code != "mismatch" || o.Sent != "accepted" || o.Next == "" || o.Attempt == "" {
		t.Errorf("%+v", o)
	}
	alias := read[output.Link](h.Run("link", "list", "--json").Is(command.Done)).Alias
	h.Run("link", "show", alias).Is(command.Unresolved).Says("no URL that is safe to use")
	answerLinks(t, h, `"link":"http`, `"none":"http`) // one that is missing is not unsafe
	h.Run(with(chairs, "--yes", "--json", "--name", "Tables")...).Is(command.Unresolved).Prints(`"state":"no-url"`).Lacks(`"unsafe"`)
}

// lost initiates a payment whose answer is lost, and returns its attempt and the reference that the service gave it.
func lost(h *clitest.Host) (id, reference string) {
	h.T.Helper()
	arm(h, "initiate", "lost-reset", 1)
	h.Run(aTransfer().args...).Is(command.Unresolved)
	a := read[output.Attempt](h.Run("activity", "--limit", "1", "--json").Is(command.Done))
	return a.ID, h.Sandbox.Payments()[0].Reference
}

// The decision is that of the attempt's screen: the reference is checked with the service, and a person confirms it.
func TestALostPaymentIsFoundByItsReference(t *testing.T) {
	h := clitest.New(t)
	other := made(h, byCardOf(approved, 1250))
	known := read[output.Attempt](h.Run("activity", "--json", "--limit", "1").Is(command.Done)).ID
	id, ref := lost(h)
	h.Run("activity").Is(command.Done).Prints(id+"\t", "UNRESOLVED")
	h.Run("activity", "show", id).Is(command.Unresolved).Says("paydesk resolve ")
	h.Run("resolve", id, "--not-found", "--yes").Is(command.Failed).Says("Nothing was recorded", "ten minutes after").Lacks("no longer listed")
	h.Run("resolve", id, "--found", "UNKNOWN1", "--yes").Is(command.Refused).Says("no payment with this reference", "nothing was recorded")
	h.Run("resolve", id, "--found", ref).Is(command.Usage).Says("The service reports PENDING, 4,000.00 NGN.", "Nothing was recorded", "--yes")
	h.Terminal("resolve", id, "--found", ref).Sees("4,000.00 NGN").Sees("[y/N]").Type("n\r").Sees("Nothing was recorded").Ends(command.Failed)
	h.Run("resolve", id, "--found", other).Is(command.Locked).Says("ANOTHER AMOUNT: 12.50 GBP instead of 4,000.00 NGN.", "Nothing was recorded")
	h.Run("resolve", id, "--found", other, "--yes").Is(command.Locked).Says("ANOTHER AMOUNT", "Nothing was recorded", "at a terminal").Lacks("Add --yes")
	h.Terminal("resolve", id, "--found", other, "--yes").Sees("ANOTHER AMOUNT").Sees("[y/N]").Type("\r").Sees("Nothing was recorded").Ends(command.Failed)
	h.Run("activity", "show", id).Is(command.Unresolved)
	at := h.Terminal("resolve", id, "--give-up").Sees("[y/N]")
	o := read[output.Decision](h.Run("resolve", id[:4], "--found", ref, "--yes", "--json").Is(command.Done))
	if o.Attempt != id || o.Decision != "found" || o.Reference != ref {
		t.Errorf("%+v", o)
	}
	at.Type("y\r").Sees("Nothing was recorded").Ends(command.Failed) // what another decided meanwhile stands
	h.Run("activity", "show", id).Is(command.Done).Prints("Reference\t"+ref, "found").Lacks("gave up")
	again := h.Run("resolve", id, "--found", ref, "--yes", "--json").Is(command.Failed).Says("already recorded", "Nothing was recorded").Lacks("Fix that").Refusal()
	if again.Code != "recorded" || again.Attempt != id || again.Command != "paydesk activity" {
		t.Errorf("%+v", again)
	}
	for _, as := range [][]string{{"--found", other}, {"--not-found"}, {"--give-up"}} {
		if o := h.Run(append([]string{"resolve", known, "--json", "--yes"}, as...)...).Is(command.Failed).Says("nothing to decide").Refusal(); o.Code != "recorded" {
			t.Errorf("%q: %+v", as, o)
		}
	}
}

// What the service has was made: --yes does not say otherwise, a person at a terminal may.
func TestAPaymentThatTheServiceHasIsNotUnmadeByYes(t *testing.T) {
	h := clitest.New(t)
	id, ref := lost(h)
	h.Run("resolve", id, "--found", ref, "--yes").Is(command.Done)
	h.Run("resolve", id, "--not-found", "--yes").Is(command.Locked).Says("The service reports PENDING, 4,000.00 NGN.", "a person at a terminal", "Nothing was recorded")
	h.Terminal("resolve", id, "--not-found", "--yes").Sees("4,000.00 NGN").Sees("[y/N]").Type("n\r").Sees("Nothing was recorded").Ends(command.Failed)
	h.Run("activity", "show", id).Is(command.Done).Prints("Reference\t"+ref, "found")

	h = clitest.New(t, clitest.Options{Profile: "send_reference = true\n"}) // the service knows it by ours
	id, _ = lost(h)
	h.Run("resolve", id, "--give-up", "--yes").Is(command.Locked).Says("The service reports PENDING, 4,000.00 NGN.", "a person at a terminal", "Nothing was recorded")
}

// What the service cannot confirm is not recorded by --yes: the attempt would hold nothing like it back any more. A person who saw
// the payment elsewhere may record it, and is told.
func TestAReferenceThatCannotBeCheckedIsRecordedByAPersonAlone(t *testing.T) {
	h := clitest.New(t)
	id, ref := lost(h)
	for _, fault := range []string{"lost-answer", "unauthorized", "error-500", "http-404"} { // no answer, no access, an error of the service, a 404 of a gateway
		h.Sandbox.ClearFaults()
		arm(h, "transaction", fault, 0)
		o := h.Run("resolve", id, "--found", ref, "--yes", "--json").Is(command.Locked).Says("The reference could not be checked", "Nothing was recorded").Refusal()
		if o.Code != "locked" || o.Attempt != id || !strings.Contains(o.Next, "at a terminal") || o.Command != "paydesk" {
			t.Errorf("%s: %+v", fault, o)
		}
		h.Run("activity", "show", id).Is(command.Unresolved)
	}
	h.Terminal("resolve", id, "--found", ref, "--yes").Sees("could not be checked").Sees("[y/N]").Type("y\r").Sees("Recorded").Ends(command.Done)
	h.Run("resolve", id, "--give-up", "--yes").Is(command.Locked).Says("The reference could not be checked", "Nothing was recorded")
	h.Run("activity", "show", id).Is(command.Done).Prints("Reference\t"+ref, "found")
}

func TestOneDecisionIsGiven(t *testing.T) {
	h := clitest.New(t)
	turn(h, "transfer.paid", "on-demand") // the payment stays in progress, however long the commands take
	id, ref := lost(h)
	sent := len(h.Sandbox.Payments())
	h.Run("resolve", id).Is(command.Usage).Says("give one decision")
	h.Run("resolve", id, "--not-found", "--give-up").Is(command.Usage).Says("give one decision")
	h.Run("resolve", id, "--found", "4242 4242 4242 4242").Is(command.Usage).Says("card number").Lacks("4242")
	h.Run("resolve", id, "--answer-right", "--yes").Is(command.Failed).Lacks("Recorded")
	h.Run("resolve", id, "--stop-following", "--yes").Is(command.Failed).Lacks("Recorded")
	h.Run("resolve", id, "--give-up", "--yes").Is(command.Done).Prints("Decision\tgave up")
	h.Run("resolve", id, "--take-back", "--yes").Is(command.Done)
	h.Run("activity", "show", id).Is(command.Unresolved)
	h.Run("resolve", id, "--found", ref, "--yes").Is(command.Done)
	h.Run("resolve", id, "--stop-following", "--yes").Is(command.Done)
	hasMade(h, sent)
}

// An attempt is unknown to any service but its own: the reference of another's payment is not its reference.
func TestAnAttemptIsDecidedAtItsOwnServiceOnly(t *testing.T) {
	h := clitest.New(t)
	id, _ := lost(h)
	other := clitest.New(t)
	theirs := made(other, aTransfer())
	h.Configure(fmt.Sprintf("-- default --\nother\n-- profiles/other.toml --\nenvironment = \"test\"\nbase_url = %q\nlist_url = %q\nkey = \"env\"\nallow_env_key = true\n", other.Origin, other.Origin))
	h.Run("resolve", id, "--found", theirs, "--yes").Is(command.Failed).Says("another service", "Nothing was recorded").Lacks("Recorded for")
	h.Run("resolve", id, "--give-up", "--yes").Is(command.Failed).Says("another service", "Nothing was recorded")
	h.Run("activity").Is(command.Done).Lacks(id)
	h.Run("activity", "--all-services").Is(command.Done).Prints(id)
}

// A link is found by its alias or its URL, about which the service cannot be asked.
func TestALostLinkIsFoundByItsURL(t *testing.T) {
	h := clitest.New(t)
	arm(h, "link", "lost-reset", 1)
	h.Run(with(chairs, "--yes")...).Is(command.Unresolved)
	a := read[output.Attempt](h.Run("activity", "--json").Is(command.Done))
	h.Run("link", "list").Is(command.Done).Prints("UNRESOLVED\t")
	h.Run("resolve", a.ID, "--found", "no alias", "--yes").Is(command.Usage).Says("--found: ")
	h.Run("resolve", a.ID, "--found", h.Origin+"/pay/0-found01", "--yes").Is(command.Done).Prints("found 0-found01")
	h.Run("link", "show", "0-found01").Is(command.Done).Prints("URL\t" + h.Origin + "/pay/0-found01")
}

func TestActivityIsWrittenToANewFileAndPinsInPlainMode(t *testing.T) {
	h := clitest.New(t)
	ref := made(h, aTransfer())
	h.Run("activity", "--csv").Is(command.Done).Prints(ref)
	a := read[output.Attempt](h.Run("activity", "--json").Is(command.Done))
	h.Run("resolve", a.ID, "--not-ours").Is(command.Failed).Says("no answer about this attempt differs").Lacks("--yes")
	h.Run("completion", "bash").Is(command.Done).Lacks("__complete ${args[*]}") // which would run what is typed
	file := filepath.Join(h.Home, "made.csv")
	h.Run("activity", "--export", file).Is(command.Done).Says("1 row was written to")
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), ref) {
		t.Errorf("%s %v", b, err)
	}
	h.Run("activity", "--export", file).Is(command.Failed).Says("already")
	h.Run("pin", ref, "OTHER1").Is(command.Done).Says("Pinned.")
	h.Run("unpin", "OTHER1", "TYPO1").Is(command.Done).Says("1 payment is no longer pinned.")
	h.Run("unpin", "OTHER1").Is(command.Failed).Says("None of these is pinned.").Lacks("no longer")
	plain(h, "help zzz", "resolve "+ref, "menu", "6", "y", "", "q").Prints("Pinned: "+ref, "That is none of them: menu lists them", "6 not ours: ").Lacks("OTHER1")
}

// spoilt replaces the journal by something else.
func spoilt(h *clitest.Host, replace func(t testing.TB, file string)) {
	h.T.Helper()
	file := filepath.Join(h.StateDir(), "journal.db")
	must(h.T, os.MkdirAll(h.StateDir(), 0o700))
	for _, name := range []string{file, file + "-wal", file + "-shm", filepath.Join(h.StateDir(), "journal.head")} {
		must(h.T, os.RemoveAll(name))
	}
	replace(h.T, file)
}

func garbage(t testing.TB, file string) {
	must(t, os.WriteFile(file, []byte(strings.Repeat("no database ", 9000)), 0o600))
}

// A journal that cannot be read ends each of these with 1, in its sentence, and nothing is sent without one. A damaged
// one is replaced by an empty one: reading says what may be missing, and nothing is sent before that is acknowledged.
func TestAJournalThatCannotBeUsedIsSaid(t *testing.T) {
	about := [][]string{{"activity"}, {"activity", "show", "abcd"}, {"resolve", "abcd", "--give-up", "--yes"}, {"link", "list"}, {"link", "show", "0-abc"}}
	for name, c := range map[string]struct {
		replace func(testing.TB, string)
		says    string
		args    [][]string
	}{
		"a folder": {func(t testing.TB, file string) { must(t, os.Mkdir(file, 0o700)) }, "ournal", append(about, with(chairs, "--yes"))},
		"newer":    {func(t testing.TB, file string) { must(t, os.WriteFile(file, newerJournal(t), 0o600)) }, "a newer version of paydesk", [][]string{with(chairs, "--yes")}},
	} {
		t.Run(name, func(t *testing.T) {
			h := clitest.New(t)
			for _, args := range c.args {
				spoilt(h, c.replace)
				r := h.Run(args...).Is(command.Failed).Says(c.says)
				if r.Out != "" {
					t.Errorf("%q prints %q", args, r.Out)
				}
			}
			if name == "newer" {
				h.Run(with(chairs, "--yes")...).Says("Use that version, or choose another folder with --state-dir.", "Nothing was sent.")
			}
		})
	}
	h := clitest.New(t)
	spoilt(h, garbage)
	for range 2 { // trying again acknowledges nothing
		h.Run("activity").Is(command.Locked).Says("the journal was damaged", "paydesk journal acknowledge")
		r := h.Run(with(chairs, "--yes")...).Is(command.Locked).Says("the journal was damaged", "Nothing was sent.", "paydesk journal acknowledge")
		for _, once := range []string{"may be missing", "paydesk journal acknowledge"} {
			if n := strings.Count(r.Err, once); n != 1 {
				t.Errorf("%q is said %d times: %s", once, n, r.Err)
			}
		}
		h.Run("journal", "status").Is(command.Failed).Says("the journal was damaged")
		h.Run("journal", "acknowledge").Is(command.Locked).Says("may be missing", "A person at a terminal")
	}
	h.Run("journal", "acknowledge", "--yes").Is(command.Usage)
	h.Terminal("journal", "acknowledge").Sees("Type acknowledge").Type("yes\r").Sees("It was not acknowledged").Ends(command.Failed)
	h.Terminal("journal", "acknowledge").Sees("may be missing").Sees("Type acknowledge").Type("acknowledge\r").Sees("Acknowledged").Ends(command.Done)
	h.Run(with(chairs, "--yes")...).Is(command.Done).Lacks("may be missing")
	spoilt(h, func(t testing.TB, file string) { must(t, os.WriteFile(file, newerJournal(t), 0o600)) })
	for _, args := range [][]string{{"activity"}, {"activity", "--json"}, {"link", "list"}} { // it can be read
		h.Run(args...).Is(command.Done).Says("The journal was written by a newer version of paydesk. Use that version")
	}
	h.Run("case", "NONESUCH1").Says("a newer version of paydesk")
	bundle := h.Run("bundle").Is(command.Done).Prints(fmt.Sprintf("format %d,", newerJournal(t)[userVersion+3]))
	clitest.Result{T: t, Out: bundle.Out}.Lacks("Checking") // which stderr says
}

const userVersion = 60 // where the version is in the header of a file of SQLite

// newerJournal returns a journal of a version that does not exist yet: the number is in its header.
func newerJournal(t testing.TB) []byte {
	dir := filepath.Join(t.TempDir(), "state") // only its owner can read it
	j := journal.New(journal.Options{Dir: dir})
	must(t, j.Check(t.Context()))
	must(t, j.Close())
	b, err := os.ReadFile(filepath.Join(dir, "journal.db"))
	must(t, err)
	b[userVersion+3]++
	return b
}
