package screens_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydesk/api"
	"paydesk/screens/consoletest"
	"paydesk/screens/requests"
	"paydesk/screens/screentest"
	"paydesk/ui"
)

func TestEverythingThatWasAnsweredAboutAPaymentCanBeRead(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP").Sees("“The customer's bank asks the customer to approve.”")
		ref := reference(c)
		c.Press("a").Sees("AUTHENTICATION_REQUIRED · code 00")
		c.Press("v").Sees("Payment "+ref, "2 answers, newest first", "Authentication check · received", "HTTP 200", "hidden: markup of").Golden("raw/payment")
		for name, size := range map[string][2]int{"wide": {120, 40}, "large": {160, 50}} {
			c.Resize(size[0], size[1]).Wait(0)
			c.Sees("2 answers").Golden("raw/payment-" + name)
		}
		c.Resize(80, 24).Wait(0)
		c.Press("end").Sees(`"paymentReference": "` + ref + `"`).Press("home")
		c.Press("/").Type("fees").Press("enter").Sees("Initiation · received", `"fees": 0.19`).WaitsUntilGone("AUTHENTICATION_REQUIRED")
		c.Press("esc").Sees("AUTHENTICATION_REQUIRED").Press("y").Sees("The raw text was sent to your terminal's clipboard")
		for _, s := range []string{"Payment " + ref, "Initiation · received", `    "message": "The customer's bank asks the customer to approve.",`} {
			if !strings.Contains(c.Copied(), s) {
				t.Errorf("%q was not copied:\n%s", s, c.Copied())
			}
		}
		c.Sandbox.Approve(ref)
		c.Press("r").Sees("3 answers", "Status check · received", `"paymentStatus": "PENDING"`)
		c.Press("esc", "s").Sees("Status").Press("v").Sees("Raw answers", "Payment "+ref)
	})
}

func TestWithoutAnAnswerTheRawViewSaysWhoAsksAgain(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "approve")
		c.Yes("Charge 12.50 GBP").Wait(time.Minute).Sees("SUCCESSFUL")
		ref := reference(c)
		c.Press("esc")
		createLink(c, "Chairs", "once", "GBP", "120.00")
		again := c.Again()
		again.Press("3").Sees("Activity").Press("down", "enter").Sees(ref).Press("v")
		again.Sees("Payment "+ref, "No answer is kept", "until paydesk ends", "r  ask for the status").Golden("raw/nothing")
		again.Press("r").Sees("1 answer", "Status check", "Successfull", "New answer received.")
		again.Press("esc", "esc", "up", "enter").Sees("Name").Press("v").Sees("Link ", "no request that reads a link again").WaitsUntilGone("ask for the status")
	})
}

func TestTheWordsOfTheServiceStandBesideTheOutcome(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		payLink(c, "challenge")
		c.Yes("Charge 120.00 GBP").Sees("“The customer's bank asks the customer to approve.”")
		c.Sandbox.Approve(reference(c))
		c.Press("enter").Yes("Finalize").Press("v").Sees("Finalize · received", "2 answers")
		c.Press("esc").Wait(time.Second).Press("enter").Sees("“The customer's part is complete.” (finalize)")
		c.Wait(time.Minute).Sees("SUCCESSFUL").WaitsUntilGone("(finalize)")
	})
}

func TestFeesThatAreAddedAreInTheTotalThatTheCustomerPays(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		must(t, c.Sandbox.SetSwitch("initiate.extras", "on"))
		transfer(c)
		c.Sees("1,500.00 NGN + 22.50 NGN fees = 1,522.50 NGN", "pays exactly 1,522.50 NGN").Golden("raw/fees")
		ref := reference(c)
		c.Press("enter").Sees("1,500.00 NGN + 22.50 NGN fees = 1,522.50 NGN")
		again := c.Again()
		again.Press("3", "enter").Sees(ref, "1,500.00 NGN + 22.50 NGN fees = 1,522.50 NGN")
	}, consoletest.WithSandbox(manual))
}

func TestFeesAreShownAndNoTotalIsPromisedWhereNobodySaysWhoPaysThem(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("c").Choose("Currency", "NGN").Fill("Amount", "1,500").Press("enter").Sees("into an account given next").Press("down", "enter")
		customer(c.Person)
		c.Press("ctrl+s").Sees("1,500.00 NGN   sent as 1500; fees may be added").Yes("1,500.00 NGN")
		c.Sees("Fees", "22.50 NGN; the service does not say who pays", "Ask the provider", "whether the fees are added").WaitsUntilGone("exactly")
		c.Press("enter").Sees("Fees", "22.50 NGN; the service does not say who pays")
	}, consoletest.WithSandbox(manual))
}

// A long answer is kept and copied up to a limit each, which is said.
func TestALongAnswerSaysWhereItIsCut(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Sees("PENDING")
		var parts strings.Builder
		for i := range 900 {
			fmt.Fprintf(&parts, `"part%d":"%s",`, i, strings.Repeat("x", 200))
		}
		c.Wire.Rewrite(replacing("", `^\{`, "{"+parts.String()))
		c.Press("r").Wait(time.Second).Press("v").Sees("Status check · received", "bytes in all").Press("y").Sees("beginning of the raw text")
		if got := c.Copied(); len(got) > 48<<10+20 || !strings.HasSuffix(got, "\n… cut here") {
			t.Errorf("%d bytes, ending %q", len(got), got[len(got)-30:])
		}
	})
}

// inRequests types each of the personal values and the card into a payment, and opens the log over it.
func inRequests(c *consoletest.Console, card string) {
	c.T.Helper()
	pay(c, "12.50", "GBP", card)
	c.Yes("Charge 12.50 GBP").Wait(30 * time.Second).Press("f2").Sees("Requests")
}

// personal lists what the log must not have, besides what [consoletest.Secrets] lists.
var personal = append(consoletest.Secrets(consoletest.Key), "ada@example.org", "7946", "Obi", "4242424242424242")

func TestSupportGetsTheRequestsOfAPayment(t *testing.T) {
	folder := t.TempDir()
	consoletest.Run(t, func(c *consoletest.Console) {
		inRequests(c, "approve")
		c.Sees("following", "POST pay/initiate", "GET  transactions", "  200  ").Golden("requests/list")
		c.Press("end", "up", "up").Press("enter")
		c.Sees("POST /api/payment/pay/initiate", "Reference", "Attempt", "127.0.0.1:8099", "Answer as it came", `"paymentStatus": "INITIATED"`).Golden("requests/request")
		c.Press("y").Sees("The reference was sent").Press("Y").Sees("The ticket was sent to your terminal's clipboard")
		c.Press("esc", "w").Sees("paydesk-requests-")
		c.Fill("Folder", "here").Press("ctrl+s").Sees("Enter the whole path of a folder").WaitsUntilGone("here/", "Written to")
		c.Press("ctrl+u").Fill("Folder", folder).Press("ctrl+s").Sees("Written to")
		c.Press("w").Sees("/" + filepath.Base(folder)).Press("esc")  // where one file went, the next will
		c.Press("esc").WaitsUntilGone("Requests").Sees("SUCCESSFUL") // the payment below stayed as it was

		ticket := c.Copied()
		for _, s := range []string{"Initiate", "+00:00", "HTTP 200", "accepted", "reference ", "attempt ", " ms |"} {
			if !strings.Contains(ticket, s) {
				t.Errorf("the ticket %q lacks %q", ticket, s)
			}
		}
		text := screentest.OnlyFile(t, folder, "paydesk-requests-*")
		if !strings.Contains(text, ticket[strings.Index(ticket, "| ")+2:]) {
			t.Error(text)
		}
		for _, s := range personal {
			if strings.Contains(text+ticket, s) {
				t.Errorf("%q was written", s)
			}
		}
	})
}

func TestAFailedReadIsReadWholeAndFollowed(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		pay(c, "12.50", "GBP", "pending-long")
		c.Yes("Charge 12.50 GBP").Wait(10 * time.Second).Press("f2").WaitsUntilGone("failed")
		c.Wire.Disconnect(true)
		c.Wait(2*time.Minute).Sees("failed", "no response").Press("enter")
		c.Sees("✗ failed", "The host could not be reached").Golden("requests/failed")
		c.Press("esc").Wait(time.Minute).Sees("paused").WaitsUntilGone("following")
		c.Wire.Disconnect(false)
		row := func() string { return strings.TrimRight(c.Marked(), " │█") } // without the scroll bar, which comes with the polls
		before := row()
		if c.Wait(5 * time.Minute); row() != before {
			t.Errorf("the selection moved from %q to %q", before, row())
		}
		c.Press("space").Sees("following")
		if row() == before {
			t.Error("the newest is not selected")
		}
	})
}

func TestTheLogOutlivesAnotherKeyAndShowsTheRefusal(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press("2").Wait(time.Second).Press("esc")
		c.Wire.AcceptKey(rotated)
		c.Press("2").Sees("The service rejected the key").Press("f2").Sees("✗ 401", " 200").Press("esc")
		another(c)
		c.Press("f2").Sees("✗ 401").Press("f2").Press("esc").WaitsUntilGone("✗ 401")
	})
}

// A scan of a large list makes more requests than are kept.
func TestAScanLeavesWhatAPersonDidInTheLog(t *testing.T) {
	var l requests.Log
	add := l.Observer("shop")
	add(api.Exchange{Operation: api.OpInitiate, Reference: "mine"})
	for i := range 5_000 {
		add(api.Exchange{Operation: api.OpTransactions, Bulk: true, Sent: int64(i)})
		if i%1000 == 0 {
			add(api.Exchange{Operation: api.OpTransaction, Reference: "watched"})
		}
	}
	got := l.Entries()
	if len(got) != 26 || got[25].Reference != "mine" || got[0].Sent != 4_999 || got[0].N != 5_006 {
		t.Errorf("%d entries, from %v to %v", len(got), got[0], got[len(got)-1])
	}
	for range requests.Capacity {
		add(api.Exchange{})
	}
	for range 30 {
		add(api.Exchange{Bulk: true})
	}
	if got = l.Entries(); len(got) != requests.Capacity || !got[19].Bulk || got[20].Bulk {
		t.Errorf("%d entries", len(got))
	}
}

func TestTheBundleIsShownWholeBeforeItIsWritten(t *testing.T) {
	folder := t.TempDir()
	consoletest.Run(t, func(c *consoletest.Console) {
		c.Press(":").Type("diagn").Press("enter").Wait(time.Minute).Sees("All of this goes into the file", "── Versions ──").WaitsUntilGone("# paydesk")
		c.Press("w").Sees("paydesk-diagnostics-").Press("ctrl+u").Fill("Folder", folder).Press("ctrl+s").Sees("Written to")
	})
	if text := screentest.OnlyFile(t, folder, "*"); !strings.HasPrefix(text, "# paydesk diagnostics, ") {
		t.Error(text)
	}
}

// parsed gives every file of the packages that draw to look, without their tests and what only
// tests use.
func parsed(t *testing.T, look func(path string, set *token.FileSet, f *ast.File)) {
	t.Helper()
	n := 0
	for _, root := range []string{".", "../ui"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch name := d.Name(); {
			case err != nil:
				return err
			case d.IsDir() && slices.Contains([]string{"consoletest", "screentest", "termtest", "terminal", "testdata"}, name):
				return filepath.SkipDir
			case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			n++
			look(path, set, f)
			return nil
		})
		must(t, err)
	}
	if n < 80 {
		t.Fatalf("only %d files were looked at", n)
	}
}

// What reads answers or undoes the writing of a text: where something is drawn, no text comes from a
// reader and none is decoded after it was made safe. The dumpers are nowhere.
var readers = []string{
	"encoding/json", "encoding/xml", "encoding/hex", "html", "html/template", "mime", "mime/quotedprintable", "net/http", "net/http/httputil",
	"log", "log/slog", "charm.land/glamour/v2", "github.com/charmbracelet/glamour",
}

func TestNothingThatDrawsReadsOrDecodes(t *testing.T) {
	parsed(t, func(path string, _ *token.FileSet, f *ast.File) {
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			if name == "encoding/json" && strings.HasPrefix(path, "cli/") {
				continue // commands write it, and draw nothing
			}
			if slices.Contains(readers, name) {
				t.Errorf("%s imports %s", path, name)
			}
		}
	})
}

// cleaners make what an error says safe to show: it may quote an answer, an address, or a file.
var cleaners = []string{"Clean", "Plain", "Sentence", "clean", "plain"}

func TestWhatAnErrorSaysIsCleanedWhereItIsShown(t *testing.T) {
	texts := 0
	parsed(t, func(path string, set *token.FileSet, f *ast.File) {
		if strings.HasPrefix(path, "..") {
			return // errors of fields are their own words, and none quotes what was typed
		}
		if strings.HasPrefix(path, "cli/") {
			return // whatever a command says is cleaned in one place, line by line
		}
		cleaned := map[ast.Expr]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			switch name := called(call); {
			case slices.Contains(cleaners, name):
				for _, arg := range call.Args {
					cleaned[arg] = true
				}
			case name == "Error" && len(call.Args) == 0:
				if texts++; !cleaned[call] {
					t.Errorf("%s: an error's words are shown as they are", set.Position(call.Pos()))
				}
			}
			return true
		})
	})
	if texts < 10 {
		t.Errorf("only %d were looked at", texts)
	}
}

// called is the name of what is called.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// Where the terminal has hyperlinks, a URL leads to itself; what is beside it leads nowhere.
func TestTheURLsOfLinksAndOfTheBankCanBeClicked(t *testing.T) {
	consoletest.Run(t, func(c *consoletest.Console) {
		createLink(c, "Chairs", "once", "GBP", "120.00")
		page := c.LinkOf("http://127.0.0.1:8099/pay/")
		if c.Copied() != "" || page == "" || c.Press("y").Copied() != page {
			t.Errorf("the link's URL leads to %q, copied is %q", page, c.Copied())
		}
		if to := c.LinkOf("120.00 GBP"); to != "" {
			t.Errorf("the amount leads to %q", to)
		}
		c.Press("esc").Sees("Home")
		pay(c, "12.50", "GBP", "challenge")
		c.Yes("Charge 12.50 GBP").Sees("The customer opens this URL")
		bank := c.Press("y").Copied()
		// The URL takes two lines, each of which leads to the whole of it.
		if first, second := c.LinkOf("http://127.0.0.1:8099/bank/"), c.LinkOf("%20%26%20co"); first != bank || second != bank {
			t.Errorf("the bank's URL leads to %q and %q, copied is %q", first, second, bank)
		}
		c.Press("tab").Sees("redirect=false")
		if to := c.LinkOf("http://127.0.0.1:8099/bank/"); to == bank || to != c.Press("y").Copied() {
			t.Errorf("with another redirect it leads to %q", to)
		}
	}, consoletest.Themed(func(t *ui.Theme) { t.Hyperlinks = true }))
}
